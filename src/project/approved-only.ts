import { canonicalJson } from "../model/canonical.ts";
import { isContentMark } from "../model/fingerprint.ts";
import type { Json } from "../model/json.ts";
import type { Operation, Plan } from "../plan/plan.ts";

/**
 * The plan as made under the lock, with what nobody agreed to marked as such: an object that changed between showing
 * the plan and taking the lock is left alone, the rest goes on (docs/engine.md, Concurrency).
 */
export function approvedOnly(plan: Plan, approved: Plan | undefined): Plan {
  if (approved === undefined) return plan;
  const agreed = new Set(approved.operations.map(signer(approved)));
  const sign = signer(plan);
  return {
    ...plan,
    operations: plan.operations.map((operation) =>
      agreed.has(sign(operation)) ? operation : { ...operation, unapproved: true },
    ),
  };
}

/**
 * What makes two operations the same to who agreed to one of them: what is sent, to which object, and how everything that
 * it touches stood before.
 */
export function signer(plan: Plan): (operation: Operation) => string {
  const changes = new Map(plan.changes.map(({ address, before }) => [address, before]));
  const standing = (address: string): Json => withoutSizes(changes.get(address) ?? null);
  return ({ id, address, fields, embedded, ends, precondition }) => {
    const items =
      embedded?.items.map(({ address: itemAddress, id: itemId, fields: sent }) => ({
        address: itemAddress ?? null,
        id: itemId ?? null,
        sent,
      })) ?? null;
    const object = precondition ? { id: precondition.id, createdAt: precondition.createdAt } : null;
    const touched = [address, ...(ends ?? []), ...(embedded?.items ?? []).flatMap((item) => item.address ?? [])];
    const before = [...new Set(touched)].sort().map((each) => [each, standing(each)]);
    return canonicalJson({ id, fields, items, object, before } as Json);
  };
}

/** A text is the same by its hash; its size is only known where it was read. */
function withoutSizes(value: Json): Json {
  if (isContentMark(value)) return { $content: value.$content };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSizes);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSizes(each)]));
}

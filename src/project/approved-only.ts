import { canonicalJson } from "../model/canonical.ts";
import type { Json } from "../model/json.ts";
import type { Operation, Plan } from "../plan/plan.ts";

/**
 * The plan as made under the lock, with what nobody agreed to marked as such: an object that changed between showing
 * the plan and taking the lock is left alone, the rest goes on (engine.md 2.9).
 */
export function approvedOnly(plan: Plan, approved: Plan | undefined): Plan {
  if (approved === undefined) return plan;
  const agreed = new Set(approved.operations.map(signature));
  return {
    ...plan,
    operations: plan.operations.map((operation) =>
      agreed.has(signature(operation)) ? operation : { ...operation, unapproved: true },
    ),
  };
}

/** What makes two operations the same to who agreed to one of them. */
export function signature({ id, fields, embedded, precondition }: Operation): string {
  const items =
    embedded?.items.map(({ address, id: itemId, fields: sent }) => ({
      address: address ?? null,
      id: itemId ?? null,
      sent,
    })) ?? null;
  const object = precondition ? { id: precondition.id, createdAt: precondition.createdAt } : null;
  return canonicalJson({ id, fields, items, object } as Json);
}

import { parentAddress } from "../model/address.ts";
import { groupBy } from "../model/group-by.ts";
import { foreignFields } from "../model/variant.ts";
import { deposedAddress } from "./deposed.ts";
import type { Draft } from "./draft.ts";
import { isPending } from "./draft.ts";
import { embeddedList } from "./embedded-list.ts";
import { unmasked } from "./mask-secrets.ts";
import type { BindingParts, EmbeddedList, Operation, Precondition } from "./plan.ts";
import { isEnding } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** An operation before its order is known. */
export type LooseOperation = Omit<Operation, "after">;

/** The write units that carry the drafts out (docs/engine.md, Write routes): embedded children go with their parent's request. */
export function makeOperations(context: PlanContext, drafts: readonly Draft[]): readonly LooseOperation[] {
  const embedded = groupEmbedded(drafts);
  return drafts.flatMap((draft) => {
    const children = embedded.get(draft.address) ?? [];
    const ends = children.filter(({ change }) => change.action === "delete").map(({ address }) => address);
    const unit = { embedded: embeddedList(context, draft, children), ends, ...deposing(context, draft) };
    return [...unitOperations(draft, unit), ...setOperation(draft)];
  });
}

/** Ids of an address's operations. */
export const operationId = (op: Operation["op"], address: string) => `${op} ${address}`;

/** Children that have no request of their own, by the address of their parent. */
function groupEmbedded(drafts: readonly Draft[]): ReadonlyMap<string | undefined, readonly Draft[]> {
  return groupBy(
    drafts.filter(({ kind }) => kind.embedded),
    ({ address }) => parentAddress(address),
  );
}

/** What goes along with an object's own request. */
interface Unit {
  readonly embedded: EmbeddedList | undefined;
  /** Addresses of embedded children that go: their bindings end with the operation of their parent. */
  readonly ends: readonly string[];
  /** Where the object that another one replaces stands meanwhile. */
  readonly deposes?: string;
}

function deposing(context: PlanContext, { address, change }: Draft): Pick<Unit, "deposes"> {
  if (!change.createFirst) return {};
  return { deposes: deposedAddress(address, (each) => context.bindings.byAddress.has(each)) };
}

function unitOperations(draft: Draft, unit: Unit): readonly LooseOperation[] {
  if (draft.kind.embedded || isPending(draft)) return [];
  switch (draft.change.action) {
    case "create":
      return [creation(draft, unit)];
    case "replace":
      return [deletion(draft, unit), creation(draft, unit)];
    case "delete":
      return [deletion(draft, unit)];
    case "update":
    case "no-op":
      return draft.change.action === "update" || unit.embedded ? updates(draft, unit) : [];
    case "forget":
      return [];
  }
}

function baseOf({
  address,
  kind,
  declared,
  binding,
}: Draft): Pick<LooseOperation, "address" | "kind" | "declared"> & { parent?: string; binding?: BindingParts } {
  const parent = parentAddress(address);
  return {
    address,
    kind: kind.name,
    declared,
    ...(parent === undefined ? {} : { parent }),
    ...(binding && { binding }),
  };
}

function creation(draft: Draft, { embedded, deposes }: Unit): LooseOperation {
  return {
    id: operationId("create", draft.address),
    op: "create",
    ...baseOf(draft),
    fields: draft.send,
    ...(embedded && { embedded }),
    ...(deposes !== undefined && { deposes }),
  };
}

function updates(draft: Draft, { embedded, ends }: Unit): readonly LooseOperation[] {
  const onlyOwn = Object.keys(draft.send).length === 0 && embedded === undefined;
  if (onlyOwn) return [];
  return [
    {
      id: operationId("update", draft.address),
      op: "update",
      ...baseOf(draft),
      fields: draft.send,
      kept: keptFields(draft),
      ...(embedded && { embedded }),
      ...(ends.length > 0 && { ends }),
      ...preconditionOf(draft),
    },
  ];
}

function deletion(draft: Draft, { ends, deposes }: Unit): LooseOperation {
  const { binding: _binding, ...base } = baseOf(draft);
  return {
    id: operationId("delete", draft.address),
    op: "delete",
    ...base,
    fields: {},
    ends: [deposes ?? draft.address, ...ends],
    ...preconditionOf(draft),
  };
}

/** Fields with a request of their own, after the request that makes or changes the object. */
function setOperation(draft: Draft): readonly LooseOperation[] {
  if (Object.keys(draft.own).length === 0) return [];
  const { binding, ...base } = baseOf(draft);
  return [
    { id: operationId("set", draft.address), op: "set", ...base, fields: draft.own, ...(binding && { binding }) },
  ];
}

/** What stands at the service and nobody here declares: it must read the same afterwards, but for what a wished variant ends. */
function keptFields({ kind, node, live, liveFields, declared, send }: Draft): Draft["declared"] {
  const wished = { ...declared, ...send };
  const chosen = unmasked(wished, node?.fields);
  const standing = unmasked(liveFields, live?.fields);
  const ended = new Set(
    (kind.variants ?? []).flatMap((variant) => {
      const choosing = typeof variant.by === "string" ? { ...standing, ...chosen } : chosen;
      return [...foreignFields([variant], choosing)];
    }),
  );
  return Object.fromEntries(Object.entries(liveFields).filter(([name]) => !(name in wished) && !ended.has(name)));
}

function preconditionOf(draft: Draft): { readonly precondition?: Precondition } {
  const { live } = draft;
  if (live?.identity === undefined) return {};
  return { precondition: { ...live.identity, managed: managedLive(draft) } };
}

function managedLive(draft: Draft): Draft["declared"] {
  if (isEnding(draft.change)) return {};
  const entries = Object.entries(draft.liveFields).filter(([name]) => name in draft.declared || name in draft.send);
  return Object.fromEntries(entries);
}

import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import type { BindingParts } from "../plan/plan.ts";
import type { StateResource } from "../state/state.ts";

/** A binding from what the plan knows and what the service answered. */
export function bindAnswer(of: {
  readonly kind: AnyKind;
  readonly wire: Wire;
  readonly binding: BindingParts;
  readonly parentId: number | undefined;
  /** What it was bound as before, when the answer does not say all. */
  readonly former?: StateResource;
}): StateResource {
  const { kind, wire, binding, parentId, former } = of;
  const createdAt = typeof wire["createdAt"] === "string" ? wire["createdAt"] : (former?.createdAt ?? "");
  const seen = kind.seen && seenIn(wire, kind.seen);
  return {
    ...binding,
    id: wire.id,
    createdAt,
    ...(parentId === undefined ? {} : { parent: parentId }),
    ...(seen && { seen }),
  };
}

/** Only a whole set of members can vouch for a text that is not read again. */
function seenIn(wire: JsonObject, members: readonly string[]): JsonObject | undefined {
  if (members.some((member) => wire[member] === undefined)) return undefined;
  return Object.fromEntries(members.map((member) => [member, wire[member] ?? null]));
}

import type { Hash } from "../model/fingerprint.ts";
import { vouching } from "../model/fingerprint.ts";
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
  readonly hash: Hash;
  /** What it was bound as before, when the answer does not say all. */
  readonly former?: StateResource;
}): StateResource {
  const { kind, wire, binding, parentId, former, hash } = of;
  const createdAt = typeof wire["createdAt"] === "string" ? wire["createdAt"] : (former?.createdAt ?? "");
  const seen = kind.seen && isWhole(wire, kind.seen) ? vouching(wire, kind.seen, hash) : undefined;
  return {
    ...binding,
    id: wire.id,
    createdAt,
    ...(parentId === undefined ? {} : { parent: parentId }),
    ...(seen && { seen }),
  };
}

/** Only a whole set of members can vouch for a text that is not read again. */
function isWhole(wire: JsonObject, members: readonly string[]): boolean {
  return members.every((member) => wire[member] !== undefined);
}

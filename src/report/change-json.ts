import type { Json, JsonObject } from "../model/json.ts";
import type { Change } from "../plan/plan.ts";
import { readableObject, sensitiveMap, shownName } from "./readable-value.ts";

/** `loadform_test_case` for `testCase`: the type under which Terraform's tools know a kind. */
export function resourceType(kind: string): string {
  return `loadform_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** One object of a plan, encoded as Terraform 1.11 encodes a resource change. */
export function changeJson(change: Change): JsonObject {
  const { address, kind, risks } = change;
  const reason = actionReason(change);
  return {
    address,
    ...(change.previousAddress === undefined ? {} : { previous_address: change.previousAddress }),
    mode: "managed",
    type: resourceType(kind),
    kind,
    name: shownName(change),
    change: bothSides(change),
    ...(reason === undefined ? {} : { action_reason: reason }),
    risks: [...risks],
  };
}

/** Contract, section 4: a move or an adoption has `["no-op"]` or `["update"]`. */
function actionsOf({ action, createFirst }: Change): readonly string[] {
  if (action === "replace") return createFirst ? ["create", "delete"] : ["delete", "create"];
  return [action];
}

function bothSides(change: Change): JsonObject {
  const before = endsBefore(change) ? undefined : change.before;
  const after = endsAfter(change) ? undefined : change.after;
  const unknown = change.fields.filter((field) => field.unknown).map(({ field }) => field);
  const known = Object.entries(after ?? {}).filter(([name]) => !unknown.includes(name));
  return {
    actions: actionsOf(change),
    before: before === undefined ? null : readableObject(before),
    after: after === undefined ? null : readableObject(Object.fromEntries(known), before ?? {}),
    after_unknown: after === undefined ? {} : Object.fromEntries(unknown.map((name) => [name, true])),
    before_sensitive: sensitivity(before),
    after_sensitive: sensitivity(after),
    ...(change.importing && change.id !== undefined ? { importing: { id: String(change.id) } } : {}),
  };
}

/** An object that is not there has no before; a stale one that the state still knows does not count. */
function endsBefore({ action }: Change): boolean {
  return action === "create";
}

function endsAfter({ action }: Change): boolean {
  return action === "delete" || action === "forget";
}

/** Terraform writes false for an object that is not there, and an empty map for one without secrets. */
function sensitivity(side: JsonObject | undefined): Json {
  return side === undefined ? false : (sensitiveMap(side) ?? {});
}

const terraformReasons: Readonly<Record<string, string>> = {
  "cannot change in place": "replace_because_cannot_update",
  "replace requested": "replace_by_request",
  unmanaged: "delete_because_unmanaged",
};

/** Terraform's own words where it has some, else ours in its spelling. */
function actionReason({ reason }: Change): string | undefined {
  return reason === undefined ? undefined : (terraformReasons[reason] ?? reason.replace(/\W+/g, "_"));
}

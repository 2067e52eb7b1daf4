import { Refusal } from "../core/refusal.ts";
import type { Scope } from "../core/scope.ts";
import { children } from "../store/hierarchy.ts";
import type { TableName } from "../store/records.ts";

/** DECISION (seed 1, conventions 5): a delete takes what lies below along; setting `cascade: refuse` is 409. Regions are never deleted but deactivated, so only active ones count. */
export function deleteObject(scope: Scope, table: TableName, id: number): void {
  const { store } = scope;
  for (const [child, column] of children[table] ?? []) {
    const below = store.under(child, column, id);
    const standing = child === "region" ? below.filter((row) => store.get("region", row.id)?.active) : below;
    if (standing.length > 0 && scope.settings.cascade === "refuse")
      throw new Refusal(
        409,
        `${table} ${id} holds ${standing.length} of ${child}; expected it to be empty: delete those first`,
      );
    for (const row of below) deleteObject(scope, child, row.id);
  }
  store.remove(table, id);
}

/** DECISION (seed 1, DELETE): what a configuration uses cannot be deleted: 409. */
export function refuseInUse(
  what: string,
  users: readonly { readonly id: number; readonly name: string }[],
  scope: Scope,
): void {
  const [first] = users;
  if (first === undefined || scope.settings.inUse === "allow") return;
  const names = users.map((each) => `${each.id} (${each.name})`).join(", ");
  throw new Refusal(409, `${what} is used by configurations ${names}; expected none: delete or change them first`);
}

import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { Stored } from "../store/records/stored.ts";
import { children, parents, type TableName } from "../store/records/tables.ts";

const touched: readonly TableName[] = ["testCase", "scenario", "configuration", "gateway", "provider"];

/** DECISION (API 1, conventions 2): a write leaves its parents' updatedAt; setting `touch: parent` moves it. */
export function touchParents(scope: Scope, table: TableName, row: Stored): void {
  if (scope.settings.touch !== "parent") return;
  const parent = parents[table];
  const id: unknown = parent && Reflect.get(row, parent[1]);
  if (parent === undefined || typeof id !== "number" || !touched.includes(parent[0])) return;
  const above = scope.store.get(parent[0], id);
  if (above === undefined) return;
  scope.store.update(parent[0], id, {});
  touchParents(scope, parent[0], above);
}

const parts: readonly TableName[] = ["traffic", "metricDef"];

/** DECISION (API 1, conventions 5): a delete takes what lies below along; setting `cascade: refuse` is 409. Regions are never deleted but deactivated, so only active ones count; traffic is part of its recording, as definitions of metrics are of their test case. */
export function deleteObject(scope: Scope, table: TableName, id: number): void {
  const { store } = scope;
  for (const [child, column] of children[table] ?? []) {
    const below = store.under(child, column, id);
    const remaining = below.filter((row) =>
      child === "region" ? store.get("region", row.id)?.active : !parts.includes(child),
    );
    if (remaining.length > 0 && scope.settings.cascade === "refuse")
      throw new Refusal(
        409,
        `${table} ${id} holds ${remaining.length} of ${child}; expected it to be empty: delete those first`,
      );
    for (const row of below) deleteObject(scope, child, row.id);
  }
  store.remove(table, id);
}

/** DECISION (API 1, DELETE): what a configuration uses cannot be deleted: 409. */
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

import type { Scope } from "../core/scope.ts";
import { parents } from "../store/hierarchy.ts";
import type { Stored, TableName } from "../store/records.ts";

const touched: readonly TableName[] = ["testCase", "scenario", "configuration", "gateway", "provider"];

/** DECISION (seed 1, conventions 2): a write leaves its parents' updatedAt; setting `touch: parent` moves it. */
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

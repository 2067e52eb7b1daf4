import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { rowsOf } from "../rules/csv-rows.ts";
import type { DataStoreRecord } from "../store/records.ts";
import { scenarioReference } from "./scenario-summary.ts";
import type { View } from "./stamp.ts";
import { stamp } from "./stamp.ts";

/** How a data store is shown (seed 1, Data stores: `down` is the CSV headers, `up` the scenario). */
export interface DataStoreFlags {
  readonly down: boolean;
  readonly up: boolean;
  readonly includeRows?: boolean;
}

/** Seed 1, Data store. The links carry a session id and begin with `/api/` (conventions 1). */
export function viewDataStore(row: DataStoreRecord, flags: DataStoreFlags, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    ...stamp(row),
    name: row.name,
    type: row.type,
    charset: row.charset,
    size: row.size,
    numRows: row.numRows,
    url: `/api/data-stores/${row.id}/download?sid=${scope.session}`,
    thumbnailUrl: `/api/data-stores/${row.id}/thumbnail?sid=${scope.session}`,
    deleteUrl: `/api/data-stores/${row.id}?sid=${scope.session}`,
    deleteType: "DELETE",
  };
  if (flags.down) view["headers"] = row.headers;
  if (flags.up) view["script"] = scenarioReference(row.scenarioId, scope);
  if (flags.includeRows) view["rows"] = rowsOf(row).map((_, index) => viewRow(row, index + 1, scope));
  return view;
}

/** Seed 1, Data row: `rowIndex` starts at 1. */
export function viewRow(store: DataStoreRecord, rowIndex: number, scope: Scope & { readonly up?: boolean }): View {
  const rowData = rowsOf(store)[rowIndex - 1] ?? "";
  const row = { ...stamp(store), id: rowIndex, rowIndex, rowData };
  return scope.up ? { ...row, dataStore: viewDataStore(store, { down: true, up: false }, scope) } : row;
}

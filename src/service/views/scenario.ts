import type { JsonValue } from "../../api/routes.ts";
import { rowsOf } from "../core/csv-rows.ts";
import type { Scope } from "../core/scope.ts";
import type { DataStoreRecord, ScenarioRecord } from "../store/records/scenarios.ts";
import { stamp, type View } from "./stamp.ts";

/** Options of a scenario's view (API 1, Scenario: texts and data stores with `down`, its test case with `up`). */
export interface ScenarioFlags {
  readonly down: boolean;
  readonly up: boolean;
  /** Within its test case, which has the configurations beside it. */
  readonly nested?: true;
}

/** API 1, Scenario (script). DECISION (API 1, Scenario: configurations): with `down`, id and name of each that runs it. */
export function viewScenario(row: ScenarioRecord, flags: ScenarioFlags, scope: Scope): View {
  const stores = scope.store.where("dataStore", "scenarioId", row.id);
  // Spelled out: trees of thousands of scenarios are made of it, and spreading costs five times as much.
  const view: Record<string, JsonValue> = {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    firstVersion: row.createdAt === row.updatedAt,
    name: row.name,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    length: row.main.length,
    hasInit: isFilled(row.init),
    hasTeardown: isFilled(row.teardown),
    scriptType: row.scriptType,
    dataLength: stores.reduce((sum, store) => sum + store.size, 0),
    readonly: row.readonly,
    language: row.language,
    nodeVersion: row.nodeVersion,
    paramsConfig: row.paramsConfig.map((each) => ({ ...each })),
    tags: [...row.tags],
  };
  if (flags.down) {
    view["main"] = row.main;
    view["init"] = row.init;
    view["teardown"] = row.teardown;
    if (row.startParameters) view["startParameters"] = { ...row.startParameters };
    view["dataStores"] = stores.map((store) => viewDataStore(store, { down: true, up: false }, scope));
    if (!flags.nested) view["configurations"] = runningConfigurations(row.id, scope);
  }
  if (flags.up) view["testCase"] = testCaseReference(row.testCaseId, scope);
  return view;
}

function runningConfigurations(scriptId: number, { store }: Scope): readonly View[] {
  return store.where("configuration", "scriptId", scriptId).map((each) => ({ ...stamp(each), name: each.name }));
}

/** API 1, Test configuration: the summary of the scenario that it runs. */
export function viewScenarioSummary(row: ScenarioRecord): View {
  return {
    id: row.id,
    name: row.name,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    length: row.main.length,
    hasInit: isFilled(row.init),
    hasTeardown: isFilled(row.teardown),
    scriptType: row.scriptType,
  };
}

/** A scenario as what lies below it names it: id and name. */
function scenarioReference(id: number, scope: Scope): View | null {
  const row = scope.store.get("scenario", id);
  return row ? { id: row.id, name: row.name } : null;
}

function isFilled(text: string | null): boolean {
  return text !== null && text !== "";
}

/** A test case as what lies below it names it. */
export function testCaseReference(id: number, scope: Scope): View | null {
  const row = scope.store.get("testCase", id);
  return row ? { ...stamp(row), name: row.name, active: row.active } : null;
}

/** Options of a data store's view (API 1, Data stores: `down` is the CSV headers, `up` the scenario). */
export interface DataStoreFlags {
  readonly down: boolean;
  readonly up: boolean;
  readonly includeRows?: boolean;
}

/** API 1, Data store. The links carry a session id and begin with `/api/` (conventions 1). */
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

/** API 1, Data row: `rowIndex` starts at 1. */
export function viewRow(store: DataStoreRecord, rowIndex: number, scope: Scope & { readonly up?: boolean }): View {
  const rowData = rowsOf(store)[rowIndex - 1] ?? "";
  const row = { ...stamp(store), id: rowIndex, rowIndex, rowData };
  return scope.up ? { ...row, dataStore: viewDataStore(store, { down: true, up: false }, scope) } : row;
}

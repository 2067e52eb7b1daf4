import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { DataStoreRecord } from "../store/records.ts";
import { fileFacts } from "./csv-rows.ts";
import { readName, refuseTaken, sameName } from "./names.ts";
import { touchParents } from "./touch.ts";

/** A file on its way into a scenario. */
export interface File {
  readonly name: string;
  /** Base64. */
  readonly contents: string;
}

/** SEED (1, Data stores, upload): a data store of that name in the scenario is updated, otherwise one is created. */
export function putFile(file: File, scenarioId: number, scope: Scope): DataStoreRecord {
  const siblings = scope.store.where("dataStore", "scenarioId", scenarioId);
  const former = siblings.find((each) => sameName(each.name, file.name, scope));
  const facts = fileFacts(former?.name ?? file.name, file.contents);
  const row = former
    ? scope.store.update("dataStore", former.id, { contents: file.contents, ...facts })
    : scope.store.insert("dataStore", { ...file, ...facts, scenarioId });
  forgetIterators(row.id, scope);
  touchParents(scope, "dataStore", row);
  return row;
}

/** A second data store of a name (setting `contents: duplicate`). */
export function addFile(file: File, scenarioId: number, scope: Scope): DataStoreRecord {
  const row = scope.store.insert("dataStore", { ...file, ...fileFacts(file.name, file.contents), scenarioId });
  touchParents(scope, "dataStore", row);
  return row;
}

/** SEED (1, PUT /data-stores/:id/contents): an omitted field keeps its value. A taken name is 409. */
export function changeFile(former: DataStoreRecord, change: Partial<File>, scope: Scope): DataStoreRecord {
  const { name = former.name, contents = former.contents } = change;
  const siblings = scope.store.where("dataStore", "scenarioId", former.scenarioId);
  refuseTaken(name, siblings, { ...scope, self: former.id });
  const row = scope.store.update("dataStore", former.id, { name, contents, ...fileFacts(name, contents) });
  if (contents !== former.contents) forgetIterators(row.id, scope);
  touchParents(scope, "dataStore", row);
  return row;
}

/** Base64 contents of a body, in their plain form; anything else is an invalid field. */
export function readContents(value: JsonValue | undefined, scope: Scope): string {
  const text = typeof value === "string" ? value.replace(/\s+/g, "") : "";
  if (typeof value !== "string") scope.findings.add("contents", "found none; expected the file's bytes in base64");
  else if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    scope.findings.add("contents", "found text that is no base64; expected the file's bytes in base64");
  return text;
}

/** Name of a file in a body. */
export function readFileName(value: JsonValue | undefined, scope: Scope): string {
  return readName(value, scope);
}

function forgetIterators(dataStoreId: number, { store }: Scope): void {
  for (const { id } of store.where("iterator", "dataStoreId", dataStoreId)) store.remove("iterator", id);
}

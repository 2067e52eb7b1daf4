import type { JsonValue } from "../../api/routes.ts";
import type { Source } from "../agenda.ts";
import { fileFacts, rowsOf } from "../core/csv-rows.ts";
import type { Upload } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { DataStoreRecord, IteratorRecord } from "../store/records/scenarios.ts";
import type { Store } from "../store/store.ts";
import { touchParents } from "./cascade.ts";
import { readName, refuseTaken, sameName } from "./read-text.ts";

/** A file on its way into a scenario. */
export interface File {
  readonly name: string;
  /** Base64. */
  readonly contents: string;
}

/** API 1, Data stores, upload: a data store of that name in the scenario is updated, otherwise one is created. */
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

/** API 1, PUT /data-stores/:id/contents: an omitted field keeps its value. A taken name is 409. */
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

/** DECISION (API 1, upload: form field names not shown): every file part counts, whatever its name. */
export function uploadedFiles(uploads: readonly Upload[], scope: Scope): readonly File[] {
  if (uploads.length === 0) scope.findings.add("file", "found no file; expected at least one file part, such as file");
  return uploads.map(({ fileName, bytes }) => ({
    name: readName(fileName, scope, "file"),
    contents: Buffer.from(bytes).toString("base64"),
  }));
}

/** Lifetime of an iterator that is not used (API 1, Limits). */
const iteratorLifeMs = 60 * 60 * 1000;

/** DECISION (API 1, Iterator rules): one call asks for at most 100,000 rows. */
const maximumRows = 100_000;

/**
 * The next row numbers of a named iterator (API 1, Iterator rules): no row twice in a round, from the start again when it
 * wraps, an error on every later call when it does not.
 */
export function nextRows(
  file: DataStoreRecord,
  { name, rows, wrap }: { readonly name: string; readonly rows: number; readonly wrap: boolean },
  scope: Scope,
): readonly number[] {
  if (rows < 1 || rows > maximumRows) scope.findings.add("rows", `found ${rows}; expected 1 to ${maximumRows}`);
  scope.findings.check();
  const total = rowsOf(file).length;
  const known = liveIterator(file, name, scope);
  const start = known?.position ?? 0;
  if (total === 0 || start > total || (start === total && !wrap)) throw atEnd(name, total);
  const count = wrap ? rows : Math.min(rows, total - start);
  const taken = Array.from({ length: count }, (_, index) => ((start + index) % total) + 1);
  const end = start + count;
  // Beyond the last row is who came to it without wrapping: it remains there, whatever a later call says.
  const position = end > total ? ((end - 1) % total) + 1 : end === total && !wrap ? total + 1 : end;
  const progress = { position, usedAt: scope.store.now() };
  if (known) scope.store.update("iterator", known.id, progress);
  else scope.store.insert("iterator", { dataStoreId: file.id, name, ...progress });
  return taken;
}

function liveIterator(file: DataStoreRecord, name: string, { store, now }: Scope): IteratorRecord | undefined {
  const known = store.where("iterator", "dataStoreId", file.id).find((each) => each.name === name);
  return known && expiryOf(known) > now ? known : undefined;
}

/** DECISION (API 1, Errors: iterator past the end): an iterator past its end is 410. */
function atEnd(name: string, total: number): Refusal {
  const problem =
    total === 0
      ? "found a file without rows; expected one with rows below its headers"
      : `iterator "${name}" is past the last of ${total} rows; expected a new iterator name`;
  return new Refusal(410, problem);
}

/** Iterators that nobody used for their lifetime are removed; those of a restored state once time moves on. */
export class ExpiredIterators implements Source {
  readonly #store: Store;
  #known: { readonly version: number; readonly first: number } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  next(after: number): number {
    const version = this.#store.version("iterator");
    if (this.#known?.version !== version)
      this.#known = { version, first: this.#store.all("iterator").reduce(earlierEnd, Number.POSITIVE_INFINITY) };
    return Math.max(this.#known.first, after + 1);
  }

  run(at: number): void {
    for (const row of this.#store.all("iterator")) if (expiryOf(row) <= at) this.#store.remove("iterator", row.id);
  }
}

function earlierEnd(first: number, row: IteratorRecord): number {
  return Math.min(first, expiryOf(row));
}

function expiryOf({ usedAt }: IteratorRecord): number {
  return Date.parse(usedAt) + iteratorLifeMs;
}

import { Refusal } from "../core/refusal.ts";
import type { Scope } from "../core/scope.ts";
import type { DataStoreRecord, IteratorRecord } from "../store/records.ts";
import { rowsOf } from "./csv-rows.ts";

/** How long an iterator lives without being used (seed 1, Limits). */
export const iteratorLifeMs = 60 * 60 * 1000;

/** DECISION (seed 1, Iterator rules): one call asks for at most 100,000 rows. */
const maximumRows = 100_000;

/** What a call asks of an iterator. */
interface Ask {
  readonly name: string;
  readonly rows: number;
  readonly wrap: boolean;
}

/**
 * The next row numbers of a named iterator (seed 1, Iterator rules): no row twice in a round, from the start again when it
 * wraps, an error on every later call when it does not.
 */
export function nextRows(file: DataStoreRecord, ask: Ask, scope: Scope): readonly number[] {
  if (ask.rows < 1 || ask.rows > maximumRows)
    scope.findings.add("rows", `found ${ask.rows}; expected 1 to ${maximumRows}`);
  scope.findings.check();
  const total = rowsOf(file).length;
  const known = liveIterator(file, ask.name, scope);
  const start = known?.position ?? 0;
  if (total === 0 || (start >= total && !ask.wrap)) throw atEnd(ask.name, total);
  const count = ask.wrap ? ask.rows : Math.min(ask.rows, total - start);
  const taken = Array.from({ length: count }, (_, index) => ((start + index) % total) + 1);
  const end = start + count;
  save({ known, file, name: ask.name, position: end > total ? ((end - 1) % total) + 1 : end }, scope);
  return taken;
}

function liveIterator(file: DataStoreRecord, name: string, { store, now }: Scope): IteratorRecord | undefined {
  const known = store.where("iterator", "dataStoreId", file.id).find((each) => each.name === name);
  return known && Date.parse(known.usedAt) + iteratorLifeMs > now ? known : undefined;
}

interface Progress {
  readonly known: IteratorRecord | undefined;
  readonly file: DataStoreRecord;
  readonly name: string;
  readonly position: number;
}

function save({ known, file, name, position }: Progress, { store }: Scope): void {
  const usedAt = store.now();
  if (known) store.update("iterator", known.id, { position, usedAt });
  else store.insert("iterator", { dataStoreId: file.id, name, position, usedAt });
}

/** DECISION (seed 1, Errors: iterator past the end): an iterator past its end is 410. */
function atEnd(name: string, total: number): Refusal {
  return new Refusal(
    410,
    `iterator "${name}" is past the last of ${total} rows; expected wrap=true, or a new iterator name`,
  );
}

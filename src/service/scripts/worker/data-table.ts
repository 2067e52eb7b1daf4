import type { Random } from "./random.ts";

/** A row of a CSV file as a script gets it. */
interface Row {
  /** From 1. */
  readonly index: number;
  /** Values by column. */
  readonly data: Readonly<Record<string, string>>;
  /** Values in the order of the columns. */
  readonly indexed: readonly string[];
}

/** A row that can be awaited or read at once. */
type ReadyRow<T> = Promise<T> & Row;

/** `dataTable.open(csv)`: the data stores of the scenario, each read from its first row on. */
export function scriptDataTables(tables: Readonly<Record<string, string>>, random: Random) {
  const known = new Map<string, ReturnType<typeof tableOf>>();
  return {
    open: (given: unknown) => {
      const name = String(given);
      const text = Object.hasOwn(tables, name) ? tables[name] : undefined;
      if (text === undefined)
        throw new Error(
          `found no data store ${JSON.stringify(name)}; expected ${Object.keys(tables).join(", ") || "one to be there: the scenario has none"}`,
        );
      const table = known.get(name) ?? tableOf(name, text, random);
      known.set(name, table);
      return table;
    },
  };
}

function tableOf(name: string, text: string, random: Random) {
  const rows = rowsOf(text);
  let position = 0;
  const get = (index: unknown): ReadyRow<Row> => {
    const row = rows[Number(index) - 1];
    if (row === undefined)
      throw new Error(`${name}: found row ${String(index)}; expected one from 1 to ${rows.length}`);
    return ready(row, row);
  };
  const next = ({ rows: count = 1, wrap = true }: { rows?: number; wrap?: boolean } = {}): ReadyRow<readonly Row[]> => {
    const taken: Row[] = [];
    while (taken.length < count) {
      if (position >= rows.length && (!wrap || rows.length === 0)) break;
      if (position >= rows.length) position = 0;
      taken.push(rows[position++] as Row);
    }
    const [first] = taken;
    if (first === undefined) throw new Error(`${name}: no row is left; expected more rows, or wrap: true`);
    return ready(Object.assign(taken, first), first);
  };
  return { get, next, random: () => get(Math.floor(random() * rows.length) + 1), length: rows.length };
}

function ready<T>(value: T, row: Row): ReadyRow<T> {
  return Object.assign(Promise.resolve(value), row);
}

function rowsOf(text: string): readonly Row[] {
  const [header = [], ...records] = recordsOf(text);
  return records.map((indexed, at) => ({
    index: at + 1,
    data: Object.fromEntries(header.map((column, place) => [column, indexed[place] ?? ""])),
    indexed,
  }));
}

/** Records of a CSV as lists of fields; the first line says which of comma, semicolon and tab parts them. */
function recordsOf(text: string): readonly (readonly string[])[] {
  const [line = ""] = /[^\r\n]+/.exec(text) ?? [];
  const separator = [",", ";", "\t"].find((each) => line.includes(each)) ?? ",";
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`, "y");
  const records: string[][] = [];
  let fields: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at = field.lastIndex) {
    field.lastIndex = at;
    const [, quoted, bare = "", end = ""] = field.exec(text) ?? [undefined, undefined, text.slice(at), ""];
    if (field.lastIndex <= at) field.lastIndex = text.length;
    fields.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    // A blank line is no record; one of empty fields is, as in the rows of the API.
    if (field.lastIndex - end.length > start) records.push(fields);
    fields = [];
    start = field.lastIndex;
  }
  if (fields.length > 0) records.push(fields);
  return records;
}

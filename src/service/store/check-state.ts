import { Refusal } from "../core/refusal.ts";
import { children, parents, tableNames } from "./hierarchy.ts";
import { shapeOf } from "./record-shapes.ts";
import type { Stored, TableName } from "./records.ts";
import type { Misfit } from "./shape.ts";
import { bagOf, listOf, shape } from "./shape.ts";

interface Reference {
  readonly table: TableName;
  /** Column that holds the id. */
  readonly column: string;
  readonly to: TableName;
}

type Rows = Readonly<Record<string, readonly Stored[]>>;

const counter = shape("a whole number, at least 1", (value) => Number.isSafeInteger(value) && Number(value) >= 1);

/**
 * Refuses, as a whole, a state that is no whole one: a record of another shape, an id twice, an object without the one that it belongs to, or no organization at all. What is taken can be read and written.
 */
export function checkState(tables: Readonly<Record<string, unknown>>, next: unknown): void {
  refuse(bagOf(counter)(next, "next"));
  for (const [name, list] of Object.entries(tables)) refuse(listOf(shapeOf(name as TableName))(list, `tables.${name}`));
  const rows = tables as Rows;
  const ids = new Map(tableNames.map((name) => [name, idsOf(name, rows)]));
  for (const reference of references) refuse(dangling(reference, rows, ids));
  if ((rows["organization"] ?? []).length === 0)
    refuse({ at: "tables.organization", found: undefined, expected: "at least one organization" });
}

/** Everything that lies below or belongs to another object. */
const references: readonly Reference[] = [
  ...Object.entries(parents).map(([table, [to, column]]) => ({ table: table as TableName, column, to })),
  ...Object.entries(children).flatMap(([to, list]) =>
    list.map(([table, column]) => ({ table, column, to: to as TableName })),
  ),
];

function idsOf(table: TableName, tables: Rows): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const [index, { id }] of (tables[table] ?? []).entries()) {
    if (ids.has(id))
      refuse({ at: `tables.${table}[${index}].id`, found: id, expected: "an id that no other of the table has" });
    ids.add(id);
  }
  return ids;
}

function dangling(
  { table, column, to }: Reference,
  tables: Rows,
  ids: ReadonlyMap<TableName, ReadonlySet<number>>,
): Misfit | undefined {
  const rows = tables[table] ?? [];
  const known = ids.get(to);
  const index = rows.findIndex((row) => Reflect.get(row, column) !== null && !known?.has(Reflect.get(row, column)));
  if (index < 0) return undefined;
  const found: unknown = Reflect.get(rows[index] as object, column);
  return { at: `tables.${table}[${index}].${column}`, found, expected: `the id of an entry of tables.${to}` };
}

function refuse(misfit: Misfit | undefined): void {
  if (misfit === undefined) return;
  const words = JSON.stringify(misfit.found) ?? "none";
  const found = words.length > 60 ? `${words.slice(0, 57)}…` : words;
  throw new Refusal(400, `the snapshot is damaged at ${misfit.at}: found ${found}; expected ${misfit.expected}`);
}

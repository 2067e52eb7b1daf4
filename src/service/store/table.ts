import type { Stored } from "./records/stored.ts";

type Value = string | number;

/** The objects of one type by id, with an index per column that was ever asked for. */
export class Table<R extends Stored> {
  readonly rows: Map<number, R>;
  readonly #indexes = new Map<string, Map<Value, Set<number>>>();

  constructor(rows: Iterable<readonly [number, R]> = []) {
    this.rows = new Map(rows);
  }

  /** All objects in id order. */
  all(): readonly R[] {
    return inIdOrder([...this.rows.values()]);
  }

  /** Objects whose column holds a value, in id order. */
  where(column: string, value: Value): readonly R[] {
    const ids = this.#index(column).get(value);
    if (ids === undefined) return [];
    const found: R[] = [];
    for (const id of ids) {
      const row = this.rows.get(id);
      if (row) found.push(row);
    }
    return inIdOrder(found);
  }

  set(row: R): void {
    const former = this.rows.get(row.id);
    if (former) this.#forget(former);
    this.rows.set(row.id, row);
    for (const [column, index] of this.#indexes) enter(index, columnValue(row, column), row.id);
  }

  delete(id: number): void {
    const former = this.rows.get(id);
    if (former) this.#forget(former);
    this.rows.delete(id);
  }

  #forget(row: R): void {
    for (const [column, index] of this.#indexes) {
      const value = columnValue(row, column);
      const ids = value === undefined ? undefined : index.get(value);
      ids?.delete(row.id);
      if (value !== undefined && ids?.size === 0) index.delete(value);
    }
  }

  /** Built when first asked for, so that opening and forking remain cheap. */
  #index(column: string): Map<Value, Set<number>> {
    const known = this.#indexes.get(column);
    if (known) return known;
    const index = new Map<Value, Set<number>>();
    for (const row of this.rows.values()) enter(index, columnValue(row, column), row.id);
    this.#indexes.set(column, index);
    return index;
  }
}

function enter(index: Map<Value, Set<number>>, value: Value | undefined, id: number): void {
  if (value === undefined) return;
  const ids = index.get(value);
  if (ids) ids.add(id);
  else index.set(value, new Set([id]));
}

function columnValue(row: object, column: string): Value | undefined {
  const value: unknown = Reflect.get(row, column);
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function inIdOrder<R extends Stored>(rows: R[]): readonly R[] {
  for (let index = 1; index < rows.length; index++)
    if ((rows[index - 1]?.id ?? 0) > (rows[index]?.id ?? 0)) return rows.sort((left, right) => left.id - right.id);
  return rows;
}

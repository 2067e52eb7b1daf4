import type { Stored } from "./records/stored.ts";
import { type TableName, type Tables, tableNames } from "./records/tables.ts";
import { Table } from "./table.ts";

/** The changes of one request; a record of `undefined` was deleted. */
export interface Changes {
  readonly rows: ReadonlyMap<TableName, ReadonlyMap<number, Stored | undefined>>;
  /** The records before. */
  readonly former: ReadonlyMap<TableName, ReadonlyMap<number, Stored | undefined>>;
  readonly next: Readonly<Record<string, number>>;
  /** The counters before; undefined where one began. */
  readonly formerNext: ReadonlyMap<string, number | undefined>;
}

/** Everything a store holds, as plain data. */
export interface StoreData {
  readonly next: Readonly<Record<string, number>>;
  readonly rows: { readonly [T in TableName]?: readonly Tables[T][] };
}

/** Source of a store's ids and times. */
export interface StoreRules {
  readonly now: () => string;
  /** Setting `ids: reuse`: the smallest free id instead of the next one. */
  readonly reuseIds?: boolean;
}

type AnyTables = { readonly [T in TableName]: Table<Tables[T]> };
type NewFields<T extends TableName> = Omit<Tables[T], keyof Stored>;

/** The objects of the service, with the changes since the last commit, which can be taken back. */
export class Store {
  readonly #rules: StoreRules;
  #tables: AnyTables;
  #next: Map<string, number>;
  readonly #versions = new Map<TableName, number>();
  #changed = new Map<TableName, Map<number, Stored | undefined>>();
  #former = new Map<TableName, Map<number, Stored | undefined>>();
  #formerNext = new Map<string, number | undefined>();

  constructor(data: StoreData, rules: StoreRules) {
    this.#rules = rules;
    this.#tables = tablesOf((name) => new Table((data.rows[name] ?? []).map((row) => [row.id, row])));
    this.#next = new Map(Object.entries(data.next));
  }

  get<T extends TableName>(table: T, id: number): Tables[T] | undefined {
    return this.#tables[table].rows.get(id);
  }

  all<T extends TableName>(table: T): readonly Tables[T][] {
    return this.#tables[table].all();
  }

  where<T extends TableName>(table: T, column: keyof Tables[T] & string, value: string | number): readonly Tables[T][] {
    return this.#tables[table].where(column, value);
  }

  /** Children of an object whose table and column are only known as text. */
  under(table: TableName, column: string, id: number): readonly Stored[] {
    return this.#tables[table].where(column, id);
  }

  /** Rises with every change of a table. */
  version(table: TableName): number {
    return this.#versions.get(table) ?? 0;
  }

  now(): string {
    return this.#rules.now();
  }

  /** A new id of a counter; counters of things without a table live here too. */
  takeId(counter: string): number {
    const next = this.#next.get(counter) ?? 1;
    if (!this.#formerNext.has(counter)) this.#formerNext.set(counter, this.#next.get(counter));
    const free = isTable(counter) ? this.#freeFrom(this.#rules.reuseIds ? 1 : next, counter) : next;
    this.#next.set(counter, Math.max(next, free + 1));
    return free;
  }

  insert<T extends TableName>(table: T, fields: NewFields<T>): Tables[T] {
    const now = this.now();
    const row = { id: this.takeId(table), createdAt: now, updatedAt: now, ...fields } as unknown as Tables[T];
    this.#write(table, row.id, row);
    return row;
  }

  update<T extends TableName>(table: T, id: number, fields: Partial<NewFields<T>>): Tables[T] {
    const row = { ...this.get(table, id), ...fields, updatedAt: this.now() } as unknown as Tables[T];
    this.#write(table, id, row);
    return row;
  }

  /** Puts a whole record, as it is. */
  replace<T extends TableName>(table: T, row: Tables[T]): Tables[T] {
    this.#write(table, row.id, row);
    return row;
  }

  remove(table: TableName, id: number): void {
    this.#write(table, id, undefined);
  }

  /** The changes since the last commit; undefined when there are none. */
  commit(): Changes | undefined {
    if (this.#changed.size === 0 && this.#formerNext.size === 0) return undefined;
    const next = Object.fromEntries(
      [...this.#formerNext.keys()].map((counter) => [counter, this.#next.get(counter) ?? 1]),
    );
    const rows = this.#changed;
    const former = this.#former;
    const formerNext = this.#formerNext;
    this.#forgetFormer();
    return { rows, former, next, formerNext };
  }

  /** Takes back everything since the last commit. */
  rollback(): void {
    this.takeBack({ former: this.#former, formerNext: this.#formerNext });
    this.#forgetFormer();
  }

  /** Takes back changes after which nothing was changed, or all of that was taken back before. */
  takeBack({ former, formerNext }: Pick<Changes, "former" | "formerNext">): void {
    for (const [table, rows] of former) for (const [id, row] of rows) this.#put(table, id, row);
    for (const [counter, next] of formerNext)
      next === undefined ? this.#next.delete(counter) : this.#next.set(counter, next);
  }

  /** Repeats changes that were committed elsewhere. */
  apply(changes: Changes): void {
    for (const [table, rows] of changes.rows) for (const [id, row] of rows) this.#put(table, id, row);
    for (const [counter, next] of Object.entries(changes.next)) this.#next.set(counter, next);
  }

  data(): StoreData {
    const rows = Object.fromEntries(tableNames.map((name) => [name, this.all(name)]));
    return { next: Object.fromEntries(this.#next), rows };
  }

  /** Replaces everything; the changes so far are forgotten. */
  load(data: StoreData): void {
    this.#tables = tablesOf((name) => new Table((data.rows[name] ?? []).map((row) => [row.id, row])));
    this.#next = new Map(Object.entries(data.next));
    for (const name of tableNames) this.#versions.set(name, this.version(name) + 1);
    this.#forgetFormer();
  }

  #write(table: TableName, id: number, row: Stored | undefined): void {
    const former = inner(this.#former, table);
    if (!former.has(id)) former.set(id, this.get(table, id));
    inner(this.#changed, table).set(id, row);
    this.#put(table, id, row);
  }

  #put(name: TableName, id: number, row: Stored | undefined): void {
    this.#versions.set(name, this.version(name) + 1);
    const table = this.#tables[name] as unknown as Table<Stored>;
    if (row) table.set(row);
    else table.delete(id);
  }

  /** The first id from here on that no object has: a restored state may hold some beyond its counter. */
  #freeFrom(first: number, table: TableName): number {
    let id = first;
    while (this.#tables[table].rows.has(id)) id++;
    return id;
  }

  #forgetFormer(): void {
    this.#changed = new Map();
    this.#former = new Map();
    this.#formerNext = new Map();
  }
}

function tablesOf(make: <T extends TableName>(name: T) => Table<Tables[T]>): AnyTables {
  return Object.fromEntries(tableNames.map((name) => [name, make(name)])) as unknown as AnyTables;
}

function isTable(counter: string): counter is TableName {
  return (tableNames as readonly string[]).includes(counter);
}

function inner<K>(map: Map<K, Map<number, Stored | undefined>>, key: K): Map<number, Stored | undefined> {
  const known = map.get(key) ?? new Map<number, Stored | undefined>();
  map.set(key, known);
  return known;
}

import { type Body, declaredIn, isBelow, type Value } from "./document.ts";
import { parentOf, type Row, type Rows, rowsOf, type Shown, textOf } from "./rows.ts";

/** What moves by itself, or with a label that is deleted. */
const moving: Readonly<Record<string, readonly string[]>> = {
  schedule: ["nextScheduled", "lastScheduled", "updatedAt"],
  configuration: ["updatedAt"],
  scenario: ["tags", "updatedAt"],
};

const history: ReadonlySet<string> = new Set(["execution", "recording"]);

/** Bindings as a state says them. */
export type Bindings = Readonly<Record<string, { readonly kind: string; readonly id: number }>>;

/** Everything that the model remembers of a run: what is somebody else's, what they wrote, and which ids must stay. */
export class Ledger {
  /** Objects of somebody else, as they were when those last touched them. */
  readonly foreign = new Map<string, string>();
  /** What somebody else wrote last into objects of ours, by `kind#id` and field. */
  readonly written = new Map<string, Map<string, Value>>();
  /** Objects that were renamed before we knew of them, or look like ours: nobody can tell them, so they may remain unbound. */
  readonly unclear = new Set<string>();
  /** Ids that addresses must keep. */
  readonly kept = new Map<string, number>();
  /** Ids that addresses had when they were let go. */
  readonly #loose = new Set<string>();
  /** Values that documents ever declared, by address and field. */
  readonly declared = new Map<string, Map<string, Set<string>>>();
  /** Whether history and what is somebody else's could go with what is above it. */
  isOpen = false;

  constructor(rows: Rows) {
    this.refresh(rows);
  }

  /** Takes note of somebody's objects as they are now; all in `rows` when none are named. */
  refresh(rows: Rows, handles: Iterable<string> = rows.keys()): void {
    for (const handle of handles) {
      const found = rows.get(handle);
      if (found) this.foreign.set(handle, still(found.kind, found.row));
      else this.foreign.delete(handle);
    }
  }

  /** Objects of somebody else that are ours from now on, where they are no longer as those left them, or gone. */
  concede(rows: Rows, handles: readonly string[]): void {
    for (const handle of handles) {
      const found = rows.get(handle);
      if (found === undefined || this.foreign.get(handle) !== still(found.kind, found.row)) this.foreign.delete(handle);
    }
  }

  /** What was done to somebody else's objects since. */
  broken(service: Shown): readonly string[] {
    const rows = rowsOf(service);
    return [...this.foreign].flatMap(([handle, was]) => {
      const found = rows.get(handle);
      const [kind = ""] = handle.split("#");
      if (found && history.has(kind)) return [];
      if (found) {
        const is = still(found.kind, found.row);
        return is === was ? [] : [`${handle} is somebody else's and changed: ${was} -> ${is}`];
      }
      const above = parentOf(kind, JSON.parse(was) as Row);
      const isWith = above !== undefined && !rows.has(above);
      return isWith && this.isOpen ? [] : [`${handle} is somebody else's and is gone: ${was}`];
    });
  }

  /** Somebody else wrote fields of an object of ours. */
  write(handle: string, fields: Body): void {
    const known = this.written.get(handle) ?? new Map<string, Value>();
    for (const [name, value] of Object.entries(fields)) known.set(name, value);
    this.written.set(handle, known);
  }

  /** A document is about to be applied. */
  declare(document: Body): void {
    const all = declaredIn(document);
    for (const { address, body } of all) {
      const known = this.declared.get(address) ?? new Map<string, Set<string>>();
      for (const [name, value] of Object.entries(body))
        known.set(name, (known.get(name) ?? new Set()).add(textOf(value)));
      this.declared.set(address, known);
    }
    const addresses = new Set(all.map(({ address }) => address));
    for (const address of this.kept.keys()) if (!addresses.has(address)) this.kept.delete(address);
  }

  /** Objects have to keep what they are bound to now, when it is there, and below what the object above it is bound to. */
  keep(bindings: Bindings, rows: Rows): void {
    for (const [address, { kind, id }] of Object.entries(bindings)) {
      const found = rows.get(`${kind}#${id}`);
      if (found === undefined || this.kept.has(address) || this.#isLoose(address)) continue;
      if (!isMisplaced(address, bindings, rows)) this.kept.set(address, id);
    }
  }

  /** What is at or below an address may be made anew. */
  release(top: string): void {
    this.#loose.add(top);
    for (const address of this.kept.keys()) if (isBelow(address, top)) this.kept.delete(address);
  }

  /** When it is made anew depends on which command gets so far, so it stays released. */
  #isLoose(address: string): boolean {
    return [...this.#loose].some((top) => isBelow(address, top));
  }

  /** Everything may be made anew. */
  releaseAll(): void {
    for (const address of this.kept.keys()) this.release(address);
  }

  /** An address is another one from now on. */
  move(from: string, to: string): void {
    for (const top of [...this.#loose]) if (isBelow(top, from)) this.#loose.add(to + top.slice(from.length));
    for (const memory of [this.kept, this.declared] as Map<string, unknown>[])
      for (const [address, value] of [...memory])
        if (isBelow(address, from)) {
          memory.delete(address);
          memory.set(to + address.slice(from.length), value);
        }
  }

  /** An address is another one from now on, for the same object or for one made anew: either may be as the former was declared. */
  rekey(from: string, to: string): void {
    for (const [address, fields] of [...this.declared])
      if (isBelow(address, from))
        this.declared.set(
          to + address.slice(from.length),
          new Map([...fields].map(([name, ever]) => [name, new Set(ever)])),
        );
  }

  /** Objects that are gone by somebody else's hand. */
  forget(rows: Rows): void {
    for (const handle of [...this.foreign.keys()]) if (!rows.has(handle)) this.foreign.delete(handle);
  }
}

/** What was created below what its parent's create was answered with by mistake is made anew, with all below it. */
function isMisplaced(address: string, bindings: Bindings, rows: Rows): boolean {
  const own = bindings[address];
  const parent = address.slice(0, Math.max(0, address.lastIndexOf("/")));
  const above = bindings[parent];
  const found = own && rows.get(`${own.kind}#${own.id}`);
  if (found === undefined || above === undefined) return false;
  return parentOf(found.kind, found.row) !== `${above.kind}#${above.id}` || isMisplaced(parent, bindings, rows);
}

function still(kind: string, row: Row): string {
  const own = Object.entries(row).filter(([name]) => !moving[kind]?.includes(name));
  return textOf(Object.fromEntries(own));
}

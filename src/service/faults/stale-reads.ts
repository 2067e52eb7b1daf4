import { isDeepStrictEqual } from "node:util";
import type { Ran } from "../core/answer.ts";
import type { Stored } from "../store/records/stored.ts";
import type { TableName } from "../store/records/tables.ts";
import type { Store } from "../store/store.ts";

type Former = ReadonlyMap<TableName, ReadonlyMap<number, Stored | undefined>>;

interface Stale {
  /** The records before the write. */
  readonly former: Former;
  left: number;
}

/** As many writes are remembered, for a fault without `times` concerns every write that follows. */
const mostRemembered = 1_000;

/** Writes whose objects are still read as they were before; beyond a thousand the oldest are read as they are. */
export class StaleReads {
  #stale: Stale[] = [];

  add(former: Former, reads: number): void {
    if (reads <= 0) return;
    this.#stale.push({ former, left: reads });
    if (this.#stale.length > mostRemembered) this.#stale.shift();
  }

  clear(): void {
    this.#stale = [];
  }

  get size(): number {
    return this.#stale.length;
  }

  /**
   * A read as it would have been answered before those writes. A read that a write makes no difference to is none of that
   * write's object and does not count.
   */
  read(store: Store, run: () => Ran, current: Ran): Ran {
    const concerned = this.#stale.filter((each) => differs(before(store, [each], run), current));
    if (concerned.length === 0) return current;
    for (const each of concerned) each.left -= 1;
    const answer = before(store, [...concerned].reverse(), run);
    this.#stale = this.#stale.filter((each) => each.left > 0);
    return answer;
  }
}

/** Reads with former records in place, and takes them back. */
function before(store: Store, stale: readonly Stale[], run: () => Ran): Ran {
  for (const { former } of stale)
    for (const [table, rows] of former)
      for (const [id, row] of rows)
        if (row) store.replace(table, row as never);
        else store.remove(table, id);
  try {
    return run();
  } finally {
    store.rollback();
  }
}

function differs(left: Ran, right: Ran): boolean {
  return (
    left.answer.status !== right.answer.status ||
    !isDeepStrictEqual(left.answer.json, right.answer.json) ||
    left.answer.body().length !== right.answer.body().length
  );
}

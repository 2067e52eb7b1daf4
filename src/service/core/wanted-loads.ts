import type { JsonValue } from "../../api/routes.ts";

type Given = Readonly<Record<string, JsonValue>>;

/**
 * Runs whose load is to be really made once what started them has been kept, with the parameters of the starting call: those
 * that are encrypted are kept nowhere else. A run that is not among them was begun by another process.
 */
export class WantedLoads {
  readonly #given = new Map<number, Given>();
  readonly #wanted = new Set<number>();
  readonly #wake: () => void;

  /** `wake` is called soon after a load is wanted. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  give(id: number, given: Given): void {
    this.#given.set(id, given);
  }

  want(id: number): void {
    this.#wanted.add(id);
    setImmediate(this.#wake);
  }

  /** The parameters of a run whose load is wanted, once; undefined when it is not. */
  take(id: number): Given | undefined {
    const given = this.#given.get(id) ?? {};
    this.#given.delete(id);
    return this.#wanted.delete(id) ? given : undefined;
  }

  clear(): void {
    this.#given.clear();
    this.#wanted.clear();
  }
}

/** Lets so many pieces of work run at a time; the others wait, first come, first served. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  readonly #end = new AbortController();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The work is given a signal to stop, once nothing is waited for any more. */
  async take<T>(work: (end: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#taken < this.#most) this.#taken++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work(this.#end.signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }

  /** Work that takes no turn, and is given the same signal. */
  async outside<T>(work: (end: AbortSignal) => Promise<T>): Promise<T> {
    return await work(this.#end.signal);
  }

  get isClosed(): boolean {
    return this.#end.signal.aborted;
  }

  close(): void {
    this.#end.abort();
  }
}

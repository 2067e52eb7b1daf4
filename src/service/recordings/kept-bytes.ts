import type { KeptBody } from "./record-traffic.ts";

/** The bytes that pass, kept up to a limit and counted beyond it. */
export class KeptBytes {
  readonly #limit: number;
  #chunks: Uint8Array[] | undefined = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > this.#limit) this.#chunks = undefined;
    else this.#chunks?.push(chunk);
  }

  body(): KeptBody {
    return { bytes: this.#chunks && Buffer.concat(this.#chunks), length: this.#length };
  }
}

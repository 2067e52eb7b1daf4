import type { ScriptRun } from "../scripts/script-run.ts";

const mostRemembered = 200;

/** Probe iterations of one service, by the digest of all that they depend on. */
export class ProbeMemory {
  readonly #known = new Map<string, ScriptRun>();

  get(digest: string): ScriptRun | undefined {
    return this.#known.get(digest);
  }

  set(digest: string, run: ScriptRun): void {
    this.#known.set(digest, run);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
  }
}

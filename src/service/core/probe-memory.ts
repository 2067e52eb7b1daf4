import type { ScriptRun } from "../scripts/script-run.ts";

/** As many are remembered, as long as they take no more memory than this together. */
const mostRemembered = 200;
const mostBytes = 64 * 1024 * 1024;

interface Remembered {
  readonly run: ScriptRun;
  readonly bytes: number;
}

/** Probe iterations of one service, by the digest of all that they depend on; the oldest are forgotten, for they can be run again. */
export class ProbeMemory {
  readonly #known = new Map<string, Remembered>();
  #bytes = 0;

  get(digest: string): ScriptRun | undefined {
    return this.#known.get(digest)?.run;
  }

  set(digest: string, run: ScriptRun): void {
    this.#forget(digest);
    const bytes = bytesInMemory(run);
    this.#known.set(digest, { run, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostRemembered && this.#bytes <= mostBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(digest: string): void {
    this.#bytes -= this.#known.get(digest)?.bytes ?? 0;
    this.#known.delete(digest);
  }
}

/** Approximate bytes of a run: nearly all are in its files and logs, the latter at two bytes for each character. */
function bytesInMemory({ files, logs, requests, metrics, tests }: ScriptRun): number {
  const written = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const logged = logs.reduce((sum, { message }) => sum + 2 * message.length, 0);
  return written + logged + 500 * (requests.length + metrics.length + tests.length + logs.length);
}

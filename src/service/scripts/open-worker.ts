import type { Worker } from "node:worker_threads";
import type { WorkerTask } from "./worker-task.ts";

/** So long a thread that is ended is waited for: JavaScript ends at once, a native call (`pbkdf2Sync`) when it is done. */
const graceMs = 1_000;
const mostStuck = 4;

/** Threads that have not come to their end, and those of them that were ended. */
const opened = new Set<OpenWorker>();
const stuck = new Set<OpenWorker>();

/** DECISION (API 1, Scenarios: POST /scripts/:id/run): a script in a native call is answered for at its limit, and the call goes on; while four of them do, no other script is run. */
export function whyNoThread(): string | undefined {
  if (stuck.size < mostStuck) return undefined;
  return `the script was not run: ${stuck.size} threads of stopped scripts are still in native calls, which nothing interrupts; expected fewer than ${mostStuck}: try again later, or restart the service`;
}

/** Ends every thread; answers whether all came to their end, or one would hold up that of this process. */
export async function endThreads(): Promise<boolean> {
  for (const each of opened) each.end();
  await Promise.all([...opened].map(({ ended }) => ended));
  return opened.size === 0;
}

/** A thread of its own for a task, which finds nothing of this process in it. */
export class OpenWorker {
  readonly worker: Worker;
  /** Resolves when it has ended, or could not be ended in time. */
  readonly ended: Promise<void>;
  #resolve: () => void = () => undefined;
  #patience: NodeJS.Timeout | undefined;

  private constructor(worker: Worker) {
    this.worker = worker;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    worker.on("messageerror", () => undefined);
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    opened.add(this);
    worker.once("exit", () => {
      clearTimeout(this.#patience);
      opened.delete(this);
      stuck.delete(this);
      this.#resolve();
    });
  }

  static async of(task: WorkerTask, heapMb: number): Promise<OpenWorker> {
    const [{ Worker }, { scriptWorker }] = await Promise.all([
      import("node:worker_threads"),
      import("../../../gen/script-worker.js"),
    ]);
    const limits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
    const own = { env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true };
    return new OpenWorker(new Worker(scriptWorker, { ...own, eval: true, workerData: task, resourceLimits: limits }));
  }

  /** Ends it, whatever it does. */
  end(): void {
    if (this.#patience !== undefined) return;
    void this.worker.terminate();
    this.#patience = setTimeout(() => {
      stuck.add(this);
      this.worker.removeAllListeners("message");
      this.worker.unref();
      this.#resolve();
    }, graceMs);
  }
}

import type { Worker } from "node:worker_threads";
import type { WorkerTask } from "./worker-task.ts";

/** So long a thread that is ended is waited for: JavaScript ends at once, a native call (`pbkdf2Sync`) when it is done. */
const graceMs = 1_000;
const mostStuck = 4;

/** The threads of a service in which its scripts run. */
export class ScriptThreads {
  readonly #opened = new Set<OpenWorker>();
  /** Those of them that were ended, and have not come to their end. */
  readonly #stuck = new Set<OpenWorker>();

  /** DECISION (API 1, Scenarios: POST /scripts/:id/run): a script in a native call is answered for at its limit, and the call goes on; while four of them do, no other script is run. */
  whyNone(): string | undefined {
    const { size } = this.#stuck;
    if (size < mostStuck) return undefined;
    return `the script was not run: ${size} threads of stopped scripts are still in native calls, which nothing interrupts; expected fewer than ${mostStuck}: try again later, or restart the service`;
  }

  /** Opens a thread for a task. */
  async open(task: WorkerTask, heapMb: number): Promise<OpenWorker> {
    const [{ Worker }, { scriptWorker }] = await Promise.all([
      import("node:worker_threads"),
      import("../../../gen/script-worker.js"),
    ]);
    const limits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
    const own = { env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true };
    const worker = new Worker(scriptWorker, { ...own, eval: true, workerData: task, resourceLimits: limits });
    const opened = new OpenWorker(worker, () => this.#stuck.add(opened));
    this.#opened.add(opened);
    worker.once("exit", () => {
      this.#opened.delete(opened);
      this.#stuck.delete(opened);
    });
    return opened;
  }

  /** Ends every thread; answers whether all came to their end, or one would hold up that of this process. */
  async end(): Promise<boolean> {
    for (const each of this.#opened) each.end();
    await Promise.all([...this.#opened].map(({ ended }) => ended));
    return this.#opened.size === 0;
  }
}

/** A thread of its own for a task, which finds nothing of this process in it. */
export class OpenWorker {
  readonly worker: Worker;
  /** Resolves when it has ended, or could not be ended in time. */
  readonly ended: Promise<void>;
  #resolve: () => void = () => undefined;
  #patience: NodeJS.Timeout | undefined;
  readonly #onStuck: () => void;

  constructor(worker: Worker, onStuck: () => void) {
    this.worker = worker;
    this.#onStuck = onStuck;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    worker.on("messageerror", () => undefined);
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    worker.once("exit", () => {
      clearTimeout(this.#patience);
      this.#resolve();
    });
  }

  /** Ends it, whatever it does. */
  end(): void {
    if (this.#patience !== undefined) return;
    void this.worker.terminate();
    this.#patience = setTimeout(() => {
      this.#onStuck();
      this.worker.removeAllListeners("message");
      this.worker.unref();
      this.#resolve();
    }, graceMs);
  }
}

import type { Worker } from "node:worker_threads";
import type { WorkerTask } from "./worker-task.ts";

/** A thread of its own for a task, which finds nothing of this process in it. */
export async function openWorker(task: WorkerTask, heapMb: number): Promise<Worker> {
  const [{ Worker }, { scriptWorker }] = await Promise.all([
    import("node:worker_threads"),
    import("../../../gen/script-worker.js"),
  ]);
  const worker = new Worker(scriptWorker, {
    eval: true,
    workerData: task,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  worker.on("messageerror", () => undefined);
  for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  return worker;
}

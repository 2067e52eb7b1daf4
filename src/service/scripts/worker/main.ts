import { parentPort, workerData } from "node:worker_threads";
import type { WorkerTask } from "../worker-task.ts";
import { describeError } from "./describe-error.ts";
import { makeLoad } from "./make-load.ts";
import { runScenario } from "./run-scenario.ts";
import { stripTypes } from "./strip-types.ts";

/** Entry of the worker thread of a script. It is bundled to a text, see scripts/compile-worker.js. */
const task = workerData as WorkerTask;
const port = parentPort;
if (port !== null) void carryOutTask(port);

async function carryOutTask(to: NonNullable<typeof parentPort>): Promise<void> {
  if (task.kind === "run") return runScenario(task, to);
  if (task.kind === "load") return makeLoad(task, to);
  try {
    to.postMessage({ kind: "stripped", value: stripTypes(task) });
  } catch (thrown) {
    to.postMessage({ kind: "failure", value: describeError(thrown) });
  }
}

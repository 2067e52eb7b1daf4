import * as nodeCrypto from "node:crypto";
import type { MessagePort } from "node:worker_threads";
import type { ScriptPhase } from "../script-run.ts";
import type { RunTask } from "../worker-task.ts";
import { closeThread } from "./close-thread.ts";
import { scriptDataTables } from "./data-table.ts";
import { Iteration } from "./iteration.ts";
import { MemoryFiles } from "./memory-files.ts";
import { Network } from "./network/network.ts";
import { patchTime } from "./patch-time.ts";
import { randomOf } from "./random.ts";
import { Recorder } from "./recorder.ts";
import { seededCrypto } from "./script-modules.ts";
import {
  callScript,
  compileScript,
  furnishThread,
  makeRoom,
  outputDir,
  type RoomParts,
  type ScriptRoom,
} from "./script-room.ts";
import { Suites } from "./suites.ts";
import { TimerQueue } from "./timer-queue.ts";

/** Runs init, main and teardown of a scenario once each, and reports what they do. */
export async function runScenario(task: RunTask, port: MessagePort): Promise<void> {
  closeThread(task, outputDir);
  const timers = new TimerQueue(task.network === "loopback" ? "real" : "virtual");
  const recorder = new Recorder(port, timers);
  const iteration = new Iteration(recorder, timers);
  const network = new Network(task, { recorder, timers });
  iteration.use(network);
  const files = new MemoryFiles(outputDir, recorder);
  const suites = new Suites(iteration, task.input.seed);
  const room = furnish(task, { iteration, network, files, suites });
  const run = (phase: ScriptPhase) =>
    iteration.run(phase, async () => {
      const source = task.input[phase];
      if (source !== null && source !== "") await callScript(compileScript(source, phase)(), room);
      await suites.run();
    });
  const isReady = task.input.init ? await run("init") : true;
  if (isReady) await run("main");
  // DECISION (API 1, Scenarios: POST /scripts/:id/run): teardown is run whatever became of init and main.
  if (task.input.teardown) await run("teardown");
  files.report();
  recorder.begin("end");
}

/** Makes this thread the room in which a script runs. */
function furnish(
  task: RunTask,
  parts: Pick<RoomParts, "network" | "files" | "suites"> & { readonly iteration: Iteration },
): ScriptRoom {
  const { input } = task;
  const { timers } = parts.iteration;
  const random = randomOf(`${input.seed} random`);
  const timerModule = patchTime(timers, input.startedAt, random);
  const crypto = timers.time === "virtual" ? seededCrypto(input.seed) : { module: nodeCrypto };
  const dataTable = scriptDataTables(input.dataTables, randomOf(`${input.seed} rows`));
  const room = makeRoom(task, { ...parts, timers: timerModule, crypto, dataTable });
  furnishThread(room);
  return room;
}

import * as nodeCrypto from "node:crypto";
import { Script } from "node:vm";
import type { MessagePort } from "node:worker_threads";
import type { ScriptPhase } from "../script-run.ts";
import type { RunTask } from "../worker-task.ts";
import { scriptDataTables } from "./data-table.ts";
import { Iteration } from "./iteration.ts";
import { measuredFetch } from "./measured-fetch.ts";
import { measuredHttp } from "./measured-http.ts";
import { measuredSockets, measuredWebSocket } from "./measured-sockets.ts";
import { MemoryFiles } from "./memory-files.ts";
import { Network } from "./network.ts";
import { patchTime } from "./patch-time.ts";
import { randomOf } from "./random.ts";
import { Recorder } from "./recorder.ts";
import { scriptResults } from "./results.ts";
import { isSmoke, scriptConsole, scriptFlow, scriptLog, scriptStopwatch } from "./script-globals.ts";
import { scriptRequire, seededCrypto } from "./script-modules.ts";
import { scriptProcess } from "./script-process.ts";
import { Suites } from "./suites.ts";
import { TimerQueue } from "./timer-queue.ts";

const outputDir = "/output";
const compileSource = (source: string, options: ConstructorParameters<typeof Script>[1]) =>
  new Script(source, options).runInThisContext() as (...args: readonly unknown[]) => Promise<unknown>;

/** Runs init, main and teardown of a scenario once each, and reports what they do. */
export async function runScenario(task: RunTask, port: MessagePort): Promise<void> {
  const timers = new TimerQueue(task.network === "loopback" ? "real" : "virtual");
  const recorder = new Recorder(port, timers);
  const iteration = new Iteration(recorder, timers);
  const network = new Network(task, { recorder, timers });
  iteration.use(network);
  const files = new MemoryFiles(outputDir, recorder);
  const suites = new Suites(iteration, task.input.seed);
  const require = furnish(task, { iteration, network, files, suites });
  const run = (phase: ScriptPhase) =>
    iteration.run(phase, async () => {
      const source = task.input[phase];
      if (source !== null && source !== "") await evaluate(source, phase, require);
      await suites.run();
    });
  const isReady = task.input.init ? await run("init") : true;
  if (isReady) await run("main");
  // DECISION (API 1, Scenarios: POST /scripts/:id/run): teardown is run whatever became of init and main.
  if (task.input.teardown) await run("teardown");
  files.report();
  recorder.begin("end");
}

type Require = (name: unknown) => unknown;

/** Runs a text as the body of an asynchronous function, so that it may await; lines and columns are its own. */
function evaluate(text: string, phase: ScriptPhase, require: Require): Promise<unknown> {
  const head = "(async function (require, module, exports, jitiImport) {";
  const filename = `${phase}.js`;
  const work = compileSource(`${head}${text}\n})`, { filename, columnOffset: -head.length });
  const module = { exports: {} };
  return work.call(module.exports, require, module, module.exports, async (name: unknown) => require(name));
}

interface Room {
  readonly iteration: Iteration;
  readonly network: Network;
  readonly files: MemoryFiles;
  readonly suites: Suites;
}

/** Globals of the thread that lead out of it, or that a script has no use for. */
const removed = [
  "module",
  "exports",
  "__filename",
  "__dirname",
  "BroadcastChannel",
  "MessageChannel",
  "MessagePort",
].concat(["EventSource", "localStorage", "sessionStorage"]);

/** Makes this thread the room in which a script runs; answers its `require`. */
function furnish(task: RunTask, { iteration, network, files, suites }: Room): Require {
  const { input } = task;
  const { recorder, timers } = iteration;
  const random = randomOf(`${input.seed} random`);
  const timerModule = patchTime({ timers, startedAt: input.startedAt, random });
  const modules = { http: measuredHttp(network, false), https: measuredHttp(network, true) };
  const repeats = timers.time === "virtual";
  const crypto = repeats ? seededCrypto(input.seed) : { module: nodeCrypto, global: undefined };
  const results = scriptResults(recorder, network);
  const WebSocket = measuredWebSocket(network);
  const fs = files.module();
  const moment = () => require("moment") as unknown;
  const own = {
    http: () => modules.http,
    https: () => modules.https,
    net: () => measuredSockets(network, false),
    tls: () => measuredSockets(network, true),
    crypto: () => crypto.module,
    fs: () => fs,
    "fs/promises": () => fs["promises"],
    timers: () => timerModule,
    process: () => process,
    moment,
    ws: () => WebSocket,
  };
  const scriptOwn = scriptRequire(own);
  const globals = {
    ...modules,
    ...suites.globals(),
    ...scriptFlow(task, iteration),
    WebSocket,
    fetch: measuredFetch(modules),
    params: Object.freeze({ ...input.params }),
    results,
    log: scriptLog(task, { recorder, end: iteration.end.bind(iteration) }),
    stopwatch: scriptStopwatch(iteration, results),
    dataTable: scriptDataTables(input.dataTables, randomOf(`${input.seed} rows`)),
    info: structuredClone({ ...input.info, outputDir }),
    isLocal: false,
    isSmokeTest: isSmoke(task),
    console: scriptConsole(iteration),
    require: scriptOwn,
    process: scriptProcess(task, iteration, outputDir),
  };
  for (const name of removed) Reflect.deleteProperty(globalThis, name);
  for (const [name, value] of Object.entries(globals)) define(name, { value, writable: true });
  if (crypto.global) define("crypto", { value: crypto.global, writable: true });
  define("moment", { get: () => scriptOwn("moment") });
  return scriptOwn;
}

function define(name: string, property: PropertyDescriptor): void {
  Object.defineProperty(globalThis, name, { ...property, configurable: true, enumerable: false });
}

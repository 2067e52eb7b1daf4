import { Script } from "node:vm";
import type { ScenarioTask } from "../worker-task.ts";
import type { ScriptIteration } from "./iteration.ts";
import type { MemoryFiles } from "./memory-files.ts";
import { measuredFetch } from "./network/measured-fetch.ts";
import { measuredHttp } from "./network/measured-http.ts";
import { measuredSockets, measuredWebSocket } from "./network/measured-sockets.ts";
import type { Network } from "./network/network.ts";
import { scriptResults } from "./results.ts";
import { isSmoke, scriptConsole, scriptFlow, scriptLog, scriptStopwatch } from "./script-globals.ts";
import { scriptRequire, type seededCrypto } from "./script-modules.ts";
import { scriptProcess } from "./script-process.ts";
import type { Suites } from "./suites.ts";

/** Where `info.outputDir` leads. */
export const outputDir = "/output";

/** The parts that an iteration of a script works with. */
export interface RoomParts {
  readonly iteration: ScriptIteration;
  readonly network: Network;
  readonly files: MemoryFiles;
  readonly suites: Suites;
  /** `require("timers")`. */
  readonly timers: Readonly<Record<string, unknown>>;
  readonly crypto: Partial<ReturnType<typeof seededCrypto>>;
  readonly dataTable: unknown;
}

/** The globals of a script, and its `require`. */
export interface ScriptRoom {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly require: (name: unknown) => unknown;
}

/** Makes the room of one script: whatever it finds there is measured and bounded. */
export function makeRoom(task: ScenarioTask, parts: RoomParts): ScriptRoom {
  const { iteration, network, files, suites, crypto, dataTable } = parts;
  const { input } = task;
  const { recorder } = iteration;
  const modules = { http: measuredHttp(network, false), https: measuredHttp(network, true) };
  const results = scriptResults(recorder, network);
  const WebSocket = measuredWebSocket(network);
  const fs = files.module();
  const own = {
    http: () => modules.http,
    https: () => modules.https,
    net: () => measuredSockets(network, false),
    tls: () => measuredSockets(network, true),
    crypto: () => crypto.module,
    fs: () => fs,
    "fs/promises": () => fs["promises"],
    timers: () => parts.timers,
    process: () => globals.process,
    moment: () => require("moment") as unknown,
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
    dataTable,
    info: structuredClone({ ...input.info, outputDir }),
    isLocal: false,
    isSmokeTest: isSmoke(task),
    console: scriptConsole(iteration),
    require: scriptOwn,
    process: scriptProcess(task, iteration, outputDir),
    ...(crypto.global ? { crypto: crypto.global } : {}),
  };
  return { globals, require: scriptOwn };
}

const head = "(async function (require, module, exports, jitiImport) {";

type ScriptFunction = (
  require: ScriptRoom["require"],
  module: object,
  exports: object,
  jitiImport: (name: unknown) => Promise<unknown>,
) => Promise<unknown>;

/** A text as an asynchronous function, so that it may await; lines and columns are its own. With names that are its own as parameters of a function around it. */
export function compileScript(
  text: string,
  name: string,
  own?: readonly string[],
): (...values: readonly unknown[]) => ScriptFunction {
  const around = own === undefined ? "" : `((${own.join(", ")}) => `;
  const source = `${around}${head}${text}\n})${own === undefined ? "" : ")"}`;
  const script = new Script(source, { filename: `${name}.js`, columnOffset: -(around.length + head.length) });
  const made: unknown = script.runInThisContext();
  return own === undefined ? () => made as ScriptFunction : (made as ReturnType<typeof compileScript>);
}

/** Calls such a function. */
export function callScript(script: ScriptFunction, { require }: Pick<ScriptRoom, "require">): Promise<unknown> {
  const module = { exports: {} };
  return script.call(module.exports, require, module, module.exports, async (name: unknown) => require(name));
}

/** Puts what a script finds without `require` into this thread. */
export function furnishThread({ globals, require: scriptOwn }: ScriptRoom): void {
  for (const [name, value] of Object.entries(globals)) define(name, { value, writable: true });
  define("moment", { get: () => scriptOwn("moment") });
}

function define(name: string, property: PropertyDescriptor): void {
  Object.defineProperty(globalThis, name, { ...property, configurable: true, enumerable: false });
}

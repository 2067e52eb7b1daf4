import { EventEmitter } from "node:events";
import type { ScenarioTask } from "../worker-task.ts";
import type { ScriptIteration } from "./iteration.ts";

const nextTick = process.nextTick.bind(process);
const { version, versions, platform, arch, memoryUsage } = process;

/** The end of an iteration from within; thrown where a script calls `process.exit` or logs as fatal. */
export class EndOfIteration extends Error {
  override readonly name = "EndOfIteration";
}

/** The `process` of a script: its environment, and nothing that reaches the real one. */
export function scriptProcess(task: ScenarioTask, iteration: ScriptIteration, outputDir: string): object {
  const { recorder, timers } = iteration;
  const stream = (level: "Info" | "Error") => ({
    isTTY: false,
    write: (text: unknown) => {
      recorder.log(level, String(text).replace(/\n$/, ""));
      return true;
    },
  });
  const hrtime = (since: readonly [number, number] = [0, 0]) => {
    const nanoseconds = Math.floor(timers.read() * 1e6);
    const seconds = Math.floor(nanoseconds / 1e9) - since[0];
    const rest = (nanoseconds % 1e9) - since[1];
    return rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest];
  };
  const exit = (code: unknown = 0): never => {
    // DECISION (API 1, Scenarios: POST /scripts/:id/run): process.exit ends the iteration before its end, whatever the code: it has failed.
    iteration.end(`the script called process.exit(${String(code)}), which ends the iteration`);
    throw new EndOfIteration("process.exit");
  };
  return Object.assign(new EventEmitter(), {
    env: environmentOf(task),
    argv: ["node", "main.js"],
    argv0: "node",
    execArgv: [],
    execPath: "node",
    title: "node",
    pid: 1,
    ppid: 0,
    version,
    versions: { ...versions },
    platform,
    arch,
    release: { name: "node" },
    stdout: stream("Info"),
    stderr: stream("Error"),
    cwd: () => outputDir,
    uptime: () => timers.read() / 1000,
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.floor(timers.read() * 1e6)) }),
    memoryUsage: () => memoryUsage(),
    nextTick,
    emitWarning: (warning: unknown) => recorder.log("Info", String(warning)),
    exit,
    abort: exit,
    reallyExit: exit,
  });
}

/** DECISION (API 1, Scenarios: POST /scripts/:id/run): the environment holds PARAM_ and the name of each parameter in capitals without spaces, EXECUTION_ID and CHUNK_ID, and nothing else. */
function environmentOf({ input }: ScenarioTask): Record<string, string> {
  const params = Object.entries(input.params).map(([name, value]): [string, string] => [
    `PARAM_${name.toUpperCase().replace(/\s+/g, "")}`,
    value,
  ]);
  const ids = [
    ["EXECUTION_ID", idOf(input.info["execution"])],
    ["CHUNK_ID", idOf(input.info["chunk"])],
  ];
  return Object.fromEntries([...params, ...ids]) as Record<string, string>;
}

function idOf(value: unknown): string {
  const id: unknown = typeof value === "object" && value !== null && "id" in value ? value.id : "";
  return String(id ?? "");
}

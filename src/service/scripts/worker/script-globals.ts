import { EventEmitter } from "node:events";
import { format } from "node:util";
import type { ScriptLog } from "../script-run.ts";
import type { ScenarioTask } from "../worker-task.ts";
import type { ScriptIteration } from "./iteration.ts";
import { EndOfIteration } from "./script-process.ts";

type Done = () => void;
type Results = (resource?: unknown) => { readonly timing: (name: string, ms: number) => void };

/** True for a chunk of no execution: one iteration of one user, which shows whether the script works. */
export function isSmoke({ input }: ScenarioTask): boolean {
  const chunk: unknown = input.info["chunk"];
  const id: unknown = typeof chunk === "object" && chunk !== null && "id" in chunk ? chunk.id : undefined;
  return typeof id === "number" && id < 0;
}

/** `log`: trace in smoke runs only, fatal ends the iteration. */
export function scriptLog(
  task: ScenarioTask,
  { recorder, end }: Pick<ScriptIteration, "recorder"> & { end: ScriptIteration["end"] },
) {
  const write =
    (level: ScriptLog["level"]) =>
    (...args: readonly unknown[]) =>
      recorder.log(level, loggedText(args));
  return {
    trace: isSmoke(task) ? write("Trace") : () => undefined,
    debug: write("Debug"),
    info: write("Info"),
    error: write("Error"),
    fatal: (...args: readonly unknown[]) => {
      const text = loggedText(args);
      recorder.log("Fatal", text);
      end(`the script logged as fatal: ${text.slice(0, 2_000)}`, "Fatal");
      throw new EndOfIteration("log.fatal");
    },
  };
}

function loggedText(args: readonly unknown[]): string {
  try {
    return format(...args);
  } catch {
    return "something that cannot be shown";
  }
}

/** `console` writes to the log. */
export function scriptConsole({ recorder }: Pick<ScriptIteration, "recorder">): object {
  const write =
    (level: ScriptLog["level"]) =>
    (...args: readonly unknown[]) =>
      recorder.log(level, loggedText(args));
  const nothing = () => undefined;
  return {
    log: write("Info"),
    info: write("Info"),
    warn: write("Info"),
    dir: write("Info"),
    table: write("Info"),
    debug: write("Debug"),
    trace: write("Debug"),
    error: write("Error"),
    assert: (holds: unknown, ...args: readonly unknown[]) =>
      void (holds || write("Error")("Assertion failed:", ...args)),
    group: nothing,
    groupEnd: nothing,
    time: nothing,
    timeEnd: nothing,
    count: nothing,
  };
}

/** `stopwatch(fn, {name})`: reports how long a function took, which ends when it calls `done`, or when its promise settles. */
export function scriptStopwatch({ timers }: ScriptIteration, results: Results) {
  return async (work: (done?: Done) => unknown, given?: unknown): Promise<unknown> => {
    const options = (typeof given === "object" && given !== null ? given : { name: given }) as {
      readonly name?: unknown;
      readonly resource?: unknown;
    };
    const start = timers.now();
    const value = await finished(work);
    const name = typeof options.name === "string" ? options.name : "stopwatch";
    results(options.resource).timing(name, Math.round(timers.now() - start));
    return value;
  };
}

/** Resolves once a function has called `done`, or by itself when it takes none. */
function finished(work: (done?: Done) => unknown): Promise<unknown> {
  if (work.length === 0) return (async () => work())();
  return new Promise((resolve, reject) => {
    Promise.resolve(work(() => resolve(undefined))).catch(reject);
  });
}

/** `execute`, `events` and `waitForFinish`. */
export function scriptFlow(task: ScenarioTask, iteration: ScriptIteration) {
  const emitter = new EventEmitter();
  let finish: Done = () => undefined;
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const events = Object.assign(emitter, { finish: () => finish() });
  const waitForFinish = (): Promise<void> => {
    const until: unknown = task.input.info["expectedFinishTimestamp"];
    const left = typeof until === "number" ? until - task.input.startedAt - iteration.timers.now() : 0;
    // DECISION (API 1, Scenarios: POST /scripts/:id/run): waitForFinish resolves when the script calls events.finish(), else when the run is expected to end: at once in a smoke run.
    iteration.timers.add(() => finish(), isSmoke(task) ? 0 : Math.max(0, left));
    return isFinished;
  };
  const execute = (work: (done?: Done) => unknown) => finished(work);
  return { events, waitForFinish, execute };
}

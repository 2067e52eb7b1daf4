import { type RunScriptOptions, runScript } from "../../../src/service/scripts/run-script.ts";
import type { ScriptInput, ScriptRun } from "../../../src/service/scripts/script-run.ts";
import { start } from "./rig.ts";

/** What a script is run with beside its main text. */
export type Around = Partial<ScriptInput> & { readonly options?: Partial<RunScriptOptions> };

/** Runs a text as main, with a simulated network and, by its chunk, as a smoke run. */
export function runText(main: string, { options, ...more }: Around = {}): Promise<ScriptRun> {
  const input: ScriptInput = {
    main,
    init: null,
    teardown: null,
    language: "javascript",
    params: {},
    dataTables: {},
    info: { chunk: { id: -1 }, execution: { id: -1 } },
    startedAt: Date.parse(start),
    seed: "seed",
    ...more,
  };
  return runScript(input, { network: "simulated", targets: [], allowedHosts: [], ...options });
}

/** Messages of the log, with their levels. */
export function linesOf({ logs }: ScriptRun): readonly string[] {
  return logs.map(({ level, message }) => `${level} ${message}`);
}

/** What a text logs when all goes well. */
export async function logged(main: string, around: Around = {}): Promise<readonly string[]> {
  const run = await runText(main, around);
  if (run.failure !== null) throw new Error(run.failure);
  return run.logs.map(({ message }) => message);
}

import { spawn } from "node:child_process";

/** A program that synthesizes, and the folder to run it in. */
interface AppRun {
  /** The command line, as cdktf.json has it. */
  readonly app: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The end of a program; the last lines are of all that it printed. */
interface AppEnd {
  /** Exit code; undefined when it was ended by a signal or could not be started. */
  readonly code: number | undefined;
  readonly lastLines: readonly string[];
}

/** Runs a program; what it prints is passed on to stderr, since stdout is for results. */
export type RunApp = (run: AppRun) => Promise<AppEnd>;

/** The number of characters that are remembered of the output. */
const longest = 20_000;
const lines = 10;

/** Runs `app` in a shell. */
export const runApp: RunApp = ({ app, cwd, env }) =>
  new Promise((resolve) => {
    const child = spawn(app, { shell: true, cwd, env: env as NodeJS.ProcessEnv, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const take = (chunk: Buffer) => {
      process.stderr.write(chunk);
      said = (said + chunk.toString("utf8")).slice(-longest);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", (error) => resolve({ code: undefined, lastLines: [error.message] }));
    child.once("close", (code) => resolve({ code: code ?? undefined, lastLines: lastLines(said) }));
  });

/** Without the frames of stacks, which would leave no room for what was wrong. */
function lastLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !/^\s+at /.test(line))
    .slice(-lines);
}

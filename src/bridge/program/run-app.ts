import { spawn } from "node:child_process";
import { unlessThrown } from "../../model/diagnostic.ts";

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

/** Runs `app` in a shell. It ends with this process, with all that it started itself: they are a group of processes. */
export const runApp: RunApp = ({ app, cwd, env }) =>
  new Promise((resolve) => {
    const child = spawn(app, {
      ...{ shell: true, detached: true, cwd, env: env as NodeJS.ProcessEnv },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stopFollowing = followEnd(() => child.pid !== undefined && process.kill(-child.pid, "SIGTERM"));
    let said = "";
    const take = (chunk: Buffer) => {
      process.stderr.write(chunk);
      said = (said + chunk.toString("utf8")).slice(-longest);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", (error) => resolve({ code: undefined, lastLines: [error.message] }));
    child.once("close", (code) => {
      stopFollowing();
      resolve({ code: code ?? undefined, lastLines: lastLines(said) });
    });
  });

/** Calls `end` when this process ends, or at the signal that asks it to, where it does not end by that at once; answers how to stop that. */
function followEnd(end: () => unknown): () => void {
  const heard = (["SIGINT", "SIGTERM"] as const).filter((name) => process.listenerCount(name) > 0);
  const events = ["exit", ...heard];
  // All of the group may have ended just now.
  const endOnce = () => unlessThrown(end);
  for (const name of events) process.on(name, endOnce);
  return () => {
    for (const name of events) process.off(name, endOnce);
  };
}

/** Without the frames of stacks, which would leave no room for what was wrong. */
function lastLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !/^\s+at /.test(line))
    .slice(-lines);
}

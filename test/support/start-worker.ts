import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import type { runWorker, WorkerTask } from "./lock-worker.ts";
import { repository } from "./source-files.ts";

/** The worker program, bundled once: Node 20 runs no TypeScript. */
export interface WorkerProgram {
  readonly start: (task: WorkerTask) => Worker;
  /** To be run with a task as JSON text. */
  readonly path: string;
  readonly remove: () => void;
}

/** A running worker. */
export interface Worker {
  readonly process: ChildProcess;
  /** The next line that it prints; undefined when it ended. */
  readonly line: () => Promise<string | undefined>;
  readonly send: (line: string) => void;
  readonly ended: Promise<number | null>;
}

/** Bundles the program into a temporary folder. */
export async function buildWorker(): Promise<WorkerProgram> {
  const folder = mkdtempSync(join(tmpdir(), "loadform-worker-"));
  const outfile = join(folder, "worker.mjs");
  const main: typeof runWorker.name = "runWorker";
  const contents = `import { ${main} } from "./test/support/lock-worker.ts"; await ${main}(process.argv[2]);`;
  const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;
  await build({
    stdin: { contents, resolveDir: repository },
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["pg-native"],
    banner: { js: banner },
    outfile,
    logLevel: "error",
  });
  return {
    start: (task) => startWorker(outfile, task),
    path: outfile,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function startWorker(program: string, task: WorkerTask): Worker {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    line: async () => {
      const { value, done } = await lines.next();
      return done ? undefined : String(value);
    },
    send: (line) => child.stdin.write(`${line}\n`),
    ended: new Promise((resolve) => child.once("exit", (code) => resolve(code))),
  };
}

import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { main } from "../../src/cli/main.ts";
import { allocatorVariables } from "../../src/cli/prepare-engine.ts";
import { builtCli, cloneMark } from "./built-cli.ts";
import { isDeep } from "./deep.ts";
import { quickKeys } from "./quick-keys.ts";
import { repository } from "./source-files.ts";

quickKeys();

/** What a run of the command line left behind. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run is started. */
export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Its output goes to a terminal, so it has colours; only in a run within this process. */
  readonly isTerminal?: boolean;
}

/**
 * Runs the bundled command line, built from the sources as they are, within this process: it takes a tenth of the time of
 * a process. With LOADFORM_DEEP each run is a process. What depends on one (signals, a crash, a terminal, the environment
 * of a program, what a program prints) takes {@link runProcess}.
 */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return isDeep && !options.isTerminal ? runProcess(args, options) : runHere(args, options);
}

async function runHere(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const home = pathToFileURL(join(await builtCli(), "..", ".."));
  const { main: run } = (await import(`${home}/dist/main.js`)) as { main: typeof main };
  const stdout = sink(options.isTerminal);
  const stderr = sink();
  const warned: Error[] = [];
  const warn = (warning: Error) => warned.push(warning);
  process.on("warning", warn);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      const host = Object.assign(new EventEmitter(), {
        stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
        stdout: stdout.stream,
        stderr: stderr.stream,
        env: environment(options),
        argv: [process.execPath, "loadform", ...args],
        cwd: () => options.cwd ?? repository,
        // Flags of the engine would be set for this process.
        versions: { v8: "" },
        exit: resolve,
      });
      run(host as unknown as NodeJS.Process, new URL(`${home}/`)).catch(reject);
    });
    if (warned.length > 0) throw new Error(`loadform ${args.join(" ")} made Node warn:\n${warned.join("\n")}`);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.off("warning", warn);
  }
}

function sink(isTTY = false) {
  const parts: Buffer[] = [];
  const write = (part: Buffer, _: string, done: () => void) => {
    parts.push(part);
    done();
  };
  return {
    stream: Object.assign(new Writable({ write }), { isTTY }),
    text: () => Buffer.concat(parts).toString("utf8"),
  };
}

/** Runs the bundled command line, built from the sources as they are, in a process of its own. */
export async function runProcess(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const child = await startCli(args, options);
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  child.stdin.end(options.input ?? "");
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const stderr = err();
  // Warnings of the runtime are no messages of ours.
  if (/^\(node:\d+\)/m.test(stderr)) throw new Error(`loadform ${args.join(" ")} made Node warn:\n${stderr}`);
  return { code, stdout: out(), stderr };
}

/** Starts the bundled command line and leaves it running. */
export async function startCli(args: readonly string[], options: CliOptions = {}) {
  const bin = await builtCli();
  return spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? repository,
    env: environment(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function environment({ env }: CliOptions): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME: userCache(), ...allocatorVariables, ...env };
}

let cache: string | undefined;

/** The user's cache for this worker, empty at its first run: a project that is new there looks at all of its folders. */
function userCache(): string {
  if (cache === undefined) {
    cache = join(tmpdir(), `loadform-cli-cache-${cloneMark}`, process.env["VITEST_POOL_ID"] ?? "0");
    // What an earlier worker started may still be writing to it.
    rmSync(cache, { recursive: true, force: true, maxRetries: 20 });
    mkdirSync(cache, { recursive: true, mode: 0o700 });
  }
  return cache;
}

/** A fresh empty folder for one test. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "loadform-cli-test-"));
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString("utf8");
}

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./source-files.ts";

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
}

/** Runs the bundled command line, built from the sources as they stand, in a process of its own. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
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
  const { PATH = "", HOME = "" } = process.env;
  return spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? repository,
    env: { PATH, HOME, XDG_CACHE_HOME: join(tmpdir(), "loadform-cli-cache"), ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** A fresh empty folder for one test. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "loadform-cli-test-"));
}

let built: Promise<string> | undefined;

/** dist/bin.js of a build outside the repository, made once for each state of the sources. */
export function builtCli(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const { inputDigest } = (await import("../../scripts/input-digest.js" as string)) as {
    inputDigest: (root: string) => string;
  };
  // It leads back to its clone, which another one with the same sources may outlive.
  const clone = createHash("sha256").update(repository).digest("hex").slice(0, 8);
  const home = join(tmpdir(), `loadform-cli-${inputDigest(repository).slice(0, 24)}-${clone}`);
  if (!existsSync(home)) await buildInto(home);
  return join(home, "dist", "bin.js");
}

async function buildInto(home: string): Promise<void> {
  const { bundle } = (await import("../../scripts/bundle.js" as string)) as {
    bundle: (root: string, options: { clean: boolean }) => Promise<void>;
  };
  const staging = mkdtempSync(join(tmpdir(), "loadform-cli-build-"));
  for (const name of ["src", "gen", "schemas", "starter", "node_modules", "package.json"])
    symlinkSync(join(repository, name), join(staging, name));
  mkdirSync(join(staging, "dist"));
  await bundle(staging, { clean: false });
  try {
    renameSync(staging, home);
  } catch {
    // Another worker was faster; its build is of the same sources.
    rmSync(staging, { recursive: true, force: true });
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString("utf8");
}

import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { reasonOf } from "../refusal.ts";
import { type GitHome, type GitSecrets, openGitHome } from "./git-environment.ts";
import type { GitRemote } from "./git-remote.ts";
import { type Ended, refusalOf } from "./refuse-remote.ts";

/** Time that a repository has to answer. */
const standardLimitMs = 10_000;

/** Most bytes of an answer. */
const mostBytes = 16 * 1024 * 1024;

/** A connection to a repository. */
export interface Connection {
  readonly remote: GitRemote;
  readonly secrets: GitSecrets;
  readonly limitMs?: number;
}

/** Names of the refs of a repository, as `git ls-remote` tells them; rejects with a refusal that says why there are none. */
export async function listRefs({ remote, secrets, limitMs = standardLimitMs }: Connection): Promise<readonly string[]> {
  const home = await openGitHome(remote, secrets);
  try {
    const ended = await ranGit(remote, home, limitMs);
    if (ended.code !== 0) throw refusalOf(ended, { remote, secrets, limitMs });
    return refsIn(ended.stdout);
  } finally {
    await home.remove();
  }
}

/** DECISION (API 1, Repositories: refs): full names in the order of git, without HEAD and without the commits behind tags. */
function refsIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const name = line.split("\t")[1];
    return name?.startsWith("refs/") ? [name] : [];
  });
}

function ranGit(remote: GitRemote, home: GitHome, limitMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    try {
      const git = startGit(remote, home);
      follow(git, limitMs, resolve);
    } catch (thrown) {
      // Arguments and environment together have a size that the system limits.
      resolve({ code: null, stdout: "", stderr: `git could not be started: ${reasonOf(thrown)}` });
    }
  });
}

function startGit(remote: GitRemote, { folder, environment }: GitHome): ChildProcessByStdio<null, Readable, Readable> {
  return spawn("git", ["ls-remote", "--refs", "--", remote.address], {
    cwd: folder,
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that what git started ends with it.
    detached: true,
  });
}

function follow(git: ReturnType<typeof startGit>, limitMs: number, resolve: (ended: Ended) => void): void {
  const state = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0, cut: undefined as Ended["cut"] };
  const stop = (cut: Ended["cut"]) => {
    state.cut ??= cut;
    endGroup(git);
  };
  const timer = setTimeout(() => stop("time"), limitMs);
  const collect = (into: Buffer[]) => (chunk: Buffer) => {
    state.bytes += chunk.length;
    if (state.bytes > mostBytes) stop("size");
    else into.push(chunk);
  };
  git.stdout.on("data", collect(state.stdout));
  git.stderr.on("data", collect(state.stderr));
  const end = (code: number | null, failure?: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    const stdout = Buffer.concat(state.stdout).toString();
    const stderr = Buffer.concat(state.stderr).toString() || (failure?.message ?? "");
    resolve({ code, stdout, stderr, cut: failure?.code === "ENOENT" ? "no git" : state.cut });
  };
  git.on("error", (failure) => end(null, failure));
  git.on("close", (code) => end(code));
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

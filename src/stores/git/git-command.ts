import { StoreFailed } from "../../state/store.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** The answer of a git command. */
export interface GitRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It was ended after it said nothing for all its time. */
  readonly isSilent: boolean;
}

export interface GitInput {
  readonly input?: string;
  /** As long as an exchange with a remote may take; without it as long as one may ever take. */
  readonly withinMs?: number;
  /** It is ended when it has said more. */
  readonly mostBytes?: number;
}

/** Where a git command runs, and with which variables. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Variables;
}

const longestMs = 60_000;

/**
 * Runs the user's git in a process group of its own: an interrupt from the terminal must not end the push that saves
 * the state. Throws {@link StoreFailed} where there is no git.
 */
export async function runGit(args: readonly string[], { cwd, env }: GitPlace, given: GitInput = {}): Promise<GitRun> {
  const { input = "", withinMs = longestMs, mostBytes = Number.POSITIVE_INFINITY } = given;
  const { spawn } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...args], { cwd, env: { ...env }, detached: true, stdio: "pipe", windowsHide: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      endGroup(child.pid);
    }, withinMs);
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) endGroup(child.pid);
      else out.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.stdin.on("error", () => undefined);
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(noGit(cause));
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
      const stderr = isSilent ? `no answer within ${Math.round(withinMs / 1000)} s` : text(err);
      resolve({ code: code ?? 1, stdout: text(out), stderr, isSilent });
    });
    child.stdin.end(input);
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function noGit(cause: Error): StoreFailed {
  const why = "code" in cause && cause.code === "ENOENT" ? "git is not in PATH" : cause.message;
  return new StoreFailed(
    `could not run git, which backend git needs: ${why}. Install git ${oldest.join(".")} or later`,
    { cause },
  );
}

/** The first one that takes all of its settings from variables. */
const oldest = [2, 32] as const;

/** Throws {@link StoreFailed} for a git that is too old. */
export async function checkGitVersion(place: GitPlace): Promise<void> {
  const { stdout } = await runGit(["version"], place);
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  const found = stdout.trim() || "a git without a version";
  throw new StoreFailed(`backend git needs git ${oldest.join(".")} or later, and this is ${found}`);
}

import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** A git that has no settings of this machine and of nobody's account. */
export const plainGit = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

/** Runs git, and answers what it printed. */
export function runGit(cwd: string, args: readonly string[], input?: string): string {
  return execFileSync("git", [...args], { cwd, env: plainGit, input: input ?? "", stdio: "pipe" })
    .toString()
    .trimEnd();
}

/** The same without blocking this process, which may be the server that git asks. */
export async function runGitLater(cwd: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)("git", [...args], { cwd, env: plainGit })).stdout;
}

/** A real bare repository in a temporary folder. */
export interface BareRepository {
  readonly folder: string;
  readonly git: (...args: readonly string[]) => string;
  /** The text of a file on a branch; undefined when there is none. */
  readonly show: (branch: string, path: string) => string | undefined;
  /** Commits a text to a branch, past everything that guards it. */
  readonly commit: (branch: string, path: string, text: string) => void;
  /** Refs and where they are. */
  readonly refs: () => readonly string[];
  /** Installs a hook, as a shell script. */
  readonly hook: (name: string, script: string) => void;
  readonly remove: () => void;
}

/** Makes one that is empty: not even a first branch. */
export function bareRepository(): BareRepository {
  const folder = mkdtempSync(join(tmpdir(), "loadform-remote-"));
  runGit(folder, ["init", "--quiet", "--bare", "--initial-branch=main", "."]);
  const git = (...args: readonly string[]) => runGit(folder, args);
  const quietly = (...args: readonly string[]) => {
    try {
      return execFileSync("git", [...args], {
        cwd: folder,
        env: plainGit,
        stdio: ["ignore", "pipe", "ignore"],
      }).toString();
    } catch {
      return undefined;
    }
  };
  return {
    folder,
    git,
    show: (branch, path) => quietly("cat-file", "blob", `refs/heads/${branch}:${path}`),
    commit(branch, path, text) {
      const tip = quietly("rev-parse", "--verify", `refs/heads/${branch}`)?.trim();
      const data = `data ${Buffer.byteLength(text)}\n${text}\n`;
      const from = tip === undefined ? "" : `from ${tip}\n`;
      const head = `commit refs/heads/${branch}\ncommitter A <a@example.com> 0 +0000\ndata 1\nx\n`;
      runGit(folder, ["fast-import", "--quiet", "--force"], `${head}${from}M 100644 inline ${path}\n${data}\n`);
    },
    refs: () =>
      git("for-each-ref", "--format=%(refname) %(objectname)")
        .split("\n")
        .filter((line) => line !== ""),
    hook(name, script) {
      const path = join(folder, "hooks", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    },
    remove: () => {
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

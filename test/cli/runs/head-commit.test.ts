import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { headCommit } from "../../../src/cli/runs/head-commit.ts";

const who = ["-c", "user.name=a", "-c", "user.email=a@b.test"];
const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", [...who, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "loadform-head-"));
  git(folder, "init", "-q");
  git(folder, "commit", "-q", "--allow-empty", "-m", "one");
  return folder;
}

test("the commit of a branch, of a packed one, of a detached head and of a further work tree", async () => {
  const folder = repository();
  const head = git(folder, "rev-parse", "HEAD");
  mkdirSync(join(folder, "load", "tests"), { recursive: true });
  expect(await headCommit(join(folder, "load", "tests"))).toBe(head);
  git(folder, "pack-refs", "--all");
  expect(await headCommit(folder)).toBe(head);
  const further = join(folder, "further");
  git(folder, "worktree", "add", "-q", "-b", "other", further);
  git(further, "commit", "-q", "--allow-empty", "-m", "two");
  expect(await headCommit(further)).toBe(git(further, "rev-parse", "HEAD"));
  git(folder, "checkout", "-q", "--detach");
  expect(await headCommit(folder)).toBe(head);
});

test("none outside of a work tree, before the first commit and where git's files make no sense", async () => {
  const empty = mkdtempSync(join(tmpdir(), "loadform-head-"));
  expect(await headCommit(empty)).toBeUndefined();
  git(empty, "init", "-q");
  expect(await headCommit(empty)).toBeUndefined();
  writeFileSync(join(empty, ".git", "HEAD"), "ref: ../../nonsense\n");
  expect(await headCommit(empty)).toBeUndefined();
});

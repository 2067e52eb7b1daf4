import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GitScratch, openScratch } from "../../../src/stores/git/git-scratch.ts";

let root = "";
let scratch: GitScratch;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "loadform-scratch-"));
  scratch = await openScratch({ root, remote: root, env: process.env });
});
afterAll(async () => {
  await scratch.remove();
  await rm(root, { recursive: true, force: true });
});

it("a git that is ended for its silence leaves no lock to the next one", async () => {
  const folder = (await scratch.git(["rev-parse", "--git-dir"])).stdout.trim();
  const lock = join(folder, "shallow.lock");
  const hang = ["-c", 'alias.hang=!cd "$GIT_DIR" && touch shallow.lock refs/heads/any.lock && sleep 60', "hang"];
  const run = scratch.git(hang, { withinMs: 1000 });
  await expect.poll(() => existsSync(lock), { timeout: 10_000 }).toBe(true);
  expect((await run).isSilent).toBe(true);
  expect([existsSync(lock), existsSync(join(folder, "refs/heads/any.lock"))]).toEqual([false, false]);
});

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LockLost, StateLocked, type StateSession } from "../../../src/state/store.ts";
import { type BareRepository, bareRepository, plainGit, runGit } from "../../support/git-server.ts";
import { gitStoresOf } from "../../support/git-stores.ts";
import { mergeTest } from "../../support/merge-test.ts";
import { done, fresh, intent, resource, sending } from "../../support/state-samples.ts";

let repository: BareRepository;
let folder = "";
beforeEach(() => {
  repository = bareRepository();
  folder = mkdtempSync(join(tmpdir(), "loadform-clone-"));
});
afterEach(() => {
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

const { storeAt, take, saveOnce } = gitStoresOf(() => ({ root: folder, remote: repository.folder }));
const lockRefs = () => repository.refs().filter((ref) => ref.includes("loadform-lock"));

/** Every byte of a folder, by path. */
function bytesOf(path: string): Readonly<Record<string, string>> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(names.map((name) => [name, createHash("sha256").update(readFileSync(name)).digest("hex")]));
}

describe("the user's repository", () => {
  test("is the same byte by byte after states were read, locked, written and unlocked: work tree, index, refs, objects", async () => {
    repository.commit("main", "a.txt", "one");
    runGit(folder, ["clone", "--quiet", repository.folder, "."]);
    runGit(folder, ["config", "core.hooksPath", "hooks"]);
    writeFileSync(join(folder, "staged.txt"), "staged");
    runGit(folder, ["add", "staged.txt"]);
    writeFileSync(join(folder, "a.txt"), "edited");
    writeFileSync(join(folder, "new.txt"), "untracked");
    const status = runGit(folder, ["status", "--porcelain=v2", "--branch"]);
    const before = bytesOf(folder);
    await saveOnce({ remote: "origin" });
    await saveOnce({ remote: "origin" }, 2);
    const session = await take({ remote: "origin" });
    await storeAt({ remote: "origin" }).unlock();
    await session.release();
    expect(Object.keys((await storeAt({ remote: "origin" }).read())?.state.resources ?? {})).toEqual([
      "toy.k1",
      "toy.k2",
    ]);
    expect(bytesOf(folder)).toEqual(before);
    expect(runGit(folder, ["status", "--porcelain=v2", "--branch"])).toBe(status);
  });

  mergeTest("leaves no temporary folder behind", async () => {
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    try {
      const session = await take();
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^loadform-git-/)]);
      await expect(take()).rejects.toBeInstanceOf(StateLocked);
      await session.release();
      await storeAt().read();
      await storeAt().unlock();
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the branch", () => {
  test("has a commit for each write that says who applied what, and starts no pipeline", async () => {
    const env = {
      ...plainGit,
      GITHUB_ACTOR: "octocat",
      GITHUB_SERVER_URL: "https://forge.test",
      GITHUB_REPOSITORY: "a/b",
    };
    const session = await take({ env: { ...env, GITHUB_RUN_ID: "7" } });
    const state = await session.save(
      { ...fresh(), project: "shop", environment: "staging", resources: { "toy.a": resource(1) } },
      [],
    );
    await session.save({ ...state, resources: { "toy.b": resource(2) } }, [intent("toy.c")]);
    await session.release();
    const log = repository.git("log", "--format=%an%n%B", "loadform-state").split("\n");
    expect(log).toEqual([
      "octocat",
      "apply shop (staging), 2 changes [skip ci]",
      "",
      "+ toy.b",
      "- toy.a",
      "",
      "Serial: 2",
      "Under way: 1",
      expect.stringMatching(/^By: .+@.+/),
      "Run: https://forge.test/a/b/actions/runs/7",
      `Lock: ${session.info.id}`,
      "octocat",
      "apply shop (staging), 1 change [skip ci]",
      ...log.slice(13),
    ]);
    expect(log.join("\n")).not.toContain(state.salt);
  });

  mergeTest(
    "holds the states of two projects and of two environments, applied at the same time, and what else is there",
    async () => {
      repository.commit("loadform-state", "README.md", "about");
      const paths = ["shop.json", "shop.staging.json", "teams/a/other.json"];
      const session = await take({ path: "teams/b/held.json" });
      await Promise.all(paths.map((path) => saveOnce({ path })));
      await saveOnce({ path: "shop.json" }, 2);
      await session.save(fresh(), []);
      await session.release();
      expect(repository.git("ls-tree", "-r", "--name-only", "loadform-state").split("\n")).toEqual(
        ["README.md", ...paths, "teams/b/held.json"].sort(),
      );
      const held = async (path: string) => Object.keys((await storeAt({ path }).read())?.state.resources ?? {});
      expect(await Promise.all(paths.map(held))).toEqual([["toy.k1", "toy.k2"], ["toy.k1"], ["toy.k1"]]);
      expect(lockRefs()).toEqual([]);
    },
  );

  test("may move under a lock; a state that somebody wrote without it is not written over", async () => {
    const session = await take();
    const state = await session.save(fresh(), []);
    repository.commit("loadform-state", "other.json", "{}");
    await session.record([sending("toy.a")]);
    expect(repository.show("loadform-state", "other.json")).toBe("{}");
    const text = `${repository.show("loadform-state", "p.json")}\n`;
    repository.commit("loadform-state", "p.json", text);
    await expect(session.save(state, [])).rejects.toBeInstanceOf(LockLost);
    await session.release();
    expect(repository.show("loadform-state", "p.json")).toBe(text);
  });

  mergeTest("that is deleted under a lock is not made anew from what was known", async () => {
    const session = await take();
    const state = await session.save(fresh(), []);
    repository.git("update-ref", "-d", "refs/heads/loadform-state");
    await expect(session.save(state, [])).rejects.toBeInstanceOf(LockLost);
    await session.release();
  });
});

describe("the lock", () => {
  mergeTest(
    "is a ref of its own for each state, whose commit says who holds it, since when, for which command",
    async () => {
      const sessions: readonly StateSession[] = [
        await take(),
        await take({ path: "q.json" }),
        await take({ branch: "other" }),
      ];
      expect(lockRefs()).toHaveLength(3);
      const [ref = ""] = lockRefs()[0]?.split(" ") ?? [];
      const message = repository.git("log", "-1", "--format=%B", ref);
      expect(message).toMatch(/^loadform: .* is locked \[skip ci\]\n\nBy .+@.+ since 20.+ for apply\.\n/);
      for (const session of sessions) await session.release();
      expect(repository.refs()).toEqual([]);
    },
  );

  test("remains the same one while its holder writes: who breaks it by its id breaks it", async () => {
    const session = await take();
    await session.save(fresh(), []);
    await session.record([sending("toy.a")]);
    await session.record([done("toy.a", 1)]);
    expect(await storeAt().unlock(session.info.id)).toMatchObject({ id: session.info.id });
    await expect(session.record([sending("toy.b")])).rejects.toBeInstanceOf(LockLost);
    await session.release();
  });
});

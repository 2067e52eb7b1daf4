// merge: dozens of processes of git for places that users rarely have; what a state on a branch is, is in git-store.test.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StateLocked } from "../../../src/state/store.ts";
import { type BareRepository, bareRepository, plainGit, runGit } from "../../support/git-server.ts";
import { gitStoresOf } from "../../support/git-stores.ts";

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

describe("a remote", () => {
  test("is found from a folder of it, and a hook's variables lead nowhere else", async () => {
    repository.commit("main", "deep/a.txt", "one");
    runGit(folder, ["clone", "--quiet", repository.folder, "."]);
    const elsewhere = join(folder, "elsewhere");
    const env = { ...plainGit, GIT_DIR: elsewhere, GIT_INDEX_FILE: join(elsewhere, "index"), GIT_WORK_TREE: elsewhere };
    await saveOnce({ root: join(folder, "deep"), remote: "origin", env });
    expect(repository.show("loadform-state", "p.json")).toContain("toy.k1");
  });

  test("gives the way to the remote: addresses relative to its top folder, and rewritten ones", async () => {
    repository.commit("main", "deep/a.txt", "one");
    runGit(folder, ["clone", "--quiet", repository.folder, "."]);
    runGit(folder, ["remote", "add", "near", `../${repository.folder.split("/").at(-1)}`]);
    await saveOnce({ root: join(folder, "deep"), remote: "near" });
    runGit(folder, ["remote", "add", "short", "states:"]);
    runGit(folder, ["config", `url.${repository.folder}.insteadOf`, "states:"]);
    await saveOnce({ root: join(folder, "deep"), remote: "short" }, 2);
    expect(Object.keys((await storeAt().read())?.state.resources ?? {})).toEqual(["toy.k1", "toy.k2"]);
  });
});

describe("a branch", () => {
  test.each([
    {
      there: "teams",
      path: "teams/p.json",
      found: /there is a file at teams, so there can be no state at state\.path/,
    },
    {
      there: "p.json/x",
      path: "p.json",
      found: /there is a folder at p\.json, so there can be no state at state\.path/,
    },
  ])("keeps its file $there from a state at $path", async ({ there, path, found }) => {
    repository.commit("loadform-state", there, "kept");
    await expect(take({ path })).rejects.toThrow(found);
    expect(repository.show("loadform-state", there)).toBe("kept");
    expect(lockRefs()).toEqual([]);
  });

  test("takes a path with blanks, quotes and letters of all kinds", async () => {
    await saveOnce({ path: 'a b/"ä"\\ü.json' });
    expect(Object.keys((await storeAt({ path: 'a b/"ä"\\ü.json' }).read())?.state.resources ?? {})).toEqual(["toy.k1"]);
  });
});

describe("a lock", () => {
  test("that somebody made by hand is told by its commit, and broken by that id", async () => {
    const session = await take();
    const [ref = ""] = lockRefs()[0]?.split(" ") ?? [];
    await session.release();
    repository.commit("x", "a", "b");
    const id = repository.git("rev-parse", "x");
    repository.git("update-ref", ref, id);
    const refused = (await take().catch((problem: unknown) => problem)) as StateLocked;
    expect(refused.holder).toMatchObject({ id, who: "someone" });
    expect(await storeAt().unlock(id)).toMatchObject({ id });
    await (await take()).release();
  });
});

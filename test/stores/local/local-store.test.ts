import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JournalEntry } from "../../../src/state/journal.ts";
import { processHolder } from "../../../src/state/lock-holder.ts";
import { randomHex } from "../../../src/state/secret-fingerprint.ts";
import { newState, type StateResource } from "../../../src/state/state.ts";
import { readState, StateUnusable, stateText } from "../../../src/state/state-text.ts";
import { LockLost, StateLocked } from "../../../src/state/store.ts";
import { localStore } from "../../../src/stores/local/local-store.ts";
import { diskFiles, type StateFiles } from "../../../src/stores/local/state-files.ts";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-state-"));
  path = join(folder, "deep", "state.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const holder = processHolder({ now: Date.now, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) });
const open = () => localStore({ path, files: diskFiles, holder });
const resource = (id: number): StateResource => ({
  kind: "toy",
  id,
  createdAt: "2026-01-01T00:00:00.000Z",
  applied: { name: `n${id}` },
});
const done = (address: string, id: number): JournalEntry => ({ phase: "done", address, resource: resource(id) });
const fresh = () => newState("p", undefined, randomHex);

describe("local store", () => {
  test("reads nothing before the first write, then what was written", async () => {
    expect(await open().read()).toBeUndefined();
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const saved = await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
    await session.release();
    expect(saved.serial).toBe(1);
    expect((await open().read())?.state.resources).toEqual({ "toy.a": resource(1) });
  });

  test("raises the serial at every write and keeps the former state as .bak", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const first = await session.save(fresh(), []);
    const second = await session.save({ ...first, resources: { "toy.a": resource(1) } }, []);
    await session.release();
    expect([first.serial, second.serial]).toEqual([1, 2]);
    expect(JSON.parse(await readFile(`${path}.bak`, "utf8"))).toMatchObject({ serial: 1, resources: {} });
  });

  test("what was recorded after the last write is there for whoever reads next, and for whoever locks next", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save({ ...fresh(), resources: { "toy.b": resource(2) } }, []);
    await session.record([done("toy.a", 1), { phase: "gone", address: "toy.b" }]);
    await session.release();
    expect(Object.keys((await open().read())?.state.resources ?? {})).toEqual(["toy.a"]);
    const next = await open().lock({ operation: "apply", timeoutMs: 0 });
    expect(next.stored?.state.resources).toEqual({ "toy.a": resource(1) });
    await next.release();
  });

  test("an intent without an end is in doubt, one with an end is not", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    const intent = (address: string) => ({ address, kind: "toy", preIds: [], t: 1 });
    await session.record(["toy.a", "toy.b", "toy.c"].map((address) => ({ phase: "intent", intent: intent(address) })));
    await session.record([done("toy.a", 1), { phase: "fail", address: "toy.b" }]);
    await session.release();
    expect((await open().read())?.intents).toEqual([intent("toy.c")]);
  });

  test("a line that a full disk cut off takes no later one along", async () => {
    let isFull = false;
    const append: StateFiles["append"] = async (to, text) => {
      await diskFiles.append(to, isFull ? text.slice(0, 40) : text);
      if (isFull) throw new Error("ENOSPC");
    };
    const store = localStore({ path, files: { ...diskFiles, append }, holder });
    const session = await store.lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    await session.record([done("toy.a", 1)]);
    isFull = true;
    await expect(session.record([done("toy.b", 2)])).rejects.toThrow("ENOSPC");
    isFull = false;
    await session.record([done("toy.c", 3)]);
    await session.release();
    expect((await open().read())?.state.resources).toEqual({ "toy.a": resource(1), "toy.c": resource(3) });
  });

  test("a torn last line of the journal is dropped, the lines before it count", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    await session.record([done("toy.a", 1)]);
    await session.record([done("toy.b", 2)]);
    await session.release();
    const text = await readFile(`${path}.journal`, "utf8");
    await writeFile(`${path}.journal`, text.slice(0, -5));
    expect(Object.keys((await open().read())?.state.resources ?? {})).toEqual(["toy.a"]);
  });

  test("a line that a crash cut off takes no other along, and what comes after it counts", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    await session.record([done("toy.a", 1)]);
    await session.record([done("toy.b", 2)]);
    await session.release();
    const text = await readFile(`${path}.journal`, "utf8");
    await writeFile(`${path}.journal`, text.slice(0, -5));
    const next = await open().lock({ operation: "apply", timeoutMs: 0 });
    await next.record([done("toy.c", 3)]);
    await next.release();
    expect(Object.keys((await open().read())?.state.resources ?? {})).toEqual(["toy.a", "toy.c"]);
  });

  test("what a later state took up is not played on it again, when a crash left the journal", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const state = await session.save(fresh(), []);
    await session.record([done("toy.a", 1)]);
    const journal = await readFile(`${path}.journal`, "utf8");
    await session.save({ ...state, resources: { "toy.moved": resource(1) } }, []);
    await session.release();
    await writeFile(`${path}.journal`, journal);
    expect(Object.keys((await open().read())?.state.resources ?? {})).toEqual(["toy.moved"]);
  });

  /** Leaves the lock of a process that is gone. */
  const leaveDead = async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.release();
    const dead = { ...session.info, id: "dead", pid: 2 ** 22 + 1 };
    await writeFile(`${path}.lock`, JSON.stringify(dead));
    return dead;
  };

  const refuse = () => Promise.reject(new Error("EPERM"));
  test.each([
    ["cannot be removed", { ...diskFiles, remove: refuse, stepIf: refuse }],
    [
      "stands where nothing can be made",
      {
        ...diskFiles,
        createNew: (at: string, text: string) => (at.endsWith(".lock") ? diskFiles.createNew(at, text) : refuse()),
      },
    ],
  ])("a dead holder's lock that %s is a held lock, not a wait without end", async (_title, files) => {
    await leaveDead();
    const refused = localStore({ path, files, holder }).lock({ operation: "apply", timeoutMs: 0 });
    await expect(refused).rejects.toBeInstanceOf(StateLocked);
  });

  test.each([1, 2])("a lock that somebody takes while the one before is found dead is left (%i)", async (moment) => {
    const dead = await leaveDead();
    await rm(`${path}.lock`);
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    let late = moment;
    const files = {
      ...diskFiles,
      async read(at: string) {
        if (!at.endsWith(".lock") || late-- <= 0) return diskFiles.read(at);
        return JSON.stringify(dead);
      },
    };
    const refused = localStore({ path, files, holder }).lock({ operation: "destroy", timeoutMs: 0 });
    await expect(refused).rejects.toMatchObject({ holder: { id: session.info.id } });
    await session.record([]);
    await session.release();
  });

  test("a process that died while it broke a lock leaves nothing in the way", async () => {
    const dead = await leaveDead();
    await writeFile(`${path}.lock.breaking`, JSON.stringify({ ...dead, id: "breaker" }));
    await (await open().lock({ operation: "apply", timeoutMs: 0 })).release();
    expect(await diskFiles.read(`${path}.lock.breaking`)).toBeUndefined();
  });

  test("a second holder is refused and told who holds the lock", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const refused = open().lock({ operation: "destroy", timeoutMs: 0 });
    await expect(refused).rejects.toBeInstanceOf(StateLocked);
    await expect(refused).rejects.toMatchObject({ holder: { operation: "apply", pid: process.pid } });
    await session.release();
    await (await open().lock({ operation: "destroy", timeoutMs: 0 })).release();
  });

  test("waits for a lock as long as it was told to", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const waiting = open().lock({ operation: "destroy", timeoutMs: 5000 });
    await session.release();
    await (await waiting).release();
  });

  test("breaks the lock of a dead process on this host, never that of another host", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const info = session.info;
    await session.release();
    await writeFile(`${path}.lock`, JSON.stringify({ ...info, id: "dead", pid: 2 ** 22 + 1 }));
    await (await open().lock({ operation: "apply", timeoutMs: 0 })).release();
    await writeFile(`${path}.lock`, JSON.stringify({ ...info, id: "far", pid: 2 ** 22 + 1, host: "elsewhere" }));
    await expect(open().lock({ operation: "apply", timeoutMs: 0 })).rejects.toBeInstanceOf(StateLocked);
  });

  test("breaks the lock of an earlier process that had the same pid", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    const { info } = session;
    await session.release();
    await writeFile(`${path}.lock`, JSON.stringify({ ...info, id: "earlier", process: "another boot/1" }));
    await (await open().lock({ operation: "apply", timeoutMs: 0 })).release();
  });

  test("who lost the lock can neither record nor save", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    expect((await open().unlock(session.info.id))?.id).toBe(session.info.id);
    const other = await open().lock({ operation: "apply", timeoutMs: 0 });
    await expect(session.record([done("toy.a", 1)])).rejects.toBeInstanceOf(LockLost);
    await expect(session.save(fresh(), [])).rejects.toBeInstanceOf(LockLost);
    await session.release();
    await other.record([done("toy.b", 2)]);
    await other.release();
  });

  test("unlocking by another id changes nothing", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await expect(open().unlock("other")).rejects.toBeInstanceOf(StateLocked);
    await expect(open().lock({ operation: "apply", timeoutMs: 0 })).rejects.toBeInstanceOf(StateLocked);
    await session.release();
  });

  test("a lock that says nothing about its holder can be broken, but not by an id", async () => {
    await (await open().lock({ operation: "apply", timeoutMs: 0 })).release();
    await writeFile(`${path}.lock`, "");
    await expect(open().lock({ operation: "apply", timeoutMs: 0 })).rejects.toBeInstanceOf(StateLocked);
    await expect(open().unlock("other")).rejects.toBeInstanceOf(StateLocked);
    expect(await open().unlock()).toMatchObject({ who: "an unknown holder" });
    await (await open().lock({ operation: "apply", timeoutMs: 0 })).release();
  });

  test("refuses a state file with any one bit flipped (P19)", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save({ ...fresh(), resources: { "toy.a": resource(1), "toy.b": resource(2) } }, []);
    await session.release();
    const good = await readFile(path);
    for (const at of good.keys())
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(good);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        // White space after the end says nothing.
        if (flipped.toString("utf8").trimEnd() === good.toString("utf8").trimEnd()) continue;
        expect(() => readState(flipped.toString("utf8")), `bit ${bit} of byte ${at}`).toThrow(StateUnusable);
      }
  });

  test("takes a state file that another program edited and wrote anew", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
    await session.release();
    const document = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    for (const indent of [0, 2, 4, "\t"]) {
      await writeFile(path, JSON.stringify({ ...document, serial: 7 }, undefined, indent));
      expect((await open().read())?.state.serial).toBe(7);
    }
  });

  test("takes a state file without a checksum: one written by hand, or by state pull", async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, stateText({ ...fresh(), resources: { "toy.a": resource(1) } }));
    expect(Object.keys((await open().read())?.state.resources ?? {})).toEqual(["toy.a"]);
  });

  test("refuses every torn, flipped or foreign state file, and leaves it as it is (P19)", async () => {
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.save({ ...fresh(), resources: { "toy.a": resource(1) } }, []);
    await session.release();
    // Without its checksum, so that each is refused for what is wrong with it.
    const good = stateText(readState(await readFile(path, "utf8")));
    const bad = [
      "",
      "{}",
      "[]",
      "null",
      good.slice(0, -10),
      good.replace("loadform-state/1", "loadform-state/9"),
      good.replace('"serial": 1', '"serial": -1'),
      good.replace('"lineage"', '"lineaje"'),
      good.replace('"applied"', '"applide"'),
      '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","resources":[]}',
    ];
    for (const text of bad) {
      await writeFile(path, text);
      await expect(open().read(), text).rejects.toBeInstanceOf(StateUnusable);
      await expect(open().lock({ operation: "apply", timeoutMs: 0 }), text).rejects.toBeInstanceOf(StateUnusable);
      expect(await readFile(path, "utf8")).toBe(text);
    }
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LockLost } from "../../../src/state/store.ts";
import { localStore } from "../../../src/stores/local/local-store.ts";
import { diskFiles } from "../../../src/stores/local/state-files.ts";
import { fresh, realHolder, sending } from "../../support/state-samples.ts";

let folder = "";
let path = "";
let now = Date.now();
let looks = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-proof-"));
  path = join(folder, "state.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = {
  ...diskFiles,
  read(at: string) {
    if (at.endsWith(".lock")) looks += 1;
    return diskFiles.read(at);
  },
};
const holder = { ...realHolder, now: () => now };
const open = () => localStore({ path, files, holder });
const take = async () => {
  const session = await open().lock({ operation: "apply", timeoutMs: 0 });
  await session.save(fresh(), []);
  return session;
};

describe("the proof of a lock file", () => {
  test("is a look at it that is 1 s old at most, and one look is for all writes that need it", async () => {
    const session = await take();
    await session.record([]);
    expect(session.mayWrite()).toBe(true);
    await sleep(1_050);
    expect(session.mayWrite()).toBe(false);
    looks = 0;
    await Promise.all(Array.from({ length: 16 }, () => session.record([])));
    expect(session.mayWrite()).toBe(true);
    expect(looks).toBe(1);
    await session.record([]);
    expect(looks).toBe(1);
    await session.release();
  });

  test("that fails lets nothing leave", async () => {
    const session = await take();
    await open().unlock(session.info.id);
    await sleep(1_050);
    await expect(session.record([])).rejects.toBeInstanceOf(LockLost);
    expect(session.mayWrite()).toBe(false);
    await session.release();
  });
});

describe("an intent whose create leaves late", () => {
  test("is said again with a later time, and when it was sent first is kept", async () => {
    now = 1_000_000;
    const session = await take();
    await session.record([sending("toy.a", now), sending("toy.b", now)]);
    now += 900;
    await session.record([{ phase: "fail", address: "toy.b" }]);
    expect((await open().read())?.intents).toMatchObject([{ address: "toy.a", t: 1_000_000 }]);
    now += 60_000;
    await session.record([]);
    expect((await open().read())?.intents).toEqual([
      expect.objectContaining({ address: "toy.a", t: 1_060_900, since: 1_000_000 }),
    ]);
    await session.release();
  });

  test("of an earlier run keeps its time", async () => {
    now = 1_000_000;
    const first = await take();
    await first.record([sending("toy.a", now)]);
    await first.release();
    now += 60_000;
    const session = await open().lock({ operation: "apply", timeoutMs: 0 });
    await session.record([sending("toy.b", now)]);
    now += 2_000;
    await session.record([]);
    const intents = (await open().read())?.intents;
    expect(intents?.map(({ address, t }) => [address, t])).toEqual([
      ["toy.a", 1_000_000],
      ["toy.b", 1_062_000],
    ]);
    await session.release();
  });
});

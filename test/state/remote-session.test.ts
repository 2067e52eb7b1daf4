// engine: its proofs age by the real clock.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { remoteSession } from "../../src/state/remote-session.ts";
import type { State } from "../../src/state/state.ts";
import { LockLost, type StateSession, StoreFailed } from "../../src/state/store.ts";
import { done, fresh, intent, resource, sending } from "../support/state-samples.ts";

/** A document that counts its writes and can refuse the next ones. */
function countingDocument(latencyMs = 0) {
  const writes: State[] = [];
  const refusals: Error[] = [];
  let released = 0;
  return {
    writes,
    refusals,
    released: () => released,
    document: (state: State | undefined) => ({
      info: { id: "lock", operation: "apply", who: "me", created: "" },
      state,
      async write(next: State) {
        await sleep(latencyMs);
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        writes.push({ ...next, serial: next.serial + 1 });
        return { ...next, serial: next.serial + 1 };
      },
      async release() {
        released += 1;
      },
    }),
  };
}

function open(options: { state?: State; latencyMs?: number; everyMs?: number; now?: () => number } = {}) {
  const counting = countingDocument(options.latencyMs);
  const { state = fresh(), everyMs = 60_000, now = Date.now } = options;
  return { ...counting, session: remoteSession(counting.document(state), { now, everyMs }) };
}

const pendingOf = (state: State | undefined) => state?.pending.map(({ address }) => address);

describe.concurrent("remote session", () => {
  test("intents recorded together are one write, results wait for the next", async () => {
    const { session, writes } = open();
    await Promise.all([session.record([sending("toy.a")]), session.record([sending("toy.b")])]);
    expect(writes).toHaveLength(1);
    expect(pendingOf(writes[0])).toEqual(["toy.a", "toy.b"]);
    await session.record([done("toy.a", 1)]);
    await session.record([{ phase: "fail", address: "toy.b" }]);
    expect(writes).toHaveLength(1);
    await session.record([sending("toy.c")]);
    expect(writes).toHaveLength(2);
    expect(pendingOf(writes[1])).toEqual(["toy.c"]);
    expect(writes[1]?.resources).toEqual({ "toy.a": resource(1) });
    await session.release();
  });

  test("what was recorded is written at once by an announcement of nothing", async () => {
    const { session, writes } = open();
    await session.record([done("toy.a", 1)]);
    expect(writes).toHaveLength(0);
    await session.announce?.([]);
    expect(writes.at(-1)?.resources).toEqual({ "toy.a": resource(1) });
    await session.release();
  });

  test("results are written by themselves when nothing else comes, and then nothing more is", async () => {
    const { session, writes } = open({ everyMs: 60 });
    await session.record([done("toy.a", 1)]);
    expect(writes).toHaveLength(0);
    await expect.poll(() => writes.length).toBe(1);
    await sleep(200);
    expect(writes).toHaveLength(1);
    await session.release();
    expect(writes).toHaveLength(1);
  });

  test("while a create is under way its time is renewed, and when it was sent is kept", async () => {
    const { session, writes } = open({ everyMs: 60, now: () => 5_000 });
    await session.record([sending("toy.a", 1_000)]);
    await expect.poll(() => writes.length).toBeGreaterThanOrEqual(3);
    expect(writes[0]?.pending).toEqual([intent("toy.a", 1_000)]);
    expect(writes.at(-1)?.pending).toEqual([{ ...intent("toy.a", 5_000), since: 1_000 }]);
    await session.release();
    const { length } = writes;
    await sleep(150);
    expect(writes).toHaveLength(length);
  });

  test("the time of a create that an earlier run left in doubt is not renewed", async () => {
    const left = { ...fresh(), pending: [intent("toy.old", 1_000)] };
    const { session, writes } = open({ state: left, everyMs: 60, now: () => 9_000 });
    await session.record([sending("toy.new", 9_000)]);
    await expect.poll(() => writes.length).toBeGreaterThanOrEqual(2);
    expect(writes.at(-1)?.pending).toMatchObject([{ address: "toy.old", t: 1_000 }, { address: "toy.new" }]);
    await session.release();
  });

  test("recovery waits longer for it: it may have been sent up to 5 s after its run could last say so", async () => {
    const left = { ...fresh(), pending: [intent("toy.old", 1_000)] };
    const { session } = open({ state: left, everyMs: 5_000 });
    expect(session.stored?.intents).toEqual([{ ...intent("toy.old"), t: 6_000, since: 1_000 }]);
    expect(session.stored?.state.pending).toEqual([]);
    await session.release();
  });

  test("a failed write refuses its intents, keeps the results, and the next write carries them", async () => {
    const { session, writes, refusals } = open();
    await session.record([sending("toy.a")]);
    await session.record([done("toy.a", 1)]);
    refusals.push(new StoreFailed("down"));
    await expect(session.record([sending("toy.b")])).rejects.toBeInstanceOf(StoreFailed);
    await session.record([sending("toy.c")]);
    expect(pendingOf(writes.at(-1))).toEqual(["toy.c"]);
    expect(writes.at(-1)?.resources).toEqual({ "toy.a": resource(1) });
    await session.release();
  });

  test("a lock lost in the background stops everything that follows", async () => {
    const { session, refusals, released } = open({ everyMs: 20 });
    refusals.push(new LockLost("broken"));
    await session.record([done("toy.a", 1)]);
    await expect.poll(() => refusals.length).toBe(0);
    await sleep(5);
    await expect(session.record([done("toy.b", 2)])).rejects.toBeInstanceOf(LockLost);
    await expect(session.record([sending("toy.c")])).rejects.toBeInstanceOf(LockLost);
    await expect(session.save(fresh(), [])).rejects.toBeInstanceOf(LockLost);
    await session.release();
    expect(released()).toBe(1);
  });

  test("the lock is given back although the last results could not be written, and the failure is told", async () => {
    const { session, refusals, released } = open();
    await session.record([done("toy.a", 1)]);
    refusals.push(new StoreFailed("down"));
    await expect(session.release()).rejects.toBeInstanceOf(StoreFailed);
    expect(released()).toBe(1);
  });

  test("intents announced together are one write, and each costs none when it is recorded", async () => {
    const { session, writes } = open();
    await session.announce?.([intent("toy.a"), intent("toy.b")]);
    await session.record([sending("toy.a")]);
    await session.record([done("toy.a", 1)]);
    await session.record([sending("toy.b")]);
    expect(writes.map(pendingOf)).toEqual([["toy.a", "toy.b"]]);
    await session.release();
  });

  test("what has ended is durable again only under a new intent", async () => {
    const { session, writes } = open();
    await session.announce?.([intent("toy.a")]);
    await session.record([{ phase: "fail", address: "toy.a" }]);
    await session.record([sending("toy.a")]);
    expect(writes).toHaveLength(2);
    expect(pendingOf(writes[1])).toEqual(["toy.a"]);
    await session.release();
  });

  test("what is deleted to be made anew keeps the intent that was announced for it", async () => {
    const { session, writes } = open({ state: { ...fresh(), resources: { "toy.a": resource(1) } } });
    await session.announce?.([intent("toy.a"), intent("toy.b")]);
    await session.record([{ phase: "gone", address: "toy.a" }]);
    await session.record([sending("toy.a")]);
    expect(writes).toHaveLength(1);
    await session.record([sending("toy.c")]);
    expect(pendingOf(writes[1])).toEqual(["toy.a", "toy.b", "toy.c"]);
    expect(writes[1]?.resources).toEqual({});
    await session.release();
  });

  test("what is deleted while the intent of its successor is being written keeps it too", async () => {
    const { session, writes } = open({ state: { ...fresh(), resources: { "toy.a": resource(1) } }, latencyMs: 60 });
    const announced = session.announce?.([intent("toy.a")]);
    await sleep(40);
    await session.record([{ phase: "gone", address: "toy.a" }]);
    await announced;
    await session.record([sending("toy.a")]);
    await session.record([sending("toy.b")]);
    expect(writes.map(pendingOf)).toEqual([["toy.a"], ["toy.a", "toy.b"]]);
    await session.record([done("toy.a", 2)]);
    await session.record([sending("toy.c")]);
    expect(pendingOf(writes[2])).toEqual(["toy.b", "toy.c"]);
    expect(writes[2]?.resources).toEqual({ "toy.a": resource(2) });
    await session.release();
  });

  test("nothing announced is sent 5 s after the last write without another one", async () => {
    let now = 1_000;
    const { session, writes } = open({ everyMs: 5_000, now: () => now });
    await session.announce?.([intent("toy.a", now), intent("toy.b", now)]);
    for (const ms of [900, 1800, 2700, 3600, 4500]) {
      now = 1_000 + ms;
      await session.record([sending("toy.a")]);
    }
    expect(writes).toHaveLength(1);
    now = 6_400;
    await session.record([sending("toy.b")]);
    expect(writes.at(-1)?.pending).toMatchObject([{ t: 6_400, since: 1_000 }, { t: 6_400 }]);
    expect(writes).toHaveLength(2);
    await session.release();
  });

  test.each([
    { before: "a create", entries: [sending("toy.a")] },
    { before: "an update or a delete", entries: [] },
  ])("a process that stood still asks for the lock before $before", async ({ entries }) => {
    let now = 1_000;
    const { session, writes, refusals } = open({ now: () => now });
    await session.announce?.([intent("toy.a", now)]);
    now += 1_500;
    refusals.push(new LockLost("broken"));
    await expect(session.record(entries)).rejects.toBeInstanceOf(LockLost);
    expect(writes).toHaveLength(1);
    await session.release();
  });

  test("a prepared state is written with the first intents, and by the release when there are none", async () => {
    const { session, writes } = open();
    await session.prepare({ ...fresh(), resources: { "toy.z": resource(9) } }, []);
    expect(writes).toHaveLength(0);
    await session.announce?.([intent("toy.a")]);
    expect(writes).toMatchObject([{ resources: { "toy.z": resource(9) }, pending: [{ address: "toy.a" }] }]);
    await session.prepare({ ...fresh(), resources: {} }, []);
    await session.release();
    expect(writes[1]).toMatchObject({ resources: {}, pending: [] });
  });

  test("an intent before the first state is a defect, and is not sent", async () => {
    const counting = countingDocument();
    const session = remoteSession(counting.document(undefined), { now: Date.now });
    await expect(session.record([sending("toy.a")])).rejects.toThrow(/first state/);
    expect((await session.save(fresh(), [])).pending).toEqual([]);
    await session.release();
  });
});

/** Creates of several waves, so many at a time, each as long as a request of 50 ms; answers how long it took. */
async function applyWaves(session: StateSession, waves: readonly number[], parallelism: number): Promise<number> {
  const began = Date.now();
  for (const [wave, size] of waves.entries()) {
    const queue = Array.from({ length: size }, (_, index) => `toy.w${wave}-${index}`);
    const work = async (): Promise<void> => {
      for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
        await session.record([sending(address)]);
        await sleep(50);
        await session.record([done(address, 1)]);
      }
    };
    await Promise.all(Array.from({ length: parallelism }, work));
  }
  return Date.now() - began;
}

describe.concurrent("number of writes", () => {
  test.each([
    { waves: [16, 16, 16], parallelism: 16 },
    { waves: [5, 40, 64], parallelism: 16 },
    { waves: [1, 1, 1, 1], parallelism: 4 },
  ])(
    "of $waves creates, $parallelism at a time, is at most 2 a round and one every 5 s",
    async ({ waves, parallelism }) => {
      const { session, writes } = open({ latencyMs: 20, everyMs: 5_000 });
      const ms = await applyWaves(session, waves, parallelism);
      await session.release();
      const rounds = waves.reduce((sum, size) => sum + Math.ceil(size / parallelism), 0);
      expect(writes.length).toBeLessThanOrEqual(2 * rounds + Math.ceil(ms / 5_000));
      expect(Object.keys(writes.at(-1)?.resources ?? {})).toHaveLength(waves.reduce((sum, size) => sum + size, 0));
    },
  );
});

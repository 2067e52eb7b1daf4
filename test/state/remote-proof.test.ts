// engine: its proofs age by the real clock.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { remoteSession } from "../../src/state/remote-session.ts";
import type { State } from "../../src/state/state.ts";
import { LockLost } from "../../src/state/store.ts";
import { done, fresh, sending } from "../support/state-samples.ts";

/** A session over a document that counts what it is asked, with or without a look at the lock that costs less than a write. */
function open(options: { readonly canLook?: boolean; readonly everyMs?: number } = {}) {
  const asked = { writes: 0, looks: 0 };
  const lock = { isOurs: true };
  const checked = async (): Promise<void> => {
    await sleep(5);
    if (!lock.isOurs) throw new LockLost("broken");
  };
  const document = {
    info: { id: "lock", operation: "apply", who: "me", created: "" },
    state: fresh(),
    async write(state: State) {
      asked.writes += 1;
      await checked();
      return { ...state, serial: state.serial + 1 };
    },
    async look() {
      asked.looks += 1;
      await checked();
    },
    release: async () => undefined,
  };
  const { look, ...blind } = document;
  const pace = { now: Date.now, everyMs: options.everyMs ?? 60_000 };
  const session = remoteSession(options.canLook === false ? blind : { ...blind, look }, pace);
  return { session, asked, lock };
}

describe.concurrent("the proof of a remote lock", () => {
  test("by a look is 1 s old at most, and one look is for all writes that need it", async () => {
    const { session, asked } = open();
    await session.record([sending("toy.a")]);
    expect(session.mayWrite()).toBe(true);
    await sleep(1_050);
    expect(session.mayWrite()).toBe(false);
    await Promise.all(Array.from({ length: 16 }, () => session.record([])));
    expect(session.mayWrite()).toBe(true);
    expect(asked).toEqual({ writes: 1, looks: 1 });
    await session.record([]);
    expect(asked).toEqual({ writes: 1, looks: 1 });
    await session.release();
  });

  test("by a look does not stand for the writes that keep the time of open creates true", async () => {
    const { session, asked } = open({ everyMs: 300 });
    await session.announce?.([]);
    await sleep(350);
    expect(session.mayWrite()).toBe(false);
    await session.record([]);
    expect(session.mayWrite()).toBe(true);
    expect(asked).toEqual({ writes: 2, looks: 0 });
    await session.release();
  });

  test("is by the last write where there is no look", async () => {
    const { session, asked } = open({ canLook: false, everyMs: 300 });
    await session.record([sending("toy.a")]);
    await session.record([done("toy.a", 1)]);
    expect(session.mayWrite()).toBe(true);
    await sleep(320);
    const { writes } = asked;
    await session.record([]);
    expect(session.mayWrite()).toBe(true);
    expect(asked.writes).toBeGreaterThanOrEqual(writes);
    await session.release();
  });

  test.each([true, false])("that fails lets nothing leave any more (with a look: %s)", async (canLook) => {
    const { session, lock } = open({ canLook, everyMs: canLook ? 60_000 : 100 });
    await session.record([sending("toy.a")]);
    lock.isOurs = false;
    await sleep(canLook ? 1_050 : 150);
    await expect(session.record([])).rejects.toBeInstanceOf(LockLost);
    expect(session.mayWrite()).toBe(false);
    await expect(session.record([])).rejects.toBeInstanceOf(LockLost);
    await session.release();
  });
});

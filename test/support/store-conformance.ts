import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StateUnusable, stateText } from "../../src/state/state-text.ts";
import { LockLost, StateLocked, type StateSession, type StateStore } from "../../src/state/store.ts";
import { isDeep } from "./deep.ts";
import { mergeTest } from "./merge-test.ts";
import { done, fresh, intent, resource, sending } from "./state-samples.ts";

/** A place for one state, empty at first. */
export interface StorePlace {
  /** Another process' view of the same state. */
  readonly open: () => StateStore;
  /** Puts any text where the state is. */
  readonly plant: (text: string) => Promise<void>;
  /** The text that stands there. */
  readonly peek: () => Promise<string | undefined>;
  /** The holder that a refused one is told about; GitLab keeps no operation. */
  readonly holder: Readonly<Record<string, unknown>>;
  readonly remove: () => Promise<void>;
}

/**
 * What every store promises (docs/engine.md, Promises P17). Where each step takes a process or a session it is dear: outside the deep
 * run its races and damages are fewer, and `npm test` has what locks and what is lost, a merge the rest too.
 */
export function describeStore(name: string, make: () => Promise<StorePlace>, { isDear = false } = {}): void {
  describe(name, () => {
    let place: StorePlace;
    beforeEach(async () => {
      place = await make();
    });
    afterEach(() => place.remove());
    const take = (operation = "apply", timeoutMs = 0): Promise<StateSession> =>
      place.open().lock({ operation, timeoutMs });
    const timesOf = (all: number) => (isDear && !isDeep ? 2 : all);
    const usual: typeof mergeTest = isDear ? mergeTest : test;
    const saved = async (): Promise<StateSession> => {
      const session = await take();
      await session.save(fresh(), []);
      return session;
    };
    const addresses = async (): Promise<readonly string[]> =>
      Object.keys((await place.open().read())?.state.resources ?? {}).sort();

    usual("reads nothing before the first write, and reading makes nothing", async () => {
      expect(await place.open().read()).toBeUndefined();
      expect(await place.peek()).toBeUndefined();
      const session = await take();
      expect(session.stored).toBeUndefined();
      await session.release();
      expect(await place.open().read()).toBeUndefined();
    });

    test("reads what was written, in every member", async () => {
      const session = await take();
      const state = {
        ...fresh(),
        environment: "staging",
        target: { url: "http://service.test/ä€", organization: 0 },
        resources: {
          "toy.a": { ...resource(0), parent: 3, seen: { length: 1 }, content: { main: "ff" }, protect: true },
        },
      };
      const answer = await session.save(state, [intent("toy.b")]);
      await session.release();
      expect(await place.open().read()).toEqual({ state: { ...answer, pending: [] }, intents: [intent("toy.b")] });
      expect({ ...answer, serial: 0, pending: [] }).toEqual(state);
    });

    usual("raises the serial at every write, whatever serial the caller holds", async () => {
      const session = await take();
      const first = await session.save(fresh(), []);
      const second = await session.save(first, []);
      await session.record([sending("toy.a")]);
      await session.record([done("toy.a", 1)]);
      const third = await session.save({ ...second, resources: { "toy.a": resource(1) } }, []);
      await session.release();
      const next = await take();
      const fourth = await next.save({ ...third }, []);
      await next.release();
      const serials = [first, second, third, fourth].map(({ serial }) => serial);
      expect(serials).toEqual([...new Set(serials)].sort((left, right) => left - right));
      expect((await place.open().read())?.state.serial).toBe(fourth.serial);
      expect(new Set([first, second, third, fourth].map(({ lineage }) => lineage)).size).toBe(1);
    });

    usual("an intent is there for everybody as soon as it is recorded", async () => {
      const session = await saved();
      await session.record([sending("toy.a")]);
      expect((await place.open().read())?.intents).toMatchObject([{ address: "toy.a", preIds: [] }]);
      await session.release();
    });

    test("an intent without an end is in doubt for whoever locks next, one with an end is not", async () => {
      const session = await saved();
      await session.record(["toy.a", "toy.b", "toy.c"].map((address) => sending(address)));
      await session.record([done("toy.a", 1), { phase: "fail", address: "toy.b" }]);
      await session.release();
      const next = await take();
      expect(next.stored?.intents.map(({ address }) => address)).toEqual(["toy.c"]);
      expect(next.stored?.state.resources).toEqual({ "toy.a": resource(1) });
      await next.release();
    });

    usual("what was recorded and not saved is there after the release", async () => {
      const session = await take();
      await session.save({ ...fresh(), resources: { "toy.b": resource(2) } }, []);
      await session.record([done("toy.a", 1), { phase: "gone", address: "toy.b" }]);
      await session.release();
      expect(await addresses()).toEqual(["toy.a"]);
    });

    usual("a save settles what was recorded before and keeps the creates in doubt that it is given", async () => {
      const session = await saved();
      await session.record([sending("toy.a"), sending("toy.b")]);
      await session.record([done("toy.a", 1)]);
      await session.save({ ...fresh(), resources: { "toy.z": resource(9) } }, [intent("toy.b")]);
      await session.release();
      expect(await addresses()).toEqual(["toy.z"]);
      expect((await place.open().read())?.intents.map(({ address }) => address)).toEqual(["toy.b"]);
    });

    usual("records made at the same time are all kept", async () => {
      const session = await saved();
      const all = Array.from({ length: 40 }, (_, index) => `toy.k${index}`);
      await Promise.all(
        all.map(async (address, index) => {
          await session.record([sending(address)]);
          await session.record([done(address, index)]);
        }),
      );
      await session.release();
      expect(await addresses()).toEqual([...all].sort());
      expect((await place.open().read())?.intents).toEqual([]);
    });

    test("a second one is refused and told who holds the lock, since when, for which command", async () => {
      const session = await take();
      const refused = await take("destroy").catch((problem: unknown) => problem);
      expect(refused).toBeInstanceOf(StateLocked);
      expect((refused as StateLocked).holder).toMatchObject({ id: session.info.id, ...place.holder });
      expect(Number.isNaN(Date.parse((refused as StateLocked).holder?.created ?? ""))).toBe(false);
      await session.release();
      await (await take("destroy")).release();
    });

    test("waits for a lock as long as it was told to, and no longer", async () => {
      const session = await take();
      const began = Date.now();
      await expect(take("destroy", 300)).rejects.toBeInstanceOf(StateLocked);
      expect(Date.now() - began).toBeGreaterThanOrEqual(290);
      const waiting = take("destroy", 10_000);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await session.release();
      await (await waiting).release();
    });

    test("of two racers one wins, every time", async () => {
      for (let round = 0; round < timesOf(5); round++) {
        const racers = await Promise.allSettled([take("one"), take("two"), take("three")]);
        const winners = racers.flatMap((racer) => (racer.status === "fulfilled" ? [racer.value] : []));
        expect(winners).toHaveLength(1);
        for (const loser of racers) if (loser.status === "rejected") expect(loser.reason).toBeInstanceOf(StateLocked);
        await winners[0]?.release();
      }
    });

    test("concurrent holders lose no update: each adds its own under the lock", async () => {
      await (await saved()).release();
      const add = async (address: string, id: number): Promise<void> => {
        const session = await take("apply", 120_000);
        const state = session.stored!.state;
        await session.save({ ...state, resources: { ...state.resources, [address]: resource(id) } }, []);
        await session.release();
      };
      const ids = [1, 2, 3, 4].slice(-timesOf(4));
      await Promise.all(ids.map((id) => add(`toy.r${id}`, id)));
      expect(await addresses()).toEqual(ids.map((id) => `toy.r${id}`));
    });

    usual("a broken lock is free for others, and answers who held it", async () => {
      const session = await saved();
      expect(await place.open().unlock(session.info.id)).toMatchObject({ id: session.info.id });
      const other = await take("destroy");
      await other.release();
      await session.release().catch(() => undefined);
    });

    test("breaking without an id works too; a free lock and another id are left alone", async () => {
      expect(await place.open().unlock()).toBeUndefined();
      const session = await saved();
      await expect(place.open().unlock("other")).rejects.toBeInstanceOf(StateLocked);
      await expect(take("destroy")).rejects.toBeInstanceOf(StateLocked);
      await session.save(fresh(), []);
      expect(await place.open().unlock()).toMatchObject({ id: session.info.id });
      await (await take()).release();
      await session.release().catch(() => undefined);
    });

    test.each([
      { title: "before anyone else locks", isTaken: false },
      { title: "while someone else holds the lock", isTaken: true },
    ])("who lost the lock can neither create nor save, $title", async ({ isTaken }) => {
      const session = await saved();
      await place.open().unlock(session.info.id);
      const other = isTaken ? await take("destroy") : undefined;
      if (other) await other.save({ ...other.stored!.state, resources: { "toy.other": resource(7) } }, []);
      const before = await place.peek();
      await expect(session.record([sending("toy.a")])).rejects.toBeInstanceOf(LockLost);
      await expect(session.save(fresh(), [])).rejects.toBeInstanceOf(LockLost);
      await session.release().catch(() => undefined);
      expect(await place.peek()).toBe(before);
      if (other) await other.save({ ...other.stored!.state, resources: { "toy.other": resource(8) } }, []);
      await other?.release();
    });

    usual("the zombie's release does not free the lock of its successor", async () => {
      const session = await saved();
      await place.open().unlock(session.info.id);
      const other = await take("destroy");
      await session.release().catch(() => undefined);
      await expect(take("third")).rejects.toBeInstanceOf(StateLocked);
      await other.release();
    });

    test("refuses every torn or foreign document, leaves it as it is, and keeps no lock (P19)", async () => {
      const good = stateText({ ...fresh(), resources: { "toy.a": resource(1) } });
      const bad = [
        "{}",
        "[]",
        "null",
        good.slice(0, -10),
        good.replace("loadform-state/1", "loadform-state/9"),
        '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","resources":[]}',
        "<html>Sign in</html>",
      ];
      for (const text of bad.slice(-timesOf(bad.length))) {
        await place.plant(text);
        await expect(place.open().read(), text).rejects.toBeInstanceOf(StateUnusable);
        await expect(take(), text).rejects.toBeInstanceOf(StateUnusable);
        expect(await place.peek()).toBe(text);
      }
      await place.plant(good);
      await (await take()).release();
    });

    usual("a state written by hand opens, and its creates in doubt are read", async () => {
      const state = { ...fresh(), serial: 41, resources: { "toy.a": resource(1) }, pending: [intent("toy.b", 5)] };
      await place.plant(stateText(state));
      expect(await place.open().read()).toEqual({ state: { ...state, pending: [] }, intents: [intent("toy.b", 5)] });
      const session = await take();
      expect((await session.save(session.stored!.state, [])).serial).toBeGreaterThan(41);
      await session.release();
    });
  });
}

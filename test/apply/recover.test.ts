import { describe, expect, test } from "vitest";
import { recoverIntents } from "../../src/apply/recover.ts";
import { kinds } from "../../src/kinds/index.ts";
import { WaitStopped } from "../../src/model/sleep-unless.ts";
import { liveHandle, type Tree, type TreeNode } from "../../src/model/tree.ts";
import type { CreateIntent, StateResource } from "../../src/state/state.ts";
import { memoryStore } from "../../src/state/store.ts";
import { fresh } from "../support/state-samples.ts";

const started = Date.parse("2026-11-20T10:00:00.000Z");
const createdAt = new Date(started).toISOString();

const testCase = (key: string, more: Partial<CreateIntent> = {}): CreateIntent => ({
  address: `testCase.${key}`,
  kind: "testCase",
  preIds: [],
  name: key,
  t: started,
  ...more,
});
const scenario = (key: string, parent: string, more: Partial<CreateIntent> = {}): CreateIntent => ({
  ...testCase(key, more),
  address: `${parent}/scenario.${key}`,
  kind: "scenario",
  parent,
});
const bound = (kind: string, id: number, parent?: number): StateResource => ({
  kind,
  id,
  createdAt,
  applied: {},
  ...(parent === undefined ? {} : { parent }),
});
const live = (kind: string, id: number, more: { readonly name: string; readonly parent?: string }): TreeNode => ({
  handle: liveHandle(kind, id),
  key: String(id),
  kind,
  ...(more.parent === undefined ? {} : { parent: more.parent }),
  fields: { name: more.name },
  identity: { id, createdAt, updatedAt: createdAt },
});

/** Recovers some intents while the live tree shows these nodes, in time that passes by sleeping only. */
async function recover(
  intents: readonly CreateIntent[],
  of: {
    readonly resources?: Readonly<Record<string, StateResource>>;
    readonly nodes?: readonly TreeNode[];
    readonly signal?: AbortSignal;
    readonly waiting?: (creates: number, ms: number) => void;
  } = {},
) {
  const session = await memoryStore().lock({ operation: "apply", timeoutMs: 0 });
  const state = { ...fresh(), resources: of.resources ?? {} };
  await session.save(state, intents);
  const time = { now: started + 1_000, reads: 0 };
  const tree: Tree = { nodes: new Map((of.nodes ?? []).map((node) => [node.handle, node])), contents: new Map() };
  const recovered = await recoverIntents(
    { state, intents },
    {
      session,
      kinds,
      isOver: false,
      ...(of.signal && { signal: of.signal }),
      ...(of.waiting && { waiting: of.waiting }),
      async reread() {
        time.reads += 1;
        return tree;
      },
      clock: {
        now: () => time.now,
        sleep: async (ms) => {
          if (of.signal) await new Promise((resolve) => setTimeout(resolve, ms));
          time.now += ms;
        },
      },
    },
  );
  return { recovered: recovered.stored, waitedMs: time.now - started - 1_000, reads: time.reads };
}

describe("recovery of many creates in doubt", () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    scenario(`s${index}`, "testCase.shop", { t: started + index }),
  );
  const shop = { resources: { "testCase.shop": bound("testCase", 7) } };

  test("that did not happen waits once for all, and reads the service once for each look", async () => {
    const { recovered, waitedMs, reads } = await recover(many, shop);
    expect(recovered.intents).toEqual([]);
    expect(waitedMs).toBe(199 + 45_000 - 1_000 + 2_000);
    expect(reads).toBe(3);
  });

  test("that all happened waits for nothing", async () => {
    const nodes = many.map(({ name = "" }, index) =>
      live("scenario", 100 + index, { name, parent: liveHandle("testCase", 7) }),
    );
    const { recovered, waitedMs, reads } = await recover(many, { ...shop, nodes });
    expect(Object.keys(recovered.state.resources)).toHaveLength(201);
    expect([waitedMs, reads]).toEqual([0, 1]);
  });

  test("below a parent that was not made waits for the parent only", async () => {
    const children = ["a", "b"].map((key) => scenario(key, "testCase.shop"));
    const { recovered, waitedMs } = await recover([testCase("shop", { t: started - 60_000 }), ...children]);
    expect(recovered.intents).toEqual([]);
    expect(waitedMs).toBeLessThanOrEqual(2_000);
  });
});

describe("recovery of a create in doubt", () => {
  const shop = { "testCase.shop": bound("testCase", 7), "testCase.other": bound("testCase", 6) };
  const below = (id: number, of = 7) => live("scenario", id, { name: "browse", parent: liveHandle("testCase", of) });
  const old = { ...below(9), identity: { id: 9, createdAt: "2026-11-19T09:50:00.000Z", updatedAt: createdAt } };
  const bound9 = { ...shop, "testCase.shop/scenario.same": bound("scenario", 9, 7) };

  test.each([
    ["what was there before", { preIds: [9] }, shop, [below(9)]],
    ["what was made long before", {}, shop, [old]],
    ["what is bound already", {}, bound9, [below(9)]],
    ["what stands under another parent", {}, shop, [below(9, 6)]],
    ["what says something else than was sent", { sent: { language: "typescript" } }, shop, [below(9)]],
  ])("does not take %s for it", async (_, more, resources, nodes) => {
    const { recovered } = await recover([scenario("browse", "testCase.shop", more)], { resources, nodes });
    expect(recovered).toMatchObject({ intents: [] });
    expect(Object.keys(recovered.state.resources)).toEqual(Object.keys(resources));
  });

  test("takes what a service made whose clock is an hour behind", async () => {
    const behind = "2026-11-20T09:00:00.000Z";
    const nodes = [{ ...below(9), identity: { id: 9, createdAt: behind, updatedAt: behind } }];
    const { recovered } = await recover([scenario("browse", "testCase.shop")], { resources: shop, nodes });
    expect(recovered.state.resources["testCase.shop/scenario.browse"]?.id).toBe(9);
  });

  test("takes what says something else when somebody changed it since", async () => {
    const changed = { ...below(9), identity: { id: 9, createdAt, updatedAt: "2026-11-20T10:00:00.500Z" } };
    const sent = { language: "typescript" };
    const { recovered } = await recover([scenario("browse", "testCase.shop", { sent })], {
      resources: shop,
      nodes: [changed],
    });
    expect(recovered.state.resources["testCase.shop/scenario.browse"]?.id).toBe(9);
  });

  test("keeps it in doubt when there are several that it may be", async () => {
    const nodes = [below(8), below(9)];
    const { recovered } = await recover([scenario("browse", "testCase.shop")], { resources: shop, nodes });
    expect(recovered.intents.map(({ address }) => address)).toEqual(["testCase.shop/scenario.browse"]);
  });
});

describe("recovery that has to wait", () => {
  const shop = { resources: { "testCase.shop": bound("testCase", 7) } };

  test("says for how many and how long, and once for all", async () => {
    const told: (readonly number[])[] = [];
    const waiting = (creates: number, ms: number) => void told.push([creates, ms]);
    await recover([scenario("a", "testCase.shop"), scenario("b", "testCase.shop")], { ...shop, waiting });
    expect(told).toEqual([[2, 44_000]]);
  });

  test("waits for a test case too, whose create might make it after the next plan has missed it", async () => {
    const { waitedMs } = await recover([testCase("shop")]);
    expect(waitedMs).toBe(44_000 + 2_000);
  });

  test("waits no longer than a request can take, however far ahead the clock was that it was sent by", async () => {
    const { waitedMs } = await recover([scenario("a", "testCase.shop", { t: started + 3_600_000 })], shop);
    expect(waitedMs).toBe(50_000 + 2_000);
  });

  test("stops at once when it is interrupted, and leaves everything in doubt", async () => {
    const { signal } = { signal: AbortSignal.timeout(20) };
    const stopped = recover([scenario("a", "testCase.shop")], { ...shop, signal });
    await expect(stopped).rejects.toBeInstanceOf(WaitStopped);
  });
});

describe("recovery of what was made anew", () => {
  const parent = { "testCase.shop": bound("testCase", 7) };
  const address = "testCase.shop/scenario.browse";
  const intent = scenario("browse", "testCase.shop", { preIds: [8] });
  const resources = { ...parent, [address]: bound("scenario", 8, 7) };
  const node = (id: number) => live("scenario", id, { name: "browse", parent: liveHandle("testCase", 7) });

  test("an object that is still there was not deleted yet, so nothing was made", async () => {
    const { recovered, waitedMs } = await recover([intent], { resources, nodes: [node(8)] });
    expect(recovered.state.resources[address]?.id).toBe(8);
    expect(waitedMs).toBe(0);
  });

  test("one that is gone is bound to the object that took its place", async () => {
    const { recovered } = await recover([intent], { resources, nodes: [node(9)] });
    expect(recovered.state.resources[address]?.id).toBe(9);
  });

  test("one that is gone without another in its place stays bound, and the plan makes it anew", async () => {
    const { recovered } = await recover([intent], { resources });
    expect(recovered.state.resources[address]?.id).toBe(8);
    expect(recovered.intents).toEqual([]);
  });
});

describe("recovery of regions", () => {
  const grid = (key: string) => ({ ...testCase(key), address: `provider.${key}`, kind: "provider" });
  const region = (key: string, within: string) => ({
    ...testCase("room"),
    address: `region.${key}`,
    kind: "region",
    within: { ref: `provider.${within}` },
  });
  const room = (id: number, provider: number, isActive = true): TreeNode => ({
    ...live("region", id, { name: "room" }),
    fields: { name: "room", provider: { id: provider } },
    facts: { active: isActive },
  });

  test("tells those of one name in two grids apart, also while the grids are in doubt themselves", async () => {
    const nodes = [
      live("provider", 3, { name: "east" }),
      live("provider", 4, { name: "west" }),
      room(8, 3),
      room(9, 4),
    ];
    const intents = [region("b", "west"), region("a", "east"), grid("west"), grid("east")];
    const { recovered } = await recover(intents, { nodes });
    expect(recovered.intents).toEqual([]);
    expect(recovered.state.resources).toMatchObject({ "region.a": { id: 8 }, "region.b": { id: 9 } });
  });

  test("takes one that is still off for one that nobody woke", async () => {
    const { recovered } = await recover([region("a", "east")], {
      resources: { "provider.east": bound("provider", 3) },
      nodes: [room(8, 3, false)],
    });
    expect(recovered.state.resources["region.a"]).toBeUndefined();
  });
});

describe("recovery of twins", () => {
  const shop = { "testCase.shop": bound("testCase", 7) };
  const intents = [scenario("a", "testCase.shop", { name: "twin" }), scenario("b", "testCase.shop", { name: "twin" })];
  const node = (id: number) => live("scenario", id, { name: "twin", parent: liveHandle("testCase", 7) });

  test("as many objects as creates that cannot be told apart are theirs, one each", async () => {
    const { recovered, waitedMs } = await recover(intents, { resources: shop, nodes: [node(8), node(9)] });
    expect(recovered.intents).toEqual([]);
    expect(recovered.state.resources).toMatchObject({
      "testCase.shop/scenario.a": { id: 8 },
      "testCase.shop/scenario.b": { id: 9 },
    });
    expect(waitedMs).toBe(0);
  });

  test("with one object too many nobody knows, and both stay in doubt", async () => {
    const { recovered } = await recover(intents, { resources: shop, nodes: [node(8), node(9), node(10)] });
    expect(recovered.intents.map(({ address }) => address)).toEqual(intents.map(({ address }) => address));
  });
});

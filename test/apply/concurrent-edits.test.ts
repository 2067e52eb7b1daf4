import { describe, expect, test } from "vitest";
import type { ApplyEvent } from "../../src/apply/events.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";

const testCase = (key: string, below: readonly Wish[] = []): Wish => ({
  kind: "testCase",
  key,
  fields: { name: key, description: "ours" },
  below,
});
const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "1" }, below: [] };
const grid: Wish = { kind: "provider", key: "grid", fields: { name: "grid", providerType: "Shared" }, below: [] };
const region: Wish = {
  kind: "region",
  key: "r",
  fields: { name: "r", description: "ours", provider: { ref: "provider.grid" } },
  below: [],
};

const earlier: Wish = { ...region, key: "a", fields: { ...region.fields, name: "a" } };

const key = "?key=local";
const send = (rig: Rig, method: string, path: string, body?: object) =>
  rig.service.handle({ method, path: `${path}${key}`, ...(body && { body: body as never }) });

/** Applies a tree with what is created first in it: while that is created, something happens at the service, and time passes. */
async function applyWith(
  rig: Rig,
  wishes: readonly Wish[],
  at: { readonly first?: Wish; readonly afterMs: number; readonly happens: (rig: Rig) => Promise<unknown> },
) {
  const { first = testCase("a"), afterMs, happens } = at;
  const onEvent = async (event: ApplyEvent) => {
    if (event.type !== "apply_start" || event.address !== `${first.kind}.${first.key}`) return;
    await happens(rig);
    await rig.system.sleep(afterMs);
  };
  return rig.apply(toTree([first, ...wishes]), { onEvent, parallelism: 1 });
}

const theirs = async (rig: Rig) => {
  const made = await send(rig, "POST", "/test-cases", { name: "t", org: 1, description: "theirs" });
  expect(made.status).toBe(200);
};

describe("a test case that somebody makes under a declared name", () => {
  test("is seen right before ours is sent, and is not written to", async () => {
    const rig = makeRig();
    const at = { afterMs: 5_000, happens: theirs };
    const outcome = await applyWith(rig, [testCase("t", [scenario])], at);
    expect(outcome.status).toBe("partial");
    expect(outcome.diagnostics.map(({ code, address }) => [code, address])).toEqual([["LF3001", "testCase.t"]]);
    const found = await rig.outside.call("GET /test-cases", { query: { down: true } });
    expect(found.find(({ name }) => name === "t")).toMatchObject({ description: "theirs", scenarios: [] });
    expect((await rig.stored())?.state.resources).not.toHaveProperty(["testCase.t"]);
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test("within the second after the read is told by the answer, and is not bound", async () => {
    const rig = makeRig();
    const at = { afterMs: 500, happens: theirs };
    const outcome = await applyWith(rig, [testCase("t", [scenario])], at);
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(["LF3001"]);
    expect((await rig.stored())?.state.resources).not.toHaveProperty(["testCase.t"]);
    expect((await rig.apply(toTree([]))).status).toBe("applied");
    expect((await rig.outside.call("GET /test-cases", {})).map(({ name }) => name)).toEqual(["t"]);
  });

  test("and puts a scenario into is told by that, however young it is", async () => {
    const rig = makeRig();
    const full = async () => {
      await theirs(rig);
      const { json } = await send(rig, "GET", "/test-cases");
      const id = (json as { id: number; name: string }[]).find(({ name }) => name === "t")?.id;
      await send(rig, "POST", `/test-cases/${id}/scripts`, { name: "x", main: "1" });
    };
    const at = { afterMs: 0, happens: full };
    const outcome = await applyWith(rig, [testCase("t", [scenario])], at);
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(["LF3001"]);
    expect(Object.keys((await rig.stored())?.state.resources ?? {})).toEqual(["testCase.a"]);
  });

  test("is said with the way to take it over by the next plan", async () => {
    const rig = makeRig();
    const wished = testCase("t", [scenario]);
    await applyWith(rig, [wished], { afterMs: 5_000, happens: theirs });
    const [problem] = (await rig.plan(toTree([testCase("a"), wished]))).diagnostics;
    expect([problem?.code, problem?.detail]).toEqual(["LF3001", expect.stringContaining("--adopt name")]);
  });
});

describe("a region that somebody makes under a declared name", () => {
  const make = (rig: Rig) => send(rig, "POST", "/orgs/1/regions", { name: "r", providerId: 1, description: "theirs" });

  test.each([
    ["right before ours is sent", 5_000],
    ["by the answer", 500],
  ])("is seen %s", async (_, afterMs) => {
    const rig = makeRig();
    expect((await rig.apply(toTree([grid]))).status).toBe("applied");
    const outcome = await applyWith(rig, [grid, region], { first: earlier, afterMs, happens: make });
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(["LF3001"]);
    expect((await rig.stored())?.state.resources).not.toHaveProperty(["region.r"]);
  });

  test("is ours when it is one that was inactive", async () => {
    const rig = makeRig();
    const tree = toTree([grid, region]);
    expect((await rig.apply(tree)).status).toBe("applied");
    await rig.system.sleep(60_000);
    expect((await rig.apply(toTree([grid]))).status).toBe("applied");
    await rig.system.sleep(60_000);
    const at = { first: earlier, afterMs: 5_000, happens: async () => undefined };
    expect((await applyWith(rig, [grid, region], at)).status).toBe("applied");
  });
});

test("ours that is sent again after a lost answer is ours", async () => {
  const rig = makeRig();
  await rig.setFaults([{ method: "POST", path: "/test-cases", times: 1, drop: "after", delayMs: 0 }]);
  expect((await rig.apply(toTree([testCase("t", [scenario])]))).status).toBe("applied");
  expect((await rig.plan(toTree([testCase("t", [scenario])]))).plan?.changes).toEqual([]);
});

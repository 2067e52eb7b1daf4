import { describe, expect, test } from "vitest";
import type { ApplyEvent } from "../../src/apply/events.ts";
import type { Tree } from "../../src/model/tree.ts";
import type { Wish } from "../support/random-project.ts";
import { toTree } from "../support/random-project.ts";
import type { Rig } from "../support/rig.ts";
import { makeRig } from "../support/rig.ts";

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

const key = "?key=local";
const send = (rig: Rig, method: string, path: string, body?: object) =>
  rig.service.handle({ method, path: `${path}${key}`, ...(body && { body: body as never }) });

/** Applies a tree; something happens at the service, and time passes, just before an object's request. */
async function applyWith(
  rig: Rig,
  tree: Tree,
  at: { readonly address: string; readonly afterMs: number; readonly happens: (rig: Rig) => Promise<unknown> },
) {
  let isDue = true;
  const waits: Promise<unknown>[] = [];
  const onEvent = (event: ApplyEvent) => {
    if (event.type !== "apply_start" || event.address !== at.address || !isDue) return;
    isDue = false;
    waits.push(at.happens(rig).then(() => rig.system.sleep(at.afterMs)));
  };
  const outcome = await rig.apply(tree, { onEvent, parallelism: 1 });
  await Promise.all(waits);
  return outcome;
}

const theirs = async (rig: Rig) => {
  const made = await send(rig, "POST", "/test-cases", { name: "t", org: 1, description: "theirs" });
  expect(made.status).toBe(200);
};

describe("a test case that somebody makes under a declared name", () => {
  test("is seen right before ours is sent, and is not written to", async () => {
    const rig = makeRig();
    const at = { address: "testCase.t", afterMs: 5_000, happens: theirs };
    const outcome = await applyWith(rig, toTree([testCase("a"), testCase("t", [scenario])]), at);
    expect(outcome.status).toBe("partial");
    expect(outcome.diagnostics.map(({ code, address }) => [code, address])).toEqual([["LF3001", "testCase.t"]]);
    const found = await rig.outside.call("GET /test-cases", { query: { down: true } });
    expect(found.find(({ name }) => name === "t")).toMatchObject({ description: "theirs", scenarios: [] });
    expect((await rig.stored())?.state.resources).not.toHaveProperty(["testCase.t"]);
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test("within the second after the read is told by the answer, and is not bound", async () => {
    const rig = makeRig();
    const at = { address: "testCase.t", afterMs: 500, happens: theirs };
    const outcome = await applyWith(rig, toTree([testCase("a"), testCase("t", [scenario])]), at);
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
    const at = { address: "testCase.t", afterMs: 0, happens: full };
    const outcome = await applyWith(rig, toTree([testCase("t", [scenario])]), at);
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual(["LF3001"]);
    expect((await rig.stored())?.state.resources ?? {}).toEqual({});
  });

  test("is said with the way to take it over by the next plan", async () => {
    const rig = makeRig();
    const tree = toTree([testCase("t", [scenario])]);
    await applyWith(rig, tree, { address: "testCase.t", afterMs: 5_000, happens: theirs });
    const [problem] = (await rig.plan(tree)).diagnostics;
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
    const outcome = await applyWith(rig, toTree([grid, region]), { address: "region.r", afterMs, happens: make });
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
    const at = { address: "region.r", afterMs: 5_000, happens: async () => undefined };
    expect((await applyWith(rig, tree, at)).status).toBe("applied");
  });
});

test("ours that is sent again after a lost answer is ours", async () => {
  const rig = makeRig();
  await rig.setFaults([{ method: "POST", path: "/test-cases", times: 1, drop: "after", delayMs: 0 }]);
  expect((await rig.apply(toTree([testCase("t", [scenario])]))).status).toBe("applied");
  expect((await rig.plan(toTree([testCase("t", [scenario])]))).plan?.changes).toEqual([]);
});

import { describe, expect, test } from "vitest";
import type { ApplyOutcome } from "../../src/project/apply-project.ts";
import { blockedBy, configuration, full, gateway, scenario, testCase } from "../support/blocked-by.ts";
import { makeConfiguration } from "../support/live-objects.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import type { Rig } from "../support/rig.ts";

describe("the guard of what is in use", () => {
  const theirUse = (rig: Rig) => makeConfiguration(rig, 2, { name: "theirs", scriptId: 1 });
  const withoutScenario = [testCase("a", [gateway]), testCase("b")];
  const inUse = (outcome: ApplyOutcome) => outcome.diagnostics.find(({ code }) => code === "LF4007");

  test("what somebody else's configuration runs elsewhere does not go, and it is named", async () => {
    const parts = { before: toTree(full), after: toTree(withoutScenario), happens: theirUse };
    const { guards, outcome } = await blockedBy(parts);
    expect([guards, inUse(outcome)?.address]).toEqual([["inUse"], "testCase.a/scenario.s"]);
    expect(inUse(outcome)?.detail).toContain('testCase.b/configuration#2 "theirs" uses it or something below it');
    const changes = outcome.plan?.plan?.changes ?? [];
    expect(changes.find(({ address }) => address === "testCase.a/scenario.s")?.risks).toEqual([
      'used by testCase.b/configuration#2 "theirs"',
    ]);
  });

  test("what is below it and is deleted first is said, where the project has something there", async () => {
    const store: Wish = { kind: "dataStore", key: "d.csv", fields: { name: "d.csv", contents: "a\n" }, below: [] };
    const after = toTree([testCase("a"), testCase("b")]);
    const said = async (below: readonly Wish[]) => {
      const before = toTree([testCase("a", [{ ...scenario, below }]), testCase("b")]);
      return inUse((await blockedBy({ before, after, happens: theirUse })).outcome)?.detail;
    };
    expect(await said([store])).toContain("deletes what the project has below it first, and this remains");
    expect(await said([])).not.toContain("below it first");
  });

  test("nor does it with its test case, nor when only its user is forgotten", async () => {
    const after = toTree([testCase("b")]);
    expect((await blockedBy({ before: toTree(full), after, happens: theirUse })).guards).toEqual(["inUse"]);
    const before = toTree([testCase("a", [scenario]), testCase("b", [configuration("a")])]);
    const asked = { removed: [{ address: "testCase.b/configuration.c", destroy: false }] };
    const { guards, outcome } = await blockedBy({ before, after, asked });
    expect([guards, inUse(outcome)?.detail]).toEqual([
      ["inUse"],
      expect.stringContaining("testCase.b/configuration.c uses it"),
    ]);
  });

  test("a user that goes too, or lets it go, is in nobody's way", async () => {
    const before = toTree([...full, testCase("c", [scenario])]);
    expect((await blockedBy({ before, after: toTree([testCase("b")]) })).outcome.status).toBe("applied");
    const moved = toTree([testCase("a", [gateway, configuration("c")]), testCase("b"), testCase("c", [scenario])]);
    expect((await blockedBy({ before, after: moved })).outcome.status).toBe("applied");
  });

  test("a grid whose region remains, though the files name no grid of it, is not deleted with it", async () => {
    const grid: Wish = { kind: "provider", key: "p", fields: { name: "p", providerType: "Shared" }, below: [] };
    const region = (fields: Wish["fields"]): Wish => ({
      kind: "region",
      key: "r",
      fields: { name: "r", ...fields },
      below: [],
    });
    const before = toTree([grid, region({ provider: { ref: "provider.p" } })]);
    const [allowDestroy, after] = [["**"], toTree([region({})])];
    const { outcome } = await blockedBy({ before, after, asked: { allowDestroy } });
    const lost = expect.objectContaining({ code: "LF3009", summary: "region.r would be deleted" });
    // A grid cannot be cleared in place.
    const released = expect.objectContaining({ code: "LF3010", detail: expect.not.stringContaining("null") });
    expect(outcome).toMatchObject({ status: "failed", diagnostics: expect.arrayContaining([lost, released]) });
    const replaced = toTree([{ ...grid, fields: { name: "p", providerType: "CloudOnDemand" } }, region({})]);
    const again = await blockedBy({ before, after: replaced, asked: { allowDestroy } });
    expect(again.outcome).toMatchObject({ status: "failed", diagnostics: expect.arrayContaining([lost]) });
    const leftOut = await blockedBy({ before, after, asked: { allowDestroy, targets: ["provider.p"] } });
    expect(leftOut.outcome).toMatchObject({ status: "failed", diagnostics: expect.arrayContaining([lost]) });
    const cleared = { before, after: toTree([region({ provider: null })]), asked: { allowDestroy } };
    expect((await blockedBy(cleared)).outcome.status).toBe("applied");
    // One that was cleared before is where the service put it.
    const putByService = {
      before: toTree([grid, region({ provider: null })]),
      after: toTree([region({ provider: null })]),
    };
    const lostAgain = (await blockedBy({ ...putByService, asked: { allowDestroy } })).outcome;
    expect(lostAgain).toMatchObject({ status: "failed", diagnostics: expect.arrayContaining([lost]) });
    const both = { before: toTree([grid, region({ provider: { ref: "provider.p" } }), ...full]), after: toTree(full) };
    expect((await blockedBy(both)).guards).toEqual([]);
  });

  test("a region by whose name somebody else's configuration runs, and none of its name in another grid", async () => {
    const wish = (kind: string, key: string, fields: Wish["fields"]): Wish => ({ kind, key, fields, below: [] });
    const grids = ["p", "q"].map((key) => wish("provider", key, { name: key, providerType: "Shared" }));
    const region = (key: string, grid: string) =>
      wish("region", key, { name: "dc", provider: { ref: `provider.${grid}` } });
    const happens = (rig: Rig) =>
      makeConfiguration(rig, 1, {
        name: "theirs",
        scriptId: 1,
        providers: [{ providerId: 1, params: { regions: "dc" } }],
      });
    const of = (...regions: readonly Wish[]) => toTree([...grids, ...regions, testCase("a", [scenario])]);
    const [inP, inQ] = [region("in-p", "p"), region("in-q", "q")];
    const { guards, outcome } = await blockedBy({ before: of(inP, inQ), after: of(inQ), happens });
    expect([guards, inUse(outcome)?.detail]).toEqual([["inUse"], expect.stringContaining('"theirs" uses it')]);
    expect((await blockedBy({ before: of(inP, inQ), after: of(inP), happens })).guards).toEqual([]);
  });

  test("a provider that is replaced, unless it may be tried", async () => {
    const grid = (providerType: string): Wish => ({
      kind: "provider",
      key: "p",
      fields: { name: "p", providerType },
      below: [],
    });
    const happens = (rig: Rig) =>
      makeConfiguration(rig, 1, {
        name: "theirs",
        scriptId: 1,
        providers: [{ providerId: 1, numRegions: 1, params: { regions: "x" } }],
      });
    const [before, after] = [toTree([grid("CloudOnDemand"), ...full]), toTree([grid("Shared"), ...full])];
    const { guards, outcome } = await blockedBy({ before, after, happens });
    expect([guards, inUse(outcome)?.detail]).toEqual([
      ["inUse"],
      expect.stringContaining("--allow-destroy 'provider.p'"),
    ]);
    const tried = await blockedBy({ before, after, happens, asked: { allowDestroy: ["provider.p"] } });
    expect(tried.outcome.status).toBe("partial");
  });
});

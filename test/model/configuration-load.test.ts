import { describe, expect, it } from "vitest";
import { configurationLoad, plannedSeconds, runnersOf } from "../../src/model/configuration-load.ts";
import type { JsonObject } from "../../src/model/json.ts";

const provider = { id: 0 };

describe("the users of a test runner", () => {
  it.each<[string, JsonObject, readonly (readonly [string | undefined, number, number])[]]>([
    [
      "are those of the configuration, in each region",
      { regions: ["a", "b"] },
      [
        ["a", 10, 1],
        ["b", 10, 1],
      ],
    ],
    ["are its own where it has some", { regions: ["a"], concurrentClients: 3 }, [["a", 3, 1]]],
    [
      "are in all named regions, whatever their number",
      { regions: ["a", "b"], numRegions: 5 },
      [
        ["a", 10, 1],
        ["b", 10, 1],
      ],
    ],
    ["are in so many regions where none is named", { numRegions: 3 }, [[undefined, 10, 3]]],
    ["are in one region by default", {}, [[undefined, 10, 1]]],
    [
      "are split by weight, the largest remainder first",
      {
        regions: [
          { name: "a", weight: 1 },
          { name: "b", weight: 1 },
          { name: "c", weight: 2 },
        ],
        concurrentClients: 3,
      },
      [
        ["a", 2, 1],
        ["b", 2, 1],
        ["c", 5, 1],
      ],
    ],
    [
      "count a region without a weight as one",
      { regions: ["a", { name: "b", weight: 3 }] },
      [
        ["a", 5, 1],
        ["b", 15, 1],
      ],
    ],
  ])("%s", (_, runner, expected) => {
    const [load] = runnersOf({ concurrentClients: 10, providers: [{ provider, ...runner }] });
    expect(load?.regions.map(({ name, users, count }) => [name, users, count])).toEqual(expected);
  });

  it("take no memory for regions that nobody names", () => {
    const providers = [{ provider, numRegions: 1_000_000_000 }];
    expect(configurationLoad({ concurrentClients: 2, durationSecs: 60, providers })?.peak).toBe(2_000_000_000);
  });
});

describe("the planned time of a run", () => {
  it.each<[string, JsonObject, number | undefined]>([
    ["has the ramp-up before it", { durationSecs: 60, rampupSecs: 10 }, 70],
    ["has the service's ramp-up where none is set", { durationSecs: 60 }, 120],
    ["has no ramp-up with Step", { durationSecs: 60, profileType: "Step" }, 60],
    ["has no ramp-up with BreakingPoint", { durationSecs: 60, profileType: "BreakingPoint" }, 60],
    ["is not known with iterations", { iterations: 6 }, undefined],
  ])("%s", (_, fields, seconds) => {
    expect(plannedSeconds(fields)).toBe(seconds);
  });
});

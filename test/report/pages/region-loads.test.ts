import { describe, expect, it } from "vitest";
import { bothSides } from "../../../src/report/pages/both-sides.ts";
import { regionLoads } from "../../../src/report/pages/region-loads.ts";
import { twoWeeksFrom } from "../../../src/report/pages/two-weeks.ts";
import { change } from "../sample-plan.ts";
import { nodesOf, noon } from "./sample-page.ts";

const load = (users: number, regions: readonly string[], more = {}) => ({
  concurrentClients: users,
  durationSecs: 3600,
  rampupSecs: 0,
  providers: [{ provider: { id: 0 }, regions }],
  ...more,
});
const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2, minute: 0 };
const weeks = { ...twoWeeksFrom(noon, { createdAt: () => undefined }), gates: [] };
const [smoke, soak, gone] = ["smoke", "soak", "gone"].map((key) => `testCase.a/configuration.${key}`) as [
  string,
  string,
  string,
];
const scheduled = (address: string) => ({ [`${address}/schedule.s`]: daily });

describe("the load per region", () => {
  const nodes = nodesOf({
    "testCase.a": {},
    [smoke]: load(30, ["eu", "us"]),
    ...scheduled(smoke),
    [soak]: load(100, ["us"]),
    ...scheduled(soak),
    [gone]: load(7, ["asia"]),
    ...scheduled(gone),
  });
  const changes = [
    change({
      address: smoke,
      kind: "configuration",
      action: "update",
      before: load(20, ["eu", "us"]),
      after: load(30, ["eu", "us"]),
    }),
    change({ address: soak, kind: "configuration", action: "create", after: load(100, ["us"]) }),
    change({ address: `${soak}/schedule.s`, kind: "schedule", action: "create", after: daily }),
    change({ address: gone, kind: "configuration", action: "delete", before: load(7, ["asia"]) }),
    change({ address: `${gone}/schedule.s`, kind: "schedule", action: "delete", before: daily }),
  ];

  it("is that of the largest run and of the busiest minute of a week, now and as declared", () => {
    const { regions } = regionLoads(bothSides(nodes, changes), weeks);
    expect(
      regions.map(({ region, live, declared }) => [region, live.run, declared.run, live.week, declared.week]),
    ).toEqual([
      ["asia", 7, 0, 7, 0],
      ["eu", 20, 30, 20, 30],
      ["us", 20, 100, 20, 130],
    ]);
    expect(regions[2]?.declared.minute).toBe(120);
  });

  it("leaves out what comes from the environment, and what has no bound, and says so", () => {
    const hidden = nodesOf(
      { "testCase.a": {}, [smoke]: load(30, ["eu"]), [soak]: load(1, ["us"], { profileType: "BreakingPoint" }) },
      { [smoke]: ["concurrentClients"] },
    );
    const found = regionLoads(bothSides(hidden, []), weeks);
    expect(found).toMatchObject({ hidden: [smoke], unbounded: [soak] });
    expect(found.regions.map(({ region, declared }) => [region, declared.run])).toEqual([["us", 0]]);
    expect(regionLoads(bothSides(hidden, []), { ...weeks, breakingPoint: 500 })).toMatchObject({
      unbounded: [],
      regions: [{ region: "us", declared: { run: 500 } }],
    });
  });
});

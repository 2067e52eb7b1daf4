import { describe, expect, test } from "vitest";
import type { BenchOptions } from "../support/import-bench.ts";
import { bench, expectEmptyPlan, shop, textOf, warningsOf } from "../support/live-objects.ts";
import { makeRig } from "../support/rig.ts";

/** Answers changed at every depth. */
function everywhere(value: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, change));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const members = Object.entries(value).map(([name, member]) => [name, everywhere(member, change)]);
  return change(Object.fromEntries(members) as Record<string, unknown>);
}

describe("importing from a service that does things its own way", () => {
  test("reports fields that nobody documented and keeps them out", async () => {
    const see: BenchOptions["see"] = (_route, answer) =>
      everywhere(answer, (object) =>
        object["scriptParams"] === undefined ? object : { ...object, colour: "red", shade: null },
      );
    const made = bench(await shop(makeRig()), { see });
    const outcome = await made.import();
    expect(warningsOf(outcome)).toEqual([
      "configuration.colour is not known to loadform: The service's documents do not describe configuration.colour, which configuration#1 has. It is omitted from the files and remains unchanged",
    ]);
    expect(textOf(made, "load/shop.yaml")).not.toContain("colour");
    await expectEmptyPlan(made);
  });

  test("takes numbers held as strings and times as epoch milliseconds", async () => {
    const see: BenchOptions["see"] = (_route, answer) =>
      everywhere(answer, (object) => ({
        ...object,
        ...(typeof object["durationSecs"] === "number" && { durationSecs: String(object["durationSecs"]) }),
        ...(typeof object["nextScheduled"] === "string" && { nextScheduled: Date.parse(object["nextScheduled"]) }),
      }));
    const made = bench(await shop(makeRig()), { see });
    expect((await made.import()).diagnostics).toEqual([]);
    expect(textOf(made, "load/shop.yaml")).toMatch(
      /durationSecs: 60\n[\s\S]*nextScheduled: "?2099-01-01T00:00:00.000Z/,
    );
    await expectEmptyPlan(made);
  });

  test("leaves out values that it never saw, and says so beside the object", async () => {
    const see: BenchOptions["see"] = (_route, answer) =>
      everywhere(answer, (object) => (object["imageDiffMode"] ? { ...object, imageDiffMode: "Fuzzy" } : object));
    const made = bench(await shop(makeRig()), { see });
    expect((await made.import()).status).toBe("imported");
    expect(textOf(made, "load/shop.yaml")).toContain(
      '      # imageDiffMode is "Fuzzy", none of None, PreviousExecution, ScenarioBaseline: omitted, so it remains unchanged\n      smoke:\n',
    );
    await expectEmptyPlan(made);
  });

  test("leaves out objects that cannot be without such a value, with what stands below them", async () => {
    const see: BenchOptions["see"] = (_route, answer) =>
      everywhere(answer, (object) => (object["scheduleType"] ? { ...object, scheduleType: "Lunar" } : object));
    const made = bench(await shop(makeRig()), { see });
    const outcome = await made.import();
    expect(warningsOf(outcome)).toEqual([expect.stringContaining('schedule#1 is not imported: "1" is at the service')]);
    expect(outcome.objects.map(({ kind }) => kind).sort()).toEqual(["configuration", "scenario", "testCase"]);
    await expectEmptyPlan(made);
  });

  test("takes open enumerations and limits of ours as they are", async () => {
    const see: BenchOptions["see"] = (_route, answer) =>
      everywhere(answer, (object) =>
        Array.isArray(object["triggers"])
          ? {
              ...object,
              concurrentClients: 0,
              triggers: [
                {
                  id: 1,
                  conditions: [{ id: 1, metric: "m", operator: "ROUGHLY", threshold: "1.5", timePeriod: "LastYear" }],
                  actions: [{ id: 1, actionType: "StopExecution" }],
                },
              ],
            }
          : object,
      );
    const made = bench(await shop(makeRig()), { see, url: "https://load.example.com/api" });
    expect((await made.import()).diagnostics).toEqual([]);
    expect(textOf(made, "load/shop.yaml")).toContain("ROUGHLY");
    await expectEmptyPlan(made);
  });
});

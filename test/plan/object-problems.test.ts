import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import type { Wish } from "../support/random-project.ts";
import { toTree } from "../support/random-project.ts";
import { makeRig, rigStart } from "../support/rig.ts";

const hour = 3_600_000;
const at = (ms: number): JsonObject => ({ scheduleType: "Single", nextScheduled: new Date(ms).toISOString() });
const nightly: JsonObject = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 };

/** A project with one schedule. */
function tree(schedule: JsonObject) {
  const configuration: Wish = {
    kind: "configuration",
    key: "c",
    fields: {
      name: "c",
      scenario: { ref: "testCase.a/scenario.s" },
      durationSecs: 60,
      concurrentClients: 1,
      providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    },
    below: [{ kind: "schedule", key: "once", fields: schedule, below: [] }],
  };
  const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "run()" }, below: [] };
  return toTree([{ kind: "testCase", key: "a", fields: { name: "a" }, below: [scenario, configuration] }]);
}

const codes = async (rig: ReturnType<typeof makeRig>, schedule: JsonObject) =>
  (await rig.plan(tree(schedule))).diagnostics.map(({ code }) => code);

describe("a Single schedule that lies in the past", () => {
  test.each([
    ["a later moment", at(rigStart + 9 * hour)],
    ["a Recurring one", nightly],
  ])("is refused in the plan when it was %s before (LF3008)", async (_, before) => {
    const rig = makeRig();
    await rig.apply(tree(before));
    expect(await codes(rig, at(rigStart - hour))).toEqual(["LF3008"]);
    expect(await codes(rig, at(rigStart + hour))).toEqual([]);
  });

  test("is no error when it has run, or is to be what it is", async () => {
    const rig = makeRig();
    const once = at(rigStart + hour);
    await rig.apply(tree(once));
    await rig.system.sleep(2 * hour);
    expect(await codes(rig, once)).toEqual([]);
    expect((await rig.plan(tree(once))).plan?.changes).toEqual([]);
  });
});

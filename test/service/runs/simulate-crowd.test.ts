import { describe, expect, it } from "vitest";
import { finishedScript, metricOf } from "../support/run-script.ts";

describe("an overloaded target", () => {
  it("counts the users that are there, not those that have left", async () => {
    const rig = await finishedScript("await fetch('http://knee.test/')", {
      concurrentClients: 200,
      rampupSecs: 200,
    });
    expect(await metricOf(rig, "maxConcurrentClients")).toBe(1);
    expect(await metricOf(rig, "firstReceivedMs")).toMatchObject({ count: 200, min: 100, max: 100 });
    expect(await metricOf(rig, "outcome")).toEqual({ success: 200, failure: 0 });
  });

  it("answers more slowly while too many are there, and as before when they have left", async () => {
    const rig = await finishedScript("await fetch('http://knee.test/')", {
      concurrentClients: 200,
      iterations: 2,
      iterationSleepSecs: 1,
    });
    await rig.ok("PUT", "/test-confs/1", { concurrentClients: 100 });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(60_000);
    // 200 users at a capacity of 100 and a slope of 2: three times as long.
    expect(await metricOf(rig, "firstReceivedMs")).toMatchObject({ min: 300, max: 300 });
    expect(await metricOf(rig, "firstReceivedMs", 2)).toMatchObject({ min: 100, max: 100 });
  });
});

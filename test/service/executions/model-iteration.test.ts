import { describe, expect, it } from "vitest";
import { finishedScript, metricOf } from "../support/run-script.ts";

const five = "[0, 1, 2, 3, 4].map((i) => fetch('http://one.test/' + i))";

describe("the iteration that every user repeats", () => {
  it.each([
    // An iteration takes a second, and a second passes to the next: as many as begin within a minute.
    ["at once", `await Promise.all(${five})`, 30],
    ["one after the other", "for (const i of [0, 1, 2, 3, 4]) await fetch('http://one.test/' + i)", 10],
    [
      "in two rows",
      "const row = async (name) => { for (const i of [0, 1]) await fetch('http://one.test/' + name + i) }; await Promise.all([row('a'), row('b')])",
      20,
    ],
    ["at once, and one after them", `await Promise.all(${five}); await fetch('http://one.test/last')`, 20],
    [
      "after a think time beside another",
      "const a = fetch('http://one.test/'); await sleep(500); await fetch('http://one.test/b'); await a",
      24,
    ],
  ])("makes requests as the probe iteration made them: %s", async (_name, main, iterations) => {
    const sleep = "const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));";
    const rig = await finishedScript(`${sleep} ${main}`, { durationSecs: 60, iterationSleepSecs: 1 });
    expect((await rig.ok("GET", "/executions/1/summary")).iterationsExecuted).toBe(iterations);
  });

  it("waits with a request for all before it, whichever of them takes longest", async () => {
    const main =
      "await Promise.all(['a', 'b', 'c'].map((name) => fetch('http://wide.test/' + name))); await fetch('http://one.test/')";
    const rig = await finishedScript(main, { iterations: 20 });
    const rows: readonly { iteration: number; resource: string; timestamp: number; connectionCloseMs: number }[] =
      await rig.ok("GET", "/executions/1/results");
    for (let iteration = 0; iteration < 20; iteration++) {
      const own = rows.filter((row) => row.iteration === iteration);
      const last = own.find(({ resource }) => resource.includes("one.test"));
      const others = own.filter((row) => row !== last).map(({ timestamp }) => timestamp);
      expect(Math.abs((last?.timestamp ?? 0) - (last?.connectionCloseMs ?? 0) - Math.max(...others))).toBeLessThan(2);
    }
  });

  it.each([
    ["a success that the script marks as failed", "one", "markAsFailure", { success: 0, failure: 3 }, { 200: 3 }],
    ["what may fail, marked as a success", "half", "markAsSuccess", { success: 3, failure: 0 }, undefined],
  ])("counts %s as the script did", async (_name, host, mark, outcome, codes) => {
    const main = `const a = await fetch('http://${host}.test/'); results(a).${mark}()`;
    const rig = await finishedScript(main, { iterations: 3 });
    expect(await metricOf(rig, "outcome")).toEqual(outcome);
    if (codes) expect(await metricOf(rig, "responseCode")).toEqual(codes);
    const rows = await rig.ok("GET", "/executions/1/results");
    expect(rows.map((row: { bytesReceived: number }) => row.bytesReceived > 0)).toEqual([true, true, true]);
    const { kpis } = await rig.ok("POST", "/executions/1/evaluate-kpis", {
      kpis: [{ expr: "Outcome[success] > 95%" }],
    });
    expect(kpis[0].success).toBe(outcome.failure === 0);
  });
});

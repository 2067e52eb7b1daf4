import { describe, expect, it } from "vitest";
import { runAnnotations } from "../../../src/report/runs/run-annotations.ts";
import { control, detailsOf, failed, hostileRun, passed } from "./sample-runs.ts";

const linesOf = (...runs: Parameters<typeof runAnnotations>[0]["runs"]) =>
  runAnnotations({ runs }, (file) => `tests/${file}`).split("\n");

describe("the annotations of runs", () => {
  it("show each missed KPI at its line, and one from a flag beside the job", () => {
    expect(linesOf(passed, failed)).toEqual([
      "::error file=tests/loadform.yaml,line=13,col=9,title=KPI missed%3A release::firstReceivedMs[p95] < 300ms: 300.4 ms; testCase.shop/configuration.smoke, execution 18",
      "::error title=KPI missed%3A release::firstReceivedMs[p95] < 1s: not measured (worst of GET */checkout*); testCase.shop/configuration.smoke, execution 18",
      "",
    ]);
  });

  it("say that a run was simulated or stale", () => {
    const run = { ...failed.run, simulated: true, stale: true } as const;
    expect(linesOf({ ...failed, run })[0]).toContain("title=KPI missed%3A release (simulated%2C stale)::");
  });

  it("are none of a run that was not judged", () => {
    expect(linesOf(detailsOf({ ...failed.run, verdict: "stopped" }))).toEqual([""]);
  });

  it("forge no further line and no further command", () => {
    const lines = linesOf(hostileRun);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^::error file=[^:,]*,line=1,col=1,title=[^:,]*::/);
    expect(lines[0]).not.toMatch(control);
  });
});

import { describe, expect, it } from "vitest";
import { runCsv } from "../../../src/report/runs/run-csv.ts";
import { control, courseOf, detailsOf, hostileRun, passed } from "./sample-runs.ts";

/** Rows of a CSV text by RFC 4180. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

const cellsOf = (gate: string) => rowsOf(runCsv({ runs: [detailsOf({ gate }, { intervals: courseOf(1) })] }))[1] ?? [];

describe("the CSV of runs", () => {
  it("has a row for each interval of every run", () => {
    const text = runCsv({ runs: [passed, detailsOf({ execution: 18 }, { intervals: courseOf(2) })] });
    const [head = [], ...rows] = rowsOf(text);
    expect(rows).toHaveLength(20);
    expect(rows.every(({ length }) => length === head.length)).toBe(true);
    expect(head.join(",")).toBe(
      "gate,address,execution,verdict,simulated,stale,startedAt,atSecs,seconds,users,requests,requestsPerSec,failures,failedPercent,p50Ms,p95Ms,p99Ms",
    );
    expect(rows[1]?.join(",")).toBe(
      "release,testCase.shop/configuration.smoke,17,passed,false,false,2026-11-20T10:00:00.000Z,10,10,20,1601,160.1,1,0.06246096189881324,141,281,601",
    );
  });

  it("leaves a cell empty where nothing was measured", () => {
    const last = rowsOf(runCsv({ runs: [passed] })).at(-1) ?? [];
    expect([last[12], last[13], last[16]]).toEqual(["", "", ""]);
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1+1", "'  =1+1"],
    ["＝1+1", "'＝1+1"],
    ["-5", "-5"],
    ["+1.5e3", "+1.5e3"],
    ["a=1", "a=1"],
  ])("writes %j as %j", (gate, written) => {
    expect(cellsOf(gate)[0]).toBe(written);
  });

  it("holds a hostile text in one cell, without control characters", () => {
    const text = runCsv({ runs: [hostileRun] });
    const [head = [], ...rows] = rowsOf(text);
    expect(rows.map(({ length }) => length)).toEqual(hostileRun.intervals.map(() => head.length));
    expect(text.replaceAll("\r\n", "\n")).not.toMatch(control);
  });
});

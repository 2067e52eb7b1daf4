import { describe, expect, it } from "vitest";
import { exitOfApply, exitOfPlan } from "../../src/cli/exit-of.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { change, emptyPlan } from "../report/sample-plan.ts";

const error: Diagnostic = { severity: "error", code: "LF3001", summary: "s", detail: "d" };
const warning: Diagnostic = { ...error, severity: "warning" };
const changing = {
  ...emptyPlan,
  summary: { ...emptyPlan.summary, update: 1 },
  changes: [change({ address: "testCase.a", kind: "testCase", action: "update" })],
};
const moving = {
  ...emptyPlan,
  summary: { ...emptyPlan.summary, move: 1 },
  changes: [change({ address: "testCase.a", kind: "testCase", action: "no-op", previousAddress: "testCase.b" })],
};

describe("the exit code of a plan", () => {
  const cases: readonly [string, Parameters<typeof exitOfPlan>, number][] = [
    ["0 when nothing is to do", [{ plan: emptyPlan, diagnostics: [], blocked: [] }, true], 0],
    ["0 for changes, unless asked for more detail", [{ plan: changing, diagnostics: [], blocked: [] }, false], 0],
    ["2 for changes when asked", [{ plan: changing, diagnostics: [], blocked: [] }, true], 2],
    ["2 for a move when asked", [{ plan: moving, diagnostics: [], blocked: [] }, true], 2],
    ["0 with warnings", [{ plan: emptyPlan, diagnostics: [warning], blocked: [] }, true], 0],
    ["1 without a plan", [{ diagnostics: [error], blocked: [] }, true], 1],
    ["1 with an error beside the plan", [{ plan: changing, diagnostics: [error], blocked: [error] }, true], 1],
    ["3 when a guard is hit", [{ plan: changing, diagnostics: [], blocked: [error] }, true], 3],
    ["4 when the state is locked", [{ diagnostics: [{ ...error, code: "LF5001" }], blocked: [] }, false], 4],
  ];
  it.each(cases)("is %s", (_title, args, expected) => {
    expect(exitOfPlan(...args)).toBe(expected);
  });
});

describe("the exit code of an apply", () => {
  const cases = [
    ["nothing", 0],
    ["applied", 0],
    ["declined", 1],
    ["failed", 1],
    ["blocked", 3],
    ["locked", 4],
    ["stale", 5],
    ["partial", 6],
    ["interrupted", 130],
  ] as const;
  it.each(cases)("that ended as %s is %i", (status, expected) => {
    expect(exitOfApply(status, undefined)).toBe(expected);
  });

  it("is that of the signal which cut it short", () => {
    expect(exitOfApply("interrupted", 143)).toBe(143);
    expect(exitOfApply("declined", 130)).toBe(130);
  });

  it("tells how it went when the signal came too late", () => {
    expect(exitOfApply("applied", 143)).toBe(0);
    expect(exitOfApply("partial", 143)).toBe(6);
  });
});

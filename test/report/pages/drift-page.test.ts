import { describe, expect, it } from "vitest";
import type { Drift } from "../../../src/drift/find-drift.ts";
import { change, emptyPlan } from "../sample-plan.ts";
import { driftPageOf, sampleDrift } from "./sample-drift.ts";

describe("the page of drift", () => {
  it("has what was applied and what is there now of each field, with the declared value where that changed too", () => {
    const page = driftPageOf(sampleDrift);
    expect(page).toContain("<del>20</del></dd><dd><ins>99</ins>");
    expect(page).toContain("both: 30 is already declared");
    expect(page).toContain('<b class="delete">deleted outside</b>');
    expect(page).toContain('data-filter="update">changed 1<');
  });

  it("has the ways out: putting back, accepting, and what no command writes", () => {
    const page = driftPageOf(sampleDrift);
    for (const words of [
      "apply all",
      "apply testCase.a/gateway.g",
      "accept testCase.a/configuration.c",
      "testCase.a: change the variable",
    ])
      expect(page).toContain(words);
  });

  it("says that there is none, and has no way out then, but what is not applied yet", () => {
    const changed = [change({ address: "testCase.b", kind: "testCase", action: "create" })];
    const page = driftPageOf({ ...sampleDrift, drifted: [], byHand: [], changed });
    expect(page).toContain('<div class="verdict passed"><strong>No drift. 1 change of the project not applied yet.');
    expect(page).not.toContain("Ways out");
    expect(page).toContain("Changed in the project and not applied yet");
  });

  it("says why nothing was compared", () => {
    const problem = { severity: "error", code: "LF5001", summary: "the state is locked", detail: "Wait." } as const;
    expect(driftPageOf(undefined, { problems: [problem] })).toContain("Drift could not be determined: 1 error");
    expect(driftPageOf(sampleDrift, { problems: [problem], blocked: 1 })).toContain(
      "Blocked by 1 guard: nothing was compared",
    );
  });

  it("lists what nobody declared, which is drift where that was asked", () => {
    const unmanaged = [{ kind: "testCase", id: 44, name: "by hand" }];
    const drift: Drift = { ...sampleDrift, drifted: [], byHand: [], unmanaged, failsOnUnmanaged: true };
    expect(driftPageOf(drift)).toContain('<div class="verdict open"><strong>Drift: 1 object not declared.');
    expect(driftPageOf(drift)).toContain("import --all");
    expect(driftPageOf({ ...drift, project: emptyPlan.project })).toContain("testCase#44");
  });
});

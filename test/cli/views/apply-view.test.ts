import { describe, expect, it } from "vitest";
import { applyView } from "../../../src/cli/views/apply-view.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { PlanOutcome } from "../../../src/project/plan-opened.ts";
import { emptyPlan, fullPlan, sampleTexts } from "../../report/sample-plan.ts";
import { recordingTerminal, viewInput } from "../../support/recording-terminal.ts";

const planned: PlanOutcome = {
  plan: fullPlan,
  diagnostics: [],
  blocked: [],
  requests: 5,
  contents: (hash) => sampleTexts[hash],
};
const nothing: PlanOutcome = { ...planned, plan: { ...emptyPlan, summary: { ...emptyPlan.summary, noop: 2 } } };
const failure: Diagnostic = {
  severity: "error",
  code: "LF6001",
  summary: "refused",
  detail: "the-secret-key is bad",
  address: "testCase.a",
};
const counts = { create: 1, update: 0, delete: 0, failed: 1, not_attempted: 0 };

describe("apply --json", () => {
  const lines = (use: (view: ReturnType<typeof applyView>) => void) => {
    const terminal = recordingTerminal();
    use(applyView(viewInput(terminal, { json: true }), "/"));
    return terminal
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; diagnostic?: Diagnostic; address?: string });
  };

  it("first says what is planned, one object for each change, and ends with the summary", () => {
    const written = lines((view) => {
      view.plan(planned);
      view.event({ type: "apply_start", address: "testCase.a", action: "create" });
      view.end({ status: "partial", plan: planned, counts, diagnostics: [] }, []);
    });
    const types = written.map(({ type }) => type);
    expect(types).toEqual([...fullPlan.changes.map(() => "planned_change"), "apply_start", "change_summary"]);
    expect(written.slice(0, -2).map(({ address }) => address)).toEqual(fullPlan.changes.map(({ address }) => address));
    expect(written.at(-1)).toEqual({ type: "change_summary", ...counts });
  });

  it("tells a failure once, with its object and without the key", () => {
    const clean = { ...failure, detail: "(sensitive) is bad" };
    const written = lines((view) => {
      view.event({ type: "apply_errored", address: "testCase.a", action: "create", diagnostic: failure });
      view.end({ status: "partial", plan: planned, counts, diagnostics: [failure] }, [clean]);
    });
    expect(written.map(({ type }) => type)).toEqual(["apply_errored", "change_summary"]);
    expect(written[0]?.diagnostic).toEqual(clean);
  });

  it("says what is planned when a guard blocks it", () => {
    const written = lines((view) => view.end({ status: "blocked", plan: planned, diagnostics: [failure] }, [failure]));
    expect(written.map(({ type }) => type)).toEqual([
      ...fullPlan.changes.map(() => "planned_change"),
      "diagnostic",
      "change_summary",
    ]);
  });

  it("ends with zeros when nothing was done", () => {
    const written = lines((view) => view.end({ status: "failed", diagnostics: [failure] }, [failure]));
    expect(written.at(-1)).toEqual({
      type: "change_summary",
      create: 0,
      update: 0,
      delete: 0,
      failed: 0,
      not_attempted: 0,
    });
  });
});

describe("apply for people", () => {
  it("shows the plan, a line for each object that is done, the problems and the counts", () => {
    const terminal = recordingTerminal();
    const view = applyView(viewInput(terminal), "/");
    view.plan(planned);
    view.event({ type: "apply_start", address: "testCase.a", action: "create" });
    view.event({ type: "apply_complete", address: "testCase.a", action: "create", id: 3, elapsedMs: 100 });
    view.end({ status: "partial", plan: planned, counts, diagnostics: [failure] }, [failure]);
    expect(terminal.stdout()).toMatch(
      /^Changed outside[\s\S]*Plan: 1 to create[\s\S]*Applied in part: 1 created, .*1 failed\.\n$/,
    );
    expect(terminal.stderr()).toMatch(/^created testCase\.a \(0\.1 s, id 3\)\nerror LF6001: refused\n/);
  });

  it("says once that there is nothing to do", () => {
    for (const isShown of [true, false]) {
      const terminal = recordingTerminal();
      const view = applyView(viewInput(terminal), "/");
      if (isShown) view.plan(nothing);
      view.end({ status: "nothing", plan: nothing, counts: { ...counts, create: 0, failed: 0 }, diagnostics: [] }, []);
      expect(terminal.stdout()).toBe("No changes: 2 objects are as declared. 5 requests.\n");
    }
  });

  it("shows the plan that a guard blocks, and that nothing was written", () => {
    const terminal = recordingTerminal();
    applyView(viewInput(terminal), "/").end({ status: "blocked", plan: planned, diagnostics: [] }, [failure]);
    expect(terminal.stdout()).toContain("Plan: ");
    expect(terminal.stderr()).toContain("Blocked: nothing was written.");
  });

  it("shows no plan that could not be made", () => {
    const terminal = recordingTerminal();
    applyView(viewInput(terminal), "/").end({ status: "failed", plan: planned, diagnostics: [] }, [failure]);
    expect(terminal.stdout()).toBe("");
  });

  it("writes over one line on a terminal, and takes it away at the end", async () => {
    const terminal = recordingTerminal({ isLive: true, width: 60 });
    const view = applyView(viewInput(terminal), "/");
    view.plan(planned);
    view.event({ type: "apply_start", address: "testCase.checkout", action: "update" });
    await new Promise((resolve) => setTimeout(resolve, 150));
    view.event({ type: "apply_complete", address: "testCase.checkout", action: "update", elapsedMs: 5 });
    view.end({ status: "applied", plan: planned, counts, diagnostics: [] }, []);
    const text = terminal.stderr();
    expect(text).toContain("\r\u001b[2K0/7 · 0.1 s · updating testCase.checkout");
    expect(text).toContain("updated testCase.checkout (0.0 s)\n");
    expect(text.endsWith("\r\u001b[2K")).toBe(true);
  });
});

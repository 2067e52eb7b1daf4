import { describe, expect, it } from "vitest";
import type { ApplyEvent } from "../../src/apply/events.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { changeSummaryJson, diagnosticEventJson, eventJson, plannedChangeJson } from "../../src/report/events-json.ts";
import { countsText, elapsedText, eventText, notAttemptedLines } from "../../src/report/events-text.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";
import { change, emptyPlan } from "./sample-plan.ts";

const diagnostic: Diagnostic = {
  severity: "error",
  code: "LF6001",
  summary: "refused",
  detail: "409",
  address: "testCase.a",
};
const address = "testCase.a";

const events: readonly [ApplyEvent, string | undefined, object][] = [
  [
    { type: "apply_start", address, action: "create" },
    "creating testCase.a …",
    { type: "apply_start", address, action: "create" },
  ],
  [
    { type: "apply_complete", address, action: "update", id: 0, elapsedMs: 250 },
    "updated testCase.a (0.3 s, id 0)",
    { type: "apply_complete", address, action: "update", id: 0, elapsed_ms: 250 },
  ],
  [
    { type: "apply_complete", address, action: "delete", elapsedMs: 61_000 },
    "deleted testCase.a (1 min 1 s)",
    { type: "apply_complete", address, action: "delete", elapsed_ms: 61_000 },
  ],
  [
    { type: "apply_errored", address, action: "replace", diagnostic },
    "failed testCase.a: refused",
    { type: "apply_errored", address, action: "replace", diagnostic },
  ],
  [
    { type: "not_attempted", address, action: "create", because: "something it depends on failed" },
    undefined,
    { type: "not_attempted", address, action: "create", because: "something it depends on failed" },
  ],
  [{ type: "diagnostic", diagnostic }, undefined, { type: "diagnostic", address, diagnostic }],
];

describe("an event of an apply", () => {
  it.each(events)("%j is one line of text and one object", (event, text, json) => {
    expect(eventText(event, plainPalette)).toBe(text);
    expect(eventJson(event)).toEqual(json);
  });

  it("that did not come to pass is told once for each reason", () => {
    const skipped = (because: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        type: "not_attempted" as const,
        address: `testCase.${because[0]}${index}`,
        action: "create" as const,
        because,
      }));
    expect(notAttemptedLines([...skipped("interrupted", 7), ...skipped("needed", 1)], plainPalette)).toEqual([
      "not attempted testCase.i0, testCase.i1, testCase.i2, testCase.i3, testCase.i4, and 2 more: interrupted",
      "not attempted testCase.n0: needed",
    ]);
  });

  it("is planned before it happens, with its address and both sides", () => {
    const planned = plannedChangeJson(change({ address, kind: "testCase", action: "create", after: { name: "A" } }));
    expect(planned).toMatchObject({
      type: "planned_change",
      address,
      action: "create",
      kind: "testCase",
      resource_type: "loadform_test_case",
      change: { actions: ["create"], before: null, after: { name: "A" } },
    });
  });

  it("carries the address of a problem beside it", () => {
    expect(diagnosticEventJson(diagnostic)).toEqual({ type: "diagnostic", address, diagnostic });
  });
});

describe("the end of an apply", () => {
  it("counts the tags that came with what was written", () => {
    const changes = [
      change({ address: "testCase.a", kind: "scenario", action: "create", after: { tags: ["nightly", "slow"] } }),
    ];
    const pending = ["nightly", "slow"].map((name) => ({
      address: `tag.${name}`,
      kind: "tag",
      name,
      binding: {} as never,
    }));
    expect(countsText(counts, { ...emptyPlan, changes, pending })).toBe(
      "Applied: 1 created, 2 updated, 3 deleted. 2 tags were created with them.",
    );
  });

  const counts = { create: 1, update: 2, delete: 3, failed: 0, not_attempted: 0 };
  it("is one line of text and one object", () => {
    expect(countsText(counts)).toBe("Applied: 1 created, 2 updated, 3 deleted.");
    expect(changeSummaryJson(counts)).toEqual({ type: "change_summary", ...counts });
  });

  it("says what changed in the state alone, once all is done", () => {
    const summary = { create: 1, update: 2, delete: 3, replace: 0, import: 4, move: 5, forget: 6, noop: 7 };
    const planned = { ...emptyPlan, summary };
    expect(countsText(counts, planned)).toBe(
      "Applied: 1 created, 2 updated, 3 deleted, 4 taken over, 5 moved, 6 forgotten.",
    );
    expect(countsText({ ...counts, failed: 1 }, planned)).toBe(
      "Applied in part: 1 created, 2 updated, 3 deleted, 1 failed.",
    );
  });

  it("says what failed and what was not attempted", () => {
    expect(countsText({ ...counts, failed: 1, not_attempted: 4 })).toBe(
      "Applied in part: 1 created, 2 updated, 3 deleted, 1 failed, 4 not attempted.",
    );
    const none = { create: 0, update: 0, delete: 0, failed: 1, not_attempted: 4 };
    expect(countsText(none)).toBe("Nothing succeeded: 1 failed, 4 not attempted.");
  });

  it.each([
    [40, "0.0 s"],
    [59_900, "59.9 s"],
    [3_725_000, "62 min 5 s"],
  ])("spells %i ms as %s", (milliseconds, text) => {
    expect(elapsedText(milliseconds)).toBe(text);
  });
});

import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../src/watch/check-result.ts";
import type { ProjectState } from "../../src/watch/project-memory.ts";
import { broken, diagnostic, finding, foundWith, healEnd, Watching } from "./watching.ts";

const git = finding("testCase.a", "git");
const drift = finding("testCase.b", "drift");
const removed = finding("testCase.old", "git", { action: "delete", ends: true });
const checked = (...[findings, more]: Parameters<typeof foundWith>): CheckResult => ({
  is: "checked",
  found: foundWith(findings, more),
});
const healedAs = (...[status, written, summary]: Parameters<typeof healEnd>): CheckResult => ({
  is: "checked",
  found: foundWith([git]),
  heal: healEnd(status, written, summary),
});
const held = [diagnostic("deletes 4 of 5 objects"), diagnostic("testCase.a is protected")];

describe("the state of a project is the first that holds:", () => {
  test.each<[string, CheckResult, ProjectState, string | undefined]>([
    ["failed, with the error", broken, "failed", "the service does not answer"],
    ["failed, when the healing failed", healedAs("failed", [], "it refused a name"), "failed", "it refused a name"],
    ["failed, when it healed a part", healedAs("partial", ["testCase.a"], "no more"), "failed", "no more"],
    [
      "locked, with the holder",
      healedAs("locked", [], "locked by ann since 12:00"),
      "locked",
      "locked by ann since 12:00",
    ],
    [
      "blocked, for another service than its target",
      { is: "refused", diagnostics: [diagnostic("another service")] },
      "blocked",
      "another service",
    ],
    ["blocked, by guards", checked([git, drift], { blocked: held }), "blocked", "deletes 4 of 5 objects, and 1 more"],
    ["blocked, by a guard of the healing", healedAs("blocked", [], "a run began"), "blocked", "a run began"],
    ["out-of-sync, before drifted", checked([drift, git]), "out-of-sync", undefined],
    ["out-of-sync, when the healing was interrupted", healedAs("interrupted"), "out-of-sync", undefined],
    ["drifted", checked([drift]), "drifted", undefined],
    ["in-sync", checked([]), "in-sync", undefined],
    ["in-sync, warnings or not", checked([], { warnings: [diagnostic("odd", "warning")] }), "in-sync", undefined],
  ])("%s", (_, result, state, reason) => {
    const watch = new Watching();
    watch.due();
    watch.ended(result);
    expect({ state: watch.memory.state, reason: watch.memory.reason }).toEqual({ state, reason });
    expect(watch.memory.history[0]).toMatchObject({ state, ...(reason !== undefined && { reason }) });
  });

  test("suspended, whatever a check under way ends with", () => {
    const watch = new Watching();
    watch.due();
    watch.send({ is: "suspended", project: "webshop" });
    expect(watch.memory.state).toBe("suspended");
    watch.ended(broken);
    expect(watch.memory).toMatchObject({ state: "suspended", reason: "by hand", problems: broken.diagnostics });
  });
});

describe("without prune", () => {
  test.each([
    ["heal: git", { heal: "git" }, removed, { state: "out-of-sync", reason: "prune" }],
    ["heal: all", { heal: "all" }, removed, { state: "out-of-sync", reason: "prune" }],
    [
      "heal: drift, for what only a replacement heals",
      { heal: "drift" },
      finding("testCase.c", "drift", { action: "replace", ends: true }),
      { state: "out-of-sync", reason: "prune" },
    ],
  ] as const)("%s: a project with a delete left is out-of-sync for that reason", (_, more, left, expected) => {
    const watch = new Watching(more);
    expect(watch.check([left])).toEqual([]);
    expect(watch.memory).toMatchObject(expected);
  });

  test("one that only looks needs no reason", () => {
    const watch = new Watching();
    watch.check([removed]);
    expect(watch.memory.state).toBe("out-of-sync");
    expect(watch.memory.reason).toBeUndefined();
  });
});

describe("a reason", () => {
  test("says that a run is in the way", () => {
    const watch = new Watching({ heal: "git" });
    watch.check([{ ...git, busy: "running" }]);
    expect(watch.memory).toMatchObject({ state: "out-of-sync", reason: expect.stringContaining("a test run") });
  });

  test("is no longer there with another state", () => {
    const watch = new Watching();
    watch.due();
    watch.ended(broken);
    watch.check([]);
    expect(watch.memory.reason).toBeUndefined();
  });
});

describe("locked", () => {
  const meetsLock = (): CheckResult => healedAs("locked", [], "locked by ann");
  const locked = () => {
    const watch = new Watching({ heal: "all" });
    watch.check([git], {}, meetsLock);
    expect(watch.memory.state).toBe("locked");
    return watch;
  };

  test("holds until it is free, and is tried at every check", () => {
    const watch = locked();
    expect(watch.check([git], {}, meetsLock)).toEqual(["testCase.a"]);
    expect(watch.memory).toMatchObject({ state: "locked", reason: "locked by ann", failures: 0 });
    watch.check([git]);
    expect(watch.memory.state).toBe("in-sync");
    expect(watch.told).toEqual(["healed", "recovered", "in-sync"]);
  });

  test("holds while a run is in the way of another try", () => {
    const watch = locked();
    watch.check([{ ...git, busy: "starting" }]);
    expect(watch.memory).toMatchObject({ state: "locked", reason: "locked by ann" });
    expect(watch.told).toEqual([]);
  });

  test("is over when nothing is left to heal", () => {
    const watch = locked();
    watch.check([]);
    expect(watch.memory.state).toBe("in-sync");
  });
});

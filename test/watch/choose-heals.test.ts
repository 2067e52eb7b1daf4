import { describe, expect, test } from "vitest";
import type { CheckResult, Finding } from "../../src/watch/check-result.ts";
import type { WatchedProject } from "../../src/watch/watched-project.ts";
import { broken, diagnostic, finding, foundWith, healEnd, hourMs, minuteMs, Watching } from "./watching.ts";

const git = finding("testCase.git", "git");
const drift = finding("testCase.drift", "drift");
const removed = finding("testCase.removed", "git", { action: "delete", ends: true });
const replaced = finding("testCase.replaced", "drift", { action: "replace", ends: true });
const all: readonly Finding[] = [git, drift, removed, replaced];
const addresses = (...findings: readonly Finding[]) => findings.map(({ address }) => address);

describe("healed is", () => {
  test.each<[string, Partial<WatchedProject>, readonly Finding[], readonly Finding[]]>([
    ["nothing by a watcher that only looks", {}, all, []],
    ["nothing by one that only looks, with prune", { prune: true }, all, []],
    ["what git changed: git", { heal: "git" }, all, [git]],
    ["what was changed outside: drift", { heal: "drift" }, all, [drift]],
    ["both: all", { heal: "all" }, all, [git, drift]],
    ["what git deleted: git with prune", { heal: "git", prune: true }, all, [git, removed]],
    ["what only a replacement heals: drift with prune", { heal: "drift", prune: true }, all, [drift, replaced]],
    ["everything: all with prune", { heal: "all", prune: true }, all, all],
    [
      "nothing of a configuration whose run is under way",
      { heal: "all" },
      [{ ...git, busy: "running" }, drift],
      [drift],
    ],
    ["nothing of one that a schedule starts soon", { heal: "all" }, [git, { ...drift, busy: "starting" }], [git]],
    ["no delete of one that is busy", { heal: "all", prune: true }, [{ ...removed, busy: "running" }], []],
  ])("%s", (_, more, findings, expected) => {
    expect(new Watching(more).check(findings)).toEqual(addresses(...expected));
  });

  test.each<[string, Partial<WatchedProject>, readonly string[]]>([
    ["nothing is stored by a watcher that only looks", {}, []],
    ["what the state alone lacks, whatever is healed", { heal: "drift" }, ["testCase.agreed"]],
  ])("%s", (_, more, expected) => {
    expect(new Watching(more).check([git], { unrecorded: ["testCase.agreed"] })).toEqual(expected);
  });

  test("not twice what could not be stored", () => {
    const watch = new Watching({ heal: "all" });
    const more = { unrecorded: ["testCase.agreed"] };
    const heal = healEnd("failed", [], "no room on the disk");
    expect(watch.check([], more, () => ({ is: "checked", found: foundWith([], more), heal }))).toEqual(more.unrecorded);
    expect([watch.check([], more), watch.memory.state]).toEqual([[], "failed"]);
  });

  test("nothing while a guard or a limit holds", () => {
    const watch = new Watching({ heal: "all", prune: true });
    expect(watch.check(all, { blocked: [diagnostic("deletes 4 of 5 objects")] })).toEqual([]);
    expect(watch.memory.state).toBe("blocked");
    expect(watch.check(all)).toEqual(addresses(...all));
  });

  test("nothing of a project that was suspended while its check was under way", () => {
    const watch = new Watching({ heal: "all" });
    watch.due();
    watch.send({ is: "suspended", project: "webshop" });
    expect(watch.compared(foundWith([git]))).toEqual([]);
  });

  test("nothing once the hours of a project have begun", () => {
    const watch = new Watching({ heal: "all", suspend: [{ during: "Tue 12:01-13:00", timeZone: "UTC" }] });
    expect(watch.due()).toEqual(["check"]);
    expect(watch.after(minuteMs).compared(foundWith([git]))).toEqual([]);
    watch.ended({ is: "checked", found: foundWith([git]) });
    expect(watch.memory.state).toBe("suspended");
  });
});

describe("a try that failed", () => {
  const ends = (status: "failed" | "partial" | "locked" | "interrupted" | "blocked", findings = [git]) => {
    const result = (): CheckResult => ({
      is: "checked",
      found: foundWith(findings),
      heal: healEnd(status, [], "it refused a name"),
    });
    return result;
  };
  const tried = (status: Parameters<typeof ends>[0] = "failed", more: Partial<WatchedProject> = {}) => {
    const watch = new Watching({ heal: "all", ...more });
    expect(watch.check([git], {}, ends(status))).toEqual(["testCase.git"]);
    return watch;
  };

  test("is not repeated for the same commit and difference, and the project remains failed", () => {
    const watch = tried();
    for (let count = 0; count < 5; count++) expect(watch.after(hourMs).check([git])).toEqual([]);
    expect(watch.memory).toMatchObject({ state: "failed", reason: "it refused a name", failures: 0 });
    expect(watch.told).toEqual([]);
  });

  test("in part is not repeated either", () => {
    expect(tried("partial").check([git])).toEqual([]);
  });

  test.each(["locked", "interrupted", "blocked"] as const)("is not one that ended as %s", (status) => {
    expect(tried(status).check([git])).toEqual(["testCase.git"]);
  });

  test("is repeated for another commit", () => {
    const watch = tried();
    watch.commit = "c2";
    expect(watch.check([git])).toEqual(["testCase.git"]);
  });

  test("is repeated for another difference", () => {
    expect(tried().check([git], { difference: "another" })).toEqual(["testCase.git"]);
  });

  test("is repeated when somebody asks for that", () => {
    const watch = tried();
    expect(watch.asked(true)).toEqual(["check"]);
    expect(watch.check([git])).toEqual(["testCase.git"]);
  });

  test("is not repeated when somebody asks for a check alone", () => {
    const watch = tried();
    watch.asked();
    expect(watch.check([git])).toEqual([]);
  });

  test("is repeated when somebody asks for that while it fails", () => {
    const watch = new Watching({ heal: "all" });
    watch.due();
    watch.compared(foundWith([git]));
    watch.asked(true);
    expect(watch.ended(ends("failed")()).map((each) => each.do)).toEqual(["check"]);
    expect(watch.check([git])).toEqual(["testCase.git"]);
  });

  test("of a folder is one of its documents, whatever the commit", () => {
    const watch = tried("failed", { source: { is: "dir", dir: "/work/load" } });
    expect(watch.check([git], { documents: "docs-1" })).toEqual([]);
    expect(watch.check([git], { documents: "docs-2" })).toEqual(["testCase.git"]);
  });

  test("of a repository is one of its commit, whatever the documents", () => {
    expect(tried().check([git], { documents: "docs-2" })).toEqual([]);
  });

  test("holds up no object that was postponed, and is still not repeated when that one fails too", () => {
    const watch = new Watching({ heal: "all" });
    const both = [git, drift];
    const same = { difference: "one" };
    expect(watch.check([git, { ...drift, busy: "running" }], same, ends("failed", both))).toEqual(["testCase.git"]);
    watch.due();
    expect(watch.compared(foundWith(both, same))).toEqual(["testCase.drift"]);
    watch.ended({ is: "checked", found: foundWith(both, same), heal: healEnd("failed", [], "no") });
    expect(watch.check(both, same)).toEqual([]);
  });

  test("is not repeated after another difference came and left", () => {
    const watch = tried();
    expect(watch.check([git, drift], {}, ends("partial"))).toEqual(["testCase.git", "testCase.drift"]);
    expect(watch.check([git])).toEqual([]);
  });

  test("is forgotten once nothing differs", () => {
    const watch = tried();
    watch.check([]);
    expect(watch.check([git])).toEqual(["testCase.git"]);
  });

  test("is unknown of a check that ended in its healing: it is repeated once", () => {
    const watch = new Watching({ heal: "all" });
    const healed = [0, 1, 2].map(() => watch.check([git], {}, () => broken));
    expect(healed).toEqual([["testCase.git"], ["testCase.git"], []]);
  });

  test("is unknown of each object by itself", () => {
    const watch = new Watching({ heal: "all" });
    const same = { difference: "one" };
    const both = [git, drift];
    const busy = { ...drift, busy: "running" as const };
    watch.check([git, busy], same, ends("failed", both));
    const healed = [0, 1, 2].map(() => watch.check(both, same, () => broken));
    expect(healed).toEqual([["testCase.drift"], ["testCase.drift"], []]);
  });
});

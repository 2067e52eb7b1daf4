import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../src/watch/check-result.ts";
import { broken, diagnostic, finding, foundWith, healEnd, minuteMs, Watching } from "./watching.ts";

const declared = finding("testCase.a", "git");
const edited = finding("testCase.b", "drift");

describe("a check", () => {
  test("is begun at once when the watcher starts, and again after an interval", () => {
    const watch = new Watching();
    expect(watch.send({ is: "started", project: "webshop" })).toEqual([{ do: "check", project: "webshop" }]);
    watch.check([]);
    expect(watch.until).toBe(watch.now + 2 * minuteMs);
    expect(watch.memory).toMatchObject({ state: "in-sync", nextCheckAt: watch.until, lastCheckAt: watch.now });
  });

  test("is begun at once after a restart in the middle of one, with all that was known", () => {
    const watch = new Watching();
    watch.check([declared]);
    watch.due();
    watch.memory = JSON.parse(JSON.stringify(watch.memory));
    expect(watch.send({ is: "started", project: "webshop" })).toEqual([{ do: "check", project: "webshop" }]);
    expect(watch.memory).toMatchObject({ state: "out-of-sync", checking: { since: watch.now, isAskedAgain: false } });
    watch.check([]);
    expect(watch.told).toEqual(["recovered", "in-sync"]);
  });

  test("is not begun while one is under way", () => {
    const watch = new Watching();
    expect(watch.due()).toEqual(["check"]);
    expect(watch.due()).toEqual([]);
    expect(watch.asked()).toEqual([]);
  });

  test("is begun at once when somebody asks for one", () => {
    const watch = new Watching();
    watch.check([]);
    expect(watch.after(1000).asked()).toEqual(["check"]);
  });

  test("follows the one under way when somebody asks meanwhile, once however often", () => {
    const watch = new Watching();
    watch.due();
    watch.asked();
    watch.asked();
    expect(watch.ended({ is: "checked", found: foundWith([]) }).map((each) => each.do)).toEqual(["check"]);
    expect(watch.ended({ is: "checked", found: foundWith([]) }).map((each) => each.do)).toEqual(["wait"]);
  });

  test("that nobody knows of heals nothing, and its end changes nothing", () => {
    const watch = new Watching({ heal: "all" });
    watch.check([]);
    const { memory } = watch;
    expect(watch.compared(foundWith([declared]))).toEqual([]);
    expect(watch.ended({ is: "checked", found: foundWith([declared]) })).toEqual([]);
    expect(watch.memory).toStrictEqual(memory);
  });

  test("that finds something to heal is answered, and one that finds nothing too", () => {
    const watch = new Watching();
    watch.due();
    const event = { is: "compared", project: "webshop", commit: "c1", found: foundWith([declared]) } as const;
    expect(watch.send(event)).toEqual([{ do: "heal", project: "webshop", addresses: [] }]);
  });
});

describe("the memory", () => {
  test("has both lists, the plan and the numbers of the last check that compared", () => {
    const watch = new Watching();
    watch.check([declared, { ...edited, driftedFields: 3 }], { blocked: [], warnings: [diagnostic("odd", "warning")] });
    expect(watch.memory).toMatchObject({
      state: "out-of-sync",
      findings: [{ address: "testCase.a" }, { address: "testCase.b" }],
      outOfSync: { count: 1 },
      drifted: { count: 1 },
      problems: [{ summary: "odd" }],
      ...{ plan: "Plan: …", objects: 10, driftedFields: 3, requests: 6 },
    });
  });

  test("keeps them when a check fails", () => {
    const watch = new Watching();
    watch.check([declared, edited]);
    const { findings, drifted, plan, objects, lastSuccessAt } = watch.memory;
    watch.after(minuteMs).due();
    watch.ended(broken);
    expect(watch.memory).toMatchObject({ state: "failed", findings, drifted, plan, objects, lastSuccessAt });
    expect(watch.memory).toMatchObject({ lastCheckAt: watch.now, problems: broken.diagnostics, requests: 11 });
  });

  test("has no plan once nothing differs", () => {
    const watch = new Watching();
    watch.check([declared]);
    watch.check([]);
    expect(watch.memory).toMatchObject({ plan: "", outOfSync: { count: 0 } });
  });

  test("tells since when a state is there, across checks that change nothing", () => {
    const watch = new Watching();
    watch.check([edited]);
    const { since } = watch.memory;
    watch.after(minuteMs).check([edited]);
    expect(watch.memory.since).toBe(since);
    watch.after(minuteMs).check([]);
    expect(watch.memory.since).toBe(watch.now);
  });

  test("has the last 100 checks, the newest first, and no list without an end", () => {
    const watch = new Watching({ heal: "all" });
    const many = Array.from({ length: 300 }, (_, index) => finding(`testCase.t${index}`, "git"));
    for (let count = 0; count < 130; count++) watch.after(minuteMs).check(count === 129 ? many : []);
    const { history } = watch.memory;
    expect(history.length).toBe(100);
    expect(history[0]).toMatchObject({ at: new Date(watch.now).toISOString(), ms: 900, commit: "c1", moreHealed: 280 });
    expect(history[0]?.healed.length).toBe(20);
    watch.check(many, { blocked: many.map(() => diagnostic("held")) });
    expect(watch.memory.problems.length).toBe(50);
    expect(watch.memory).toMatchObject({ outOfSync: { count: 300 }, findings: { length: 50 } });
  });

  test("counts what was healed", () => {
    const watch = new Watching({ heal: "all" });
    watch.check([declared, edited]);
    watch.check([declared]);
    expect(watch.memory.heals).toBe(3);
  });

  test("has what was healed also where it could not be compared once more, and a fight over it", () => {
    const watch = new Watching({ heal: "drift" });
    const unseen = (written: readonly string[]) => ({ ...broken, heal: healEnd("healed", written) });
    for (let count = 0; count < 3; count++) watch.check([edited], {}, unseen);
    expect(watch.memory).toMatchObject({ state: "failed", heals: 3, foughtOver: 1, failedTries: [] });
    expect(watch.memory.history.map(({ healed }) => healed)).toEqual(Array(3).fill([edited.address]));
    expect(watch.told).toEqual(["healed", "healed", "healed", "fought"]);
    expect(watch.check([edited])).toEqual([]);
  });

  const commits: readonly [string, CheckResult, object][] = [
    ["with nothing left to do in git", { is: "checked", found: foundWith([]) }, { applied: "c2", wanted: "c2" }],
    ["with drift alone", { is: "checked", found: foundWith([edited]) }, { applied: "c2", wanted: "c2" }],
    ["with something to apply", { is: "checked", found: foundWith([declared]) }, { applied: "c1", wanted: "c2" }],
    ["that failed", broken, { applied: "c1", wanted: "c2" }],
    ["that was refused", { is: "refused", diagnostics: [] }, { applied: "c1", wanted: "c2" }],
    [
      "that healed it",
      { is: "checked", found: foundWith([]), heal: healEnd("healed", ["testCase.a"]) },
      { applied: "c2", wanted: "c2" },
    ],
  ];
  test.each(commits)("has the commits applied and wanted after a check %s", (_, result, commit) => {
    const watch = new Watching();
    watch.check([]);
    watch.commit = "c2";
    watch.due();
    watch.ended(result);
    expect(watch.memory.commit).toEqual(commit);
  });

  test("has no commit of a folder", () => {
    const watch = new Watching({ source: { is: "dir", dir: "/work/load" } });
    watch.check([]);
    expect(watch.memory.commit).toEqual({});
    expect(watch.memory.history[0]?.commit).toBeNull();
  });
});

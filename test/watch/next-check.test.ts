import { describe, expect, test } from "vitest";
import { broken, finding, foundWith, healEnd, minuteMs, Watching } from "./watching.ts";

/** Minutes to the next check. */
const wait = (watch: Watching) => ((watch.until ?? 0) - watch.now) / minuteMs;

describe("the next check", () => {
  test.each([
    [0, 9],
    [0.5, 10],
    [1, 11],
  ])("is an interval later, ±10 %%: by chance %s, %s minutes of ten", (random, minutes) => {
    const watch = new Watching({ intervalSecs: 600 });
    watch.random = random;
    watch.check([]);
    expect(wait(watch)).toBe(minutes);
  });

  test.each([
    ["a short interval", 120, 1, [4, 8, 15, 15, 15]],
    ["a short interval, by chance", 120, 0, [3, 6, 11.25, 11.25, 11.25]],
    ["ten minutes", 600, 1, [15, 15]],
    ["a night", 86_400, 1, [15, 15]],
  ])("after errors is later and later, at most 15 minutes: %s", (_, intervalSecs, random, minutes) => {
    const watch = new Watching({ intervalSecs });
    watch.random = random;
    const found = minutes.map(() => {
      watch.due();
      watch.ended(broken);
      return wait(watch);
    });
    expect(found).toEqual(minutes);
    watch.check([]);
    expect(watch.memory.failures).toBe(0);
    expect(wait(watch)).toBeCloseTo((intervalSecs / 60) * (0.9 + 0.2 * random), 5);
  });

  test("after a thousand errors is 15 minutes later", () => {
    const watch = new Watching();
    watch.random = 1;
    for (let count = 0; count < 1000; count++) {
      watch.due();
      watch.ended(broken);
    }
    expect(wait(watch)).toBe(15);
  });

  test("backs off when the healing failed", () => {
    const watch = new Watching({ heal: "git" });
    watch.random = 1;
    const git = finding("testCase.a", "git");
    watch.check([git], {}, () => ({ is: "checked", found: foundWith([git]), heal: healEnd("failed") }));
    expect(wait(watch)).toBe(4);
  });

  test.each([
    ["something was postponed", { busy: "running" as const }, 2],
    ["nothing was", {}, 60],
  ])("of a long interval is soon when %s", (_, more, minutes) => {
    const watch = new Watching({ heal: "git", intervalSecs: 3600 });
    watch.check([finding("testCase.a", "git", more)]);
    expect(wait(watch)).toBe(minutes);
  });

  test("is soon when the healing was interrupted", () => {
    const watch = new Watching({ heal: "git", intervalSecs: 3600 });
    const git = finding("testCase.a", "git");
    watch.check([git], {}, () => ({ is: "checked", found: foundWith([git]), heal: healEnd("interrupted") }));
    expect(wait(watch)).toBe(2);
  });

  test("is not soon for a run in the way of what is not healed anyway", () => {
    const watch = new Watching({ heal: "drift", intervalSecs: 3600 });
    watch.check([finding("testCase.a", "git", { busy: "running" })]);
    expect(wait(watch)).toBe(60);
  });
});

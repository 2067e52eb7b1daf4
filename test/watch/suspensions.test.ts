import { describe, expect, test } from "vitest";
import { newMemory } from "../../src/watch/decide.ts";
import { nextSuspension, suspensionAt } from "../../src/watch/suspensions.ts";
import type { SuspendWindow } from "../../src/watch/watched-project.ts";
import { begin, finding, hourMs, Watching, watchedProject } from "./watching.ts";

const office = { during: "Mon-Fri 08:00-18:00", timeZone: "Europe/Berlin" };
const window = (during: string, timeZone = "UTC"): SuspendWindow => ({ during, timeZone });

describe("the hours of a project", () => {
  test.each<[string, readonly SuspendWindow[], string, string | undefined]>([
    ["within, in winter", [office], "2026-11-24T07:00:00Z", "2026-11-24T17:00:00.000Z"],
    ["a second before", [office], "2026-11-24T06:59:59Z", undefined],
    ["at the end", [office], "2026-11-24T17:00:00Z", undefined],
    ["in summer an hour earlier", [office], "2026-07-01T06:00:00Z", "2026-07-01T16:00:00.000Z"],
    ["at the weekend", [office], "2026-11-28T12:00:00Z", undefined],
    ["over midnight", [window("Tue 22:00-06:00")], "2026-11-25T05:00:00Z", "2026-11-25T06:00:00.000Z"],
    ["into the next week", [window("Sun 22:00-06:00")], "2026-11-23T05:00:00Z", "2026-11-23T06:00:00.000Z"],
    [
      "a night that is an hour longer",
      [window("Sat 22:00-06:00", "Europe/Berlin")],
      "2026-10-24T21:00:00Z",
      "2026-10-25T05:00:00.000Z",
    ],
    [
      "a night that is an hour shorter",
      [window("Sat 22:00-06:00", "Europe/Berlin")],
      "2026-03-28T22:00:00Z",
      "2026-03-29T04:00:00.000Z",
    ],
    [
      "an end that the clocks skip",
      [window("Sun 01:00-02:30", "Europe/Berlin")],
      "2026-03-29T00:30:00Z",
      "2026-03-29T01:00:00.000Z",
    ],
    [
      "an hour that comes twice",
      [window("Sun 02:00-03:00", "Europe/Berlin")],
      "2026-10-25T00:30:00Z",
      "2026-10-25T02:00:00.000Z",
    ],
    [
      "two that follow one another",
      [window("Tue 08:00-12:00"), window("Tue 12:00-14:00")],
      "2026-11-24T08:00:00Z",
      "2026-11-24T14:00:00.000Z",
    ],
    ["all the week", [window("Mon-Sun 00:00-00:00")], "2026-11-24T12:00:00Z", "2026-12-03T00:00:00.000Z"],
  ])("%s", (_, suspend, at, until) => {
    const known = { project: watchedProject({ suspend }), memory: newMemory() };
    const found = suspensionAt(known, Date.parse(at));
    expect(found?.until === undefined ? undefined : new Date(found.until).toISOString()).toBe(until);
  });

  test("suspend it when its time comes, for this reason, and a check follows them", () => {
    const watch = new Watching({ suspend: [office], intervalSecs: 3_600 });
    watch.now = Date.parse("2026-11-25T06:50:00Z");
    watch.check([]);
    // The window begins before the next check would.
    expect(watch.until).toBe(Date.parse("2026-11-25T07:00:00Z"));
    watch.now = watch.until ?? 0;
    expect(watch.due()).toEqual(["tell", "wait"]);
    expect(watch.memory).toMatchObject({ state: "suspended", reason: "Mon-Fri 08:00-18:00 Europe/Berlin" });
    expect(watch.until).toBe(Date.parse("2026-11-25T17:03:00Z"));
    watch.now = watch.until ?? 0;
    watch.check([finding("testCase.a", "drift")]);
    expect(watch.told).toEqual(["suspended", "drifted"]);
  });
});

describe("the next window of a project", () => {
  const day = 24 * hourMs;
  test.each<[string, readonly SuspendWindow[], string, string | undefined]>([
    ["begins in its zone", [office], "2026-11-24T20:00:00Z", "2026-11-25T07:00:00.000Z"],
    [
      "is the first of several",
      [window("Wed 09:00-10:00"), office],
      "2026-11-24T20:00:00Z",
      "2026-11-25T07:00:00.000Z",
    ],
    ["is not one that begins now", [window("Tue 20:00-21:00")], "2026-11-24T20:00:00Z", undefined],
    ["may be none", [office], "2026-11-27T20:00:00Z", undefined],
    [
      "begins when the clocks jump into it",
      [window("Sun 02:30-05:00", "Europe/Berlin")],
      "2026-03-28T23:00:00Z",
      "2026-03-29T01:00:00.000Z",
    ],
    [
      "begins at the first of two equal hours",
      [window("Sun 02:30-05:00", "Europe/Berlin")],
      "2026-10-24T22:00:00Z",
      "2026-10-25T00:30:00.000Z",
    ],
  ])("%s", (_, suspend, at, start) => {
    const from = Date.parse(at);
    const found = nextSuspension(suspend, from, from + day);
    expect(found === from + day ? undefined : new Date(found).toISOString()).toBe(start);
  });
});

describe("a project that was suspended by hand", () => {
  test("is not checked until it is resumed, and then at once", () => {
    const watch = new Watching();
    watch.check([]);
    expect(watch.send({ is: "suspended", project: "webshop" }).map((each) => each.do)).toEqual(["tell"]);
    expect(watch.memory).toMatchObject({ state: "suspended", reason: "by hand" });
    expect(watch.memory.nextCheckAt).toBeUndefined();
    expect([watch.due(), watch.asked(), watch.asked(true)]).toEqual([[], [], []]);
    expect(watch.send({ is: "started", project: "webshop" })).toEqual([]);
    expect(watch.send({ is: "resumed", project: "webshop" })).toEqual([{ do: "check", project: "webshop" }]);
    watch.check([]);
    expect(watch.told).toEqual(["suspended", "in-sync"]);
  });

  test("until a moment is checked then", () => {
    const watch = new Watching();
    watch.check([]);
    watch.send({ is: "suspended", project: "webshop", until: begin + hourMs });
    expect(watch.memory).toMatchObject({ reason: "by hand until 2026-11-24T13:00:00.000Z" });
    expect(watch.until).toBe(begin + hourMs + 6000);
    expect(watch.after(hourMs + 6000).due()).toEqual(["check"]);
    expect(watch.memory.suspendedUntil).toBeUndefined();
  });

  test("until a moment within its hours is checked after both", () => {
    const watch = new Watching({ suspend: [window("Tue 13:00-14:00")] });
    watch.random = 0;
    watch.send({ is: "suspended", project: "webshop", until: begin + 1.5 * hourMs });
    expect(watch.until).toBe(begin + 2 * hourMs);
  });

  test("until a moment that is over is not suspended", () => {
    const watch = new Watching();
    watch.check([]);
    expect(watch.send({ is: "suspended", project: "webshop", until: begin - 1 })).toEqual([]);
    expect(watch.memory.state).toBe("in-sync");
    expect(watch.memory.suspendedUntil).toBeUndefined();
  });

  test("and is resumed within its hours waits for their end", () => {
    const watch = new Watching({ suspend: [window("Tue 12:00-13:00")] });
    watch.random = 0;
    watch.send({ is: "suspended", project: "webshop" });
    watch.send({ is: "resumed", project: "webshop" });
    expect(watch.memory).toMatchObject({ state: "suspended", reason: "Tue 12:00-13:00 UTC" });
    expect(watch.until).toBe(begin + hourMs);
  });

  test("and resumed while a check is under way is checked after it", () => {
    const watch = new Watching();
    watch.due();
    watch.send({ is: "suspended", project: "webshop" });
    expect(watch.send({ is: "resumed", project: "webshop" })).toEqual([]);
    const actions = watch.ended({ is: "failed", diagnostics: [] });
    expect(actions.map((each) => each.do)).toEqual(["tell", "check"]);
  });

  test("is not resumed when it was not suspended", () => {
    const watch = new Watching();
    watch.check([]);
    expect(watch.send({ is: "resumed", project: "webshop" })).toEqual([]);
  });
});

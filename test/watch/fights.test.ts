import { describe, expect, test } from "vitest";
import { finding, hourMs, minuteMs, Watching } from "./watching.ts";

const edited = finding("testCase.a", "drift");
const other = finding("testCase.b", "drift");

/** A project whose object drifts back at once, after so many healings. */
function healedTimes(count: number, everyMs = 2 * minuteMs): Watching {
  const watch = new Watching({ heal: "all" });
  watch.check([]);
  for (let done = 0; done < count; done++) expect(watch.after(everyMs).check([edited])).toEqual(["testCase.a"]);
  return watch;
}

describe("an address that drifted back and was healed three times within an hour", () => {
  test("is left alone, and told once", () => {
    const watch = healedTimes(3);
    for (let count = 0; count < 100; count++) expect(watch.after(2 * minuteMs).check([edited])).toEqual([]);
    expect(watch.told).toEqual(["healed", "healed", "healed", "fought", "drifted"]);
    expect(watch.memory).toMatchObject({
      state: "drifted",
      reason: "fought over: testCase.a",
      foughtOver: 1,
      heals: 3,
    });
  });

  test("is none with healings further apart", () => {
    const watch = healedTimes(12, 31 * minuteMs);
    expect(watch.told).not.toContain("fought");
  });

  test("is still left alone when the first of them are more than an hour ago", () => {
    const watch = healedTimes(3, 25 * minuteMs);
    expect(watch.after(25 * minuteMs).check([edited])).toEqual([]);
  });

  test("holds up no other", () => {
    expect(healedTimes(3).check([edited, other])).toEqual(["testCase.b"]);
  });

  test("is healed again once a commit changes it", () => {
    const watch = healedTimes(3);
    expect(watch.check([finding("testCase.a", "git")])).toEqual(["testCase.a"]);
    expect(watch.memory.fights).toEqual({});
    expect(watch.after(minuteMs).check([edited])).toEqual(["testCase.a"]);
  });

  test("is not healed again once a commit changes another", () => {
    expect(healedTimes(3).check([edited, finding("testCase.c", "git")])).toEqual(["testCase.c"]);
  });

  test("is healed again once an hour has passed without drift", () => {
    const watch = healedTimes(3);
    watch.after(30 * minuteMs).check([]);
    watch.after(30 * minuteMs).check([]);
    expect(watch.memory.fights).toEqual({});
    expect(watch.after(minuteMs).check([edited])).toEqual(["testCase.a"]);
  });

  test("is still left alone when the hour has not passed since it drifted", () => {
    const watch = healedTimes(3);
    watch.after(30 * minuteMs).check([edited]);
    watch.after(59 * minuteMs).check([]);
    expect(watch.after(minuteMs).check([edited])).toEqual([]);
  });

  test("is still left alone when nobody looked for hours and it is drifted", () => {
    const watch = healedTimes(3);
    watch.after(minuteMs).check([edited]);
    expect(watch.after(9 * hourMs).check([edited])).toEqual([]);
  });

  test("is healed again when somebody asks for that", () => {
    const watch = healedTimes(3);
    watch.asked(true);
    expect(watch.check([edited])).toEqual(["testCase.a"]);
  });

  test("is not healed again when somebody asks for a check alone", () => {
    const watch = healedTimes(3);
    watch.asked();
    expect(watch.check([edited])).toEqual([]);
  });

  test("is told again when it is fought over again", () => {
    const watch = healedTimes(3);
    watch.asked(true);
    for (let count = 0; count < 9; count++) watch.after(minuteMs).check([edited]);
    expect(watch.told.filter((on) => on === "fought")).toHaveLength(2);
  });
});

test("what git changed is no fight however often it is healed", () => {
  const watch = new Watching({ heal: "all" });
  for (let count = 0; count < 9; count++)
    expect(watch.after(minuteMs).check([finding("testCase.a", "git")])).toEqual(["testCase.a"]);
  expect(watch.memory.fights).toEqual({});
});

test("healings are forgotten an hour later", () => {
  const watch = healedTimes(2);
  watch.after(hourMs).check([]);
  expect(watch.memory.fights).toEqual({});
});

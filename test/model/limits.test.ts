import { describe, expect, it } from "vitest";
import { isTimeZone, parseWeekSpans, secondOfWeek } from "../../src/model/limits.ts";

const hour = 3600;
const day = 24 * hour;

describe("hours of the week", () => {
  it.each<[string, string, readonly (readonly [number, number])[]]>([
    ["one day", "Mon 08:00-18:00", [[8 * hour, 18 * hour]]],
    [
      "a range of days",
      "Sat-Sun 00:00-00:30",
      [
        [5 * day, 5 * day + hour / 2],
        [6 * day, 6 * day + hour / 2],
      ],
    ],
    [
      "a range over the end of the week",
      "Sun-Mon 01:00-02:00",
      [
        [hour, 2 * hour],
        [6 * day + hour, 6 * day + 2 * hour],
      ],
    ],
    [
      "days and ranges, each once",
      "mon, Mon-Tue 00:00-01:00",
      [
        [0, hour],
        [day, day + hour],
      ],
    ],
    ["an end before the start: of the next day", "Sun 22:00-06:00", [[6 * day + 22 * hour, 7 * day + 6 * hour]]],
    ["an end at the start: a whole day", "Tue 00:00-00:00", [[day, 2 * day]]],
  ])("read %s", (_, text, spans) => {
    expect(parseWeekSpans(text)).toEqual(spans.map(([start, end]) => ({ start, end })));
  });

  it.each(
    ["", "Mon", "08:00-18:00", "Mon 8:00-18:00", "Mon 08:00-24:00", "Mon 08:60-09:00", "Day 08:00-09:00"].concat(
      "Mon-Wed-Fri 08:00-09:00",
      "Mon 08:00",
      "Mon,, Tue 08:00-09:00",
    ),
  )("are none in %j", (text) => {
    expect(parseWeekSpans(text)).toBeUndefined();
  });

  it("count from Monday 00:00", () => {
    expect(secondOfWeek(Date.parse("2026-11-23T00:00:00Z"))).toBe(0);
    expect(secondOfWeek(Date.parse("2026-11-22T23:59:59Z"))).toBe(7 * day - 1);
    expect(secondOfWeek(Date.parse("2026-11-22T23:30:00Z"), hour)).toBe(hour / 2);
  });

  it("know time zones", () => {
    expect(["UTC", "Europe/Berlin", "Mars/Olympus", ""].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});

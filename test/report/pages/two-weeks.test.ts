import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarHtml } from "../../../src/report/pages/calendar-html.ts";
import { sweepRuns } from "../../../src/report/pages/overlaps.ts";
import { scheduleRuns, twoWeeksFrom } from "../../../src/report/pages/two-weeks.ts";
import { nodesOf, noon } from "./sample-page.ts";

const hourMs = 3_600_000;
const runner = [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }];
const configuration = { concurrentClients: 20, durationSecs: 3600, rampupSecs: 0, providers: runner };
const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2, minute: 30 };
const at = "testCase.a/configuration.c/schedule.s";
const createdAt = (text: string | undefined) => ({
  createdAt: () => (text === undefined ? undefined : Date.parse(text)),
});

function runsOf(fields: Parameters<typeof nodesOf>[0][string], created?: string, secret?: readonly string[]) {
  const nodes = nodesOf(
    { "testCase.a": {}, "testCase.a/configuration.c": configuration, [at]: fields },
    secret ? { [at]: secret } : {},
  );
  const [row] = scheduleRuns({ nodes }, twoWeeksFrom(noon, createdAt(created)));
  if (row === undefined) throw new Error("no schedule");
  return row;
}

describe("the schedules of two weeks", () => {
  it("begin with the day of the moment, and have the runs after it that no window takes away, with those that one does", () => {
    const exclusions = [
      { recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 7, startHour: 0, endHour: 23, endMinute: 59 },
    ];
    const row = runsOf({ ...daily, exclusions }, "2026-11-01T00:00:00Z");
    expect(row.runs.map((run) => new Date(run).toISOString().slice(0, 16))).toEqual(
      ["25", "26", "27", "30"]
        .map((day) => `2026-11-${day}T02:30`)
        .concat(["01", "02", "03", "04", "07"].map((day) => `2026-12-${day}T02:30`)),
    );
    expect(row.skipped).toHaveLength(4);
    expect(row).toMatchObject({ users: 20, seconds: 3600 });
    expect(row.windows.map((span) => span.map((edge) => new Date(edge).toISOString().slice(0, 16)))).toEqual([
      ["2026-11-28T00:00", "2026-11-29T23:59"],
      ["2026-12-05T00:00", "2026-12-06T23:59"],
    ]);
  });

  it("rest on the creation of a bound schedule, and of a new one on now", () => {
    const everyThreeHours = { scheduleType: "Recurring", recurringInterval: "Hour", hour: 3, minute: 0 };
    expect(runsOf(everyThreeHours, "2026-11-24T10:30:00Z").runs[0]).toBe(noon + 2 * hourMs);
    expect(runsOf(everyThreeHours).runs[0]).toBe(noon + hourMs);
  });

  it("show no run of a paused schedule, nor of one whose values come from the environment", () => {
    expect(runsOf({ ...daily, active: false })).toMatchObject({ state: "paused", runs: [] });
    expect(runsOf(daily, undefined, ["hour"])).toEqual({
      address: at,
      state: "hidden",
      runs: [],
      skipped: [],
      windows: [],
    });
    expect(runsOf({ ...daily, hour: { $secret: "f1" } })).toMatchObject({ state: "hidden" });
  });
});

describe("the sweep over scheduled runs", () => {
  const row = (address: string, runs: readonly number[], users: number, hours = 1) => ({
    address,
    runs,
    skipped: [],
    windows: [],
    users,
    seconds: hours * 3600,
  });

  it("adds up the users under way", () => {
    const { steps } = sweepRuns([row("a", [0, 5 * hourMs], 10), row("b", [hourMs / 2], 5)], 9);
    expect(steps).toEqual([
      [0, 10],
      [hourMs / 2, 15],
      [hourMs, 5],
      [1.5 * hourMs, 0],
      [5 * hourMs, 10],
      [6 * hourMs, 0],
    ]);
  });

  it("finds runs that meet, how often, and first the one of the most users; runs that follow each other do not", () => {
    const rows = [
      row("a", [0, 10 * hourMs], 10),
      row("b", [hourMs / 2, 10.5 * hourMs], 5),
      row("c", [hourMs], 1, 0.25),
      row("d", [11.5 * hourMs], 1),
      row("e", [20 * hourMs, 20.5 * hourMs], 50),
    ];
    const { overlaps } = sweepRuns(rows, 9);
    expect(sweepRuns(rows, 2)).toMatchObject({ overlaps: overlaps.slice(0, 2), count: 3 });
    expect(overlaps).toEqual([
      { addresses: ["e (2 times)"], users: 100, times: 1, first: [20.5 * hourMs, 21 * hourMs] },
      { addresses: ["a", "b"], users: 15, times: 2, first: [hourMs / 2, hourMs] },
      { addresses: ["b", "c"], users: 6, times: 1, first: [hourMs, 1.25 * hourMs] },
    ]);
  });

  it("sweeps schedules that are alike as one, as if each were swept by itself, at random", () => {
    const moments = fc.uniqueArray(fc.nat(20), { maxLength: 5 });
    const one = fc.record({ runs: fc.nat(2), users: fc.nat(4), length: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(moments, { minLength: 3, maxLength: 3 }), fc.array(one, { maxLength: 8 }), (runs, all) => {
        const rows = all.map((each, index) => ({
          ...row(`s${index}`, runs[each.runs] ?? [], each.users),
          seconds: each.length / 1000,
        }));
        const apart = rows.map((each) => ({ ...each, runs: [...each.runs] }));
        const [together, long] = [rows, apart].map((each) => sweepRuns(each, 99));
        expect(together?.steps).toEqual(long?.steps);
        expect(together?.count).toBe(long?.count);
        expect(new Set(together?.overlaps)).toEqual(new Set(long?.overlaps));
      }),
    );
  });

  it("draws schedules that run each minute in several lengths within the minutes of two weeks", () => {
    const weeks = twoWeeksFrom(noon, createdAt(undefined));
    const each = { scheduleType: "Recurring", recurringInterval: "Minute", minute: 1 };
    const objects = Array.from({ length: 300 }, (_, index) => [
      [`testCase.a/configuration.c${index}`, { ...configuration, durationSecs: 31 + (index % 20) }] as const,
      [`testCase.a/configuration.c${index}/schedule.s`, each] as const,
    ]);
    const rows = scheduleRuns({ nodes: nodesOf({ "testCase.a": {}, ...Object.fromEntries(objects.flat()) }) }, weeks);
    expect(new Set(rows.map(({ runs }) => runs)).size).toBe(1);
    const html = calendarHtml({ weeks, rows, others: rows, otherWord: "now" });
    expect(html).toContain("peak 6,000, now 6,000");
    expect(html.length).toBeLessThan(3e6);
  });
});

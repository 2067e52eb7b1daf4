import { expect, test, vi } from "vitest";
import { Agenda, type Source } from "../../src/service/agenda.ts";
import { ServiceClock } from "../../src/service/clock.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

/** Two sources of events at seconds after the start, and what was carried out: name, and the service's second meanwhile. */
function makeAgenda(first: readonly number[], second: readonly number[]) {
  const clock = new ServiceClock({ mode: "frozen", now: start });
  const done: string[] = [];
  const source = (name: string, seconds: readonly number[]): Source => ({
    next: (after) => seconds.map((each) => start + each * 1000).find((moment) => moment > after),
    run: () => void done.push(`${name} ${(clock.now() - start) / 1000}`),
  });
  const kept: number[] = [];
  const keep = () => void kept.push(done.length);
  const agenda = new Agenda({ clock, sources: [source("a", first), source("b", second)], keep });
  return { agenda, clock, done, kept };
}

test("events are carried out in the order of their moments, each at its own, and kept one by one", () => {
  const { agenda, clock, done, kept } = makeAgenda([3], [1, 2, 4]);
  clock.move(3000);
  agenda.carryOutDue();
  expect(done).toEqual(["b 1", "b 2", "a 3"]);
  expect(kept).toEqual([1, 2, 3]);
  agenda.carryOutDue();
  expect(done).toHaveLength(3);
  expect(agenda.msToNext()).toBe(1000);
});

test("of events of one moment those of the first source come first, and those of the second are not lost", () => {
  const { agenda, clock, done } = makeAgenda([1, 2], [1, 2]);
  clock.move(2000);
  agenda.carryOutDue();
  expect(done).toEqual(["a 1", "b 1", "a 2", "b 2"]);
});

test("what lies before the start, or before a moment that was set, is never made up", () => {
  const { agenda, clock, done } = makeAgenda([-1, 0, 2, 5], []);
  agenda.carryOutDue();
  clock.set("frozen", start + 4000);
  agenda.forget();
  agenda.carryOutDue();
  expect(done).toEqual([]);
  clock.move(1000);
  agenda.carryOutDue();
  expect(done).toEqual(["a 5"]);
});

test("an overdue event is carried out at its own moment, whatever was carried out since", () => {
  const { agenda, clock, done } = makeAgenda([1], []);
  const late = new Agenda({
    clock,
    sources: [
      {
        next: () => (done.length === 0 ? start - 1000 : undefined),
        run: () => void done.push(`late ${clock.now() - start}`),
      },
    ],
    keep: () => undefined,
  });
  late.carryOutDue();
  expect(done).toEqual(["late -1000"]);
  agenda.close();
  expect(agenda.isClosed).toBe(true);
});

test("events are carried out when they fall due where nobody asks, on a clock that runs by itself", () => {
  vi.useFakeTimers({ now: start });
  try {
    const clock = new ServiceClock("real");
    const moments = [start + 2000];
    const done: number[] = [];
    const source: Source = {
      next: (after) => moments.find((moment) => moment > after),
      run() {
        done.push(clock.now() - start);
        if (done.length === 1) throw new Error("one event fails");
      },
    };
    const agenda = new Agenda({ clock, sources: [source], keep: () => undefined });
    vi.advanceTimersByTime(3000);
    expect(done).toEqual([]);
    moments.push(start + 5000, start + 40 * 24 * 3_600_000);
    agenda.attend();
    vi.advanceTimersByTime(2500);
    expect(done).toEqual([2000, 5000]);
    // What comes earlier than anything known is made known by a request.
    moments.splice(2, 0, start + 6000);
    agenda.expect();
    vi.advanceTimersByTime(1000);
    expect(done.at(-1)).toBe(6000);
    vi.advanceTimersByTime(40 * 24 * 3_600_000);
    expect(done).toHaveLength(4);
    moments.push(Date.now() + 1000);
    agenda.expect();
    agenda.close();
    vi.advanceTimersByTime(5000);
    expect(done).toHaveLength(4);
  } finally {
    vi.useRealTimers();
  }
});

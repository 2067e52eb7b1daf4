import type { Diagnostic } from "../model/diagnostic.ts";
import {
  type DeniedHours,
  dayNames,
  daySeconds,
  offsetsOf,
  parseWeekSpans,
  secondOfWeek,
  stretches,
  type WeekSpan,
  weekSeconds,
} from "../model/limits.ts";
import type { DeclaredLoad, DeclaredSchedule } from "./declared-loads.ts";
import { type LimitInput, type LimitSource, limitFinding } from "./limit-finding.ts";
import type { RunsOf } from "./week-runs.ts";

/** Planned time of a run that ends by iterations. */
const iterationSeconds = 7200;

/** Denied hours of one source. */
interface Denial {
  readonly source: LimitSource;
  readonly denied: DeniedHours;
  readonly spans: readonly WeekSpan[];
}

/** The denied hours of all sources, those that stop a command first; hours that two sources deny are named once. */
function denialsOf({ sources }: Pick<LimitInput, "sources">): readonly Denial[] {
  const strict = sources.filter(({ severity }) => severity === "error");
  const all = [...strict, ...sources.filter((source) => !strict.includes(source))].flatMap((source) =>
    (source.limits.hours ?? []).map((denied): Denial => ({ source, denied, spans: parseWeekSpans(denied.deny) ?? [] })),
  );
  return [...new Map([...all].reverse().map((each) => [wordsOf(each.denied), each])).values()].reverse();
}

function wordsOf({ deny, timeZone = "UTC" }: DeniedHours): string {
  return `${deny} ${timeZone}`;
}

/** Schedules with a run that overlaps denied hours at any offset that their zone has within a year. */
export function findDeniedHours(input: LimitInput, runsOf: RunsOf): readonly Diagnostic[] {
  return denialsOf(input).flatMap((denial) => {
    const offsets = offsetsWithinYear(denial.denied.timeZone ?? "UTC", input.now);
    return input.loads.flatMap((load) =>
      load.schedules.flatMap((schedule) => deniedSchedule(schedule, load, { denial, offsets, input, runsOf })),
    );
  });
}

function deniedSchedule(
  schedule: DeclaredSchedule,
  { seconds, isHidden }: DeclaredLoad,
  {
    denial,
    offsets,
    input,
    runsOf,
  }: Readonly<{ denial: Denial; offsets: readonly number[]; input: LimitInput; runsOf: RunsOf }>,
): readonly Diagnostic[] {
  const { starts } = runsOf(schedule, seconds ?? iterationSeconds);
  const overlap = starts.length === 0 ? undefined : firstOverlap(starts, seconds, { denial, offsets });
  if (overlap === undefined) return [];
  const { source, denied } = denial;
  const run =
    seconds === undefined
      ? "It ends by iterations, which take as long as they take, so it counts as always under way"
      : `A run from ${timeWords(overlap.start)} to ${timeWords(overlap.start + seconds)} UTC overlaps them at ${offsetWords(overlap.offset)}`;
  return [
    limitFinding(input, {
      severity: source.severity,
      code: "LF4010",
      summary: `${schedule.address} runs in hours that are denied`,
      detail: `${source.nameOf("hours")} denies ${wordsOf(denied)}. ${isHidden ? "Its times come from ${env:…}" : run}. Move the schedule, or take the hours away by an exclusion`,
      address: schedule.address,
    }),
  ];
}

/** The first run that overlaps denied hours; one of unknown length overlaps any. */
function firstOverlap(
  starts: readonly number[],
  seconds: number | undefined,
  { denial, offsets }: { readonly denial: Denial; readonly offsets: readonly number[] },
): { readonly start: number; readonly offset: number } | undefined {
  const [first = 0] = starts;
  for (const offset of offsets)
    for (const span of denial.spans) {
      if (seconds === undefined) return { start: first, offset };
      const start = startBetween(starts, span.start - offset - seconds, span.end - offset);
      if (start !== undefined) return { start, offset };
    }
  return undefined;
}

/** A start after `from` and before `to`, which are seconds of a week and of those around it; starts come again each week. */
function startBetween(starts: readonly number[], from: number, to: number): number | undefined {
  const shift = Math.floor(from / weekSeconds) * weekSeconds;
  const after = from - shift;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  const [start, again] = low < starts.length ? [starts[low] ?? 0, 0] : [starts[0] ?? 0, weekSeconds];
  return start + again + shift < to ? start : undefined;
}

/** A run from now on that overlaps denied hours, by the time of the zone as it will be then. */
export function findDeniedRun(
  { address, seconds = iterationSeconds }: DeclaredLoad,
  input: LimitInput,
): readonly Diagnostic[] {
  const end = input.now + seconds * 1000;
  return denialsOf(input).flatMap(({ source, denied, spans }) => {
    const zone = denied.timeZone ?? "UTC";
    const isDenied = stretches(zone, input.now, end).some(({ from, to, offset }) => {
      const start = secondOfWeek(from, offset);
      return spans.some((span) => startBetween([start], span.start - (to - from) / 1000, span.end) !== undefined);
    });
    if (!isDenied) return [];
    const until = new Date(end).toISOString().replace(/\.\d+Z$/, "Z");
    const detail = `${source.nameOf("hours")} denies ${wordsOf(denied)}, and a run that starts now is planned until ${until}. Start it at another time`;
    const summary = `a run of ${address} would be in hours that are denied`;
    return [limitFinding(input, { severity: source.severity, code: "LF4010", summary, detail, address })];
  });
}

/** Every offset to UTC that a zone has within a year from now, in seconds. */
function offsetsWithinYear(zone: string, now: number): readonly number[] {
  const offsetAt = offsetsOf(zone);
  // No zone has ever had an offset for less than a week.
  return [...new Set(Array.from({ length: 54 }, (_, week) => offsetAt(now + week * weekSeconds * 1000)))];
}

const two = (value: number) => String(Math.floor(value)).padStart(2, "0");

/** A second of the week: `Mon 08:00`, with seconds where there are some. */
export function timeWords(second: number): string {
  const within = second % weekSeconds;
  const ofDay = within % daySeconds;
  const seconds = ofDay % 60 === 0 ? "" : `:${two(ofDay % 60)}`;
  return `${dayNames[Math.floor(within / daySeconds)]} ${two(ofDay / 3600)}:${two((ofDay % 3600) / 60)}${seconds}`;
}

function offsetWords(offset: number): string {
  const size = Math.abs(offset);
  return offset === 0 ? "UTC" : `UTC${offset < 0 ? "-" : "+"}${two(size / 3600)}:${two((size % 3600) / 60)}`;
}

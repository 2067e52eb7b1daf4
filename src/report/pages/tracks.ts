import { asHtml } from "../../pictures/escape-html.ts";
import { type LoadStep, peakOf } from "./overlaps.ts";
import type { ScheduleRuns, TwoWeeks } from "./two-weeks.ts";

/** Minutes of two weeks are the units across; the least width at which a run is seen. */
const leastWidth = 60;

/** Height of the units down. */
const height = { run: 24, load: 60 };

/** The runs, skipped runs and windows of one schedule as a strip of two weeks. */
export function runTrack(row: ScheduleRuns, weeks: TwoWeeks, label: string): string {
  const { runs, skipped, windows, seconds = 60 } = row;
  const minutes = seconds / 60;
  const shapes = [
    bars("window", windows, { weeks, y: [0, height.run] }),
    bars(
      "skipped",
      skipped.map((at) => [at, at + minutes * 60_000] as const),
      { weeks, y: [7, 10] },
    ),
    bars(
      "run",
      runs.map((at) => [at, at + minutes * 60_000] as const),
      { weeks, y: [4, 16] },
    ),
  ];
  return track(`runs${row.state ? ` ${row.state}` : ""}`, shapes.join("") + nowLine(weeks, height.run), {
    weeks,
    height: height.run,
    label,
  });
}

/** The users at once over two weeks: the area as declared, the line as it is otherwise. */
export function loadTrack({
  after,
  before,
  weeks,
  label,
}: {
  readonly after: readonly LoadStep[];
  readonly before: readonly LoadStep[];
  readonly weeks: TwoWeeks;
  readonly label: string;
}): string {
  const peak = Math.max(1, peakOf(after), peakOf(before));
  const y = (users: number) => Math.round(height.load - 2 - (users / peak) * (height.load - 6));
  const line = (steps: readonly LoadStep[]) => {
    const points = minutesOf(steps, weeks).map(([minute, users]) => `H${minute}V${users.map(y).join("V")}`);
    return `M${minuteOf(weeks.now, weeks)} ${y(0)}${points.join("")}H${minuteOf(weeks.to, weeks)}`;
  };
  const shapes = `<path class="area" d="${line(after)}V${height.load}H${minuteOf(weeks.now, weeks)}Z"/><path class="before" d="${line(before)}"/>`;
  return track("load", shapes + nowLine(weeks, height.load), { weeks, height: height.load, label });
}

/** Steps within one minute as its most users and its last: more are not seen, and schedules have many. */
function minutesOf(steps: readonly LoadStep[], weeks: TwoWeeks): readonly (readonly [number, readonly number[]])[] {
  const drawn: [number, readonly number[]][] = [];
  for (const [at, users] of steps) {
    if (at >= weeks.to) break;
    const minute = minuteOf(at, weeks);
    const last = drawn.at(-1);
    if (last?.[0] === minute) last[1] = [Math.max(...last[1], users), users];
    else drawn.push([minute, [users]]);
  }
  return drawn;
}

function track(
  name: string,
  shapes: string,
  { weeks, height: units, label }: { readonly weeks: TwoWeeks; readonly height: number; readonly label: string },
): string {
  return `<svg class="track ${name}" viewBox="0 0 ${minuteOf(weeks.to, weeks)} ${units}" preserveAspectRatio="none" role="img" aria-label="${asHtml(label)}">${shapes}</svg>`;
}

function nowLine(weeks: TwoWeeks, units: number): string {
  return `<path class="now" d="M${minuteOf(weeks.now, weeks)} 0v${units}"/>`;
}

function minuteOf(at: number, { from }: TwoWeeks): number {
  return Math.round((at - from) / 60_000);
}

/** Spans as one path; those that would touch in the picture are drawn as one. */
function bars(
  name: string,
  spans: readonly (readonly [start: number, end: number])[],
  { weeks, y: [top, tall] }: { readonly weeks: TwoWeeks; readonly y: readonly [number, number] },
): string {
  const drawn: [number, number][] = [];
  for (const [start, end] of [...spans].sort(([left], [right]) => left - right)) {
    const from = minuteOf(start, weeks);
    const to = Math.min(Math.max(minuteOf(end, weeks), from + leastWidth), minuteOf(weeks.to, weeks));
    const last = drawn.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else drawn.push([from, to]);
  }
  if (drawn.length === 0) return "";
  return `<path class="${name}" d="${drawn.map(([from, to]) => `M${from} ${top}h${to - from}v${tall}h${from - to}z`).join("")}"/>`;
}

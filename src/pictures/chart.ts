import { formatElapsed, formatFigure } from "./figures.ts";

/** A chart over the time of a run. */
export interface ChartSpec {
  readonly title: string;
  /** Unit of the values, as the axis names it. */
  readonly unit: string;
  /** Where the time axis ends, in seconds. */
  readonly seconds: number;
  /** Moments of the values, in seconds since the start. */
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
}

/** One line of a chart; null is a gap. */
export interface ChartLine {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
  /** Told from its neighbours without its colour. */
  readonly dash?: Dash;
  /** Filled down to the axis. */
  readonly filled?: true;
}

type Tone = "users" | "requests" | "middle" | "high" | "highest" | "failures";

type Dash = "dashed" | "dotted";

/** Size of a drawing, in whatever it is drawn in; `text` is the size of its letters. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
  readonly text: number;
}

/** A chart as what a pen draws: no colours, no format. */
export interface ChartDrawing extends ChartSize {
  readonly grid: readonly Segment[];
  readonly axis: Segment;
  readonly labels: readonly Label[];
  readonly strokes: readonly Stroke[];
  readonly areas: readonly Area[];
}

export type Point = readonly [number, number];
export type Segment = readonly [Point, Point];

/** A text on a chart; `at` is its baseline. */
export interface Label {
  readonly text: string;
  readonly at: Point;
  readonly align: "start" | "middle" | "end";
}

/** A line without gaps; one point is drawn as a dot. */
export interface Stroke {
  readonly tone: Tone;
  readonly dash: Dash | undefined;
  readonly points: readonly Point[];
}

export interface Area {
  readonly tone: Tone;
  readonly points: readonly Point[];
}

/** Draws a chart: the value axis begins at 0, the time axis at the start of the run. */
export function drawChart(spec: ChartSpec, size: ChartSize): ChartDrawing {
  const values = spec.lines.flatMap((line) => line.values.filter((value) => value !== null));
  const ticks = valueTicks(Math.max(0, ...values));
  const plot = plotOf(size, ticks);
  const top = ticks.at(-1) ?? 1;
  const x = (seconds: number) =>
    twoDecimals(plot.left + ((plot.right - plot.left) * seconds) / Math.max(1, spec.seconds));
  const y = (value: number) => twoDecimals(plot.bottom - ((plot.bottom - plot.top) * value) / top);
  const runs = spec.lines.flatMap((line) => unbroken(line, spec.at).map((points) => ({ line, points })));
  const place = (points: readonly Point[]) => points.map(([at, value]): Point => [x(at), y(value)]);
  return {
    ...size,
    grid: ticks.slice(1).map(
      (tick): Segment => [
        [plot.left, y(tick)],
        [plot.right, y(tick)],
      ],
    ),
    axis: [
      [plot.left, plot.bottom],
      [plot.right, plot.bottom],
    ],
    labels: [
      ...ticks.map(
        (tick): Label => ({
          text: formatFigure(tick),
          at: [plot.left - size.text * 0.6, y(tick) + size.text * 0.35],
          align: "end",
        }),
      ),
      ...timeTicks(spec.seconds).map(
        (tick): Label => ({ text: formatElapsed(tick), at: [x(tick), plot.bottom + size.text * 1.5], align: "middle" }),
      ),
      { text: spec.unit, at: [0, size.text], align: "start" },
      { text: `time in ${spec.seconds < 3600 ? "min:s" : "h:min:s"}`, at: [size.width, size.text], align: "end" },
    ],
    strokes: runs.map(({ line, points }) => ({ tone: line.tone, dash: line.dash, points: place(points) })),
    areas: runs
      .filter(({ line, points }) => line.filled && points.length > 1)
      .map(({ line, points }) => ({ tone: line.tone, points: closed(place(points), plot.bottom) })),
  };
}

/** A chart in a sentence, for who does not see it. */
export function describeChart({ lines, unit }: ChartSpec, format: (value: number) => string): string {
  return lines.map((line) => describeLine(line, unit, format)).join(" ");
}

function describeLine({ name, values }: ChartLine, unit: string, format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return `${name}: not measured.`;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `${name}, in ${unit}: from ${format(first)} at the beginning to ${format(last)} at the end, between ${format(least)} and ${format(most)}.`;
}

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Room for the labels: the widest value at the left, half of the last moment at the right, the unit above. */
function plotOf({ width, height, text }: ChartSize, ticks: readonly number[]): Plot {
  const longest = Math.max(...ticks.map((tick) => formatFigure(tick).length));
  return {
    left: twoDecimals(text * (0.9 + 0.58 * longest)),
    right: width - text * 1.6,
    top: text * 2,
    bottom: height - text * 2.1,
  };
}

function unbroken({ values }: ChartLine, at: readonly number[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    const moment = at[index];
    if (value === null || moment === undefined) {
      isOpen = false;
      continue;
    }
    if (isOpen) runs.at(-1)?.push([moment, value]);
    else runs.push([[moment, value]]);
    isOpen = true;
  }
  return runs;
}

function closed(points: readonly Point[], bottom: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  return first && last ? [[first[0], bottom], ...points, [last[0], bottom]] : points;
}

/** Round values from 0 to beyond the greatest one, about four steps. */
function valueTicks(greatest: number): readonly number[] {
  if (!(greatest > 0)) return [0, 1];
  const rough = greatest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.ceil(greatest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const timeSteps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** Round moments from the start to the end of a run, at most seven. */
function timeTicks(seconds: number): readonly number[] {
  const step = timeSteps.find((each) => seconds / each <= 6) ?? 86_400 * Math.ceil(seconds / 86_400 / 6);
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}

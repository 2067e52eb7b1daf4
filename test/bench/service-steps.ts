import { join } from "node:path";
import { run } from "./measure.ts";
import type { Row } from "./table.ts";

/** What one step of service-steps.js took. */
interface Step {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** createService() in a process of its own: the first, and one of many. */
export async function measureCreating(): Promise<readonly Row[]> {
  const { first, repeated } = await inBareNode<{ readonly first: Step; readonly repeated: Step }>("create");
  return [
    ...rowsOf("createService(), the first", first, { atMost: 5 }),
    ...rowsOf("createService(), repeated", repeated, { atMost: 5 }),
  ];
}

/** GETs of one object in process, with the text of each answer. */
export async function measureDirectGets(): Promise<readonly Row[]> {
  const { count, gets } = await inBareNode<{ readonly count: number; readonly gets: Step }>("gets");
  const perSecond = (ms: number) => (count / ms) * 1000;
  return [
    { what: "GETs in process, wall", value: perSecond(gets.wallMs), unit: "per s", goal: { atLeast: 5000 } },
    { what: "the same, per second of CPU", value: perSecond(gets.cpuMs), unit: "per s" },
  ];
}

/** A run of a million iterations: a thousand users, a thousand each. */
export async function measureMillion(): Promise<readonly Row[]> {
  const measured = await inBareNode<{ readonly million: Step; readonly iterations: number }>("million");
  expectIterations(measured.iterations, 1_000_000);
  return [
    ...secondRows("a million simulated iterations", measured.million, { atMost: 2 }),
    { what: "the same, greatest memory of the process", value: measured.rssMb, unit: "MB", goal: { atMost: 200 } },
  ];
}

interface Hour {
  readonly hour: Step;
  readonly iterations: number;
  /** Each page that is read, as long as the run is in memory. */
  readonly read: Readonly<Record<"summary" | "metric" | "intervals" | "page" | "csv" | "raw", Step>>;
  /** The intervals, when the run has to be simulated again. */
  readonly again: Step;
}

/** A run of an hour with a thousand users in each of ten regions, and what it takes to read its results. */
export async function measureHour(): Promise<readonly Row[]> {
  const { hour, iterations, read, again } = await inBareNode<Hour>("hour");
  expectIterations(iterations, 1_200_000);
  const { raw, csv, ...wanted } = read;
  const together = (of: "wallMs" | "cpuMs") => Object.values(wanted).reduce((sum, step) => sum + step[of], 0);
  const whole = { wallMs: together("wallMs"), cpuMs: together("cpuMs") };
  return [
    ...secondRows("an hour of 10,000 users in 10 regions, simulated", hour),
    ...secondRows("its summary, a metric, intervals, a page of suites", whole, { atMost: 1 }),
    ...secondRows("of these: the intervals", wanted.intervals),
    ...secondRows("of these: the page, 1,000 rows from 50,000", wanted.page),
    ...secondRows("the page as CSV", csv),
    ...secondRows("its raw results, 100,000 rows as CSV", raw),
    ...secondRows("its intervals after a restart", again),
  ];
}

function expectIterations(found: number, expected: number): void {
  if (found !== expected) throw new Error(`found ${found} iterations; expected ${expected}`);
}

/** Runs one of the steps of service-steps.js with nothing else in the process. */
async function inBareNode<R>(steps: string): Promise<R & { readonly rssMb: number }> {
  const here = import.meta.dirname;
  const args = ["--require", join(here, "report-usage.cjs"), join(here, "service-steps.js"), steps];
  const { stdout, used } = await run(process.execPath, args);
  return { ...(JSON.parse(stdout) as R), rssMb: (JSON.parse(used) as { readonly rssMb: number }).rssMb };
}

function rowsOf(what: string, { wallMs, cpuMs }: Step, goal: Row["goal"]): readonly Row[] {
  return [
    { what: `${what}, wall`, value: wallMs, unit: "ms", ...(goal && { goal }) },
    { what: "the same, CPU", value: cpuMs, unit: "ms" },
  ];
}

function secondRows(what: string, { wallMs, cpuMs }: Step, goal?: Row["goal"]): readonly Row[] {
  return [
    { what: `${what}, wall`, value: wallMs / 1000, unit: "s", ...(goal && { goal }) },
    { what: "the same, CPU", value: cpuMs / 1000, unit: "s" },
  ];
}

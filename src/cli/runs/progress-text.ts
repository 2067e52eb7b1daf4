import { valueText } from "../../report/runs/run-words.ts";
import type { Palette } from "../../report/terminal-text.ts";
import type { RunProgress } from "../../run/follow-run.ts";

/** A run under way in two lines, and one for each of its KPIs: state, time, users, rate, percentiles, failures. */
export function verdictBar(
  name: string,
  { state, elapsedSecs, planned, interval, kpis, isOutOfReach }: RunProgress,
  palette: Palette,
): readonly string[] {
  const word = isOutOfReach
    ? "out of reach"
    : state.running
      ? "running"
      : state.startedAt === undefined
        ? "waiting"
        : "ending";
  const head = `${palette.bold(name)} ${word}, ${Math.round(elapsedSecs)} s of ${planned.secs} s`;
  const figures =
    interval &&
    [
      `${number(interval.users)} users`,
      `${number(interval.requestsPerSec)} requests/s`,
      `p50 ${number(interval.p50)} ms`,
      `p95 ${number(interval.p95)} ms`,
      `failed ${number(interval.failedPercent)} %`,
    ].join(", ");
  const checks = kpis.map(({ expr, value, unit, ok }) => {
    const sign = ok ? palette.green("✓") : palette.red("✗");
    return `  ${sign} ${expr}: ${valueText(value, unit)}`;
  });
  return [head, ...(figures ? [`  ${figures}`] : []), ...checks];
}

function number(value: number | null): string {
  return value === null ? "–" : new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 }).format(value);
}

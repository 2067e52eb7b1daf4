import { valueText } from "../../report/runs/run-words.ts";
import type { Palette } from "../../report/terminal-text.ts";
import { cleanLine } from "../../report/terminal-text.ts";
import type { RunProgress } from "../../run/follow-run.ts";

/** A run under way in two lines, and one for each of its KPIs: state, time, users, rate, percentiles, failures. */
export function progressLines(
  name: string,
  { state, elapsedSecs, planned, interval, kpis, isOutOfReach }: RunProgress,
  { palette, width }: { readonly palette: Palette; readonly width: number },
): readonly string[] {
  const under = state.running ? "running" : state.startedAt === undefined ? "waiting" : "ending";
  const time = ` ${isOutOfReach ? "out of reach" : under}, ${Math.round(elapsedSecs)} s of ${planned.secs} s`;
  const figures =
    interval &&
    [
      `${plainNumber(interval.users)} users`,
      `${plainNumber(interval.requestsPerSec)} requests/s`,
      `p50 ${plainNumber(interval.p50)} ms`,
      `p95 ${plainNumber(interval.p95)} ms`,
      `failed ${plainNumber(interval.failedPercent)} %`,
    ].join(", ");
  const checks = kpis.map(({ expr, value, unit, ok }) => {
    const text = cleanLine(`${expr}: ${valueText(value, unit)}`, width - 4);
    return `  ${ok ? palette.green("✓") : palette.red("✗")} ${text}`;
  });
  const head = `${palette.bold(cleanLine(name, Math.max(8, width - time.length)))}${time}`;
  return [head, ...(figures ? [cleanLine(`  ${figures}`, width)] : []), ...checks];
}

function plainNumber(value: number | null): string {
  return value === null ? "–" : new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 }).format(value);
}

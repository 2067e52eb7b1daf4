import { resolve } from "node:path";
import { hasErrors } from "../../model/diagnostic.ts";
import { momentOf } from "../../model/recurrence.ts";
import { type ReportFlags, reportProject } from "../../project/runs/report-project.ts";
import { type Command, type CommandInput, projectFlags } from "../command.ts";
import { exitOfRuns, showResults } from "../runs/show-results.ts";
import { systemOf } from "../system-of.ts";
import { startWaiting } from "../views/live-line.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { baselineOf } from "./run.ts";

/** `loadform report`: runs that are there, judged by today's gates and shown beside each other. It starts nothing. */
export const report: Command = async (input) => {
  const { terminal, args, argv, cwd, flags } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const asked = reportFlags(input, Date.now());
  if ("problem" in asked)
    return reportRefusal(terminal, argv, [{ severity: "error", code: "LF9001", ...asked.problem }]);
  const waiting = startWaiting(terminal, "reading the runs");
  const outcome = await reportProject(asked, systemOf(input)).finally(waiting.stop);
  const problems = [...outcome.diagnostics, ...outcome.blocked];
  const unsaved = await showResults(input, outcome, { problems, root });
  if (outcome.blocked.length > 0) return 3;
  const isGate = (flags.gate ?? flags.kpi ?? []).length > 0;
  return hasErrors(unsaved) ? 1 : exitOfRuns(outcome, isGate, true);
};

function reportFlags(
  input: CommandInput,
  now: number,
): ReportFlags | { readonly problem: { readonly summary: string; readonly detail: string } } {
  const { flags, args } = input;
  const executions = (flags.execution ?? []).map(Number);
  if (flags.execution?.some((id) => !/^\d+$/.test(id)))
    return { problem: { summary: "--execution takes an id", detail: `Found ${flags.execution?.join(", ")}` } };
  const baseline = baselineOf(flags.baseline);
  if ("problem" in baseline && baseline.problem !== undefined) return { problem: baseline.problem };
  const since = flags.since === undefined ? undefined : sinceOf(flags.since, now);
  if (flags.since !== undefined && since === undefined)
    return {
      problem: {
        summary: "--since cannot be read",
        detail: `Found ${JSON.stringify(flags.since)}; expected 24h, 7d, or a date such as 2026-11-24`,
      },
    };
  return {
    ...projectFlags(input, args[0]),
    ...{ gates: flags.gate ?? [], configurations: flags.configuration ?? [], kpis: flags.kpi ?? [], tags: [] },
    ...("baseline" in baseline && { baseline: baseline.baseline }),
    executions,
    ...(flags.last !== undefined && { last: flags.last }),
    ...(since !== undefined && { since }),
    isDetailed: true,
  };
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `24h`, `7d` or a date, as epoch milliseconds. */
function sinceOf(text: string, now: number): number | undefined {
  const [, count, unit = ""] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const span = unitMs[unit];
  if (count !== undefined && span !== undefined) return Math.max(0, now - Number(count) * span);
  // A bare number is a year, a month or a forgotten unit to different readers.
  const moment = /^\d{4}-\d\d/.test(text) ? momentOf(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment);
}

import type { ApplyCounts } from "../../apply/events.ts";
import type { AppliedProject } from "../../project/several/apply-projects.ts";
import { nothingDone } from "../../report/events-json.ts";
import { type ProjectRow, projectsSentence, projectsTable } from "../../report/projects/projects-table.ts";
import type { Palette } from "../../report/terminal-text.ts";

const columns = ["Created", "Updated", "Deleted", "Failed", "Not attempted"];

/** The table of an apply of several projects. */
export function appliedTable(projects: readonly AppliedProject[], palette: Palette): string {
  const rows = projects.map(rowOf);
  return `${projectsTable(rows, { columns, always: columns.slice(0, 3), palette })}${projectsSentence(rows)}\n`;
}

/** The counts of all projects together. */
export function totalOf(projects: readonly AppliedProject[]): ApplyCounts {
  const names = Object.keys(nothingDone) as (keyof ApplyCounts)[];
  const counts = projects.map(countsOf);
  return Object.fromEntries(
    names.map((name) => [name, counts.reduce((sum, each) => sum + each[name], 0)]),
  ) as unknown as ApplyCounts;
}

/** The counts of a project; of one that was never begun, its changes were not attempted. */
export function countsOf(project: AppliedProject): ApplyCounts {
  if ("ended" in project) return project.ended.counts ?? nothingDone;
  const { plan } = project.outcome;
  return project.became === "declined" ? nothingDone : { ...nothingDone, not_attempted: plan?.changes.length ?? 0 };
}

const results = {
  nothing: "unchanged",
  applied: "applied",
  partial: "applied in part",
  declined: "not confirmed",
  blocked: "blocked",
  stale: "stale",
  locked: "locked",
  failed: "failed",
  interrupted: "interrupted",
} as const;

function rowOf(project: AppliedProject): ProjectRow {
  const { dir, name, environment } = project;
  const { create, update, delete: deleted, failed, not_attempted } = countsOf(project);
  const head = { dir, name, environment, counts: [create, update, deleted, failed, not_attempted] };
  if (project.became === "not-attempted") return { ...head, result: "not attempted", mood: "stopped" };
  const status = "ended" in project ? project.ended.status : project.became;
  const result = project.became === "left-out" ? `left out (${results[status]})` : results[status];
  const isDone = status === "nothing" || status === "applied";
  return { ...head, result, mood: isDone ? "done" : "stopped" };
}

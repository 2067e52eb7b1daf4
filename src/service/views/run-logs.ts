import type { ExecutionRecord, IterationPlace } from "../store/records/executions.ts";
import type { View } from "./stamp.ts";

/** API 2, Executions: the log of a run. DECISION (API 2, GET /executions/:id/logs): the lines of all iterations of a run that is really made, else the probe iteration's, as client 0 of the first region, iteration 0, and what ended the run. */
export function viewLogs(row: ExecutionRecord): readonly View[] {
  const [region] = row.regions;
  const start = Date.parse(row.startedAt ?? row.createdAt);
  const place = {
    executionRegionId: region?.id ?? null,
    agent: region?.chunks[0]?.agent ?? null,
    globalClientIndex: 0,
    iteration: 0,
  };
  const lines = row.probe?.logs ?? [];
  const written = lines.map(({ level, message, atMs, of }) => ({
    level,
    message,
    timestamp: start + Math.round(atMs),
    ...(of ? userColumns(row, of) : place),
  }));
  return [
    ...written,
    ...endLines(row).map((message) => ({
      level: "Info",
      message,
      timestamp: Date.parse(row.finishedAt ?? ""),
      ...place,
    })),
  ];
}

/** Whose line it is in a run that was really made. */
function userColumns({ regions }: ExecutionRecord, { regionId, user, iteration }: IterationPlace): View {
  const at = regions.findIndex(({ id }) => id === regionId);
  const before = regions.slice(0, Math.max(0, at)).reduce((sum, { concurrentClients }) => sum + concurrentClients, 0);
  const agent = regions[at]?.chunks[0]?.agent ?? null;
  return { executionRegionId: regionId, agent, globalClientIndex: before + user, iteration };
}

function endLines(row: ExecutionRecord): readonly string[] {
  if (row.finishedAt === null) return [];
  if (row.results?.stoppedBy) return [`The run was stopped: ${row.results.stoppedBy}`];
  if (row.cancelledByUser) return ["The run was stopped by a user"];
  return row.limitBreached ? ["The account maximum was reached"] : [];
}

/** One line each. */
export function logText(row: ExecutionRecord): string {
  return viewLogs(row)
    .map(({ timestamp, level, message }) => `${new Date(Number(timestamp)).toISOString()} ${level} ${message}\n`)
    .join("");
}

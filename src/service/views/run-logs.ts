import type { ExecutionRecord } from "../store/records/executions.ts";
import type { View } from "./stamp.ts";

/** API 2, Executions: the log of a run. DECISION (API 2, GET /executions/:id/logs): the probe iteration's lines, as client 0 of the first region, iteration 0, and what ended the run. */
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
  const written = lines.map(({ level, message, atMs }) => ({
    level,
    message,
    timestamp: start + Math.round(atMs),
    ...place,
  }));
  return [
    ...written,
    ...endOf(row).map((message) => ({ level: "Info", message, timestamp: Date.parse(row.finishedAt ?? ""), ...place })),
  ];
}

function endOf(row: ExecutionRecord): readonly string[] {
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

import { fileFacts } from "../core/csv-rows.ts";
import type { Scope } from "../core/scope.ts";
import { type BegunExecution, hasBegun } from "../core/simulations.ts";
import type { ExecutionRecord, RunFileRecord, RunTestRecord } from "../store/records/executions.ts";
import type { View } from "../views/stamp.ts";
import { type RunClient, RunClients } from "./run-clients.ts";

/** API 2, Output-file filters. */
export interface OutputFileFilter {
  readonly limit: number;
  readonly offset: number;
  readonly since?: number | string;
  readonly until?: number | string;
  readonly contentType?: string;
  /** Ids of agents, with commas. */
  readonly agent?: string;
  /** Ids of execution regions, with commas. */
  readonly regions?: string;
  readonly client?: number;
  readonly iteration?: number;
  readonly failuresOnly: boolean;
}

/** A file that a run wrote, and by whom. */
export interface OutputFile {
  readonly row: BegunExecution;
  readonly file: RunFileRecord;
  readonly client: RunClient;
  readonly iterationId: string;
  readonly iteration: number;
  /** Epoch milliseconds. */
  readonly capturedAt: number;
}

/**
 * The files of a run, in the order in which they were written. DECISION (API 2, Executions: output files): they are those of the
 * iterations of a run that was really made, else of the probe iteration, which is iteration 0 of client 0 in the first region's first chunk; there are none before the run has begun.
 */
export function outputFiles(row: ExecutionRecord): readonly OutputFile[] {
  const [region] = row.regions;
  if (!hasBegun(row) || row.probe === null || region === undefined) return [];
  const clients = new RunClients(row);
  const start = Date.parse(row.startedAt);
  const first = { regionId: region.id, user: 0, iteration: 0 };
  return row.probe.files.map((file) => {
    const place = file.of ?? first;
    const client = clients.of(place.regionId, place.user);
    const iterationId = clients.iterationId(place);
    return { row, file, client, iterationId, iteration: place.iteration, capturedAt: Math.round(start + file.atMs) };
  });
}

/** API 2, Output-file filters: all of them hold, then `offset` and `limit`. DECISION (API 2, Output-file filters: contentType): the whole MIME type, in any case. */
export function filterFiles(files: readonly OutputFile[], filter: OutputFileFilter): readonly OutputFile[] {
  const { since, until, contentType, limit, offset } = filter;
  const found = files.filter(
    (each) =>
      isOf(each, filter) &&
      (since === undefined || each.capturedAt >= Number(since)) &&
      (until === undefined || each.capturedAt < Number(until)) &&
      (contentType === undefined || each.file.type.toLowerCase() === contentType.toLowerCase()) &&
      (!filter.failuresOnly || isRelatedToFailure(each)),
  );
  return found.slice(offset, limit < 0 ? undefined : offset + limit);
}

/** True for a file of the runner, region, user and iteration that are asked for. */
function isOf(
  { client, iteration: made }: OutputFile,
  { agent, regions, client: user, iteration }: OutputFileFilter,
): boolean {
  return (
    isAmong(client.chunk?.agent ?? "", agent) &&
    isAmong(String(client.region.id), regions) &&
    (user === undefined || user === client.inRun) &&
    (iteration === undefined || iteration === made)
  );
}

function isAmong(id: string, list: string | undefined): boolean {
  return list === undefined || list.split(",").some((each) => each.trim() === id);
}

export function isImage({ file }: OutputFile): boolean {
  return file.type.startsWith("image/");
}

/** API 2, Output-file filters: whether its iteration has assertion errors. */
function isRelatedToFailure(output: OutputFile): boolean {
  return testsBeside(output).some(({ state }) => state === "failed");
}

/** The tests of the iteration that wrote a file. */
function testsBeside({ row, file }: OutputFile): readonly RunTestRecord[] {
  const place = JSON.stringify(file.of);
  return (row.probe?.tests ?? []).filter(({ of }) => JSON.stringify(of) === place);
}

/** The result of comparing an image. */
export interface FoundDifference {
  /** The configuration compares images. */
  readonly expectDiff: boolean;
  readonly diffPercent: number | null;
  readonly diffDataStore: View | null;
}

/**
 * API 2, Output file. DECISION (API 2, Output file: links): all three lead to the download, which needs the key; no thumbnail is
 * drawn. `suiteTestResultId` is the number, from 1, of the test of its iteration during which the file was written.
 */
export function viewOutputFile(output: OutputFile, difference: FoundDifference, scope: Scope): View {
  const { row, file, client, iterationId } = output;
  const at = new Date(output.capturedAt).toISOString();
  const url = `/api/executions/${row.id}/output-files/${file.id}/download`;
  const location = scope.store.get("region", client.region.regionId ?? -1)?.location;
  return {
    id: file.id,
    createdAt: at,
    updatedAt: at,
    firstVersion: true,
    capturedAt: at,
    name: file.name,
    type: file.type,
    charset: charsetOf(file),
    size: file.size,
    url,
    viewUrl: url,
    thumbnailUrl: isImage(output) ? url : null,
    executionId: row.id,
    executionRegionId: client.region.id,
    regionId: client.region.regionId,
    locationId: location?.id ?? null,
    chunkId: client.chunk?.id ?? null,
    chunkIndex: client.chunkIndex,
    concurrentClientIndex: client.inChunk,
    globalConcurrentClientIndex: client.inRun,
    regionalConcurrentClientIndex: client.inRegion,
    iteration: output.iteration,
    ...difference,
    suiteTestResultId: testOf(output),
    threadId: client.threadId,
    iterationId,
    isImage: isImage(output),
    isRelatedToFailure: isRelatedToFailure(output),
    agentId: client.chunk?.agent ?? null,
  };
}

/** The charset of a text; null for other files. */
export function charsetOf({ name, contents, type }: RunFileRecord): string | null {
  return type.startsWith("image/") ? null : fileFacts(name, contents).charset;
}

function testOf(output: OutputFile): number | null {
  const { file } = output;
  const index = testsBeside(output).findIndex(
    ({ startedMs, finishedMs }) => startedMs <= file.atMs && file.atMs <= finishedMs,
  );
  return index < 0 ? null : index + 1;
}

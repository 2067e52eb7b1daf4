import type { Scope } from "../core/scope.ts";
import { hasBegun } from "../core/simulations.ts";
import { isAnswered, responseCode } from "../runs/measure-run.ts";
import { type ReplayedRequest, replayRequests } from "../runs/replay-run.ts";
import type { ModelRequest } from "../runs/run-plan.ts";
import type { View } from "../views/stamp.ts";
import { type DownloadedPart, mostRows, replayedRun } from "./downloaded-run.ts";
import { RunClients } from "./run-clients.ts";

/** Columns of the raw results: whose request it was, what was requested, then one for each metric of a request. */
export const resultColumns: readonly string[] = [
  ...["timestamp", "executionRegionId", "regionName", "agent", "chunkId", "globalClientIndex", "iteration"],
  ...["connectionId", "threadId", "resource", "url"],
  ...["count", "bandwidth", "bytesSent", "bytesReceived"],
  ...["dnsLookupMs", "connectionOpenMs", "firstReceivedMs", "connectionCloseMs"],
  ...["outcome", "responseCode", "httpContentType"],
];

/**
 * DECISION (API 2, download routes: raw unaggregated results): one row for each request that ended, in the order in which they
 * did, which is what `timestamp` says in epoch milliseconds; a histogram is the bucket that the request fell into. What scripts
 * report by themselves belongs to no request and is not among them.
 */
export function rawResults({ row, regionId, requests: wanted }: DownloadedPart, scope: Scope): readonly View[] {
  if (!hasBegun(row)) return [];
  const clients = new RunClients(row);
  const start = Date.parse(row.startedAt);
  const { requests } = scope.simulations.of(row).plan.iteration;
  const found = replayRequests(replayedRun(row, scope), {
    most: mostRows,
    isWanted: (each) =>
      (regionId === undefined || each.regionId === regionId) && (wanted === undefined || wanted.includes(each.request)),
  });
  return found.flatMap((each): readonly View[] => {
    const request = requests[each.request];
    if (request === undefined) return [];
    const { region, chunk, inRun, threadId } = clients.of(each.regionId, each.user);
    const { failed, firstReceivedMs } = each;
    const answer = each.answer ?? modelled(request, each);
    return [
      {
        timestamp: Math.round(start + each.endedMs),
        executionRegionId: each.regionId,
        regionName: region.regionName,
        agent: chunk?.agent ?? null,
        chunkId: chunk?.id ?? null,
        globalClientIndex: inRun,
        iteration: each.iteration,
        connectionId: each.answer?.connectionId ?? clients.connectionId(each),
        threadId,
        resource: request.resource,
        url: answer.url,
        count: 1,
        bandwidth: answer.bytesSent + answer.bytesReceived,
        bytesSent: answer.bytesSent,
        bytesReceived: answer.bytesReceived,
        dnsLookupMs: micros(firstReceivedMs * request.dnsShare),
        connectionOpenMs: answer.openMs === null ? null : micros(answer.openMs),
        firstReceivedMs: micros(firstReceivedMs),
        connectionCloseMs: micros(answer.closeMs),
        outcome: failed ? "failure" : "success",
        ...headFigures(request, failed),
      },
    ];
  });
}

/** Status and content type of an answer; a modelled failure has no body. */
function headFigures(request: ModelRequest, failed: boolean) {
  const { status, contentType } = request;
  return {
    responseCode: status === 0 ? null : responseCode(request, failed),
    httpContentType: !isAnswered(request, failed) || contentType === "" ? null : contentType,
  };
}

/** The answer to a request as the model computes it. */
function modelled(request: ModelRequest, { failed, firstReceivedMs }: ReplayedRequest) {
  const { url, bytesSent, openShare, closeShare } = request;
  return {
    url,
    bytesSent,
    bytesReceived: isAnswered(request, failed) ? request.bytesReceived : 0,
    openMs: firstReceivedMs * openShare,
    closeMs: firstReceivedMs * closeShare,
  };
}

/** Milliseconds, rounded to microseconds. */
function micros(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

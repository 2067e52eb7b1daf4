import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { RecordingRecord } from "../store/records/gateways.ts";
import { type HttpHeaders, headersOf } from "./http-headers.ts";
import { KeptBytes } from "./kept-bytes.ts";
import {
  type Connection,
  type ReceivedAnswer,
  recordEnd,
  recordSent,
  roomLeft,
  type SentRequest,
} from "./record-traffic.ts";
import { requireRunning, stopRecording } from "./run-recording.ts";
import { plainAddress, sendToTarget, unreachable } from "./send-to-target.ts";
import { type TargetAddress, targetAddress, targetUrl } from "./target-address.ts";
import { writeRecordedScenario } from "./write-recorded-scenario.ts";

/** A GET that was carried out for a recording. */
export interface LoadedPage {
  readonly connection: Connection;
  readonly request: SentRequest;
  readonly answer: ReceivedAnswer;
}

/** Where a path relative to the gateway's url is: of its primary key (API 1, GET /recordings/:id/load). */
export function pageAddress(recording: RecordingRecord, path: string, scope: Scope): TargetAddress {
  const keys = scope.store.get("gateway", recording.gatewayId)?.keys ?? [];
  const base = keys.find((each) => each.isPrimary)?.url;
  if (base === undefined) throw new Refusal(409, "the gateway of this recording has no primary key; expected one");
  if (path.trim() === "" || /^[a-z][a-z\d+.-]*:|^\/\/|\p{Cc}/iu.test(path)) {
    scope.findings.add("path", `found "${path}"; expected a path relative to the gateway's url, such as /items`);
    scope.findings.check();
  }
  return targetAddress(base, encodeURI(path.replace(/#.*/, "")).replace(/%25([\da-f]{2})/gi, "%$1"), scope.settings);
}

/** Asks the target for a page; 400 where it cannot be reached. */
export async function loadPage(address: TargetAddress, recording: RecordingRecord, scope: Scope): Promise<LoadedPage> {
  const headers: HttpHeaders = [
    ["Host", address.host],
    ["Accept", "*/*"],
    ["Connection", "close"],
  ];
  const now = () => scope.store.now();
  try {
    const call = { address, method: "GET", headers, clientIp: plainAddress("127.0.0.1"), now };
    const { stream, answer, connection } = await sendToTarget(call);
    stream.end();
    const received = await answer;
    const kept = new KeptBytes(roomLeft(recording, scope));
    for await (const chunk of received) kept.add(chunk);
    const request = { method: "GET", path: address.path, headers, body: new KeptBytes(0).body() };
    const { statusCode = 0, statusMessage = "", rawHeaders } = received;
    const head = { status: statusCode, statusText: statusMessage, headers: headersOf(rawHeaders) };
    return { connection: connection(), request, answer: { ...head, body: kept.body() } };
  } catch (thrown) {
    throw new Refusal(400, unreachable(thrown, address));
  }
}

/** Adds what was loaded to a recording that still runs. */
export function addLoadedPage(recording: RecordingRecord, page: LoadedPage, scope: Scope): void {
  requireRunning(recording);
  const opened = recordSent(recording.id, page, scope);
  if (opened) recordEnd(opened, { answer: page.answer, reason: "ServerInitiated" }, scope);
}

/** Adds the step of a page that a browser would load. */
export function addBrowserLoad(recording: RecordingRecord, address: TargetAddress, scope: Scope): void {
  const after = scope.store.where("traffic", "recordingId", recording.id).at(-1)?.id ?? 0;
  const load = { at: scope.store.now(), url: targetUrl(address), after };
  const browserLoads = [...(recording.browserLoads ?? []), load];
  writeRecordedScenario(scope.store.update("recording", recording.id, { browserLoads }), scope);
}

/** Ends a recording once what was asked for has been added. */
export function endIfAsked(id: number, endRecording: boolean, scope: Scope): void {
  const row = scope.store.get("recording", id);
  if (endRecording && row) stopRecording(row, scope);
}

import type { Scope } from "../core/scope.ts";
import type { RecordingRecord, TrafficRecord } from "../store/records/gateways.ts";
import type { Stored } from "../store/records/stored.ts";
import { type HttpHeaders, headerText, maskedHeaders } from "./http-headers.ts";
import { writeRecordedScenario } from "./write-recorded-scenario.ts";

/** Who was connected with whom, and since when. */
export interface Connection {
  readonly clientIp: string;
  readonly serverIp: string;
  readonly ssl: boolean;
  readonly openedAt: string;
}

/** The bytes of a body; undefined when they were not kept. */
export interface KeptBody {
  readonly bytes: Uint8Array | undefined;
  readonly length: number;
}

/** A request as it was sent to the target. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly body: KeptBody;
}

/** The target's answer, as far as it arrived. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HttpHeaders;
  readonly body: KeptBody;
}

export type CloseReason = "ServerInitiated" | "ClientInitiated" | "Error";

/** The recording that runs on a gateway. */
export function runningRecording(gatewayId: number, { store }: Scope): RecordingRecord | undefined {
  return store.where("recording", "gatewayId", gatewayId).find((each) => each.running);
}

/** Records that a connection was opened and a request sent; undefined when the recording has ended meanwhile. Its scenario is made anew. */
export function recordSent(
  recordingId: number,
  { connection, request }: { readonly connection: Connection; readonly request: SentRequest },
  scope: Scope,
): TrafficRecord | undefined {
  const recording = runningById(recordingId, scope);
  if (recording === undefined) return undefined;
  const { method, path, headers, body } = request;
  const { openedAt, ...ends } = connection;
  const ids = { recordingId, connectionId: connectionId(scope), ...ends };
  const opened = scope.store.insert("traffic", {
    ...silent,
    ...ids,
    trafficType: "ConnectionOpened",
    trafficTimestamp: openedAt,
  });
  const head = { httpMethod: method, httpPath: path };
  addPacket(
    opened,
    { trafficType: "DataSent", ...head },
    { start: `${method} ${path} HTTP/1.1`, headers, body },
    scope,
  );
  const { trafficConnections } = recording;
  const counted = scope.store.update("recording", recordingId, { trafficConnections: trafficConnections + 1 });
  writeRecordedScenario(counted, scope);
  return opened;
}

/** Records what came back and why the connection was closed, unless the recording has ended meanwhile. */
export function recordEnd(
  opened: TrafficRecord,
  { answer, reason }: { readonly answer?: ReceivedAnswer | undefined; readonly reason: CloseReason },
  scope: Scope,
): void {
  if (!isStillRecorded(opened, scope)) return;
  if (answer) {
    const { status, statusText, headers, body } = answer;
    const head = { httpStatus: status, httpStatusText: statusText };
    const start = `HTTP/1.1 ${status} ${statusText}`;
    addPacket(opened, { trafficType: "DataReceived", ...head }, { start, headers, body }, scope);
  }
  const closed = { ...silent, ...endsOf(opened), trafficType: "ConnectionClosed", closeReason: reason } as const;
  scope.store.insert("traffic", { ...closed, trafficTimestamp: scope.store.now() });
}

/** Bytes that a recording still keeps; 0 where none runs. */
export function roomLeft(recording: RecordingRecord | undefined, { settings }: Scope): number {
  return recording ? Math.max(0, settings.recordingCap - recording.trafficSizeBytes) : 0;
}

/** The fields of a packet without data. */
const silent = {
  length: 0,
  httpMethod: null,
  httpPath: null,
  httpHeaders: null,
  httpStatus: null,
  httpStatusText: null,
  closeReason: null,
  data: null,
};

type Data = Pick<SentRequest, "headers" | "body"> & { readonly start: string };
type Head = Pick<TrafficRecord, "trafficType"> & Partial<Omit<TrafficRecord, keyof Stored>>;

/**
 * DECISION (API 1, Traffic packet: length, httpHeaders): a packet counts the bytes of head and body. Of credentials and
 * cookies among its headers nothing is stored, so that no snapshot and no data file holds them; setting `recordedSecrets: keep` stores them.
 */
function addPacket(opened: TrafficRecord, head: Head, { start, headers, body }: Data, scope: Scope): void {
  const text = headerText(headers);
  const isKept = scope.settings.recordedSecrets === "keep";
  const stored = isKept ? text : headerText(maskedHeaders(headers, scope.settings));
  const length = Buffer.byteLength(`${start}\r\n${text}\r\n\r\n`, "latin1") + body.length;
  const recording = runningById(opened.recordingId, scope);
  if (recording === undefined) return;
  const { settings, store } = scope;
  const size = recording.trafficSizeBytes + length;
  const row = store.insert("traffic", {
    ...silent,
    ...endsOf(opened),
    ...head,
    length,
    httpHeaders: stored,
    trafficTimestamp: store.now(),
    data: body.bytes && size <= settings.recordingCap ? Buffer.from(body.bytes).toString("base64") : null,
  });
  if (stored !== text) scope.packets.headers.set(row, text);
  store.update("recording", recording.id, { trafficSizeBytes: size, ...breach(size, scope) });
}

/** DECISION (API 1, States: Recording, limitBreached): the packet that leads beyond the cap ends the recording; it is counted, its body is not kept. */
function breach(size: number, { settings, store }: Scope): Partial<RecordingRecord> {
  return size > settings.recordingCap ? { running: false, finishedAt: store.now(), limitBreached: true } : {};
}

function endsOf({ recordingId, connectionId, clientIp, serverIp, ssl }: TrafficRecord) {
  return { recordingId, connectionId, clientIp, serverIp, ssl };
}

function runningById(id: number, { store }: Scope): RecordingRecord | undefined {
  const recording = store.get("recording", id);
  return recording?.running ? recording : undefined;
}

/** A state may have been restored meanwhile in which another connection has that number. */
function isStillRecorded(opened: TrafficRecord, scope: Scope): boolean {
  const known = scope.store.get("traffic", opened.id);
  return known?.connectionId === opened.connectionId && runningById(opened.recordingId, scope) !== undefined;
}

/** A UUID of its own for each connection, the same for the same calls. */
function connectionId({ store, digest }: Scope): string {
  const hex = digest(`connection ${store.takeId("connection")}`);
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

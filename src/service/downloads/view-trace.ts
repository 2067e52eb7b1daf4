import type { JsonValue } from "../../api/routes.ts";
import { isAnswered } from "../runs/measure-run.ts";
import { present, type View } from "../views/stamp.ts";
import type { ZipEntry } from "./make-zip.ts";
import type { Trace } from "./traces.ts";

/** DECISION (API 2, GET /execution-traces/:id): id, resource, status (the response code), the moment at which it ended, its connection and its packets, as those of a recording. */
export function viewTrace(trace: Trace): View {
  return { ...traceHead(trace), packets: packetsOf(trace) };
}

/** API 2, traces.zip: of each trace one JSON file, and one of its packets. */
export function traceEntries(trace: Trace): readonly ZipEntry[] {
  return [
    { name: `trace-${trace.id}.json`, bytes: jsonBytes(traceHead(trace)) },
    { name: `trace-${trace.id}-packets.json`, bytes: jsonBytes(packetsOf(trace)) },
  ];
}

function traceHead({ id, request, status, endedAt, connectionId }: Trace): View {
  return { id, resource: request.resource, status, timestamp: timeOf(endedAt), connectionId };
}

/**
 * API 1, Recording: the packets of a connection. DECISION (API 2, Executions: whose addresses traces have): those kept for
 * documentation, 192.0.2.1 for the runner and 198.51.100.1 for the target, for nothing was connected; bodies are not told.
 */
function packetsOf(trace: Trace): readonly View[] {
  const { request, status, startedAt, endedAt, replayed, connectionId } = trace;
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol);
  const common = {
    clientIp: "192.0.2.1",
    serverIp: "198.51.100.1",
    ssl: url !== undefined && /^(?:https|wss|tls):$/.test(url.protocol),
    protocol: protocolOf(url),
    connectionId,
    length: 0,
  };
  const packet = (trafficType: string, at: number, more: Readonly<Record<string, JsonValue | undefined>>): View =>
    present({ trafficType, trafficTimestamp: timeOf(at), ...common, ...more });
  const openedAt = startedAt + replayed.firstReceivedMs * request.openShare;
  const packets = [
    packet("ConnectionOpened", openedAt, {}),
    packet("DataSent", openedAt, { length: request.bytesSent, ...(isHttp ? requestHead(trace, url) : {}) }),
    packet("DataReceived", startedAt + replayed.firstReceivedMs, {
      length: isAnswered(request, replayed.failed) ? request.bytesReceived : 0,
      ...(isHttp ? answerHead(trace, status) : {}),
    }),
    packet("ConnectionClosed", endedAt, { closeReason: replayed.failed ? "Error" : "ServerInitiated" }),
  ];
  return packets.map((each, index) => ({ id: index + 1, ...each }));
}

/** API 1, Traffic packet: sample Http; `ssl` says whether it is encrypted. */
function protocolOf(url: URL | undefined): string {
  const [name = ""] = /^(?:http|ws)/.exec(url?.protocol ?? "") ?? ["tcp"];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Not those of `node:http`: a service that does not listen loads none of it. */
const statusTexts: Readonly<Record<string, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

function requestHead({ request }: Trace, { host, pathname, search }: URL): View {
  const method = /^[A-Z]+(?= )/.exec(request.resource)?.[0] ?? "GET";
  return { httpMethod: method, httpPath: `${pathname}${search}`, httpHeaders: `host: ${host}\r\n\r\n` };
}

function answerHead({ request, replayed }: Trace, status: string): View {
  const headers = isAnswered(request, replayed.failed)
    ? `content-type: ${request.contentType}\r\ncontent-length: ${request.bytesReceived}\r\n\r\n`
    : "content-length: 0\r\n\r\n";
  return { httpStatus: Number(status), httpStatusText: statusTexts[status] ?? "", httpHeaders: headers };
}

function timeOf(ms: number): string {
  return new Date(Math.round(ms)).toISOString();
}

function jsonBytes(value: JsonValue): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

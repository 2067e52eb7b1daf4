import type { RequestText } from "../core/packet-memory.ts";
import type { Scope } from "../core/scope.ts";
import { sameName } from "../rules/read-text.ts";
import type { RecordingRecord, TrafficRecord } from "../store/records/gateways.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";
import { forwardedHeaders, type HttpHeaders, headerOf, isSecretHeader, mask, parseHeaders } from "./http-headers.ts";
import { type RecordedStep, recordedScript, requestText } from "./recorded-script.ts";

/**
 * DECISION (API 1, Object hierarchy: a recording has one generated script): the scenario of a recording comes with its first
 * step, of its name, and is made anew with each further one until the recording ends; deleting the recording leaves it.
 */
export function writeRecordedScenario(recording: RecordingRecord, scope: Scope): void {
  const { store } = scope;
  const steps = stepsOf(recording, scope);
  if (steps.length === 0) return;
  const main = recordedScript({ id: recording.id, name: recording.name, steps });
  const paramsConfig = secretHeaders(steps).map((name) => ({ name, required: false, encrypted: true }));
  const known = recording.scriptId === undefined ? undefined : store.get("scenario", recording.scriptId);
  if (known) {
    store.update("scenario", known.id, { main, paramsConfig });
    return;
  }
  const testCaseId = store.get("gateway", recording.gatewayId)?.testCaseId;
  if (testCaseId === undefined) return;
  const name = freeName(recording, store.where("scenario", "testCaseId", testCaseId), scope);
  const scenario = store.insert("scenario", {
    ...standard,
    testCaseId,
    name,
    main,
    paramsConfig,
    sourceId: recording.id,
  });
  store.update("recording", recording.id, { scriptId: scenario.id });
}

const standard = {
  init: null,
  teardown: null,
  scriptType: "Code",
  language: "javascript",
  nodeVersion: "latest",
  tags: [],
  sourceType: "Recording",
  readonly: false,
  secrets: {},
} satisfies Partial<ScenarioRecord>;

/** Siblings share names, unless setting `names: unique` says otherwise. */
function freeName({ id, name }: RecordingRecord, siblings: readonly ScenarioRecord[], scope: Scope): string {
  const isTaken = scope.settings.names === "unique" && siblings.some((each) => sameName(each.name, name, scope));
  return isTaken ? `${name.slice(0, 200)} (recording ${id})` : name;
}

/** The steps of a recording in the order of its requests; one whose body was not kept is none. */
function stepsOf(recording: RecordingRecord, scope: Scope): readonly RecordedStep[] {
  const loads = [...(recording.browserLoads ?? [])];
  const steps: RecordedStep[] = [];
  let thinkMs = 0;
  let last: number | undefined;
  const takeLoads = (before: number) => {
    for (let load = loads[0]; load && load.after < before; load = loads[0]) {
      const at = Date.parse(load.at);
      steps.push({ request: browserLoad(load.url), thinkMs: pause(last, at), note: ". As a browser loads it" });
      last = at;
      loads.shift();
    }
  };
  for (const packet of scope.store.where("traffic", "recordingId", recording.id)) {
    takeLoads(packet.id);
    const at = Date.parse(packet.trafficTimestamp);
    if (packet.trafficType === "ConnectionOpened") thinkMs = pause(last, at);
    const request = packet.trafficType === "DataSent" ? requestOf(packet, scope) : undefined;
    if (request) steps.push({ request, thinkMs, note: "" });
    last = at;
  }
  takeLoads(Number.POSITIVE_INFINITY);
  return steps;
}

/** DECISION (API 1, Recordings: think times are not shown): what lay between a request and whatever was recorded last before it. */
function pause(last: number | undefined, at: number): number {
  return last === undefined ? 0 : Math.max(0, at - last);
}

/** DECISION (API 1, GET /recordings/:id/load): no browser runs here: the step of load-browser asks for the page alone, as a browser would. */
function browserLoad(url: string): RequestText {
  const headers: HttpHeaders = [["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"]];
  return requestText({ method: "GET", url, headers, secrets: [], body: undefined });
}

/** Headers that a client adds to each request by itself. */
const ownHeaders = new Set(["host", "content-length", "expect"]);

function requestOf(packet: TrafficRecord, { settings, packets }: Scope): RequestText | undefined {
  const known = packets.requests.get(packet);
  const { httpMethod, httpPath, httpHeaders, data, ssl } = packet;
  if (known || httpMethod === null || httpPath === null || httpHeaders === null || data === null) return known;
  const all = parseHeaders(httpHeaders);
  const host = headerOf(all, "host") ?? packet.serverIp;
  const headers = forwardedHeaders(all).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  const isMasked = ([name, value]: HttpHeaders[number]) => value === mask && isSecretHeader(name, settings);
  const made = requestText({
    method: httpMethod,
    url: `${ssl ? "https" : "http"}://${host}${httpPath}`,
    headers: headers.filter((each) => !isMasked(each)),
    secrets: headers.filter(isMasked).map(([name]) => name),
    body: data === "" ? undefined : Buffer.from(data, "base64"),
  });
  packets.requests.set(packet, made);
  return made;
}

function secretHeaders(steps: readonly RecordedStep[]): readonly string[] {
  return [...new Set(steps.flatMap(({ request }) => request.secrets.map((name) => name.toLowerCase())))].sort();
}

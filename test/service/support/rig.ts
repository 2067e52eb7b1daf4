import { expect } from "vitest";
import { createRouter } from "../../../src/service/core/router.ts";
import { createService, type Service, type ServiceOptions } from "../../../src/service/index.ts";
import { departures } from "./conforms.ts";
import { publishedAnswers } from "./published.ts";

/** 2026-11-20 is a Friday. */
export const start = "2026-11-20T10:07:30.000Z";

/** An answer as a test looks at it. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** Any JSON: tests look into answers as they please. */
type Json = ReturnType<typeof JSON.parse>;

/** How requests travel. */
export type Way = "in process" | "over HTTP";

/** A service under test; every answer is compared with the route table and with the OpenAPI that is made of it. */
export interface Rig {
  readonly service: Service;
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>;
  /** The body of an answer that has to be 200. */
  readonly ok: (method: string, path: string, body?: unknown) => Promise<Json>;
  readonly close: () => Promise<void>;
}

const router = createRouter();

/** A service with a frozen clock, in process or over HTTP. */
export async function makeRig(options: ServiceOptions & { readonly way?: Way } = {}): Promise<Rig> {
  const { way = "in process", ...rest } = options;
  return rigOf(createService({ clock: { mode: "frozen", now: start }, ...rest }), way, rest.settings?.errors);
}

/** A rig around a service that exists. */
export async function rigOf(given: Service, way: Way = "in process", errors?: "json" | "plain"): Promise<Rig> {
  const watch = makeWatch(errors ?? "json");
  const service = watched(given, watch);
  const url = way === "over HTTP" ? (await service.listen(0)).url : "";
  const call: Rig["call"] = async (method, path, body, headers = {}) => {
    const all = { "x-api-key": service.apiKey, ...headers };
    const answered =
      url === ""
        ? await inProcess(service, { method, path, body, headers: all })
        : await overHttp(url, { method, path, body, headers: all });
    if (answered.status < 300 && answered.body !== undefined) expectConforming(method, path, answered.body);
    if (url !== "") watch(method, path, answered);
    return answered;
  };
  return {
    service,
    call,
    ok: async (method, path, body) => {
      const answered = await call(method, path, body);
      expect(answered, `${method} ${path}`).toMatchObject({ status: 200 });
      return answered.body;
    },
    close: () => service.close(),
  };
}

/** The same service, whose answers in process are looked at. */
function watched(service: Service, watch: Watch): Service {
  const handle: Service["handle"] = async (request) => {
    const answer = await service.handle(request);
    const { status, headers, json } = answer;
    watch(request.method, request.path, { status, headers, body: json as Json });
    return answer;
  };
  const fetch: Service["fetch"] = async (input, init) => {
    const response = await service.fetch(input, init);
    const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method ?? "GET" };
    const { status } = response;
    const headers = Object.fromEntries(response.headers);
    const path = url.replace(/^https?:\/\/[^/]+/, "");
    const body = isJson(headers) ? await jsonOf(response.clone()) : undefined;
    if (body !== cutOff) watch(method, path, { status, headers, body });
    return response;
  };
  const own: Readonly<Record<PropertyKey, unknown>> = { handle, fetch };
  return new Proxy(service, { get: (target, name) => own[name] ?? Reflect.get(target, name) });
}

const cutOff = Symbol("cut off by a planned fault");

async function jsonOf(response: Response): Promise<Json | typeof cutOff> {
  try {
    return (await response.json()) as Json;
  } catch {
    return cutOff;
  }
}

/** Compares an answer with what is published of its operation. */
type Watch = (method: string, path: string, answered: Answered) => void;

function makeWatch(errors: "json" | "plain"): Watch {
  const unpublished = publishedAnswers(errors);
  let hasFaults = false;
  return (method, path, { status, headers, body }) => {
    hasFaults ||= method === "PUT" && path.startsWith("/_loadform/faults");
    // A planned fault answers as it was planned.
    if (hasFaults && status >= 300) return;
    const found = unpublished({ method, path, status, type: headers["content-type"], json: body });
    expect(found, `${method} ${path}: ${status}`).toEqual([]);
  };
}

function isJson(headers: Answered["headers"]): boolean {
  return headers["content-type"]?.includes("json") ?? false;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

async function inProcess(service: Service, sent: Sent): Promise<Answered> {
  const isText = typeof sent.body === "string" || sent.body instanceof Uint8Array;
  const headers = isText ? { "content-type": "application/json", ...sent.headers } : sent.headers;
  const answer = await service.handle({ ...sent, headers } as never);
  return { status: answer.status, headers: answer.headers, body: answer.json as Json };
}

async function overHttp(url: string, { method, path, body, headers }: Sent): Promise<Answered> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...json,
  });
  const text = await response.text();
  const received = Object.fromEntries(response.headers);
  const value = isJson(received) ? (JSON.parse(text) as Json) : undefined;
  return { status: response.status, headers: received, body: value };
}

function expectConforming(method: string, path: string, body: unknown): void {
  const [bare = ""] = path.split("?");
  const match = router.find(method, bare.replace(/^\/api/, ""));
  if (match) expect(departures(match.mounted.route, body), `${method} ${path}`).toEqual([]);
}

/** The provider configuration of most tests. */
export const grid = [{ providerId: 0, params: { regions: "cloud-us-east-1" } }];

/** The body of a Flat configuration. */
export const flat = { name: "Smoke", scriptId: 1, concurrentClients: 20, durationSecs: 60, providers: grid };

/** What the scenario of most tests does. */
export const browse = 'http.get("http://shop.test/")';

/** A service with test case 1, scenario 1 (tag nightly), gateway 1 and configuration 1. */
export async function makeShop(options: ServiceOptions & { readonly way?: Way } = {}): Promise<Rig> {
  const rig = await makeRig(options);
  await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1 });
  await rig.ok("POST", "/test-cases/1/scripts", { name: "Browse", main: browse, tags: ["nightly"] });
  await rig.ok("POST", "/test-cases/1/gateways", { name: "Shop", url: "https://shop.test" });
  await rig.ok("POST", "/test-cases/1/confs", flat);
  return rig;
}

/** Fields that an answer refuses. */
export function fieldsOf({ body }: Answered): readonly string[] {
  return (body?.errors ?? []).map((each: { field: string }) => each.field);
}

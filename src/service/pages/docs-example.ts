import type { JsonValue } from "../../api/routes.ts";
import { parseDescriptor } from "../core/descriptor.ts";
import type { Mounted } from "../core/router.ts";

/** A call of a route that works against a service with one object of each kind. */
export interface Example {
  readonly path: string;
  readonly body?: JsonValue;
  /** Parts of a multipart form; `@name` is a file of that name. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Parameters whose first object is not the caller's to change: region 8 is the first of a grid of one's own. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = { "PUT /regions/:id": { id: "8" } };

/** The example of a route. */
export function exampleOf({ key, path, route }: Mounted): Example {
  const segments = path
    .split("/")
    .map((segment) =>
      segment.startsWith(":")
        ? (others[key]?.[segment.slice(1)] ?? parameterOf(segment.slice(1), route.params))
        : segment,
    );
  const query = queries[key];
  const to = query === undefined ? segments.join("/") : `${segments.join("/")}?${query}`;
  if (route.multipart) return { path: to, form: forms[key] ?? { file: "@rows.csv" } };
  const body = bodies[key] ?? bodyOf(route.body);
  return body === undefined ? { path: to } : { path: to, body };
}

/** The example as a command line. */
export function curlOf(
  { method, route }: Mounted,
  { path, body, form }: Example,
  { base, authHeader, key: known = unknownKey }: CurlOptions,
): string {
  const key = route.open === "all" ? [] : [`-H "${authHeader}: ${known}"`];
  const verb = method === "HEAD" ? ["--head"] : method === "GET" ? [] : [`-X ${method}`];
  const parts = Object.entries(form ?? {}).map(([name, value]) => `-F ${shellWord(`${name}=${value}`)}`);
  const json =
    body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d ${shellWord(JSON.stringify(body))}`];
  const output = route.answer === "binary" ? [`-o ${path.split("?")[0]?.split("/").at(-1)}`] : [];
  const words = [...(form ? [] : verb), ...key, ...parts, ...json, ...output, shellWord(`${base}${path}`)];
  return `curl ${words.join(" ")}`;
}

/** Where a command line is aimed. */
export interface CurlOptions {
  /** Runs make real load unless they ask for the model. */
  readonly isLive?: boolean;
  readonly base: string;
  readonly authHeader: string;
  /** The key, where everybody knows it. */
  readonly key?: string;
}

/** Written in commands where a page may not tell the key. */
export const unknownKey = "YOUR-KEY";

/** A word for a shell. */
export function shellWord(text: string): string {
  return /^[\w/:.=@,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

const names: Readonly<Record<string, string>> = {
  user: "local",
  tagName: "nightly",
  iterator: "customers",
  regionIdOrName: "cloud-us-east-1",
  fileName: "shot.png",
  name: "LINK",
};

function parameterOf(name: string, texts: Readonly<Record<string, string>> | undefined): string {
  return names[name] ?? (texts?.[name] === undefined ? "1" : name);
}

const schedule = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 };
const grid = [{ providerId: 0, params: { regions: "cloud-us-east-1" } }];
const provider = { name: "Own grid", providerType: "Shared", organizationId: 1, metadata: {} };
const contents = { name: "rows.csv", contents: "dXNlcgphbm4K" };

/** Bodies that say more than their required fields do. */
const bodies: Readonly<Record<string, JsonValue>> = {
  "POST /test-cases": { name: "Checkout", org: 1, description: "What a customer does" },
  "PUT /test-cases/:testCaseId": { name: "Checkout, evening" },
  "POST /test-cases/:testCaseId/copy": { name: "Checkout, copied" },
  "POST /test-cases/:testCaseId/confs": {
    name: "Evening peak",
    scriptId: 1,
    concurrentClients: 50,
    durationSecs: 180,
    providers: grid,
  },
  "PUT /test-confs/:confId": { concurrentClients: 20, schedules: [schedule] },
  "PUT /test-schedules/:scheduleId": { active: false },
  "POST /test-cases/:testCaseId/scripts": { name: "Browse", main: "console.log(1)", tags: ["nightly"] },
  "PUT /scripts/:id": { main: "console.log(2)" },
  "POST /scripts/:id/copy": { name: "Browse, copied" },
  "POST /test-cases/:testCaseId/gateways": { name: "Shop", url: "https://shop.test" },
  "PATCH /gateways/:id": { name: "Web shop" },
  "POST /scripts/:id/data-stores/contents": contents,
  "PUT /data-stores/:id/contents": contents,
  "PUT /data-stores/:id": { name: "customers.csv" },
  "POST /gateways/:id/recordings": { name: "A visit" },
  "POST /orgs/:orgId/vcs-roots": { name: "Tests", url: "https://git.test/tests.git", branch: "main" },
  "PUT /vcs-roots/:id": { branch: "main" },
  "POST /vcs-root/refs": { url: "https://git.test/tests.git" },
  "PUT /agents/:agentId": { regionIds: [8] },
  "POST /providers": provider,
  "PUT /providers/:id": { name: "Own grid, renamed" },
  "POST /orgs/:org/regions": { name: "office", description: "Machines of the office" },
  "DELETE /orgs/:orgId/tags": [1],
  "DELETE /orgs/:orgId/tags-byname": ["nightly"],
  "POST /executions/:id/tags": ["nightly"],
  "POST /executions/:id/live-extension": { durationSecs: 60 },
  "POST /executions/:id/add-users": { concurrentClients: 10 },
  "POST /executions/:id/send-event": { name: "sale", contents: { percent: 20 } },
  "POST /search": { tags: ["nightly"], limit: 5 },
  "POST /test-confs/:confId/executions": {},
  "PUT /_loadform/clock": { mode: "frozen", now: "2026-11-20T10:00:00Z" },
  "POST /_loadform/clock/advance": { ms: 60_000 },
  "PUT /_loadform/faults": [{ method: "GET", path: "/test-cases", status: 503, times: 2 }],
};

const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "POST /start": { testcase_name: "Checkout", code: "@browse.js", virtual_users: "10", duration_mins: "1" },
  "POST /setup": { testcase_name: "Checkout", code: "@browse.js", virtual_users: "10", duration_mins: "1" },
};

const queries: Readonly<Record<string, string>> = {
  "GET /test-cases": "down=true",
  "GET /executions/:id/metric": "name=firstReceivedMs",
  "GET /executions/:id/intervals": "numIntervals=6",
  "GET /_loadform/requests": "path=/test-cases",
  "GET /recordings/:id/load": "action=load-browser&path=/",
};

/** A body of the required fields alone. */
function bodyOf(body: Mounted["route"]["body"]): JsonValue | undefined {
  if (typeof body !== "object") return undefined;
  const required = Object.entries(body).filter(([, descriptor]) => parseDescriptor(descriptor).required);
  return Object.fromEntries(required.map(([name, descriptor]) => [name, sampleOf(name, descriptor)]));
}

function sampleOf(name: string, descriptor: string): JsonValue {
  const { type, choices, list } = parseDescriptor(descriptor);
  const item = choices?.[0] ?? scalars[type] ?? name;
  return list ? [item] : item;
}

const scalars: Readonly<Record<string, JsonValue>> = { int: 1, number: 1, boolean: true, epoch: 0, json: {} };

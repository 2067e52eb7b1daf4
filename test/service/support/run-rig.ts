import type { JsonValue } from "../../../src/api/routes.ts";
import type { ServiceOptions, Snapshot } from "../../../src/service/index.ts";
import type { ExecutionRecord, RunFileRecord, RunTestRecord } from "../../../src/service/store/records/executions.ts";
import { flat, makeShop, type Rig } from "./rig.ts";

/** The two regions of the runs of these tests. */
const runners = [{ providerId: 0, params: { regions: "cloud-us-east-1,cloud-eu-west-1" } }];

/** A shop whose configuration 1 runs 4 users, 2 in each of two regions, for a minute; a tenth of the requests fail. */
export async function makeRunShop(options: ServiceOptions & { readonly conf?: object } = {}): Promise<Rig> {
  const { conf, ...rest } = options;
  const settings = {
    targets: [{ match: "*", latencyMs: { p50: 100, p99: 300 }, errorRate: 0.1, capacity: null }],
    ...rest.settings,
  };
  const rig = await makeShop({ seed: "runs", ...rest, settings });
  const body = { ...flat, concurrentClients: 2, rampupSecs: 0, providers: runners, iterationSleepSecs: 1, ...conf };
  await rig.ok("PUT", "/test-confs/1", body);
  return rig;
}

/** The same with execution 1, of which these parts were put in place, run to its end. */
export async function makeCompletedRun(
  probe: ProbeParts = {},
  options: ServiceOptions & { readonly conf?: object } = {},
): Promise<Rig> {
  const rig = await makeRunShop(options);
  await rig.ok("POST", "/test-confs/1/executions");
  await putProbe(rig, 1, probe);
  await rig.service.advance(120_000);
  return rig;
}

/** What is put in place of the probe iteration of an execution. */
export interface ProbeParts {
  readonly tests?: readonly RunTestRecord[];
  readonly files?: readonly RunFileRecord[];
  readonly failure?: string;
  readonly record?: Partial<ExecutionRecord>;
  /** Two requests in place of one: a page and its data. */
  readonly withTwoRequests?: true;
}

/** Puts a probe iteration in place: until scripts are run none leaves tests or files. */
export async function putProbe(rig: Rig, id: number, parts: ProbeParts): Promise<void> {
  const snapshot = rig.service.snapshot();
  const rows = (snapshot.tables["execution"] ?? []) as unknown as readonly ExecutionRecord[];
  const execution = rows.map((row) => (row.id === id ? withProbe(row, parts) : row)) as unknown as JsonValue[];
  await rig.service.restore({ ...snapshot, tables: { ...snapshot.tables, execution } } as Snapshot);
}

function withProbe(row: ExecutionRecord, { tests = [], files = [], failure, record, withTwoRequests }: ProbeParts) {
  const probe = { logs: [], tests, files, durationMs: 100, failure: failure ?? null };
  const [first] = row.plan?.iteration.requests ?? [];
  if (!withTwoRequests || row.plan === null || first === undefined) return { ...row, probe, ...record };
  const other = {
    ...first,
    resource: "POST http://shop.test/data",
    url: "http://shop.test/data?q=1,2",
    status: 201,
    contentType: "text/html",
    bytesSent: 120,
  };
  const iteration = { ...row.plan.iteration, requests: [first, { ...other, pauseMs: 20, bytesReceived: 2_000 }] };
  return { ...row, probe, plan: { ...row.plan, iteration }, ...record };
}

/** A test of a suite, as a probe iteration leaves it. */
export function testOf(name: string, parts: Partial<RunTestRecord> = {}): RunTestRecord {
  const uuids = { suiteUuid: "11111111-1111-4111-8111-111111111111", uuid: `22222222-2222-4222-8222-${hash(name)}` };
  const times = { startedMs: 10, finishedMs: 35.5 };
  const error = { errorType: null, error: null, errorTrace: null };
  return { ...uuids, suiteName: "Shop", name, state: "passed", ...times, ...error, ...parts };
}

/** A test that failed. */
export function failedTest(name: string, parts: Partial<RunTestRecord> = {}): RunTestRecord {
  const error = { errorType: "AssertionError", error: 'expected 1, found "2"', errorTrace: "at line 3\nat line 9" };
  return testOf(name, { state: "failed", ...error, ...parts });
}

/** A file of a probe iteration. */
export function fileOf(id: number, name: string, bytes: Uint8Array | string, parts: Partial<RunFileRecord> = {}) {
  const buffer = Buffer.from(bytes);
  const type = name.endsWith(".png") ? "image/png" : name.endsWith(".json") ? "application/json" : "text/plain";
  return { id, name, type, contents: buffer.toString("base64"), size: buffer.length, atMs: 0, ...parts };
}

/** The bytes of an answer that has to be 200. */
export async function bytesOf(rig: Rig, path: string): Promise<Uint8Array> {
  const answer = await rig.service.handle({ method: "GET", path, headers: { "x-api-key": "local" } });
  const body = answer.body();
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${String(body)}`);
  return Buffer.from(body);
}

/** The text of an answer that has to be 200. */
export async function textOf(rig: Rig, path: string): Promise<string> {
  return Buffer.from(await bytesOf(rig, path)).toString("utf8");
}

/** A row of a download. */
export type Row = Readonly<Record<string, unknown>>;

/** How often each value of a column occurs. */
export function tally(all: readonly Row[], column: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const row of all) counts[String(row[column])] = (counts[String(row[column])] ?? 0) + 1;
  return counts;
}

/** What every UUID of the service looks like. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

/** The tests of most runs: one that passed, one that failed, one that was skipped. */
export const threeTests = [
  testOf("opens"),
  failedTest("pays"),
  testOf("waits", { state: "skipped", startedMs: 40, finishedMs: 40 }),
];

function hash(name: string): string {
  return Buffer.from(name.padEnd(6, "-").slice(0, 6)).toString("hex");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createService, type Service, type ServiceOptions } from "../../../src/service/index.ts";
import { check } from "../../support/deep.ts";
import { brokenLaws } from "../support/conserved.ts";
import { type RandomRun, randomRun } from "../support/random-run.ts";
import { start } from "../support/rig.ts";

const folder = mkdtempSync(join(tmpdir(), "loadform-conservation-"));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Json = ReturnType<typeof JSON.parse>;

async function call(service: Service, method: string, path: string, body?: object): Promise<Json> {
  const headers = { "x-api-key": "local", ...(body && { "content-type": "application/json" }) };
  const answer = await service.handle({ method, path, headers, ...(body && { body: body as never }) });
  const text = Buffer.from(answer.body()).toString("utf8");
  return { status: answer.status, text, json: answer.json };
}

async function read(service: Service, path: string): Promise<Json> {
  const { status, text } = await call(service, "GET", path);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return path.includes(".csv") ? text : JSON.parse(text);
}

/** A service with the run, just created. */
async function begun({ main, conf, settings }: RandomRun, options: ServiceOptions = {}): Promise<Service> {
  const service = createService({ seed: "laws", clock: { mode: "frozen", now: start }, settings, ...options });
  const ok = async (path: string, body: object) => {
    const { status, text } = await call(service, "POST", path, body);
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${text}`);
  };
  await ok("/test-cases", { name: "Case", org: 1 });
  await ok("/test-cases/1/scripts", { name: "Script", main });
  await ok("/test-cases/1/confs", { name: "Conf", scriptId: 1, ...conf });
  await ok("/test-confs/1/executions", {});
  return service;
}

/** All that is told of the run. Of its regions what else runs there is left out. */
async function answersOf(service: Service) {
  const execution = await read(service, "/executions/1");
  for (const each of execution.regions) each.region = each.region.name;
  const paths = execution.regions.map(({ id }: Json) => `/executions/1/regions/${id}/intervals`);
  const regionIntervals: Json[] = [];
  for (const path of paths) regionIntervals.push(await read(service, path));
  const of = (name: string) => read(service, `/executions/1/${name}`);
  return {
    execution,
    intervals: await of("intervals"),
    regionIntervals,
    resources: await of("resources"),
    results: await of("results"),
    resultsCsv: await of("results.csv"),
    suites: await of("suite-results"),
    suitesCsv: await of("suite-results.csv"),
    suiteSummaries: await of("suite-summaries"),
    logs: await of("logs"),
    traces: await of("traces"),
    peak: await of("metric?name=peakRequestsPerSec"),
  };
}

/** Whether a CSV has the cells of these rows. */
function expectSameCells(csv: string, rows: readonly Json[]): void {
  const quoted = (value: Json) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const [header = "", ...lines] = csv.split("\r\n").slice(0, -1);
  expect(lines.join("\r\n")).toBe(
    rows
      .map((row) =>
        header
          .split(",")
          .map((name) => quoted(row[name]))
          .join(","),
      )
      .join("\r\n"),
  );
}

const lastMs = 1_800_000;

/** Moves time to a moment after the creation of the run, and does what is to be done to it by then. */
async function drive(
  service: Service,
  run: RandomRun,
  span: { readonly from: number; readonly to: number; readonly stepsMs?: readonly number[] },
) {
  const done: unknown[] = [];
  const due = run.actions.filter(({ atMs }) => atMs >= span.from && atMs < span.to);
  let at = span.from;
  let steps = 0;
  const move = async (to: number): Promise<void> => {
    while (at < to) {
      // Small steps cover what happens; after four minutes runs have nearly all ended.
      const most = at > 240_000 ? lastMs : (span.stepsMs?.[steps++ % span.stepsMs.length] ?? lastMs);
      const step = Math.min(most, to - at);
      await service.advance(step);
      if (span.stepsMs && steps % 7 === 3) await read(service, "/executions/1");
      at += step;
    }
  };
  for (const { atMs, method, path, body } of due) {
    await move(atMs);
    done.push(await call(service, method, path, body).then(({ status }) => status));
  }
  await move(span.to);
  return done;
}

/** The same run again and again, as another service, after a restart and after other runs. */
async function checkRun(run: RandomRun): Promise<void> {
  const data = join(folder, `${files++}.json`);
  const small = await begun(run);
  let large = await begun(run, { data });
  const firstPart = { from: 0, to: run.middleMs };
  const secondPart = { from: run.middleMs, to: lastMs };
  expect(await drive(small, run, { ...firstPart, stepsMs: run.stepsMs })).toEqual(await drive(large, run, firstPart));
  const middle = await answersOf(small);
  expect(brokenLaws(middle)).toEqual([]);
  expect(await answersOf(large)).toEqual(middle);
  await large.close();
  large = createService({ data, clock: "frozen", settings: run.settings });
  expect(await answersOf(large)).toEqual(middle);
  expect(await drive(small, run, { ...secondPart, stepsMs: run.stepsMs })).toEqual(await drive(large, run, secondPart));
  const end = await answersOf(small);
  expect(end.execution.completed).toBe(true);
  expect(brokenLaws(end)).toEqual([]);
  expectSameCells(end.resultsCsv, end.results);
  expectSameCells(end.suitesCsv, end.suites);
  expect(await answersOf(large)).toEqual(end);
  await call(small, "PUT", "/_loadform/state", JSON.parse((await call(small, "GET", "/_loadform/state")).text));
  expect(await answersOf(small)).toEqual(end);
  await readOthers(large);
  expect(await answersOf(large)).toEqual(end);
  await small.close();
  await large.close();
}

/** Other runs than are remembered at once. */
async function readOthers(service: Service): Promise<void> {
  await call(service, "POST", "/test-cases/1/scripts", { name: "Other", main: "log.info(1)" });
  await call(service, "POST", "/test-cases/1/confs", {
    ...{ name: "Other", scriptId: 2, iterations: 1, concurrentClients: 1, rampupSecs: 0 },
    providers: [{ providerId: 0, params: { regions: "cloud-us-east-1" } }],
  });
  for (let count = 0; count < 17; count++) await call(service, "POST", "/test-confs/2/executions", {});
  await service.advance(60_000);
  for (let id = 2; id < 19; id++) await read(service, `/executions/${id}/intervals`);
}

describe("what is counted of a run", () => {
  it("is the same in intervals, regions, resources, rows and sum, and the same in any steps, after a restart and a restore", async () => {
    await check("conservation", fc.asyncProperty(randomRun, checkRun), { few: 30, deep: 2_000 });
  });
});

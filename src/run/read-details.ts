import type { Api } from "../api/routes.ts";
import { groupBy } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { IncompleteAnswer, ServiceError } from "../model/service-error.ts";
import type { EndedRequest } from "./judge-ended.ts";
import { metricsOf } from "./read-figures.ts";
import { readResources } from "./read-resources.ts";
import { readRun } from "./read-run.ts";
import type { ResourceFigures, RunDetails, RunInterval } from "./run-document.ts";
import { runIntervals } from "./summarize-run.ts";

/** A run of which nothing further is read. */
export function bareDetails(ended: EndedRequest): RunDetails {
  return { ...ended, intervals: [], regions: [], resources: [], responseCodes: [], logLines: [] };
}

/** Everything that a page shows of a run; what cannot be read is left out, saying so. */
export async function detailsOf(api: Api, ended: EndedRequest): Promise<RunDetails> {
  const { run } = ended;
  const id = run.execution;
  if (id === null) return bareDetails(ended);
  const unread: string[] = [];
  const read = <T>(what: string, ask: () => Promise<T>, otherwise: T): Promise<T> =>
    ask().catch((problem: unknown) => {
      if (!(problem instanceof ServiceError || problem instanceof IncompleteAnswer)) throw problem;
      unread.push(what);
      return otherwise;
    });
  const state = await read("the run", () => readRun(api, id, true), undefined);
  const startedAt = state?.startedAt;
  const intervals = await read(
    "the intervals",
    async () => intervalsOf(await api.call("GET /executions/:id/intervals", { params: { id } }), startedAt),
    [],
  );
  const regions: RunDetails["regions"][number][] = [];
  // One after the other: of an hour each answer is a megabyte and more, of which little remains.
  for (const { id: regionId, name } of state?.regions ?? []) {
    const call = () => api.call("GET /executions/:id/regions/:regionId/intervals", { params: { id, regionId } });
    regions.push({ name, intervals: await read(name, async () => intervalsOf(await call(), startedAt), []) });
  }
  const resources = await read("the resources", () => resourceFigures(api, id), []);
  const responseCodes = await read("the response codes", () => responseCodesOf(api, id), []);
  const logLines = await read("the log", () => loggedErrors(api, id), []);
  const warnings = unread.length === 0 ? run.warnings : [...run.warnings, `not read: ${unread.join(", ")}`];
  return { ...ended, run: { ...run, warnings }, intervals, regions, resources, responseCodes, logLines };
}

function intervalsOf(answer: unknown, startedAt: string | undefined): readonly RunInterval[] {
  return runIntervals(answer as Json, startedAt);
}

async function resourceFigures(api: Api, id: number): Promise<readonly ResourceFigures[]> {
  const resources = (await readResources(api, id)) ?? [];
  return Promise.all(
    resources.map(async ({ name, measured }) => {
      const read = async (metric: string, selector?: string, isShare = false): Promise<number | null> => {
        const figure = await measured.figure({ name: metric, ...(selector !== undefined && { selector }) }, isShare);
        return "problem" in figure ? null : figure.value;
      };
      const time = (selector: string) => read("firstReceivedMs", selector);
      return {
        ...{ name, requests: await read("count"), failedPercent: await read("outcome", "failure", true) },
        ...{ p50: await time("p50"), p95: await time("p95"), p99: await time("p99") },
      };
    }),
  );
}

async function responseCodesOf(api: Api, id: number): Promise<RunDetails["responseCodes"]> {
  const summary: unknown = await api.call("GET /executions/:id/summary", { params: { id } });
  const metrics = metricsOf(isObject(summary as Json) ? (summary as JsonObject)["metrics"] : undefined);
  const codes = metrics.find(({ name }) => name === "responseCode")?.values ?? {};
  return Object.entries(codes).flatMap(([code, count]) => (Number(code) >= 400 ? [{ code, count }] : []));
}

const grave: readonly string[] = ["error", "fatal"];

async function loggedErrors(api: Api, id: number): Promise<RunDetails["logLines"]> {
  const answer: unknown = await api.call("GET /executions/:id/logs", { params: { id } });
  const lines = (Array.isArray(answer) ? (answer as readonly Json[]).filter(isObject) : []).flatMap(
    ({ level, message }) =>
      typeof level === "string" && typeof message === "string" && grave.includes(level.toLowerCase())
        ? [{ level, message }]
        : [],
  );
  const same = groupBy(lines, ({ level, message }) => JSON.stringify([level, message]));
  return [...same.values()].flatMap((all) => (all[0] ? [{ ...all[0], count: all.length }] : []));
}

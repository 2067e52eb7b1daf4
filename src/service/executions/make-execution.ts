import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { StartOptions } from "../core/start-options.ts";
import { owningOrganization } from "../rules/access.ts";
import { parseParams } from "../rules/script-params.ts";
import { registerTags } from "../rules/tags.ts";
import { longestRunMs, type ModelMetric, untouched } from "../runs/run-plan.ts";
import type { ScriptFile, ScriptRun } from "../scripts/script-run.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord, ProbeRecord, RunFileRecord } from "../store/records/executions.ts";
import { figuresOfRun } from "../views/run-figures.ts";
import { planRun } from "./plan-run.ts";
import type { ProbeOrder, ProbeOutcome } from "./probe-scenario.ts";
import { mostUsers, splitRunners, usersOfRun } from "./split-users.ts";

/** An order to start a run. */
export interface RunOrder extends ProbeOrder {
  readonly options: StartOptions;
  /** Its probe iteration; null while that is still to be run. */
  readonly probe: ProbeOutcome | null;
}

/** A new run of a configuration, with the tags of its scenario (API 2, POST /test-confs/:confId/executions). */
export function makeExecution(order: RunOrder, scope: Scope): ExecutionRecord {
  const { configuration, options, probe } = order;
  const { store } = scope;
  const scenario = store.get("scenario", configuration.scriptId);
  const tags = [...new Set([...(scenario?.tags ?? []), ...options.tags])];
  const organization = owningOrganization(store, "configuration", configuration);
  if (organization !== undefined) registerTags(tags, organization, scope);
  const engine = engineOf(order, scope);
  const regions = splitRunners(configuration, scope);
  const row = store.insert("execution", {
    configurationId: configuration.id,
    phase: "queued",
    engine,
    startedAt: null,
    finishedAt: null,
    cancelledByUser: false,
    limitBreached: false,
    success: null,
    manualStart: options.manualStart,
    reads: 0,
    iterations: configuration.iterations ?? null,
    iterationSleepSecs: configuration.iterationSleepSecs,
    rampupSecs: configuration.rampupSecs ?? null,
    concurrentClients: regions.reduce((sum, each) => sum + each.concurrentClients, 0),
    scriptParams: readableParams(order, scope),
    tags,
    percentiles: options.percentiles,
    note: options.note,
    testType: options.testType,
    regions,
    kpis: options.kpis,
    maxDurationSecs: options.maxDurationSecs,
    plan: null,
    probe: null,
    controls: untouched,
    results: null,
    onlyCaptureFailure: options.onlyCaptureFailure,
  });
  return probe === null ? row : planExecution(row, probe, scope);
}

/** DECISION (API 2, Starting a run: who carries out what cannot be run here): scenarios of other types than Code are modelled, whatever was asked for. */
function engineOf({ engine, configuration }: Omit<RunOrder, "probe">, { store }: Scope): ExecutionRecord["engine"] {
  const isCode = store.get("scenario", configuration.scriptId)?.scriptType === "Code";
  return engine === "live" && !isCode ? "model" : engine;
}

/** The probe record of a run that is really made, at its beginning. */
const nothingYet: ProbeRecord = { logs: [], tests: [], files: [], durationMs: 0, failure: null };

/**
 * Why a run is larger than can be computed; undefined when it is not. A write may say any number.
 * DECISION (API 2, Starting a run: how large a run may be): at most 100,000 users and ten years. A call that starts more is 400 with the
 * bound; a run that a schedule starts fails with the bound in its log, and the schedule goes on.
 */
export function beyondBounds({ configuration }: Pick<RunOrder, "configuration">, scope: Scope): string | undefined {
  const users = usersOfRun(configuration, scope);
  const { durationSecs, iterations = 0, iterationSleepSecs, rampupSecs = 0 } = configuration;
  // How long an iteration takes is not known before one was made; few take more than a minute.
  const secs = rampupSecs + (durationSecs ?? iterations * (iterationSleepSecs + 60));
  const most = longestRunMs / 1000;
  if (users > mostUsers)
    return `found ${users} users; expected at most ${mostUsers} in one run. Make it smaller, or several runs of it`;
  return secs > most ? `found ${secs} seconds; expected at most ${most}, ramp-up included` : undefined;
}

/** A run whose probe iteration has ended: what it repeats is known. */
export function planExecution(row: ExecutionRecord, { run }: ProbeOutcome, scope: Scope): ExecutionRecord {
  const { store } = scope;
  const configuration = store.get("configuration", row.configurationId);
  if (configuration === undefined) return row;
  const { kpis, maxDurationSecs } = row;
  const plan = planRun({ execution: row, configuration, options: { kpis, maxDurationSecs }, probe: run }, scope);
  defineMetrics(plan.iteration.metrics, configuration.testCaseId, scope);
  const probe = run === "live" ? nothingYet : run ? probeRecord(run, scope) : unrun(scope, configuration);
  return store.update("execution", row.id, { plan, probe });
}

/** DECISION (API 1, Metric definition: how one comes about): a metric is defined in its test case by the first run that reports it. */
function defineMetrics(
  metrics: readonly Pick<ModelMetric, "namespace" | "name" | "metricType" | "units">[],
  testCaseId: number,
  { store }: Scope,
): void {
  for (const { namespace, name, metricType, units } of metrics) {
    const known = store.where("metricDef", "testCaseId", testCaseId);
    if (known.some((each) => each.namespace === namespace && each.name === name)) continue;
    store.insert("metricDef", { testCaseId, namespace, name, metricType, metricUnits: units });
  }
}

/** Defines the metrics of a run that was really made: before its end nothing tells what it reports. */
export function defineMeasured(row: ExecutionRecord, scope: Scope): void {
  const configuration = scope.store.get("configuration", row.configurationId);
  if (configuration === undefined) return;
  const reported = figuresOfRun(row, scope).metrics.filter(({ namespace }) => namespace !== "System");
  const metrics = reported.map(({ measured, ...metric }) => ({ ...metric, metricType: measured.type }));
  defineMetrics(metrics, configuration.testCaseId, scope);
}

/** All parameters of a run. An encrypted one reads as null; only the starting call has its value. */
function readableParams({ configuration, given }: RunOrder, { store }: Scope): string {
  const scenario = store.get("scenario", configuration.scriptId);
  const encrypted = new Set(scenario?.paramsConfig.filter((each) => each.encrypted).map((each) => each.name));
  const params = Object.entries({ ...parseParams(configuration.scriptParams), ...given });
  const readable = params.map(([name, value]): [string, JsonValue] => [name, encrypted.has(name) ? null : value]);
  return JSON.stringify(Object.fromEntries(readable));
}

function probeRecord(run: ScriptRun, { store }: Scope): ProbeRecord {
  const files = run.files.map((file) => fileRecord(file, store.takeId("outputFile")));
  const { logs, tests, durationMs, failure } = run;
  return { logs, tests, files, durationMs, failure };
}

/** DECISION (API 2, Scenario parameters: what a run of a type does that cannot be run here): it is modelled by one request for each iteration, and its log says that no code ran. */
function unrun({ store }: Scope, configuration: ConfigurationRecord): ProbeRecord {
  const type = store.get("scenario", configuration.scriptId)?.scriptType ?? "Code";
  const message = `No code ran: scenarios of type ${type} are modelled by one request for each iteration`;
  return { logs: [{ level: "Info", message, atMs: 0 }], tests: [], files: [], durationMs: 0, failure: null };
}

/** A file that a script wrote, as it is kept. */
export function fileRecord(
  { name, bytes, ...rest }: ScriptFile & Pick<RunFileRecord, "of">,
  id: number,
): RunFileRecord {
  const contents = Buffer.from(bytes).toString("base64");
  return { id, name, type: mediaTypeOf(name), contents, size: bytes.length, ...rest };
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  json: "application/json",
  csv: "text/csv",
  txt: "text/plain",
  html: "text/html",
};

function mediaTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return types[extension] ?? "application/octet-stream";
}

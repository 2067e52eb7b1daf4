import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { parseParams } from "../rules/script-params.ts";
import type { ScriptInput, ScriptRun } from "../scripts/script-run.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";
import { iterationInfo, type Probe, probeInput, whyNotRun } from "./probe-input.ts";

/** Outcome of the probe iteration: its run, `live` where the load is really made, undefined where the scenario's type cannot be run here. */
export interface ProbeOutcome {
  readonly run: ScriptRun | "live" | undefined;
}

/** The run that a probe iteration is of. */
export interface ProbeOrder {
  readonly configuration: ConfigurationRecord;
  /** Parameters over those of the configuration. */
  readonly given: Readonly<Record<string, JsonValue>>;
  readonly engine: ExecutionRecord["engine"];
}

/**
 * The probe iteration of a run: what became of it, or the work that it takes.
 * DECISION (API 2, Executions: what a script is run for): a Code scenario is really run once before its run, and every user repeats
 * what it did; in simulated networks a service runs equal texts, parameters and targets once. Its execution has no id yet: it reads 0.
 */
export function probeScenario(order: ProbeOrder, scope: Scope): ProbeOutcome | (() => Promise<ScriptRun>) {
  const scenario = scope.store.get("scenario", order.configuration.scriptId);
  const reason = scenario && whyNotRun(scenario, scope);
  if (scenario === undefined || (reason && scenario.scriptType !== "Code")) return { run: undefined };
  if (reason) return { run: notRun(reason.message) };
  // A load that is really made is not tried before: the target sees the requests of its users alone.
  if (order.engine === "live") return { run: "live" };
  const params = givenParams(order);
  const input = probeInput(scenario, { params, info: infoOf(order) }, scope);
  const network = order.engine === "model" ? scope.settings.network : "loopback";
  const { startedAt: _, ...lasting } = input;
  const digest = scope.digest(JSON.stringify([lasting, network, scope.settings.targets]));
  const known = network === "simulated" ? scope.probes.get(digest) : undefined;
  if (known) return { run: known };
  return async () => {
    const run = withoutValues(await runInTurn(input, network, scope), secretsOf(scenario, params));
    scope.probes.set(digest, run);
    return run;
  };
}

async function runInTurn(
  input: ScriptInput,
  network: "simulated" | "loopback" | "deny",
  { turns, threads, settings }: Scope,
): Promise<ScriptRun> {
  const { targets, allowedHosts } = settings;
  const { runScript } = await import("../scripts/run-script.ts");
  return await turns.take((end) => runScript(input, { network, targets, allowedHosts, threads, end }));
}

/** Values reach a script as strings; what is encrypted only where the starting call gives it. */
export function givenParams({
  configuration,
  given,
}: Pick<ProbeOrder, "configuration" | "given">): Readonly<Record<string, string>> {
  const all = Object.entries({ ...parseParams(configuration.scriptParams), ...given });
  return Object.fromEntries(
    all.flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === "string" ? value : JSON.stringify(value)]],
    ),
  );
}

function infoOf({ configuration }: ProbeOrder): Probe["info"] {
  const { concurrentClients = 1, scriptId } = configuration;
  return iterationInfo({
    expectedFinishTimestamp: null,
    chunk: { id: 0, executionType: "Main", concurrentClients },
    execution: { id: 0, concurrentClients, scriptId },
    region: {},
  });
}

/** Values of encrypted parameters. */
export function secretsOf(scenario: ScenarioRecord, params: Readonly<Record<string, string>>): readonly string[] {
  const encrypted = scenario.paramsConfig.filter((each) => each.encrypted).map(({ name }) => params[name] ?? "");
  return encrypted.filter((value) => value !== "");
}

/** The run with the values of encrypted parameters masked in everything that its script said. */
export function withoutValues(run: ScriptRun, secrets: readonly string[]): ScriptRun {
  const mask = (text: string) => secrets.reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
  if (secrets.length === 0) return run;
  return {
    ...run,
    requests: run.requests.map((each) => ({ ...each, resource: mask(each.resource), url: mask(each.url) })),
    logs: run.logs.map((each) => ({ ...each, message: mask(each.message) })),
    tests: run.tests.map((each) => ({
      ...each,
      error: each.error && mask(each.error),
      errorTrace: each.errorTrace && mask(each.errorTrace),
    })),
    files: run.files.map((each) => ({
      ...each,
      bytes: Buffer.from(mask(Buffer.from(each.bytes).toString("latin1")), "latin1"),
    })),
    failure: run.failure && mask(run.failure),
  };
}

/** An iteration that was not begun, for this reason. */
export function notRun(message: string): ScriptRun {
  return {
    success: false,
    durationMs: 0,
    initMs: 0,
    totalMs: 0,
    requests: [],
    metrics: [],
    tests: [],
    logs: [{ level: "Error", message, atMs: 0 }],
    files: [],
    failure: message,
  };
}

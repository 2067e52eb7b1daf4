import type { Scope } from "../core/scope.ts";
import type { StartOptions } from "../core/start-options.ts";
import { checkedFigure } from "../runs/evaluate-checks.ts";
import { longestRunMs, type PlannedCheck, type PlannedRegion, type Profile, type RunPlan } from "../runs/run-plan.ts";
import type { ScriptRun } from "../scripts/script-run.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";
import { figuresOfRun } from "../views/run-figures.ts";
import { failedIteration, modelIteration, unrunnableIteration } from "./model-iteration.ts";

/** The data that a run is planned from. */
export interface PlannedFrom {
  readonly execution: Pick<ExecutionRecord, "id" | "engine" | "regions">;
  readonly configuration: ConfigurationRecord;
  readonly options: Pick<StartOptions, "kpis" | "maxDurationSecs">;
  /** Absent where the scenario's type cannot be run here. */
  readonly probe: ScriptRun | "live" | undefined;
}

/** All that the numbers of a run depend on (API 2, Executions). */
export function planRun({ execution, configuration, options, probe }: PlannedFrom, scope: Scope): RunPlan {
  const { settings, store } = scope;
  const common = {
    seed: scope.digest(`execution ${execution.id}`).slice(0, 16),
    sleepMs: Math.min(longestRunMs, Math.max(1, configuration.iterationSleepSecs) * 1000),
    maxDurationMs: options.maxDurationSecs === null ? null : Math.min(longestRunMs, options.maxDurationSecs * 1000),
    kpis: options.kpis,
  };
  if (probe === "live") return { ...common, ...liveRun(execution.regions, configuration, scope) };
  if (probe?.failure) return { ...common, ...failedRun(execution.regions, probe) };
  const scriptType = store.get("scenario", configuration.scriptId)?.scriptType ?? "Code";
  const iteration = probe
    ? modelIteration(probe, settings, execution.engine)
    : unrunnableIteration(scriptType, settings);
  const regions = plannedRegions(execution.regions);
  return { ...common, profile: profileOf(configuration), regions, iteration, checks: checksOf(configuration, scope) };
}

/** A run that is really made: what it will meet is not known yet. */
function liveRun(
  regions: readonly ExecutionRegionRecord[],
  configuration: ConfigurationRecord,
  scope: Scope,
): Omit<RunPlan, "seed" | "sleepMs" | "kpis" | "maxDurationMs"> {
  return {
    profile: profileOf(configuration),
    regions: plannedRegions(regions),
    iteration: { requests: [], restMs: 0, metrics: [] },
    checks: checksOf(configuration, scope),
    measured: true,
  };
}

/** DECISION (API 2, Executions: what a run does whose script throws): one user makes one iteration, which fails, and the run completes. */
function failedRun(
  regions: readonly ExecutionRegionRecord[],
  probe: ScriptRun,
): Pick<RunPlan, "profile" | "regions" | "iteration" | "checks"> {
  const planned = plannedRegions(regions).map(({ chunks, ...region }, index) => ({
    ...region,
    users: index === 0 ? 1 : 0,
    chunks: chunks.map((chunk, at) => ({ id: chunk.id, users: index === 0 && at === 0 ? 1 : 0 })),
  }));
  const profile = { type: "Flat", rampupMs: 0, durationMs: null, iterations: 1 } as const;
  return { profile, regions: planned, iteration: failedIteration(probe), checks: [] };
}

function profileOf(configuration: ConfigurationRecord): Profile {
  const durationMs = (configuration.durationSecs ?? 0) * 1000;
  if (configuration.profileType === "BreakingPoint") return { type: "BreakingPoint", durationMs };
  if (configuration.profileType === "Step") {
    const { startConcurrentClients = 1, step = 1 } = configuration;
    return { type: "Step", durationMs, startUsers: startConcurrentClients, step };
  }
  const { durationSecs, iterations = null, rampupSecs = 60 } = configuration;
  return {
    type: "Flat",
    rampupMs: rampupSecs * 1000,
    durationMs: durationSecs === undefined ? null : durationMs,
    iterations,
  };
}

/**
 * DECISION (API 2, Executions: what the numbers of a region depend on): the seed of the service, the execution and the name of the region, beside what is planned
 * and done; one more region changes those of no other. A second region of one name is its second.
 */
function plannedRegions(regions: readonly ExecutionRegionRecord[]): readonly PlannedRegion[] {
  return regions.map(({ id, regionName, concurrentClients, chunks }, index) => {
    const before = regions.slice(0, index).filter((each) => each.regionName === regionName).length;
    const planned = chunks.map((chunk) => ({ id: chunk.id, users: chunk.concurrentClients }));
    return {
      id,
      key: before === 0 ? regionName : `${regionName} ${before + 1}`,
      users: concurrentClients,
      chunks: planned,
    };
  });
}

function checksOf(configuration: ConfigurationRecord, scope: Scope): readonly PlannedCheck[] {
  return configuration.triggers.flatMap(({ conditions }) =>
    conditions.map((each) => {
      const check = {
        metric: String(each["metric"] ?? ""),
        key: each["metricKey"] === undefined || each["metricKey"] === null ? null : String(each["metricKey"]),
        isPercentage: each["isPercentage"] === true,
        operator: String(each["operator"] ?? "GTE") as PlannedCheck["operator"],
        threshold: Number(each["threshold"] ?? 0),
        timePeriod: each["timePeriod"] === "Execution" ? "Execution" : "LastMinute",
        valueType: String(each["valueType"] ?? "Absolute") as PlannedCheck["valueType"],
      } as const;
      return { ...check, history: historyOf(check, configuration, scope) };
    }),
  );
}

const mostRemembered = 10;

/** DECISION (API 1, Condition: ChangeFromHistory): the average of the up to ten runs that completed before, the newest with the greatest weight. */
function historyOf(
  check: Pick<PlannedCheck, "metric" | "key" | "isPercentage" | "valueType">,
  configuration: ConfigurationRecord,
  scope: Scope,
): number | null {
  if (check.valueType !== "ChangeFromHistory") return null;
  const earlier = scope.store
    .where("execution", "configurationId", configuration.id)
    .filter((row) => row.phase === "completed" && row.results !== null)
    .slice(-mostRemembered);
  const values = earlier.flatMap((row, index) => {
    const value = checkedFigure(figuresOfRun(row, scope).metrics, check);
    return value === undefined ? [] : [{ value, weight: index + 1 }];
  });
  const weights = values.reduce((sum, { weight }) => sum + weight, 0);
  return weights === 0 ? null : values.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights;
}

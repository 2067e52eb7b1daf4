import type { Api } from "../api/routes.ts";
import type { FigureName } from "../model/gates/kpi.ts";
import { type Figure, figureOf, findMetric, type Metric, type MetricType, systemName } from "../model/gates/metric.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { isMissing } from "../model/service-error.ts";

/** Everything that a run measured, or one resource of it. */
export interface Measured {
  /** A figure; `isShare` asks for the share of a bucket. A problem says that the metric has none of this name. */
  readonly figure: (name: FigureName, isShare: boolean) => Promise<Figure | { readonly problem: string }>;
  /** Names of the metrics, for a figure that nobody measured. */
  readonly names: readonly string[];
}

/** The summary of a run, its other figures asked for one by one where it lacks them (API 1, Metric summary and metric). */
export async function readMeasured(api: Api, id: number): Promise<Measured> {
  const answer: unknown = await orNothing(api.call("GET /executions/:id/summary", { params: { id } }));
  const metrics = metricsOf(isObject(answer as Json) ? (answer as JsonObject)["metrics"] : undefined);
  const answers = new Map<string, Promise<Metric | undefined>>();
  const ask = (namespace: string, name: string): Promise<Metric | undefined> => {
    const key = `${namespace}/${name}`;
    const call = () => api.call("GET /executions/:id/metric", { params: { id }, query: { ns: namespace, name } });
    const found = answers.get(key) ?? orNothing(call()).then((each: unknown) => readMetric((each ?? null) as Json));
    answers.set(key, found);
    return found;
  };
  return {
    names: metrics.map(({ namespace, name }) => (namespace === "System" ? name : `${namespace}/${name}`)),
    async figure(name, isShare) {
      const own = findMetric(metrics, name);
      const figure = figureOf(own, name, isShare);
      if (own !== undefined && !("missing" in figure)) return figure;
      for (const [space, metric] of askable(own, name)) {
        const other = await ask(space, metric);
        if (other !== undefined) return measuredFigure(figureOf(other, name, isShare));
      }
      return measuredFigure(figure);
    },
  };
}

/** Namespaces and names by which a metric is asked for; a display name is no name there. */
function askable(own: Metric | undefined, { namespace, name }: FigureName): readonly (readonly [string, string])[] {
  if (own !== undefined) return [[own.namespace, own.name]];
  const spaces = namespace === undefined ? ["System", "User"] : [namespace];
  return spaces.map((space) => [space, space.toLowerCase() === "system" ? (systemName(name) ?? name) : name]);
}

/** One resource of a run, which nothing further is asked of. */
export function resourceMeasured(metrics: readonly Metric[]): Measured {
  return {
    names: metrics.map(({ name }) => name),
    figure: async (name, isShare) => measuredFigure(figureOf(findMetric(metrics, name), name, isShare)),
  };
}

function measuredFigure(figure: Figure | { readonly problem: string }): Figure | { readonly problem: string } {
  return "problem" in figure ? figure : { value: figure.value, unit: figure.unit };
}

/** Metrics of an answer; those of an unknown shape are left out. */
export function metricsOf(list: Json | undefined): readonly Metric[] {
  return Array.isArray(list) ? (list as readonly Json[]).flatMap((each) => readMetric(each) ?? []) : [];
}

const types: readonly string[] = ["Histogram", "Timing", "Counter", "Metered"];

/** A metric whose name is text, or an object that has it. */
function readMetric(wire: Json): Metric | undefined {
  if (!isObject(wire)) return undefined;
  const { metricDef, metricType, metricUnits, metricValue, metricValueMap, namespace } = wire;
  const definition = isObject(metricDef) ? metricDef : {};
  const name = typeof metricDef === "string" ? metricDef : definition["name"];
  const type = metricType ?? definition["metricType"];
  if (typeof name !== "string" || typeof type !== "string" || !types.includes(type)) return undefined;
  const space = namespace ?? definition["namespace"];
  const units = metricUnits ?? definition["metricUnits"];
  const values = Object.entries(isObject(metricValueMap) ? metricValueMap : {}).flatMap(([key, value]) =>
    typeof value === "number" ? [[key, value] as const] : [],
  );
  return {
    namespace: typeof space === "string" ? space : "System",
    name,
    type: type as MetricType,
    units: typeof units === "string" ? units : "",
    ...(typeof metricValue === "number" && { value: metricValue }),
    values: Object.fromEntries(values),
  };
}

/** A figure that the service does not have was not measured. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (problem) {
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}

import type { Api } from "../../src/api/routes.ts";
import { type GateKpi, type NoWorse, plainGate, readAllowance } from "../../src/model/gates/gate.ts";
import { isKpiProblem, parseFigureName, parseKpi } from "../../src/model/gates/kpi.ts";
import { plannedTime } from "../../src/run/planned-time.ts";
import { type RunRequest, type RunWorld, runGates } from "../../src/run/run-gate.ts";
import { loadFiles } from "../support/load-files.ts";
import { makeRig, type Rig } from "../support/rig.ts";

/** Runs one gate. */
export async function runOne(request: RunRequest, world: RunWorld) {
  const [ended] = await runGates([request], 1, world);
  if (ended === undefined) throw new Error("the run has no end");
  return ended;
}

/** A configuration of five users for two minutes at the bundled service, in virtual time. */
export interface RunBench {
  readonly rig: Rig;
  readonly api: Api;
  readonly configurationId: number;
  readonly request: (gate?: Partial<RunRequest["gate"]>, more?: Partial<RunRequest>) => RunRequest;
  readonly world: (more?: Partial<RunWorld>) => RunWorld;
  readonly run: (gate?: Partial<RunRequest["gate"]>, more?: Partial<RunWorld>) => ReturnType<typeof runOne>;
  /** Ids of all runs of the configuration, the oldest first. */
  readonly ids: () => Promise<readonly number[]>;
  /** Starts a run and sees it to its end, as somebody else does. */
  readonly complete: () => Promise<number>;
}

const address = "testCase.shop/configuration.load";

/** Asks for one page. */
const usual = 'require("https").get("https://shop.example.com/", (response) => response.resume());';

export async function runBench({ fields = "durationSecs: 120", script = usual } = {}): Promise<RunBench> {
  const rig = makeRig();
  const { tree, diagnostics } = await loadFiles(`testCases:
  shop:
    scenarios:
      browse: { script: ${JSON.stringify(script)} }
    configurations:
      load:
        scenario: browse
        concurrentClients: 5
        iterationSleepSecs: 1
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], numRegions: 1 }]
        ${fields}
`);
  const applied = await rig.apply(tree);
  const configurationId = (await rig.stored())?.state.resources[address]?.id ?? 0;
  if (configurationId === 0) throw new Error(JSON.stringify([applied.diagnostics, diagnostics]));
  const api: Api = rig.outside;
  const planned = plannedTime({ ...tree.nodes.get(address)?.fields });
  const request: RunBench["request"] = (gate = {}, more = {}) => ({
    gate: { ...plainGate(address), name: "release", ...gate },
    order: { configurationId, params: {}, timeoutMs: 30_000 },
    ...{ planned, stale: false, noWait: false },
    ...more,
  });
  const world: RunBench["world"] = (more = {}) => ({
    ...{ api, clock: rig.system, clockOf: async () => rig.system, simulated: false },
    ...{ signal: new AbortController().signal, started: () => undefined, progress: () => undefined },
    ...more,
  });
  const listed = async () => {
    const query = { limit: -1, down: true };
    const answer = await api.call("GET /test-confs/:confId/executions", { params: { confId: configurationId }, query });
    return answer.map(({ id }) => id).sort((left, right) => left - right);
  };
  return {
    ...{ rig, api, configurationId, request, world },
    run: (gate, more) => runOne(request(gate), world(more)),
    ids: listed,
    async complete() {
      const params = { confId: configurationId };
      const { id } = await api.call("POST /test-confs/:confId/executions", { params, body: {} as never });
      await rig.service.advance(3_600_000);
      return id;
    },
  };
}

/** A KPI of a gate. */
export function kpi(expr: string, more: Partial<GateKpi> = {}): GateKpi {
  const read = parseKpi(expr);
  if (isKpiProblem(read)) throw new Error(read.problem);
  return { expr, kpi: read, breakOnFail: false, ...more };
}

/** A figure that may not be worse than so much. */
export function noWorse(metric: string, ...allowed: string[]): NoWorse {
  const figure = parseFigureName(metric);
  if (isKpiProblem(figure)) throw new Error(figure.problem);
  return { metric, figure, allowances: allowed.flatMap((each) => readAllowance(each) ?? []) };
}

/** An API whose routes answer literal values or do what a function says; every other route throws. */
export function literalApi(routes: Readonly<Record<string, unknown>>): Api & { readonly calls: string[] } {
  const calls: string[] = [];
  const call = async (route: string, input?: unknown, options?: unknown): Promise<unknown> => {
    calls.push(route);
    if (!(route in routes)) throw new Error(`${route} is not answered`);
    const answer = routes[route];
    return typeof answer === "function" ? (answer as (...all: unknown[]) => unknown)(input, options) : answer;
  };
  return { call: call as Api["call"], calls };
}

import type { Diagnostic } from "../../model/diagnostic.ts";
import { isContentMark } from "../../model/fingerprint.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { redactor } from "../../model/redact.ts";
import { secretsIn } from "../../model/secret-texts.ts";
import { otherTarget } from "../../plan/plan-input.ts";
import { listRuns, type RunState } from "../../run/read-run.ts";
import {
  type JudgedRun,
  type RunDetails,
  type RunDocument,
  redactTexts,
  type Verdict,
} from "../../run/run-document.ts";
import { type OpenProject, planPlace } from "../connect.ts";
import type { LoadedProject } from "../open-project.ts";
import { freshState } from "../open-state.ts";
import { configurationsOf } from "./choose-runs.ts";

/** The end of a `run` or a `report`. */
export interface RunOutcome {
  /** Absent when nothing was started. */
  readonly document?: RunDocument;
  readonly details: readonly RunDetails[];
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing may be started. */
  readonly blocked: readonly Diagnostic[];
}

/** Nothing was started. */
export function refused(diagnostics: readonly Diagnostic[]): RunOutcome {
  return { details: [], diagnostics, blocked: [] };
}

/** Whatever a service repeats, the secrets of the project and of the command line are in no output. */
export function redactOutcome(
  outcome: RunOutcome,
  { secrets, tree }: LoadedProject,
  more: readonly string[] = [],
): RunOutcome {
  return redactTexts(outcome, redactor([...secrets, ...more, ...secretsIn(tree.nodes.values())]));
}

/** The configuration of a run; undefined where its answer does not tell it. */
export function configurationOf({ configuration }: RunState): number | undefined {
  const id = configuration?.["id"];
  return typeof id === "number" ? id : undefined;
}

/** The ids of everything that the project has at the service, by address; of a state that belongs elsewhere none, and why. */
export async function idsInState(
  open: OpenProject,
): Promise<Pick<RunOutcome, "blocked"> & { readonly ids: ReadonlyMap<string, number> }> {
  const { state } = (await open.store.read()) ?? freshState(open.project);
  const blocked = otherTarget({ ...planPlace(open), state });
  const bound = blocked.length > 0 ? [] : Object.entries(state.resources);
  return { ids: new Map(bound.map(([address, { id }]) => [address, id])), blocked };
}

/** There is no such run: the newest of the project's configurations are named. */
export async function noRun(
  { project, connection }: OpenProject,
  id: number,
  ids: ReadonlyMap<string, number>,
): Promise<Diagnostic> {
  const confs = configurationsOf(project).flatMap((address) => ids.get(address) ?? []);
  const lists = await Promise.all(confs.map((conf) => listRuns(connection.api, conf, 10).catch(() => [])));
  const runs = lists.flat().sort((left, right) => right.id - left.id);
  const newest = runs.slice(0, 10).map((run) => run.id);
  const detail =
    newest.length === 0
      ? "The project's configurations have no runs"
      : `The newest runs of the project's configurations are ${newest.join(", ")}`;
  return { severity: "error", code: "LF7003", summary: `the service has no run ${id}`, detail };
}

/** The document of several runs. */
export function documentOf(runs: readonly JudgedRun[], warnings: readonly string[]): RunDocument {
  const count = (verdict: Verdict) => runs.filter((run) => run.verdict === verdict).length;
  const summary = {
    ...{ passed: count("passed"), failed: count("failed"), stopped: count("stopped") },
    ...{ error: count("error"), unknown: count("unknown") },
  };
  return { warnings, runs, summary };
}

/** The details with the lines of the gate's KPIs, for annotations. */
export function withPlaces(details: RunDetails, { gates, locateKpi }: LoadedProject): RunDetails {
  const name = details.run.gate;
  if (name === undefined) return details;
  const own = gates.find((each) => each.name === name)?.kpis.length ?? 0;
  const places = details.run.kpis.map((_, index) => {
    const at = index < own ? locateKpi?.(name, index) : undefined;
    const { file, line, column } = at ?? {};
    return file === undefined || line === undefined ? undefined : { file, line, column: column ?? 1 };
  });
  return { ...details, places };
}

/** The details of a run that this command started, with the script that ran; nobody knows it where that is not what is declared. */
export function withScript(details: RunDetails, { tree }: Pick<LoadedProject, "tree">): RunDetails {
  const { address, stale, execution } = details.run;
  if (execution === null) return details;
  const scenario = tree.nodes.get(address)?.fields["scenario"];
  const at = isObject(scenario ?? null) ? (scenario as JsonObject)["ref"] : undefined;
  const script = typeof at === "string" && stale !== true ? tree.nodes.get(at)?.fields["script"] : undefined;
  return { ...details, origin: isContentMark(script) ? { scriptSha256: script.$content } : {} };
}

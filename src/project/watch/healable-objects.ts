import type { Api } from "../../api/routes.ts";
import { kinds } from "../../kinds/index.ts";
import { addressesAbove, lastStep, parentAddress } from "../../model/address.ts";
import type { Json } from "../../model/json.ts";
import { kindsByName } from "../../model/kind.ts";
import { referredHandles } from "../../model/references.ts";
import { isMissing } from "../../model/service-error.ts";
import { liveHandle, type Tree, type TreeNode } from "../../model/tree.ts";
import { type Change, isEnding, type Plan } from "../../plan/plan.ts";
import { runsUnderWay } from "../../run/read-run.ts";
import type { Finding } from "../../watch/check-result.ts";
import type { PlanOutcome } from "../plan-opened.ts";

/** A schedule that starts within this time makes what it runs busy. */
const aheadMs = 300_000;

/**
 * Addresses of planned changes that may not be written now: of a configuration with a run under way, or that a schedule starts soon,
 * of what is below it, and of the scenarios and data that it runs. Only configurations that a change concerns are asked for.
 */
export async function busyObjects(
  { plan, made }: PlanOutcome,
  { api, now }: { readonly api: Api; readonly now: number },
): Promise<ReadonlyMap<string, NonNullable<Finding["busy"]>>> {
  if (plan === undefined || made === undefined) return new Map();
  const { live, state } = made;
  const handleOf = (address: string) => {
    const bound = state.resources[address];
    return bound === undefined ? undefined : liveHandle(bound.kind, bound.id);
  };
  const found = new Map<string, NonNullable<Finding["busy"]>>();
  const configurations = [...live.nodes.values()].filter(({ kind }) => kind === "configuration");
  await Promise.all(
    configurations.map(async (configuration) => {
      const parts = runParts(configuration, live);
      const concerned = plan.changes.filter((change) => concerns(change, { configuration, parts, handleOf }));
      if (concerned.length === 0) return;
      const why = startsSoon(configuration, live, now) ? "starting" : await runningNow(api, configuration);
      if (why !== undefined) for (const { address } of concerned) found.set(address, why);
    }),
  );
  return found;
}

/** Live handles of a configuration, of what is below it, and of the scenarios and data that it runs. */
function runParts(configuration: TreeNode, live: Tree): ReadonlySet<string> {
  const kind = kindsByName(kinds).get("configuration");
  const referred = kind === undefined ? [] : referredHandles(kind, configuration.fields);
  const scenarios = referred.filter((handle) => live.nodes.get(handle)?.kind === "scenario");
  const tops = new Set([configuration.handle, ...scenarios]);
  const below = [...live.nodes.values()].filter(({ parent }) => parent !== undefined && tops.has(parent));
  return new Set([...tops, ...below.map(({ handle }) => handle)]);
}

/** True for a change of a part, of something new within one, and for the end of what the configuration is in. */
function concerns(
  change: Change,
  {
    configuration,
    parts,
    handleOf,
  }: {
    readonly configuration: TreeNode;
    readonly parts: ReadonlySet<string>;
    readonly handleOf: (address: string) => string | undefined;
  },
): boolean {
  const { address, kind, id, previousAddress } = change;
  const own = id === undefined ? handleOf(previousAddress ?? address) : liveHandle(kind, id);
  if (own !== undefined && (parts.has(own) || (isEnding(change) && own === configuration.parent))) return true;
  return addressesAbove(address).some((above) => parts.has(handleOf(above) ?? ""));
}

function startsSoon(configuration: TreeNode, live: Tree, now: number): boolean {
  return [...live.nodes.values()].some(({ kind, parent, facts = {} }) => {
    if (kind !== "schedule" || parent !== configuration.handle || facts["active"] === false) return false;
    const at = startMoment(facts["nextScheduled"]);
    return at !== undefined && Math.abs(at - now) <= aheadMs;
  });
}

function startMoment(value: Json | undefined): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : value;
  return typeof at === "number" && Number.isFinite(at) ? at : undefined;
}

/** A configuration that was deleted meanwhile does not run. */
async function runningNow(api: Api, { identity }: TreeNode): Promise<"running" | undefined> {
  if (identity === undefined) return undefined;
  const runs = await runsUnderWay(api, identity.id).catch((problem: unknown) => {
    if (isMissing(problem)) return [];
    throw problem;
  });
  return runs.length > 0 ? "running" : undefined;
}

/** Objects that are as declared while the state is not, as a healing stores them; where an apply was cut short, at least one. */
export function unrecordedObjects(
  { changes, stateChanges }: Plan,
  { isInterrupted, project }: NonNullable<PlanOutcome["made"]>,
): readonly string[] {
  const byName = kindsByName(kinds);
  const differing = new Set(changes.flatMap(({ address, previousAddress = address }) => [address, previousAddress]));
  const around = new Set([...differing].flatMap((each) => [each, ...addressesAbove(each)]));
  // One that is sent with its parent is written with all that differs there.
  const isCarried = (address: string) =>
    byName.get(lastStep(address).kind)?.inline !== undefined && around.has(parentAddress(address) ?? address);
  const alone = (all: readonly string[]) => all.filter((each) => !differing.has(each) && !isCarried(each));
  const stored = alone(Object.keys(stateChanges));
  return stored.length > 0 || !isInterrupted ? stored : alone([...project.tree.nodes.keys()]).slice(0, 1);
}

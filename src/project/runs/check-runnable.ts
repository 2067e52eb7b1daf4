import { kinds } from "../../kinds/index.ts";
import { parentAddress } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { kindsByName } from "../../model/kind.ts";
import { referredAddresses } from "../../model/references.ts";
import type { Tree } from "../../model/tree.ts";
import type { Change } from "../../plan/plan.ts";
import { listRuns } from "../../run/start-run.ts";
import type { OpenProject } from "../connect.ts";
import { runLimitFindings } from "../limit-findings.ts";
import type { LoadedProject } from "../open-project.ts";
import { commandWords } from "../open-project.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import type { System } from "../system.ts";
import type { AskedRun } from "./choose-runs.ts";

/** A configuration that can be started, and the differences between what is declared and what would run. */
export interface Runnable {
  readonly configurationId: number | undefined;
  readonly differences: readonly Change[];
}

const differing: readonly string[] = ["create", "update", "replace"];

/** Compares a configuration and everything that it runs with the service, as a plan has found them. */
export function checkRunnable(address: string, { plan, made }: PlanOutcome, tree: Tree): Runnable {
  const parts = partsOf(address, tree);
  const differences = (plan?.changes ?? []).filter(
    (change) => parts.has(change.address) && differing.includes(change.action),
  );
  return { configurationId: made?.state.resources[address]?.id, differences };
}

/** The test case, the configuration without its schedules, its scenario with data stores, providers and regions. */
function partsOf(address: string, tree: Tree): ReadonlySet<string> {
  const byName = kindsByName(kinds);
  const parts = new Set([address, parentAddress(address) ?? ""]);
  const node = tree.nodes.get(address);
  const kind = byName.get("configuration");
  const referred = node && kind ? [...referredAddresses(kind, node.fields), ...(node.dependsOn ?? [])] : [];
  for (const each of referred) {
    parts.add(each);
    for (const child of tree.nodes.values())
      if (child.parent === each && child.kind === "dataStore") parts.add(child.handle);
  }
  return parts;
}

/** Refuses to run what is not at the service as it is declared. */
function notAsDeclared(address: string, { differences }: Runnable, project: LoadedProject, system: System): Diagnostic {
  const words = differences.map(({ address: at, action, fields }) => {
    const names = fields.map(({ field }) => field);
    return `${at}: ${action}${action === "update" && names.length > 0 ? ` of ${names.join(", ")}` : ""}`;
  });
  return {
    ...{ severity: "error", code: "LF7001", address },
    summary: `${address} is not at the service as it is declared`,
    detail: `${words.join("; ")}. Run: loadform apply${commandWords(project, system)}. --stale-ok runs what is there`,
  };
}

/** The limits that forbid a start, each said once; a run that somebody else started is not held. */
export async function limitedRuns(
  { project, system, connection }: OpenProject,
  asked: readonly AskedRun[],
  { execution, live }: { readonly execution?: number; readonly live: boolean },
) {
  const isSimulated = connection.advanceRun !== undefined && !live;
  const found =
    execution !== undefined
      ? []
      : await Promise.all(asked.map(({ address }) => runLimitFindings(project, { address, isSimulated }, system)));
  const once = (all: readonly Diagnostic[]) => [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  return {
    blocked: once(found.flatMap(({ blocked }) => blocked)),
    warnings: once(found.flatMap(({ warnings }) => warnings)),
  };
}

/** The differences and the runs under way that forbid a start. */
export async function blockedRuns(
  { project, system, connection }: OpenProject,
  checked: readonly { readonly gate: AskedRun; readonly runnable: Runnable }[],
  {
    staleOk,
    execution,
    waitRunningSecs,
  }: { readonly staleOk: boolean; readonly execution?: number; readonly waitRunningSecs: number },
): Promise<readonly Diagnostic[]> {
  if (execution !== undefined) return [];
  const found: Diagnostic[] = [];
  for (const { gate, runnable } of checked) {
    const isStale = runnable.differences.length > 0 && (!staleOk || runnable.configurationId === undefined);
    if (isStale || runnable.configurationId === undefined)
      found.push(notAsDeclared(gate.address, runnable, project, system));
    else
      found.push(
        ...(await underWay(connection.api, system, {
          address: gate.address,
          id: runnable.configurationId,
          waitRunningSecs,
        })),
      );
  }
  return found;
}

/** Between two looks at a run that is waited for. */
const lookMs = 5_000;

async function underWay(
  api: OpenProject["connection"]["api"],
  { now, sleep }: System,
  { address, id, waitRunningSecs }: { readonly address: string; readonly id: number; readonly waitRunningSecs: number },
): Promise<readonly Diagnostic[]> {
  const until = now() + waitRunningSecs * 1_000;
  for (;;) {
    const runs = (await listRuns(api, id)).filter(({ completed }) => !completed);
    if (runs.length === 0) return [];
    if (now() >= until) {
      const ids = runs.map((run) => run.id).join(", ");
      const detail = `Wait for its end with --wait-running SECS, judge it with --execution ${runs[0]?.id}, or stop it`;
      return [{ severity: "error", code: "LF7002", summary: `${address} is running: ${ids}`, detail, address }];
    }
    await sleep(Math.min(lookMs, until - now()));
  }
}

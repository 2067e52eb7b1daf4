import type { Api } from "../../api/routes.ts";
import { kinds } from "../../kinds/index.ts";
import { parentAddress } from "../../model/address.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { kindsByName } from "../../model/kind.ts";
import { referredAddresses } from "../../model/references.ts";
import { sleepUnless } from "../../model/sleep-unless.ts";
import { liveHandle, type Tree } from "../../model/tree.ts";
import type { Change } from "../../plan/plan.ts";
import { baselineProblem } from "../../run/find-baseline.ts";
import { listRuns, readRun, runsUnderWay } from "../../run/read-run.ts";
import type { OpenProject } from "../connect.ts";
import { type LimitFindings, limitFindings } from "../limit-findings.ts";
import type { LoadedProject } from "../open-project.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import { commandWords, type System } from "../system.ts";
import type { AskedRun } from "./choose-runs.ts";

/** A configuration that can be started, and the differences between what is declared and what would run. */
export interface Runnable {
  readonly configurationId: number | undefined;
  readonly differences: readonly Change[];
  /** The load as the service has it; absent where it has no such configuration. */
  readonly live?: JsonObject;
}

const differing: readonly string[] = ["create", "update", "replace"];

/** Compares a configuration and everything that it runs with the service, as a plan has found them. */
export function checkRunnable(address: string, { plan, made }: PlanOutcome, tree: Tree): Runnable {
  const parts = partsOf(address, tree);
  // A data store that is no longer declared is used as long as it is there.
  const isLeft = ({ kind, action, address: at }: Change) =>
    kind === "dataStore" && action === "delete" && parts.has(parentAddress(at) ?? "");
  const differences = (plan?.changes ?? []).filter(
    (change) => (parts.has(change.address) && differing.includes(change.action)) || isLeft(change),
  );
  const id = made?.state.resources[address]?.id;
  const live = id === undefined ? undefined : made?.live.nodes.get(liveHandle("configuration", id))?.fields;
  return { configurationId: id, differences, ...(live && { live }) };
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

/** A gate, and what would run. */
export interface CheckedRun {
  readonly gate: AskedRun;
  readonly runnable: Runnable;
}

/** What is allowed although it would be refused. */
interface Allowed {
  readonly staleOk: boolean;
  /** A run that is under way is waited for so long, in seconds. */
  readonly waitRunningSecs: number;
  readonly signal: AbortSignal;
  /** Real load in real time. */
  readonly live: boolean;
}

/**
 * Everything that forbids the start of any of these runs: limits, differences and runs under way (`blocked`), and baselines that
 * there are not.
 */
export async function checkStarts(
  open: OpenProject,
  checked: readonly CheckedRun[],
  allowed: Allowed,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly blocked: readonly Diagnostic[] }> {
  const { project, system, connection } = open;
  const limited = await limitedRuns(open, checked, allowed);
  const [diagnostics, blocked]: [Diagnostic[], Diagnostic[]] = [[...limited.warnings], [...limited.blocked]];
  for (const { gate, runnable } of checked) {
    const { differences, configurationId: id } = runnable;
    if (id === undefined || (differences.length > 0 && !allowed.staleOk)) {
      blocked.push(notAsDeclared(gate.address, runnable, project, system));
      continue;
    }
    const problem = await baselineProblem(connection.api, id, gate.baseline);
    const place = { address: gate.address, code: "LF7003", severity: "error" } as const;
    if (problem !== undefined)
      diagnostics.push({
        ...place,
        summary: `${gate.name ?? gate.address} has nothing to compare with`,
        detail: problem,
      });
  }
  if (hasErrors(diagnostics) || blocked.length > 0) return { diagnostics, blocked };
  for (const { gate, runnable } of checked)
    blocked.push(...(await underWay(open, { address: gate.address, id: runnable.configurationId ?? 0 }, allowed)));
  return { diagnostics, blocked };
}

/** The findings of the limits, each said once. */
async function limitedRuns(
  { project, system, connection }: OpenProject,
  checked: readonly CheckedRun[],
  { live }: Allowed,
): Promise<LimitFindings> {
  const isVirtual = connection.advanceRun !== undefined && !live;
  const found = await Promise.all(
    checked.map(async ({ gate: { address }, runnable: { configurationId: id } }) => {
      const findings = await limitFindings(project, system, { address, isSimulated: isVirtual });
      const isHeld = [...findings.blocked, ...findings.warnings].some(({ code }) => code === "LF4010");
      if (!isHeld || live || id === undefined || !(await wasSimulated(connection.api, id))) return findings;
      return limitFindings(project, system, { address, isSimulated: true });
    }),
  );
  const once = (all: readonly Diagnostic[]) => [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  return {
    blocked: once(found.flatMap((each) => each.blocked)),
    warnings: once(found.flatMap((each) => each.warnings)),
  };
}

/** True where the service says that no request was sent by the newest run of a configuration, as it will be of the next one. */
async function wasSimulated(api: Api, id: number): Promise<boolean> {
  const [newest] = await listRuns(api, id, 1);
  return newest !== undefined && (await readRun(api, newest.id))?.simulated === true;
}

/** Between two looks at a run that is waited for. */
const lookMs = 5_000;

async function underWay(
  { connection: { api, advanceRun }, system: { now, sleep } }: OpenProject,
  { address, id }: { readonly address: string; readonly id: number },
  { waitRunningSecs, signal }: Allowed,
): Promise<readonly Diagnostic[]> {
  // Nothing but a command that follows a simulated run carries it on.
  const isVirtual = advanceRun !== undefined;
  const until = isVirtual ? now() : now() + waitRunningSecs * 1_000;
  for (;;) {
    const ids = (await runsUnderWay(api, id)).map((run) => run.id);
    if (ids.length === 0) return [];
    if (now() >= until || signal.aborted) {
      const detail = isVirtual
        ? `It is simulated, and goes on while a command follows it: run loadform run --execution ${ids[0]}`
        : `Wait for its end with --wait-running SECS, judge it with --execution ${ids[0]}, or stop it`;
      return [
        { severity: "error", code: "LF7002", summary: `${address} is running: ${ids.join(", ")}`, detail, address },
      ];
    }
    await sleepUnless(signal, () => sleep(Math.min(lookMs, until - now())));
  }
}

/** Refuses to run what is not at the service as it is declared. */
function notAsDeclared(
  address: string,
  { differences, configurationId }: Runnable,
  project: LoadedProject,
  system: System,
): Diagnostic {
  const wordsOf = (wanted: Change["action"], verb: string) => {
    const found = differences
      .filter(({ action }) => action === wanted)
      .map(({ address: at, fields }) => {
        const names = wanted === "update" ? fields.map(({ field }) => field).join(", ") : "";
        return names === "" ? at : `${at} (${names})`;
      });
    return found.length === 0 ? [] : [`${verb}: ${found.join(", ")}`];
  };
  const words = [
    ...wordsOf("create", "not created yet"),
    ...wordsOf("update", "changed"),
    ...wordsOf("replace", "to be replaced"),
    ...wordsOf("delete", "to be deleted"),
  ];
  const other = configurationId === undefined ? "" : ". To run what is there: --stale-ok";
  return {
    ...{ severity: "error", code: "LF7001", address },
    summary: `${address} is not at the service as it is declared`,
    detail: `${words.join("; ")}. Apply it first: loadform apply${commandWords(project, system)}${other}`,
  };
}

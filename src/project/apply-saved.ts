import { basename, dirname, resolve } from "node:path";
import { declaredService } from "../config/declared-service.ts";
import { kinds } from "../kinds/index.ts";
import { isWithin } from "../model/address.ts";
import { kindsByName } from "../model/kind.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import type { PlanOptions } from "../plan/plan-input.ts";
import { isSameService } from "../plan/same-service.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { diskWorkspace } from "../workspace/disk-workspace.ts";
import { isFolder } from "../workspace/path-exists.ts";
import type { ApplyFlags, ApplyOutcome, ApplyUi, ApplyWork } from "./apply-project.ts";
import { endsEarly } from "./apply-project.ts";
import { signer } from "./approved-only.ts";
import { busyWith } from "./busy-file.ts";
import { carryOut } from "./carry-out.ts";
import { commandWords } from "./command-place.ts";
import { withConnection } from "./connect.ts";
import type { PlanOutcome } from "./plan-project.ts";
import { planWith } from "./plan-project.ts";
import { orExplained, problem } from "./problem.ts";
import type { SavedPlan } from "./saved-plan.ts";
import { readSavedPlan } from "./saved-plan.ts";
import { savedProject } from "./saved-project.ts";
import { stateAt } from "./state-at.ts";
import { failedApply, settledState, underLock } from "./under-lock.ts";
import type { World } from "./world.ts";

/** Carries out a saved plan exactly, or refuses it as a whole before the first write (docs/engine.md, Saved plans). */
export async function applySaved(
  file: string,
  flags: ApplyFlags,
  work: { readonly world: World; readonly ui: ApplyUi },
): Promise<ApplyOutcome> {
  const { world, ui } = work;
  return orExplained(async () => {
    const saved = readSavedPlan(await readPlanFile(resolve(world.cwd, file), file), file);
    if (!(await isFolder(saved.root))) throw elsewhere(saved);
    const otherTarget = await otherService(saved, world);
    if (otherTarget !== undefined) return stale(otherTarget);
    const project = await savedProject(saved, world);
    const merged: ApplyFlags = {
      ...flags,
      ...approvedOptions(saved, flags),
      targets: saved.addresses,
      autoApprove: true,
    };
    const store = stateAt(project, world);
    const busy = busyWith(store, flags.lockTimeoutSecs, commandWords(project, world));
    const place = { root: project.root, world, parallelism: flags.parallelism, busy };
    return withConnection(project, place, (connection) =>
      applySavedConnected({ flags: merged, world, ui, project, connection, store }, saved),
    );
  }, failedApply);
}

/** Where commands on the plan's project would go by now, if that is another service: the key at hand is for that one. */
async function otherService(saved: SavedPlan, { env }: World): Promise<string | undefined> {
  const { environment, root, service } = saved;
  const workspace = diskWorkspace(root);
  const now = await declaredService({
    workspace,
    kinds,
    env,
    hash: sha256,
    ...(environment === undefined ? {} : { environment }),
  });
  if (now.url !== undefined && !isSameService(now.url, service.url))
    return `${now.source} names ${now.url}, but the plan is for ${service.url}`;
  const { organization } = now;
  if (organization !== undefined && String(organization) !== String(service.organization))
    return `service.organization names ${organization}, but the plan is for ${service.organization ?? "the only one"}`;
  return undefined;
}

async function readPlanFile(path: string, file: string): Promise<string> {
  return diskWorkspace(dirname(path))
    .readText(basename(path))
    .catch((cause: unknown) => {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw problem("LF5007", "the saved plan cannot be read", `${file}: ${words}`);
    });
}

/** Its state, and the files that secrets are in, are found from there: another folder would get a state of its own. */
function elsewhere({ root }: SavedPlan) {
  const detail = `found no folder ${root}, where the plan was made; expected it there: check the project out at the same path, or plan again here. Nothing was written`;
  return problem("LF5007", "the saved plan was made elsewhere", detail);
}

/** A saved plan once everything is open. */
export function applySavedConnected(work: ApplyWork, saved: SavedPlan): Promise<ApplyOutcome> {
  return underLock(work, (session) => applyUnderLock(work, session, saved));
}

async function applyUnderLock(work: ApplyWork, session: StateSession, saved: SavedPlan): Promise<ApplyOutcome> {
  const { connection, project, world, flags } = work;
  const settled = await settledState(work, session);
  const { diagnostics } = settled;
  const stored = session.stored === undefined ? withLineage(settled.stored, saved) : settled.stored;
  if (stored.state.lineage !== saved.lineage) return stale("another state stands where the plan's was");
  if (saved.hadState && session.stored === undefined) return stale("the state that the plan was made from is gone");
  // Without targets a plan is about everything; an empty one is about nothing.
  if (saved.addresses.length === 0) return { status: "nothing", diagnostics };
  const options = { ...approvedOptions(saved, flags), targets: saved.addresses, saidMovesOnly: true };
  const outcome = await planWith({ connection, project, stored, options, world });
  const early = endsEarly(outcome);
  if (outcome.plan?.guards.some(({ guard }) => guard === "target")) return stale("the state belongs to another target");
  if (early) return outcome.plan === undefined || early.status === "failed" ? staleFrom(early) : early;
  const same = onlySaved(outcome, saved);
  if (typeof same === "string") return stale(same);
  work.ui.show(same);
  return carryOut(work, session, { outcome: same, stored, diagnostics });
}

/** What the plan was made with; what may be destroyed can also be said when it is applied. */
function approvedOptions({ options }: SavedPlan, flags: ApplyFlags): PlanOptions {
  const allowDestroy = [...options.allowDestroy, ...(flags.allowDestroy ?? [])];
  return { ...options, allowDestroy, forceThreshold: options.forceThreshold || flags.forceThreshold === true };
}

function withLineage(stored: StoredState, { lineage, salt }: SavedPlan): StoredState {
  return { ...stored, state: { ...stored.state, lineage, salt } };
}

/** The part of a fresh plan that is the saved one, or what differs. */
function onlySaved(outcome: PlanOutcome, saved: SavedPlan): PlanOutcome | string {
  const { plan, made } = outcome;
  if (plan === undefined || made === undefined) return "the plan can no longer be made";
  const wanted = new Set(saved.signatures);
  const about = new Set(saved.addresses);
  const sign = signer(plan);
  const isWanted = (operation: Operation) => wanted.has(sha256(sign(operation)));
  const ends = plan.operations.filter(({ op, address }) => op === "delete" && about.has(address));
  const goesAlong = (address: string) => ends.some((end) => isWithin(address, end.address));
  const changed = plan.operations.find((operation) => about.has(operation.address) && !isWanted(operation));
  if (changed) return `${changed.address} is not as it was planned`;
  const joined = plan.operations.find(
    ({ op, address }) => op === "delete" && !about.has(address) && goesAlong(address),
  );
  if (joined) return `${joined.address} would go along, which nobody planned`;
  const kept = plan.operations.filter(isWanted);
  if (kept.length !== wanted.size) return "something that it was to do is done already, or can no longer be done";
  const missing = firstMissing(plan, kept);
  if (missing) return `${missing.address} is no longer as it has to be for that`;
  const filtered = withoutOthers(plan, kept, about);
  return { ...outcome, plan: filtered, made: { ...made, plan: filtered } };
}

/** Something that has to be made before, or to give up its name, and that the saved plan does not speak of: it was so when it was saved. */
function firstMissing(plan: Plan, kept: readonly Operation[]): Operation | undefined {
  const own = new Set(kept.map(({ id }) => id));
  const needed = new Set(kept.flatMap(({ after }) => after.filter((id) => !own.has(id))));
  return plan.operations.find(
    (operation) => needed.has(operation.id) && (operation.op === "create" || freesName(operation)),
  );
}

function freesName({ op, kind, fields }: Operation): boolean {
  const isUnique = kindsByName(kinds).get(kind)?.naturalKey !== undefined;
  return isUnique && (op === "delete" || (op === "update" && "name" in fields));
}

function withoutOthers(plan: Plan, operations: readonly Operation[], about: ReadonlySet<string>): Plan {
  const ids = new Set(operations.map(({ id }) => id));
  return {
    ...plan,
    operations: operations.map((operation) => ({ ...operation, after: operation.after.filter((id) => ids.has(id)) })),
    changes: plan.changes.filter(({ address }) => about.has(address)),
  };
}

function stale(found: string): ApplyOutcome {
  const detail = `found that ${found}; expected everything that the plan touches to be as it was. Nothing was written. Plan again`;
  return {
    status: "stale",
    diagnostics: [{ severity: "error", code: "LF5008", summary: "the saved plan is stale", detail }],
  };
}

function staleFrom(early: ApplyOutcome): ApplyOutcome {
  const [first] = early.diagnostics.filter(({ severity }) => severity === "error");
  return stale(first ? `${first.summary} (${first.detail})` : "the plan can no longer be made");
}

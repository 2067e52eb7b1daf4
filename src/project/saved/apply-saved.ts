import { resolve } from "node:path";
import { declaredService } from "../../config/read-entry.ts";
import { kinds } from "../../kinds/index.ts";
import { type Diagnostic, problem, thrownWords } from "../../model/diagnostic.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { isSameService } from "../../model/target.ts";
import type { PlanOptions } from "../../plan/plan-input.ts";
import type { StateSession } from "../../state/store.ts";
import { diskWorkspace, readTextFile } from "../../workspace/disk-workspace.ts";
import { sha256 } from "../../workspace/hash.ts";
import { isFolder } from "../../workspace/path-exists.ts";
import {
  type ApplyFlags,
  type ApplyOutcome,
  type ApplyUi,
  type ApplyWork,
  applyUnderLock,
  carryOut,
  endsEarly,
  failedApply,
} from "../apply-project.ts";
import { withProject } from "../connect.ts";
import { orExplained } from "../explain-failure.ts";
import { planLimits } from "../limit-findings.ts";
import { planOpened } from "../plan-opened.ts";
import { recoveredState } from "../read-live.ts";
import type { System } from "../system.ts";
import { onlySigned } from "./save-plan.ts";
import { openPlan, type SavedPlan, type ShownPlan, savedProject } from "./saved-plan.ts";

/** Carries out a saved plan exactly, or refuses it as a whole before the first write (docs/engine.md, Saved plans). */
export async function applySaved(
  file: string,
  flags: ApplyFlags,
  work: { readonly system: System; readonly ui: ApplyUi },
): Promise<ApplyOutcome> {
  const { system, ui } = work;
  return orExplained(async () => {
    const { document, saved } = openPlan(await readPlanFile(resolve(system.cwd, file), file), file);
    if (!(await isFolder(saved.root))) throw elsewhere(saved);
    const otherTarget = await otherService(saved, system);
    if (otherTarget !== undefined) return stale(otherTarget);
    const project = await savedProject(saved, system);
    // A plan with nothing to do is held by the limits, too.
    const limits = await planLimits(project, system, saved.options);
    if (limits.blocked.length > 0) return { status: "blocked", diagnostics: [...limits.warnings, ...limits.blocked] };
    const merged = { ...flags, ...approvedOptions(saved, flags), targets: saved.addresses, autoApprove: true };
    const { parallelism, lockTimeoutSecs } = flags;
    return withProject(project, { system, parallelism, lockTimeoutSecs }, (open) =>
      applySavedConnected({ ...open, flags: merged, ui: showingAll(ui, document) }, saved),
    );
  }, failedApply);
}

/** Shows how many objects the saved plan found unchanged, where it says so: what is planned anew is about those alone that it changes. */
function showingAll(ui: ApplyUi, { summary }: JsonObject): ApplyUi {
  const noop = isObject(summary) ? summary["noop"] : undefined;
  if (typeof noop !== "number") return ui;
  return {
    ...ui,
    show: (outcome) => {
      const { plan } = outcome;
      ui.show(plan === undefined ? outcome : { ...outcome, plan: { ...plan, summary: { ...plan.summary, noop } } });
    },
  };
}

/** The service that the project names by now, if it is another one: the key at hand is for that service. */
async function otherService(saved: SavedPlan, { env }: System): Promise<string | undefined> {
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

/** The text of a saved plan; one that cannot be read is an expected failure. */
export async function readPlanFile(path: string, file: string): Promise<string> {
  return readTextFile(path).catch((cause: unknown) => {
    throw problem("LF5007", "the saved plan cannot be read", `${file}: ${thrownWords(cause)}`);
  });
}

/** The state and the files with secrets are found from the plan's folder: another folder has another state. */
function elsewhere({ root }: SavedPlan) {
  const detail = `The plan was made in ${root}, and there is no such folder here: check out the project at the same path, or plan again here. Nothing was written`;
  return problem("LF5007", "the saved plan was made elsewhere", detail);
}

/** A saved plan once everything is open. */
export function applySavedConnected(work: ApplyWork, saved: SavedPlan): Promise<ApplyOutcome> {
  return applyUnderLock(work, (session) => applySession(work, session, saved));
}

async function applySession(work: ApplyWork, session: StateSession, saved: SavedPlan): Promise<ApplyOutcome> {
  const recovered = await recoveredState(work, session, work.ui.signal);
  const { diagnostics } = recovered;
  const { state } = recovered.stored;
  const fresh = { ...recovered.stored, state: { ...state, lineage: saved.lineage, salt: saved.salt } };
  const stored = session.stored === undefined ? fresh : recovered.stored;
  if (stored.state.lineage !== saved.lineage) return stale("there is a different state in the place of the plan's");
  if (saved.hadState && session.stored === undefined)
    return stale("the state that the plan was made from no longer exists");
  // Without targets a plan covers everything; an empty one covers nothing.
  if (saved.addresses.length === 0) return { status: "nothing", diagnostics };
  const options = { ...approvedOptions(saved, work.flags), targets: saved.addresses, declaredMovesOnly: true };
  const outcome = await planOpened({ ...work, stored, options });
  const early = endsEarly(outcome);
  if (outcome.plan?.guards.some(({ guard }) => guard === "target")) return stale("the state belongs to another target");
  if (early) return outcome.plan === undefined || early.status === "failed" ? staleFrom(early) : early;
  const { plan, made } = outcome;
  if (plan === undefined || made === undefined) return stale("the plan can no longer be made");
  const part = onlySigned(plan, saved);
  if (typeof part === "string") return stale(part);
  const same = { ...outcome, plan: part, made: { ...made, plan: part } };
  work.ui.show(same);
  return carryOut(work, session, { outcome: same, stored, diagnostics });
}

/** The options of the plan; what may be destroyed can also be named when it is applied. */
function approvedOptions({ options }: SavedPlan, flags: ApplyFlags): PlanOptions {
  const allowDestroy = [...options.allowDestroy, ...(flags.allowDestroy ?? [])];
  return { ...options, allowDestroy, forceThreshold: options.forceThreshold || flags.forceThreshold === true };
}

function stale(found: string): ApplyOutcome {
  const detail = `The plan no longer holds: ${found}. Nothing was written. Plan again`;
  return {
    status: "stale",
    diagnostics: [{ severity: "error", code: "LF5008", summary: "the saved plan is stale", detail }],
  };
}

function staleFrom(early: ApplyOutcome): ApplyOutcome {
  const [first] = early.diagnostics.filter(({ severity }) => severity === "error");
  return stale(first ? `${first.summary} (${first.detail})` : "the plan can no longer be made");
}

interface SavedAsShown {
  /** As `plan --json` printed it. */
  readonly document?: JsonObject;
  readonly shown?: ShownPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a saved plan to show it: nothing but its file is looked at. */
export function showSaved(file: string, { cwd }: Pick<System, "cwd">): Promise<SavedAsShown> {
  const text = () => readPlanFile(resolve(cwd, file), file);
  return orExplained<SavedAsShown>(
    async () => {
      const { loadform: _saved, shown, file_digest: _digest, ...document } = openPlan(await text(), file).document;
      return { document, shown: shown as unknown as ShownPlan, diagnostics: [] };
    },
    (diagnostics) => ({ diagnostics }),
  );
}

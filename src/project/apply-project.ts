import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { StateSession, StateStore } from "../state/store.ts";
import { busyWith } from "./busy-file.ts";
import { carryOut, isEmptyPlan } from "./carry-out.ts";
import { commandWords } from "./command-place.ts";
import type { Connection } from "./connect.ts";
import { withConnection } from "./connect.ts";
import type { OpenProject } from "./load-folder.ts";
import { loadFolder } from "./load-folder.ts";
import type { PlanFlags, PlanOutcome } from "./plan-project.ts";
import { freshState, optionsOf, planWith } from "./plan-project.ts";
import { orExplained } from "./problem.ts";
import { stateAt } from "./state-at.ts";
import { failedApply, settledState, underLock } from "./under-lock.ts";
import type { World } from "./world.ts";

/** What was asked of an apply. */
export interface ApplyFlags extends PlanFlags {
  readonly lockTimeoutSecs: number;
  /** Nobody has to be asked. */
  readonly autoApprove: boolean;
}

/** How an apply talks to whoever started it. */
export interface ApplyUi {
  /** Shows the plan and asks; not called for an empty plan. */
  readonly confirm: (outcome: PlanOutcome) => Promise<boolean>;
  /** Shows a plan that is carried out without asking. */
  readonly show: (outcome: PlanOutcome) => void;
  readonly emit: (event: ApplyEvent) => void;
  readonly signal: AbortSignal;
}

/** How an apply ended. */
export interface ApplyOutcome {
  readonly status:
    | "nothing"
    | "applied"
    | "partial"
    | "declined"
    | "blocked"
    | "stale"
    | "locked"
    | "failed"
    | "interrupted";
  readonly plan?: PlanOutcome;
  readonly counts?: ApplyCounts;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans, asks, and carries the plan out under the lock. */
export async function applyProject(flags: ApplyFlags, world: World, ui: ApplyUi): Promise<ApplyOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, world, "error");
    if (hasErrors(project.diagnostics)) return { status: "failed", diagnostics: project.diagnostics };
    const store = stateAt(project, world);
    const busy = busyWith(store, flags.lockTimeoutSecs, commandWords(project, world));
    const place = { root: project.root, world, parallelism: flags.parallelism, busy };
    return withConnection(project, place, (connection) =>
      applyConnected({ flags, world, ui, project, connection, store }),
    );
  }, failedApply);
}

/** Everything an apply works with. */
export interface ApplyWork {
  readonly flags: ApplyFlags;
  readonly world: World;
  readonly ui: ApplyUi;
  readonly project: OpenProject;
  readonly connection: Connection;
  readonly store: StateStore;
}

/** An apply once everything is open. */
export async function applyConnected(work: ApplyWork): Promise<ApplyOutcome> {
  const { flags, project, world, connection, ui, store } = work;
  if (flags.autoApprove) return underLock(work, (session) => planAndApply(work, session));
  const stored = (await store.read()) ?? freshState(project);
  const shown = await planWith({ connection, project, stored, options: optionsOf(flags), world });
  const early = endsEarly(shown);
  if (early) return early;
  if (!isEmptyPlan(shown) && !(await ui.confirm(shown)))
    return { status: "declined", plan: shown, diagnostics: shown.diagnostics };
  return underLock(work, (session) => planAndApply(work, session, shown));
}

async function planAndApply(work: ApplyWork, session: StateSession, approved?: PlanOutcome): Promise<ApplyOutcome> {
  const { connection, project, flags, world, ui } = work;
  const { stored, diagnostics } = await settledState(work, session);
  const outcome = await planWith({ connection, project, stored, options: optionsOf(flags), world });
  const early = endsEarly(outcome);
  if (early) return early;
  if (approved === undefined) ui.show(outcome);
  return carryOut(work, session, { outcome, stored, diagnostics, ...(approved && { approved }) });
}

/** A plan that may not be carried out ends the run before the first write. */
export function endsEarly(outcome: PlanOutcome): ApplyOutcome | undefined {
  if (outcome.plan === undefined || hasErrors(outcome.diagnostics))
    return { status: "failed", plan: outcome, diagnostics: outcome.diagnostics };
  if (outcome.blocked.length > 0)
    return { status: "blocked", plan: outcome, diagnostics: [...outcome.diagnostics, ...outcome.blocked] };
  return undefined;
}

import { type ApplyResult, applyPlan } from "../apply/apply-plan.ts";
import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import { keepHidden } from "../apply/hidden-objects.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../model/diagnostic.ts";
import { valueAt } from "../model/json.ts";
import { withStateChanges } from "../plan/bind.ts";
import type { State } from "../state/state.ts";
import { StateLocked, type StateSession, type StoredState } from "../state/store.ts";
import { sha256 } from "../workspace/hash.ts";
import { type Connect, type Connection, type OpenProject, withLock, withProject } from "./connect.ts";
import { explainFailure, orExplained, wasStopped } from "./explain-failure.ts";
import { type LoadedProject, loadFolder } from "./open-project.ts";
import { freshState } from "./open-state.ts";
import { type PlanOutcome, planOpened } from "./plan-opened.ts";
import { optionsOf, type PlanFlags } from "./plan-project.ts";
import { recoveredState, rereadOf } from "./read-live.ts";
import { approvedOnly } from "./saved/save-plan.ts";
import type { System } from "./system.ts";

/** The options of an apply: those of its plan, and how it is carried out. */
export interface ApplyFlags extends PlanFlags {
  /** Seconds to wait for a lock that another command holds; 0 does not wait. */
  readonly lockTimeoutSecs: number;
  /** No question is asked. */
  readonly autoApprove: boolean;
}

/** The conversation of an apply with the command that started it. */
export interface ApplyUi {
  /** Shows the plan and asks; not called for an empty plan. */
  readonly confirm: (outcome: PlanOutcome) => Promise<boolean>;
  /** Shows a plan that is carried out without asking. */
  readonly show: (outcome: PlanOutcome) => void;
  /** The reason why a plan that was approved before may not be carried out, as it is under the lock. No question is asked then. */
  readonly refusal?: (
    outcome: PlanOutcome,
    connection: Connection,
  ) => Diagnostic | undefined | Promise<Diagnostic | undefined>;
  /** Is told what happens, in the order in which it does. */
  readonly emit: (event: ApplyEvent) => void;
  /** Aborted: requests in flight are finished and stored, nothing more is begun, and the status is `interrupted`. */
  readonly signal: AbortSignal;
}

/** The result of an apply, with its plan. */
export interface ApplyOutcome {
  /** `nothing`: there was nothing to do. `partial`: something failed, the rest was done. `blocked`: a guard stopped it before the first write. */
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
  /** The plan that was shown; absent when none could be made. */
  readonly plan?: PlanOutcome;
  /** Objects by what became of them; absent when nothing was begun. */
  readonly counts?: ApplyCounts;
  /** All problems, those of the plan included. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans, asks `ui.confirm` unless `autoApprove` is set, and carries the plan out under the lock of the state. How it ended is the
 * `status`; nothing is thrown for what a project, a service or a state can be wrong about.
 */
export async function applyProject(flags: ApplyFlags, system: System, ui: ApplyUi): Promise<ApplyOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, system, { unsetEnv: "error" });
    if (hasErrors(project.diagnostics)) return { status: "failed", diagnostics: project.diagnostics };
    const refused = flags.visitor?.admit(project) ?? [];
    if (refused.length > 0) return { status: "failed", diagnostics: refused };
    const { parallelism, lockTimeoutSecs } = flags;
    return withProject(project, { system, parallelism, lockTimeoutSecs }, (open) =>
      applyConnected({ ...open, flags, ui }),
    );
  }, failedApply);
}

/**
 * Applies one of several projects that were planned together. The plan is made anew under the lock; of one that was approved, only what was
 * approved is sent.
 */
export async function applyPlanned(
  project: LoadedProject,
  { flags, system, ui, connect, ...earlier }: ApplyingPlanned,
): Promise<ApplyOutcome> {
  const { parallelism, lockTimeoutSecs } = flags;
  return orExplained(
    () =>
      withProject(project, { system, parallelism, lockTimeoutSecs, connect }, (open) => {
        const work = { ...open, flags, ui };
        return applyUnderLock(work, (session) => planAndApply(work, session, earlier));
      }),
    failedApply,
  );
}

interface Earlier {
  /** The plan that was shown and approved; undefined where no approval was needed. */
  readonly approved?: PlanOutcome | undefined;
  readonly rehearsed?: PlanOutcome | undefined;
}

/** The surroundings in which a project that was planned is applied. */
export interface ApplyingPlanned extends Earlier {
  readonly flags: ApplyFlags;
  readonly system: System;
  readonly ui: ApplyUi;
  readonly connect: Connect;
}

/** The result of an apply that met an expected failure. */
export function failedApply(diagnostics: readonly Diagnostic[], thrown: unknown): ApplyOutcome {
  if (thrown instanceof StateLocked) return { status: "locked", diagnostics };
  return { status: wasStopped(thrown) ? "interrupted" : "failed", diagnostics };
}

export interface ApplyWork extends OpenProject {
  readonly flags: ApplyFlags;
  readonly ui: ApplyUi;
}

/** An apply once everything is open. */
export async function applyConnected(work: ApplyWork): Promise<ApplyOutcome> {
  const { flags, project, ui, store } = work;
  if (flags.autoApprove || ui.refusal !== undefined)
    return applyUnderLock(work, (session) => planAndApply(work, session));
  const stored = (await store.read()) ?? freshState(project);
  const { rehearsal = false } = flags;
  const shown = await planOpened({ ...work, stored, options: optionsOf(flags) }, { rehearsal });
  const early = endsEarly(shown);
  if (early) return early;
  if (!isEmptyPlan(shown) && !(await ui.confirm(shown)))
    return { status: "declined", plan: shown, diagnostics: shown.diagnostics };
  return applyUnderLock(work, (session) => planAndApply(work, session, { approved: shown }));
}

/** Uses the lock; when it cannot be released, an apply that went well failed after all. */
export function applyUnderLock(
  { store, flags, connection }: ApplyWork,
  use: (session: StateSession) => Promise<ApplyOutcome>,
): Promise<ApplyOutcome> {
  const operation = flags.destroy ? "destroy" : "apply";
  return withLock(
    { store, operation, lockTimeoutSecs: flags.lockTimeoutSecs, fence: connection.fence },
    (session) => orExplained(() => use(session), failedApply),
    (outcome, diagnostics) => {
      const { status } = outcome;
      const isWell = status === "applied" || status === "nothing";
      const fresh = diagnostics.filter(({ detail }) => outcome.diagnostics.every((told) => told.detail !== detail));
      return { ...outcome, status: isWell ? "failed" : status, diagnostics: [...outcome.diagnostics, ...fresh] };
    },
  );
}

async function planAndApply(work: ApplyWork, session: StateSession, earlier: Earlier = {}): Promise<ApplyOutcome> {
  const { flags, ui, approved, rehearsed } = { ...work, ...earlier };
  const { stored, diagnostics } = await recoveredState(work, session, ui.signal);
  // An approved plan was rehearsed before it was shown.
  const rehearsal = flags.rehearsal === true && approved === undefined;
  const outcome = await planOpened({ ...work, stored, options: optionsOf(flags) }, { rehearsal, rehearsed });
  const early = endsEarly(outcome);
  if (early) return early;
  const other = await ui.refusal?.(outcome, work.connection);
  if (other) return { status: "stale", plan: outcome, diagnostics: [...outcome.diagnostics, other] };
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

/** Carries a plan out under the lock. */
export async function carryOut(
  work: ApplyWork,
  session: StateSession,
  of: {
    readonly outcome: PlanOutcome;
    readonly stored: StoredState;
    /** Messages from the recovery of the state. */
    readonly diagnostics: readonly Diagnostic[];
    /** The plan that was approved, when it was made before the lock was taken. */
    readonly approved?: PlanOutcome;
  },
): Promise<ApplyOutcome> {
  const { outcome, stored, diagnostics, approved } = of;
  const { connection, project, ui, system, flags } = work;
  const { api } = connection;
  const { made } = outcome;
  if (outcome.plan === undefined || made === undefined) return { status: "failed", diagnostics: outcome.diagnostics };
  // An object that exists though the lists did not show it is not forgotten.
  const confirmed = await keepHidden(outcome.plan, { api, kinds, state: made.state });
  const { plan } = confirmed;
  const carried = { ...outcome, plan };
  const result = await applyPlan(approvedOnly(plan, approved?.plan), {
    api,
    kinds,
    session,
    state: await durableState(session, { ...made, plan }, stored),
    pendingIntents: stored.intents,
    live: made.live,
    readAt: made.readAt,
    reread: rereadOf(work, stored),
    reveal: (address, path) => valueAt(project.tree.nodes.get(address)?.fields, path),
    contents: outcome.contents,
    clock: { now: system.now, sleep: system.sleep },
    hash: sha256,
    signal: ui.signal,
    parallelism: flags.parallelism ?? 16,
    timeoutMs: system.requestTimeoutMs,
    waiting(address, ms) {
      const why = "there was no usable answer, and the first request may still take effect";
      system.locks?.notice(`Waiting ${Math.ceil(ms / 1000)} s before ${address} is sent again: ${why}.`);
    },
    emit: (event) =>
      ui.emit("diagnostic" in event ? { ...event, diagnostic: placed(event.diagnostic, outcome) } : event),
  });
  const told = [...diagnostics, ...confirmed.diagnostics, ...failuresOf(result)];
  return outcomeOf(
    carried,
    told.map((each) => placed(each, outcome)),
    { result, isAborted: ui.signal.aborted },
  );
}

/**
 * The base of a write is stored before it: a new state, adopted objects, and moves as a whole. After a crash between
 * the parts of a move two addresses would lead to one object, and the next run would delete it as the old one; an
 * object that was adopted and changed would be unmanaged again (docs/engine.md, Promises P2 and P8).
 */
async function durableState(
  session: StateSession,
  { plan, state }: Pick<NonNullable<PlanOutcome["made"]>, "plan" | "state">,
  { intents }: StoredState,
): Promise<State> {
  if (isEmptyPlan({ plan })) return state;
  const isRebound = plan.changes.some(
    ({ previousAddress, importing }) => previousAddress !== undefined || importing === true,
  );
  const isBuiltOn = plan.operations.length > 0 && isRebound;
  if (session.stored !== undefined && !isBuiltOn) return state;
  const resources = isBuiltOn ? withStateChanges(state.resources, plan) : state.resources;
  return session.prepare({ ...state, resources }, intents);
}

/** True for a plan with nothing to send and nothing to show. */
export function isEmptyPlan({ plan }: Pick<PlanOutcome, "plan">): boolean {
  return plan === undefined || (plan.operations.length === 0 && plan.changes.length === 0);
}

/** A problem with an object leads to where the object is declared. */
function placed(diagnostic: Diagnostic, { made }: PlanOutcome): Diagnostic {
  const { address, file } = diagnostic;
  const place = address === undefined || file !== undefined ? undefined : made?.project.locate(address);
  return place ? { ...diagnostic, ...place } : diagnostic;
}

function outcomeOf(
  plan: PlanOutcome,
  told: readonly Diagnostic[],
  { result, isAborted }: { readonly result: ApplyResult; readonly isAborted: boolean },
): ApplyOutcome {
  const { counts } = result;
  const isPartial = counts.failed > 0 || counts.not_attempted > 0 || hasErrors(told);
  const isUndone = result.unsaved !== undefined && counts.create + counts.update + counts.delete === 0;
  const ended = isPartial ? (isUndone ? "failed" : "partial") : isEmptyPlan(plan) ? "nothing" : "applied";
  const diagnostics = [...plan.diagnostics, ...told];
  return { status: isAborted && isPartial ? "interrupted" : ended, plan, counts, diagnostics };
}

/** Why something was not done; a store that failed is reported once, not again for each object. */
function failuresOf({ diagnostics, unsaved }: ApplyResult): readonly Diagnostic[] {
  if (unsaved === undefined) return diagnostics;
  const words = explainFailure(unsaved);
  if (words === undefined) throw unsaved;
  return [...diagnostics.filter(({ detail }) => words.every((word) => word.detail !== detail)), ...words];
}

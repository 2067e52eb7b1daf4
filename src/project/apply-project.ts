import type { ApplyResult } from "../apply/apply-plan.ts";
import { applyPlan } from "../apply/apply-plan.ts";
import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import { recoverIntents } from "../apply/recover-intents.ts";
import { resumeLeftPaused } from "../apply/resume-paused.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { valueAt } from "../model/json.ts";
import type { Change } from "../plan/plan.ts";
import { settleBindings } from "../plan/settle-bindings.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { State, Target } from "../state/state.ts";
import type { StateSession, StateStore, StoredState } from "../state/store.ts";
import { StateLocked, WaitStopped } from "../state/store.ts";
import { approvedOnly } from "./approved-only.ts";
import type { Connection } from "./connect.ts";
import { connect } from "./connect.ts";
import type { OpenProject } from "./load-folder.ts";
import { loadFolder } from "./load-folder.ts";
import type { PlanFlags, PlanOutcome } from "./plan-project.ts";
import { freshState, optionsOf, planWith } from "./plan-project.ts";
import { diagnosticsOf } from "./problem.ts";
import { readLive } from "./read-live.ts";
import { stateAt } from "./state-at.ts";
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
    return withConnection(project, { flags, world }, (connection) =>
      applyConnected({ flags, world, ui, project, connection, store }),
    );
  });
}

/** Turns expected failures into an outcome. */
export async function orExplained(run: () => Promise<ApplyOutcome>): Promise<ApplyOutcome> {
  try {
    return await run();
  } catch (thrown) {
    const diagnostics = diagnosticsOf(thrown);
    if (diagnostics === undefined) throw thrown;
    return { status: statusOf(thrown), diagnostics };
  }
}

function statusOf(thrown: unknown): "locked" | "interrupted" | "failed" {
  if (thrown instanceof StateLocked) return "locked";
  return thrown instanceof WaitStopped ? "interrupted" : "failed";
}

/** Runs something with an open connection, and closes it. */
export async function withConnection<T>(
  project: OpenProject,
  at: { readonly flags: PlanFlags; readonly world: World },
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { parallelism } = at.flags;
  const connection = await connect(project, {
    root: project.root,
    world: at.world,
    ...(parallelism === undefined ? {} : { parallelism }),
  });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
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
  if (!isEmpty(shown) && !(await ui.confirm(shown)))
    return { status: "declined", plan: shown, diagnostics: shown.diagnostics };
  return underLock(work, (session) => planAndApply(work, session, shown));
}

/** Takes the lock, settles what an earlier run left in doubt, and gives the lock back. */
export async function underLock(
  { store, flags, connection }: ApplyWork,
  use: (session: StateSession) => Promise<ApplyOutcome>,
): Promise<ApplyOutcome> {
  const operation = flags.destroy ? "destroy" : "apply";
  const session = await store.lock({ operation, timeoutMs: flags.lockTimeoutSecs * 1000 });
  // A write that waited, for an answer or for its turn, must not leave when the lock is somebody else's by now.
  connection.fence?.(() => session.record([]));
  try {
    return await use(session);
  } finally {
    connection.fence?.(undefined);
    await session.release();
  }
}

/** The state under the lock, with creates in doubt settled. */
export async function settledState(
  work: ApplyWork,
  session: StateSession,
): Promise<{ stored: StoredState; diagnostics: readonly Diagnostic[] }> {
  const { project, world, connection } = work;
  const stored = session.stored ?? freshState(project);
  if (stored.intents.length === 0) return { stored, diagnostics: [] };
  const clock = { now: world.now, sleep: world.sleep };
  const created = await recoverIntents(stored, {
    session,
    kinds,
    reread: rereadOf(work, stored),
    clock,
    hash: sha256,
    isOver: connection.embedded,
    signal: work.ui.signal,
    waiting: (creates, ms) => world.locks?.notice(waitingText(creates, ms)),
  });
  if (!isSameTarget(stored.state.target, connection.target)) return created;
  const { api, target } = connection;
  const resumed = await resumeLeftPaused(created.stored, { api, organization: target.organization, session, kinds });
  return { stored: resumed.stored, diagnostics: [...created.diagnostics, ...resumed.diagnostics] };
}

function waitingText(creates: number, ms: number): string {
  const what = creates === 1 ? "one create" : `${creates} creates`;
  return `Waiting ${Math.ceil(ms / 1000)} s: an interrupted run left ${what} of which it is not known how they ended, and what it sent may still take effect.`;
}

function unansweredText(address: string, ms: number): string {
  return `Waiting ${Math.ceil(ms / 1000)} s before ${address} is sent again: no good answer came, and what was sent may still take effect.`;
}

function isSameTarget(known: Target | undefined, now: Target): boolean {
  return known?.url === now.url && known.organization === now.organization;
}

function rereadOf({ connection, project }: ApplyWork, stored: StoredState) {
  return async () => (await readLive(connection, { desired: project.tree, state: stored.state })).tree;
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

/** Whether a plan has nothing to send and nothing to show. */
function isEmpty({ plan }: PlanOutcome): boolean {
  return plan === undefined || (plan.operations.length === 0 && plan.changes.length === 0);
}

/** What is to be carried out, on which state. */
export interface Carry {
  readonly outcome: PlanOutcome;
  readonly stored: StoredState;
  readonly diagnostics: readonly Diagnostic[];
  /** The plan that somebody agreed to, when it was made before the lock was taken. */
  readonly approved?: PlanOutcome;
}

/** Carries a plan out under the lock. */
export async function carryOut(work: ApplyWork, session: StateSession, carry: Carry): Promise<ApplyOutcome> {
  const { outcome } = carry;
  const { plan, made } = outcome;
  if (plan === undefined || made === undefined) return { status: "failed", diagnostics: outcome.diagnostics };
  const { connection, project, ui, world, flags } = work;
  const state = await durableState(session, carry);
  const result = await applyPlan(approvedOnly(plan, carry.approved?.plan), {
    api: connection.api,
    kinds,
    session,
    state,
    live: made.live,
    readAt: made.readAt,
    reread: rereadOf(work, carry.stored),
    reveal: (address, path) => valueAt(project.tree.nodes.get(address)?.fields, path),
    contents: outcome.contents,
    clock: { now: world.now, sleep: world.sleep },
    hash: sha256,
    signal: ui.signal,
    parallelism: flags.parallelism ?? 16,
    waiting: (address, ms) => world.locks?.notice(unansweredText(address, ms)),
    emit: (event) =>
      ui.emit("diagnostic" in event ? { ...event, diagnostic: placed(event.diagnostic, outcome) } : event),
  });
  return outcomeOf(carry, result, ui.signal.aborted);
}

/**
 * What a write builds on is stored before it: a new state, what is taken over, and moves as a whole. After a crash between
 * the parts of a move two addresses would lead to one object, and the next run would delete it as the old one; an object
 * that was taken over and changed would be nobody's again (engine.md 3, P2 and P8).
 */
async function durableState(session: StateSession, { outcome, stored }: Carry): Promise<State> {
  const { plan, made } = outcome;
  const state = made?.state ?? stored.state;
  if (plan === undefined || isEmpty(outcome)) return state;
  const isBuiltOn = plan.operations.length > 0 && plan.changes.some(isRebound);
  if (session.stored !== undefined && !isBuiltOn) return state;
  const resources = isBuiltOn ? settleBindings(state.resources, plan) : state.resources;
  return session.prepare({ ...state, resources }, stored.intents);
}

function isRebound({ previousAddress, importing }: Change): boolean {
  return previousAddress !== undefined || importing === true;
}

/** A problem with an object leads to where the object is declared. */
function placed(diagnostic: Diagnostic, { made }: PlanOutcome): Diagnostic {
  const { address, file } = diagnostic;
  const place = address === undefined || file !== undefined ? undefined : made?.project.locate(address);
  return place ? { ...diagnostic, ...place } : diagnostic;
}

function outcomeOf(
  { outcome, diagnostics }: Carry,
  { counts, diagnostics: failures }: ApplyResult,
  isAborted: boolean,
): ApplyOutcome {
  const atHome = [...diagnostics, ...failures].map((each) => placed(each, outcome));
  const all = [...outcome.diagnostics, ...atHome];
  const isPartial = counts.failed > 0 || counts.not_attempted > 0 || hasErrors([...diagnostics, ...failures]);
  const status =
    isAborted && isPartial ? "interrupted" : isPartial ? "partial" : isEmpty(outcome) ? "nothing" : "applied";
  return { status, plan: outcome, counts, diagnostics: all };
}

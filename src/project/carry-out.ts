import type { ApplyResult } from "../apply/apply-plan.ts";
import { applyPlan } from "../apply/apply-plan.ts";
import { keepHidden } from "../apply/keep-hidden.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { valueAt } from "../model/json.ts";
import type { Change } from "../plan/plan.ts";
import { settleBindings } from "../plan/settle-bindings.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { State } from "../state/state.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import type { ApplyOutcome, ApplyWork } from "./apply-project.ts";
import { approvedOnly } from "./approved-only.ts";
import type { PlanOutcome } from "./plan-project.ts";
import { diagnosticsOf } from "./problem.ts";
import { rereadOf } from "./under-lock.ts";

/** What is to be carried out, on which state. */
export interface Carry {
  readonly outcome: PlanOutcome;
  readonly stored: StoredState;
  readonly diagnostics: readonly Diagnostic[];
  /** The plan that somebody agreed to, when it was made before the lock was taken. */
  readonly approved?: PlanOutcome;
}

/** Carries a plan out under the lock. */
export async function carryOut(work: ApplyWork, session: StateSession, asked: Carry): Promise<ApplyOutcome> {
  const { connection, project, ui, world, flags } = work;
  const { api } = connection;
  const carry = await withHidden(asked, api);
  const { outcome } = carry;
  const { plan, made } = outcome;
  if (plan === undefined || made === undefined) return { status: "failed", diagnostics: outcome.diagnostics };
  const state = await durableState(session, carry);
  const result = await applyPlan(approvedOnly(plan, carry.approved?.plan), {
    api,
    kinds,
    session,
    state,
    open: carry.stored.intents,
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

/** What is there though the lists did not show it is not forgotten. */
async function withHidden(carry: Carry, api: ApplyWork["connection"]["api"]): Promise<Carry> {
  const { outcome, stored } = carry;
  if (outcome.plan === undefined) return carry;
  const { plan, diagnostics } = await keepHidden(outcome.plan, {
    api,
    kinds,
    state: outcome.made?.state ?? stored.state,
  });
  return { ...carry, outcome: { ...outcome, plan }, diagnostics: [...carry.diagnostics, ...diagnostics] };
}

function unansweredText(address: string, ms: number): string {
  return `Waiting ${Math.ceil(ms / 1000)} s before ${address} is sent again: no good answer came, and what was sent may still take effect.`;
}

/**
 * What a write builds on is stored before it: a new state, what is taken over, and moves as a whole. After a crash between
 * the parts of a move two addresses would lead to one object, and the next run would delete it as the old one; an object
 * that was taken over and changed would be nobody's again (docs/engine.md, Promises P2 and P8).
 */
async function durableState(session: StateSession, { outcome, stored }: Carry): Promise<State> {
  const { plan, made } = outcome;
  const state = made?.state ?? stored.state;
  if (plan === undefined || isEmptyPlan(outcome)) return state;
  const isBuiltOn = plan.operations.length > 0 && plan.changes.some(isRebound);
  if (session.stored !== undefined && !isBuiltOn) return state;
  const resources = isBuiltOn ? settleBindings(state.resources, plan) : state.resources;
  return session.prepare({ ...state, resources }, stored.intents);
}

/** Whether a plan has nothing to send and nothing to show. */
export function isEmptyPlan({ plan }: PlanOutcome): boolean {
  return plan === undefined || (plan.operations.length === 0 && plan.changes.length === 0);
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

function outcomeOf({ outcome, diagnostics }: Carry, result: ApplyResult, isAborted: boolean): ApplyOutcome {
  const { counts } = result;
  const failures = failuresOf(result);
  const atHome = [...diagnostics, ...failures].map((each) => placed(each, outcome));
  const all = [...outcome.diagnostics, ...atHome];
  const isPartial = counts.failed > 0 || counts.not_attempted > 0 || hasErrors([...diagnostics, ...failures]);
  const isUndone = result.unsaved !== undefined && counts.create + counts.update + counts.delete === 0;
  const ended = isPartial ? (isUndone ? "failed" : "partial") : isEmptyPlan(outcome) ? "nothing" : "applied";
  return { status: isAborted && isPartial ? "interrupted" : ended, plan: outcome, counts, diagnostics: all };
}

/** What stood in the way; a store that failed is told once, not again for each object. */
function failuresOf({ diagnostics, unsaved }: ApplyResult): readonly Diagnostic[] {
  if (unsaved === undefined) return diagnostics;
  const words = diagnosticsOf(unsaved);
  if (words === undefined) throw unsaved;
  return [...diagnostics.filter(({ detail }) => words.every((word) => word.detail !== detail)), ...words];
}

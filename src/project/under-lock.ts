import { recoverIntents } from "../apply/recover-intents.ts";
import { resumeLeftPaused } from "../apply/resume-paused.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isSameTarget } from "../plan/same-service.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { StateSession, StoredState } from "../state/store.ts";
import { StateLocked, WaitStopped } from "../state/store.ts";
import type { ApplyOutcome, ApplyWork } from "./apply-project.ts";
import { freshState } from "./plan-project.ts";
import { orExplained } from "./problem.ts";
import { readLive } from "./read-live.ts";

/** Takes the lock, lets no write leave without it, and gives it back. */
export async function underLock(
  { store, flags, connection }: ApplyWork,
  use: (session: StateSession) => Promise<ApplyOutcome>,
): Promise<ApplyOutcome> {
  const operation = flags.destroy ? "destroy" : "apply";
  const session = await store.lock({ operation, timeoutMs: flags.lockTimeoutSecs * 1000 });
  // A write that waited, for an answer or for its turn, must not leave when the lock is somebody else's by now.
  connection.fence?.({ prove: () => session.record([]), mayWrite: session.mayWrite });
  const outcome = await orExplained(() => use(session), failedApply).catch(async (defect: unknown) => {
    await session.release().catch(() => undefined);
    throw defect;
  });
  connection.fence?.(undefined);
  return orExplained(
    () => session.release().then(() => outcome),
    (diagnostics) => stillLocked(outcome, diagnostics),
  );
}

/** What was done stays done when the lock cannot be given back; whoever comes next is refused until it is broken. */
function stillLocked(outcome: ApplyOutcome, diagnostics: readonly Diagnostic[]): ApplyOutcome {
  const { status } = outcome;
  const isWell = status === "applied" || status === "nothing";
  const fresh = diagnostics.filter(({ detail }) => outcome.diagnostics.every((told) => told.detail !== detail));
  return { ...outcome, status: isWell ? "failed" : status, diagnostics: [...outcome.diagnostics, ...fresh] };
}

/** How an apply ended that met an expected failure. */
export function failedApply(diagnostics: readonly Diagnostic[], thrown: unknown): ApplyOutcome {
  if (thrown instanceof StateLocked) return { status: "locked", diagnostics };
  return { status: thrown instanceof WaitStopped ? "interrupted" : "failed", diagnostics };
}

/** The state under the lock, with creates in doubt settled. */
export async function settledState(
  work: ApplyWork,
  session: StateSession,
): Promise<{ stored: StoredState; diagnostics: readonly Diagnostic[] }> {
  const { project, world, connection } = work;
  const stored = session.stored ?? freshState(project);
  if (stored.intents.length === 0) return { stored, diagnostics: [] };
  // A state whose first apply was cut short does not say whose it is. Another service knows nothing of what was sent to this one.
  const { target: known = connection.target } = stored.state;
  if (!isSameTarget(known, connection.target)) return { stored, diagnostics: [] };
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
  const { api, target } = connection;
  const resumed = await resumeLeftPaused(created.stored, { api, organization: target.organization, session, kinds });
  return { stored: resumed.stored, diagnostics: [...created.diagnostics, ...resumed.diagnostics] };
}

function waitingText(creates: number, ms: number): string {
  const what = creates === 1 ? "one create" : `${creates} creates`;
  return `Waiting ${Math.ceil(ms / 1000)} s: an interrupted run left ${what} of which it is not known how they ended, and what it sent may still take effect.`;
}

/** Reads the live tree again, as it stands then. */
export function rereadOf({ connection, project }: ApplyWork, stored: StoredState) {
  return async () => (await readLive(connection, { desired: project.tree, stored })).tree;
}

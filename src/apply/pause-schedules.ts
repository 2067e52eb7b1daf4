import { type Diagnostic, errorOf, warningOf } from "../model/diagnostic.ts";
import { grouped } from "../model/group-by.ts";
import { type AnyKind, kindsByName, type RemoteScope } from "../model/kind.ts";
import { isConflict, isMissing } from "../model/service-error.ts";
import type { Pause } from "../plan/plan.ts";
import { intentKey, isPause, type PauseIntent, type StateResource } from "../state/state.ts";
import { LockLost, type StateSession, type StoredState } from "../state/store.ts";
import type { ApplyContext } from "./apply-context.ts";
import { explainOperation, OperationFailed } from "./operation-failed.ts";

/** How far ahead a start counts as one that may happen meanwhile: the service's clock may differ, and requests be retried. */
const marginMs = 300_000;
/** Time that one more operation may take. */
const perOperationMs = 1_000;

/**
 * Keeps objects from acting by themselves while what they run is half changed (docs/engine.md, Write routes). A pause is durable in
 * the journal before it is sent, so whoever comes next can resume it.
 */
export function pauseSchedules(context: ApplyContext) {
  const planned = new Set(context.plan.operations.map(({ id }) => id));
  const all = context.plan.pauses.map((pause): PauseUnderWay => {
    const left = new Set(pause.around.filter((id) => planned.has(id)));
    return { pause, left, ready: undefined, since: undefined };
  });
  const byOperation = grouped(all.flatMap((each) => [...each.left].map((id) => [id, each] as const)));
  const found: Diagnostic[] = [];
  return {
    /** Pauses what could start while this operation is half of a change; resolves when it is paused. */
    async before(operation: string): Promise<void> {
      for (const under of byOperation.get(operation) ?? []) {
        under.ready ??= pauseOne(context, under);
        await under.ready;
      }
    },
    /** Resumes what waits for nothing more. */
    async after(operation: string): Promise<void> {
      for (const under of byOperation.get(operation) ?? []) {
        under.left.delete(operation);
        if (under.left.size === 0) found.push(...(await resumeOne(context, under)));
      }
    },
    /** Resumes the rest, and answers what went wrong. */
    async end(): Promise<readonly Diagnostic[]> {
      for (const under of all) if (under.left.size > 0) found.push(...(await resumeOne(context, under)));
      return found;
    },
  };
}

interface PauseUnderWay {
  readonly pause: Pause;
  /** Operations still to come. */
  readonly left: Set<string>;
  /** Resolved once it may no longer start: it is paused, or far from it. */
  ready: Promise<void> | undefined;
  /** When it was paused, or may have been; epoch milliseconds. */
  since: number | undefined;
}

async function pauseOne(context: ApplyContext, under: PauseUnderWay): Promise<void> {
  const { clock, plan, session } = context;
  const { pause } = under;
  const kind = context.kindOf(pause.kind);
  const { address, id } = pause;
  const now = clock.now();
  const start = nextStart(context, pause, now - marginMs);
  const latest = now + marginMs + perOperationMs * plan.operations.length;
  if (kind.pause === undefined || start === undefined || start > latest) return;
  await session.record([{ phase: "intent", intent: intentOf(pause, now) }]);
  under.since = now;
  try {
    await kind.remote.set?.({ ...context.scopeOf(address), id, body: { [kind.pause.field]: false } });
  } catch (problem) {
    if (isMissing(problem)) return;
    throw notPaused(address, problem);
  }
  context.emit({ type: "paused", address });
}

function nextStart(context: ApplyContext, { kind, fields, createdAt }: Pause, after: number): number | undefined {
  return context.kindOf(kind).nextTimes?.(fields, { createdAt: Date.parse(createdAt), now: after })[0]?.at;
}

function intentOf({ address, kind, id }: Pause, t: number): PauseIntent {
  return { op: "pause", address, kind, id, t };
}

function notPaused(address: string, problem: unknown): unknown {
  if (problem instanceof LockLost) return problem;
  const { detail } = explainOperation(problem, address);
  return new OperationFailed(address, {
    code: "LF6006",
    summary: `${address} could not be paused`,
    detail: `it might start while the objects it runs are half changed, so none of them was written: ${detail}. Run apply again`,
  });
}

async function resumeOne(context: ApplyContext, { pause, since }: PauseUnderWay): Promise<readonly Diagnostic[]> {
  if (since === undefined) return [];
  const { api, plan, session, resources, unresolved } = context;
  const { address } = pause;
  const intent = intentOf(pause, since);
  const resource = resources.get(address);
  try {
    const place = { api, organization: plan.target.organization };
    await session.record([]);
    await resumePaused(place, context.kindOf(pause.kind), { pause, resource });
    await session.record([{ phase: "resumed", address }]);
    unresolved.delete(intentKey(intent));
  } catch (problem) {
    unresolved.set(intentKey(intent), intent);
    return [stillPaused(address, problem)];
  }
  context.emit({ type: "resumed", address });
  return missedStart(context, pause, since);
}

/** A warning for a start that the pause prevented: it is not made up for. */
function missedStart(context: ApplyContext, pause: Pause, since: number): readonly Diagnostic[] {
  const at = nextStart(context, pause, since);
  if (at === undefined || at > context.clock.now()) return [];
  const { address } = pause;
  const detail =
    "it was paused because the objects it runs were being changed. It starts again as scheduled; to make up for this start, start the run by hand";
  return [{ ...warningOf("LF6007", `${address} did not start at ${new Date(at).toISOString()}`, detail), address }];
}

/**
 * Lets an object act by itself again, also one that is not bound any more. One that is gone, was created anew or is to remain paused
 * needs nothing, nor does one that cannot be paused any more: 409 (API 1, States: only a recurring schedule is paused).
 */
async function resumePaused(
  { api, organization }: Pick<RemoteScope, "api" | "organization">,
  kind: AnyKind,
  of: { readonly pause: Pick<PauseIntent, "address" | "id">; readonly resource: StateResource | undefined },
): Promise<void> {
  const { address, id } = of.pause;
  if (kind.pause === undefined) return;
  const { resource } = of;
  if (resource !== undefined && (resource.id !== id || resource.applied[kind.pause.field] === false)) return;
  const resuming = kind.remote.set?.({ api, organization, address, id, body: { [kind.pause.field]: true } });
  await resuming?.catch((problem: unknown) => {
    if (!isMissing(problem) && !isConflict(problem)) throw problem;
  });
}

/** Resumes what a killed run had paused (docs/engine.md, Write routes); what cannot be resumed remains in the journal. */
export async function resumeInterrupted(
  stored: StoredState,
  at: Pick<RemoteScope, "api" | "organization"> & {
    readonly session: StateSession;
    readonly kinds: readonly AnyKind[];
  },
): Promise<{ readonly stored: StoredState; readonly diagnostics: readonly Diagnostic[] }> {
  const left: PauseIntent[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const pause of stored.intents.filter(isPause)) {
    const kind = kindsByName(at.kinds).get(pause.kind);
    try {
      if (kind) await resumePaused(at, kind, { pause, resource: stored.state.resources[pause.address] });
      await at.session.record([{ phase: "resumed", address: pause.address }]);
    } catch (problem) {
      left.push(pause);
      diagnostics.push(stillPaused(pause.address, problem));
    }
  }
  const others = stored.intents.filter((intent) => !isPause(intent));
  return { stored: { ...stored, intents: [...others, ...left] }, diagnostics };
}

function stillPaused(address: string, problem: unknown): Diagnostic {
  const detail = `it was paused while the objects it runs were changed, and could not be resumed: ${explainOperation(problem, address).detail}. The next apply tries again`;
  return { ...errorOf("LF6006", `${address} is still paused`, detail), address };
}

import type { Diagnostic } from "../model/diagnostic.ts";
import { grouped } from "../model/group-by.ts";
import type { Pause } from "../plan/plan.ts";
import type { PauseIntent } from "../state/journal.ts";
import { intentKey } from "../state/journal.ts";
import { LockLost } from "../state/store.ts";
import type { ApplyContext } from "./apply-context.ts";
import { failureDiagnostic, isMissing, OperationFailed } from "./operation-failed.ts";
import { resumePaused, stillPaused } from "./resume-paused.ts";

/** How far ahead a start counts as one that may happen meanwhile: the service's clock may differ, and requests be retried. */
const marginMs = 300_000;
/** Time that one more operation may take. */
const perOperationMs = 1_000;

/** Keeps objects from acting by themselves while what they run is half changed (docs/engine.md, Write routes). */
export interface Holds {
  /** Pauses what could start while this operation is half of a change; resolves when it is paused. */
  readonly before: (operation: string) => Promise<void>;
  /** Resumes what waits for nothing more. */
  readonly after: (operation: string) => Promise<void>;
  /** Resumes the rest, and answers what went wrong. */
  readonly end: () => Promise<readonly Diagnostic[]>;
}

/** The holds of one apply; a pause is durable in the journal before it is sent, so whoever comes next can resume it. */
export function holdSchedules(context: ApplyContext): Holds {
  const planned = new Set(context.plan.operations.map(({ id }) => id));
  const holds = context.plan.pauses.map((pause): Hold => {
    const left = new Set(pause.around.filter((id) => planned.has(id)));
    return { pause, left, ready: undefined, since: undefined };
  });
  const byOperation = grouped(holds.flatMap((hold) => [...hold.left].map((id) => [id, hold] as const)));
  const found: Diagnostic[] = [];
  return {
    async before(operation) {
      for (const hold of byOperation.get(operation) ?? []) {
        hold.ready ??= pauseOne(context, hold);
        await hold.ready;
      }
    },
    async after(operation) {
      for (const hold of byOperation.get(operation) ?? []) {
        hold.left.delete(operation);
        if (hold.left.size === 0) found.push(...(await resumeOne(context, hold)));
      }
    },
    async end() {
      for (const hold of holds) if (hold.left.size > 0) found.push(...(await resumeOne(context, hold)));
      return found;
    },
  };
}

interface Hold {
  readonly pause: Pause;
  /** Operations still to come. */
  readonly left: Set<string>;
  /** Settles once it may no longer start: it is paused, or far from it. */
  ready: Promise<void> | undefined;
  /** When it was paused, or may have been; epoch milliseconds. */
  since: number | undefined;
}

/** Pauses an object that may start soon. */
async function pauseOne(context: ApplyContext, hold: Hold): Promise<void> {
  const { api, clock, plan, session } = context;
  const { pause } = hold;
  const kind = context.kindOf(pause.kind);
  const { address, id } = pause;
  const now = clock.now();
  const start = nextStart(context, pause, now - marginMs);
  const latest = now + marginMs + perOperationMs * plan.operations.length;
  if (kind.pause === undefined || start === undefined || start > latest) return;
  await session.record([{ phase: "intent", intent: intentOf(pause, now) }]);
  hold.since = now;
  try {
    const place = { api, organization: plan.target.organization, address };
    await kind.remote.set?.({ ...place, id, body: { [kind.pause.field]: false } });
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
  const { detail } = failureDiagnostic(address, problem);
  return new OperationFailed(address, {
    code: "LF6006",
    summary: `${address} could not be paused`,
    detail: `it may start while what it runs is half changed, so nothing of that was written: ${detail}. Run apply again`,
  });
}

async function resumeOne(context: ApplyContext, { pause, since }: Hold): Promise<readonly Diagnostic[]> {
  if (since === undefined) return [];
  const { api, plan, session, resources, doubtful } = context;
  const { address } = pause;
  const intent = intentOf(pause, since);
  const resource = resources.get(address);
  try {
    const place = { api, organization: plan.target.organization };
    await session.record([]);
    await resumePaused(place, context.kindOf(pause.kind), { pause, resource });
    await session.record([{ phase: "resumed", address }]);
    doubtful.delete(intentKey(intent));
  } catch (problem) {
    doubtful.set(intentKey(intent), intent);
    return [stillPaused(address, problem)];
  }
  context.emit({ type: "resumed", address });
  return missedStart(context, pause, since);
}

/** A start that did not happen because of the pause is told: nothing makes up for it. */
function missedStart(context: ApplyContext, pause: Pause, since: number): readonly Diagnostic[] {
  const at = nextStart(context, pause, since);
  if (at === undefined || at > context.clock.now()) return [];
  const moment = new Date(at).toISOString();
  return [
    {
      severity: "warning",
      code: "LF6007",
      summary: `${pause.address} did not start at ${moment}`,
      detail:
        "it was paused because what it runs was being changed. Its next start is as scheduled; to make up for this one start the run by hand",
      address: pause.address,
    },
  ];
}

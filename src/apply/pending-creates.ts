import type { AnyKind } from "../model/kind.ts";
import { sleepUnless } from "../model/sleep-unless.ts";
import type { TreeNode } from "../model/tree.ts";
import type { LostCreate, Match } from "../remote/find-lost-create.ts";
import { absent, findLostCreates } from "../remote/find-lost-create.ts";
import type { CreateIntent } from "../state/state.ts";
import { WaitStopped } from "../state/store.ts";
import type { Clock, Reread } from "./apply-context.ts";
import { OperationFailed } from "./explain-failure.ts";

/** How long a lost create may still take effect: the request's timeout and 15 s (docs/engine.md, Assumptions A7). */
const lateEffectMs = 45_000;
/** Two looks this far apart, before a create is sent again. */
const lookAgainMs = 2_000;

/** A create whose intent is recorded and of which it is not known whether it happened. */
export interface PendingCreate extends LostCreate {
  readonly intent: CreateIntent;
}

/** What creates are looked up with, and how they are waited for. */
export interface PendingInput {
  readonly reread: Reread;
  readonly clock: Clock;
  /** Nothing that was sent can still take effect: the service ended with the process that sent it. */
  readonly isOver?: boolean;
  /** Aborted: nothing more is waited for, and {@link WaitStopped} is thrown. */
  readonly signal?: AbortSignal;
  /** Told before a long wait: for how many, and how long. */
  readonly waiting?: (creates: number, ms: number) => void;
}

/** The create of an intent, with the bindings as they are by now. */
export function pendingCreate(
  kind: AnyKind,
  intent: CreateIntent,
  at: Pick<PendingCreate, "isBound" | "isOwn"> & { readonly boundId: (address: string) => number | undefined },
): PendingCreate {
  const { boundId, ...rest } = at;
  return {
    ...rest,
    kind,
    intent,
    parentId: intent.parent === undefined ? undefined : boundId(intent.parent),
    withinId: withinIdOf(intent, boundId),
    name: intent.name,
    sent: intent.sent ?? {},
    sentAt: intent.since ?? intent.t,
    createdAt: intent.createdAt,
    known: intent.preIds,
  };
}

/**
 * Finds out which creates happened, in their order (docs/engine.md, Journal and recovery): they are looked for, and waited
 * for until they can no longer happen by themselves, all at once.
 */
export async function awaitPendingCreates(
  creates: readonly PendingCreate[],
  { reread, clock, isOver, signal, waiting }: PendingInput,
): Promise<readonly Match[]> {
  if (creates.length === 0) return [];
  const found = new Map<PendingCreate, Match>();
  const look = async (left: readonly PendingCreate[]): Promise<readonly PendingCreate[]> => {
    const live = await reread(left.map(({ intent }) => intent));
    for (const [create, match] of findLostCreates(left, live)) found.set(create, match);
    return left.filter((create) => found.get(create)?.outcome === "absent");
  };
  let left: readonly PendingCreate[] = (await look(creates)).filter(
    ({ kind }) => kind.remote.upserts !== true && isOver !== true,
  );
  const until = left.reduce((latest, { intent }) => Math.max(latest, intent.t + lateEffectMs), 0);
  for (const pauseMs of [until - clock.now(), lookAgainMs]) {
    if (left.length === 0) break;
    if (pauseMs > lookAgainMs) waiting?.(left.length, pauseMs);
    if (pauseMs > 0) await sleepUnless(signal, () => clock.sleep(pauseMs));
    if (signal?.aborted) throw new WaitStopped("stopped waiting for creates in doubt");
    left = await look(left);
  }
  return creates.map((create) => found.get(create) ?? absent);
}

/** Id of what the name of a create is unique within. */
function withinIdOf({ within }: CreateIntent, boundId: (address: string) => number | undefined): number | undefined {
  const { id, ref } = within ?? {};
  if (typeof ref === "string") return boundId(ref);
  return typeof id === "number" ? id : undefined;
}

/** A lost create that may have happened more than once. */
export function ambiguousCreate(address: string, nodes: readonly TreeNode[]): OperationFailed {
  const ids = nodes.map(({ handle }) => handle).join(", ");
  return new OperationFailed(address, {
    code: "LF6004",
    summary: `${address}: it is not clear which object was made`,
    detail: `Any of these may be the one that was created: ${ids}. Delete the surplus ones at the service and apply again`,
  });
}

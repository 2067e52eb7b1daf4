import type { AnyKind, RemoteScope, Wire } from "../model/kind.ts";
import { ServiceError, usualTimeoutMs } from "../model/service-error.ts";
import { sleepUnless, WaitStopped } from "../model/sleep-unless.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { absent, findLostCreates, isUnresolved, type LostCreate, type Match } from "./find-lost-create.ts";

/** The number of times that a create is sent at most, the client's own tries included, unless a caller says otherwise (docs/engine.md, Retries). */
const createTries = 5;
/** The time in which a lost create may still take effect after its timeout, which counts as this at least (docs/engine.md, Assumptions A7). */
const lateEffectMs = 15_000;
/** A moment further ahead is that of a wrong clock; the intents of a remote state may be written so long before they are sent. */
const longestAheadMs = 5_000;
/** Two looks this far apart, before a create is sent again. */
const lookAgainMs = 2_000;
/** The longest search for a create that was sent once. */
export const longestSearchMs = usualTimeoutMs + lateEffectMs + lookAgainMs;

/** A lost create that may still take effect. */
export interface AwaitedCreate extends LostCreate {
  /** When it was sent last; epoch milliseconds. */
  readonly lastSentAt: number;
  /** Milliseconds after which its request was given up, where these are more than usual. */
  readonly timeoutMs?: number | undefined;
}

/** The way lost creates are looked for, and waited for. */
export interface Search<T extends AwaitedCreate = AwaitedCreate> {
  /** A fresh live tree, with what tells these creates apart. */
  readonly look: (creates: readonly T[]) => Promise<Tree>;
  readonly clock: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> };
  /** Nothing is waited for: the service ended with the process that sent it, or the create is an upsert that is sent again. */
  readonly isOver?: boolean;
  /** Aborted: nothing more is waited for, and {@link WaitStopped} is thrown. */
  readonly signal?: AbortSignal;
  /** Called before a long wait, with the number of creates and the milliseconds. */
  readonly waiting?: (creates: number, ms: number) => void;
}

/**
 * Finds out which creates happened, in their order (docs/engine.md, Journal and recovery): they are looked for, and waited
 * for until they can no longer happen by themselves, all at once.
 */
export async function awaitLostCreates<T extends AwaitedCreate>(
  creates: readonly T[],
  { look, clock, isOver, signal, waiting }: Search<T>,
): Promise<readonly Match[]> {
  if (creates.length === 0) return [];
  const found = new Map<T, Match>();
  const unseen = async (left: readonly T[]): Promise<readonly T[]> => {
    for (const [create, match] of findLostCreates(left, await look(left))) found.set(create, match);
    return left.filter((create) => found.get(create)?.outcome === "absent");
  };
  const absentNow = await unseen(creates);
  let left = isOver ? [] : absentNow;
  const latest = clock.now() + longestAheadMs;
  const untilOf = ({ lastSentAt, timeoutMs = 0 }: T) =>
    Math.min(lastSentAt, latest) + Math.max(timeoutMs, usualTimeoutMs) + lateEffectMs;
  const until = Math.max(0, ...left.map(untilOf));
  for (const pauseMs of [until - clock.now(), lookAgainMs]) {
    if (left.length === 0) break;
    if (pauseMs > lookAgainMs) waiting?.(left.length, pauseMs);
    if (pauseMs > 0) await sleepUnless(signal, () => clock.sleep(pauseMs));
    if (signal?.aborted) throw new WaitStopped("stopped waiting for creates in doubt");
    left = await unseen(left);
  }
  return creates.map((create) => found.get(create) ?? absent);
}

/** One create, and all that sending it no more than once takes. */
export interface SureCreate extends Search {
  readonly kind: AnyKind;
  /** Where a found object is read. */
  readonly scope: RemoteScope;
  /** Sends it once. An answer about an object that it cannot have created is an {@link UnresolvedAnswer}. */
  readonly send: () => Promise<Wire>;
  /** The create as it is looked for by now, after an answer that does not tell whether it happened. */
  readonly lost: (problem: unknown) => AwaitedCreate;
  /** Called with the object that it created, once that was found. */
  readonly found: (handle: string, id: number) => void | Promise<void>;
  /** It is about to be sent again, as nothing was found. */
  readonly again?: () => Promise<void>;
  /** The number of times that it is sent at most; default {@link createTries}. */
  readonly tries?: number;
}

/** It could not be found out whether a create happened: `cause` is why, `sent` what the create was answered with. */
export class CreateInDoubt extends Error {
  override readonly name = "CreateInDoubt";
  readonly sent: unknown;
  /** Objects of which each may be the one that was created; empty where the look itself failed or was stopped. */
  readonly nodes: readonly TreeNode[];
  constructor(sent: unknown, { cause, nodes = [] }: Partial<Pick<CreateInDoubt, "cause" | "nodes">>) {
    super("it is not known whether the create happened", { cause });
    this.sent = sent;
    this.nodes = nodes;
  }
}

/**
 * Creates an object once: after an answer that does not tell whether it happened the object is looked for, and only when it
 * surely does not exist is the create sent again (docs/engine.md, Retries). Throws {@link CreateInDoubt}, or the last failure.
 */
export async function createSurely(create: SureCreate): Promise<Wire> {
  const { tries = createTries, signal } = create;
  for (let sent = 0; ; await create.again?.()) {
    try {
      return await create.send();
    } catch (problem) {
      if (!isUnresolved(problem)) throw problem;
      const found = await foundAfter(create, problem);
      if (found !== undefined) return found;
      sent += (problem instanceof ServiceError && problem.tries) || 1;
      if (sent >= tries || signal?.aborted) throw problem;
    }
  }
}

/** The object of a create without a good answer, as its own GET shows it; undefined once it surely does not exist. */
async function foundAfter(create: SureCreate, problem: unknown): Promise<Wire | undefined> {
  try {
    // What takes effect late finds the object that the same upsert, sent again, has made.
    const isOver = create.isOver === true || create.kind.remote.upserts === true;
    const [match = absent] = await awaitLostCreates([create.lost(problem)], { ...create, isOver });
    if (match.outcome === "absent") return undefined;
    if (match.outcome === "ambiguous") throw new CreateInDoubt(problem, match);
    await create.found(match.node.handle, match.node.identity?.id ?? 0);
    return await readBack(create, match.node);
  } catch (cause) {
    throw cause instanceof CreateInDoubt ? cause : new CreateInDoubt(problem, { cause });
  }
}

/** A found object as its own GET shows it, or as the tree did where a kind has none. */
async function readBack({ kind, scope }: SureCreate, node: TreeNode): Promise<Wire> {
  const { id, createdAt, updatedAt } = node.identity ?? { id: 0, createdAt: "", updatedAt: "" };
  return (await kind.remote.read?.({ ...scope, id })) ?? { id, createdAt, updatedAt, ...node.facts };
}

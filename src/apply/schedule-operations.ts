import { topAddress } from "../model/address.ts";
import { grouped } from "../model/group-by.ts";
import type { Operation } from "../plan/plan.ts";

export type Ending = "done" | "failed" | "skipped";

/** A place among the operations that write to the service at a time. */
interface Place {
  /** Resolves when the operation may send; false when nothing is sent any more, or to a delete that is connected with a failure. */
  readonly take: () => Promise<boolean>;
  /**
   * May be called once the service has answered for good: what is left then is to note it, which takes no place. What
   * depends on the operation still waits for its end.
   */
  readonly answered: () => void;
}

/** The way operations are run. */
export interface Dispatch {
  /** As many operations again as there are places are begun ahead: what can be done before sending is done by then. */
  readonly run: (operation: Operation, place: Place) => Promise<Ending>;
  readonly parallelism: number;
  readonly isStopped: () => boolean;
}

/** Largest number of writes at a time under one test case (docs/engine.md, Retries). */
const perRoot = 4;

/**
 * Runs operations as soon as what comes before them is done, and answers how each ended. What depends on a failure is
 * skipped, and so is a delete that is connected with one (docs/engine.md, Write routes).
 */
export async function scheduleOperations(
  operations: readonly Operation[],
  dispatch: Dispatch,
): Promise<ReadonlyMap<string, Ending>> {
  const work = prepare(operations);
  await new Promise<void>((resolve, reject) => {
    const goOn = (): void => {
      givePlaces(work, dispatch);
      startReady(work, dispatch, { goOn, reject });
      if (work.running === 0) resolve();
    };
    goOn();
  });
  for (const { id } of operations) if (!work.endings.has(id)) work.endings.set(id, "skipped");
  return work.endings;
}

type Work = ReturnType<typeof prepare>;

function prepare(operations: readonly Operation[]) {
  return {
    endings: new Map<string, Ending>(),
    /** The number of operations that each one still waits for. */
    waiting: new Map(operations.map(({ id, after }) => [id, after.length])),
    followers: grouped(operations.flatMap(({ id, after }) => after.map((before) => [before, id] as const))),
    byId: new Map(operations.map((operation) => [operation.id, operation])),
    component: components(operations),
    failedComponents: new Set<string>(),
    busyRoots: new Map<string, number>(),
    /** Those that wait for no other, in the order in which they became so; of them, how many were looked at. */
    ready: operations.filter(({ after }) => after.length === 0).map(({ id }) => id),
    seen: 0,
    /** Those that were looked at and wait below a busy root, by root; and those of them for which it has room since. */
    blocked: new Map(operations.map(({ address }) => [topAddress(address), [] as string[]])),
    unblocked: [] as string[],
    /** Operations that have not ended; of them, those without an answer; of these, those with a place. */
    running: 0,
    unanswered: 0,
    placed: 0,
    /** Waiters for a place: called with true once they have one. */
    queue: [] as ((isPlaced: boolean) => void)[],
  };
}

/** What is called as operations end: after each one, and when one throws, which none should. */
interface Progress {
  readonly goOn: () => void;
  readonly reject: (problem: unknown) => void;
}

/** Looks at each operation once, and once more where its root was busy: a run is linear in its operations. */
function startReady(work: Work, dispatch: Dispatch, progress: Progress): void {
  while (work.unanswered < 2 * dispatch.parallelism) {
    const id = work.unblocked.shift() ?? (work.seen < work.ready.length ? work.ready[work.seen++] : undefined);
    if (id === undefined) return;
    const operation = work.byId.get(id);
    if (operation === undefined || dispatch.isStopped()) continue;
    const root = topAddress(operation.address);
    if (isConnectedDelete(work, operation)) finish(work, operation, "skipped");
    else if ((work.busyRoots.get(root) ?? 0) >= perRoot) work.blocked.get(root)?.push(id);
    else start(work, operation, { root, dispatch, progress });
  }
}

/** One operation less is under way below a root: the longest waiting one there may start. */
function leaveRoot(work: Work, root: string): void {
  work.busyRoots.set(root, (work.busyRoots.get(root) ?? 1) - 1);
  const next = work.blocked.get(root)?.shift();
  if (next !== undefined) work.unblocked.push(next);
}

function start(
  work: Work,
  operation: Operation,
  { root, dispatch, progress }: { readonly root: string; readonly dispatch: Dispatch; readonly progress: Progress },
): void {
  work.running++;
  work.unanswered++;
  work.busyRoots.set(root, (work.busyRoots.get(root) ?? 0) + 1);
  let isPlaced = false;
  let isAnswered = false;
  const giveUpPlace = (): void => {
    if (isAnswered) return;
    isAnswered = true;
    work.unanswered--;
    if (isPlaced) work.placed--;
    leaveRoot(work, root);
  };
  const place: Place = {
    async take() {
      isPlaced = await new Promise<boolean>((resolve) => {
        work.queue.push(resolve);
        givePlaces(work, dispatch);
      });
      // What it is connected with may have failed while it waited.
      return isPlaced && !isConnectedDelete(work, operation);
    },
    answered() {
      giveUpPlace();
      progress.goOn();
    },
  };
  dispatch.run(operation, place).then((ending) => {
    giveUpPlace();
    work.running--;
    finish(work, operation, ending);
    progress.goOn();
  }, progress.reject);
}

/** Gives free places to the longest waiting, or ends all waiting once the run is stopped. */
function givePlaces(work: Work, { parallelism, isStopped }: Dispatch): void {
  const isOver = isStopped();
  while (work.queue.length > 0 && (isOver || work.placed < parallelism)) {
    if (!isOver) work.placed++;
    work.queue.shift()?.(!isOver);
  }
}

function finish(work: Work, operation: Operation, ending: Ending): void {
  work.endings.set(operation.id, ending);
  if (ending !== "done") work.failedComponents.add(work.component.get(operation.id) ?? operation.id);
  for (const follower of work.followers.get(operation.id) ?? []) {
    const next = work.byId.get(follower);
    if (next === undefined || work.endings.has(follower)) continue;
    if (ending !== "done") {
      finish(work, next, "skipped");
      continue;
    }
    const left = (work.waiting.get(follower) ?? 1) - 1;
    work.waiting.set(follower, left);
    if (left === 0) work.ready.push(follower);
  }
}

function isConnectedDelete(work: Work, operation: Operation): boolean {
  return operation.op === "delete" && work.failedComponents.has(work.component.get(operation.id) ?? operation.id);
}

/** Operations that hang together through any chain of dependencies share a component. */
function components(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const parent = new Map(operations.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let root = id;
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up;
    for (let step = id; step !== root; ) {
      const up = parent.get(step) ?? root;
      parent.set(step, root);
      step = up;
    }
    return root;
  };
  for (const { id, after } of operations) for (const before of after) parent.set(find(id), find(before));
  return new Map(operations.map(({ id }) => [id, find(id)]));
}

import type { Diagnostic } from "../model/diagnostic.ts";
import type { Change, Operation, Plan } from "../plan/plan.ts";
import type { Intent } from "../state/state.ts";
import { LockLost, StoreFailed } from "../state/store.ts";
import { type ApplyContext, type ApplyInput, applyContext } from "./apply-context.ts";
import { bindCreatedByUse } from "./bind-answer.ts";
import { confirmWrites } from "./confirm-writes.ts";
import { announceCreates } from "./create-intents.ts";
import type { ApplyCounts } from "./events.ts";
import { changedMeanwhile, explainOperation, OperationFailed } from "./operation-failed.ts";
import { pauseSchedules } from "./pause-schedules.ts";
import { runCreate, type Turn } from "./run-create.ts";
import { runDelete } from "./run-delete.ts";
import { runSet, runUpdate } from "./run-update.ts";
import { type Ending, scheduleOperations } from "./schedule-operations.ts";

export interface ApplyResult {
  readonly counts: ApplyCounts;
  readonly diagnostics: readonly Diagnostic[];
  /** The failure to store the result; undefined when it was stored. */
  readonly unsaved?: unknown;
}

/** Carries a plan out: what depends on a failure is not attempted, the rest is done, and the state says exactly what happened. */
export async function applyPlan(plan: Plan, input: ApplyInput): Promise<ApplyResult> {
  const context = applyContext(plan, input);
  const tracker = trackChanges(context);
  const pauses = pauseSchedules(context);
  const announce = announceCreates(context);
  let isFenced = false;
  let isStoreDown = false;
  const isStopped = () => input.signal.aborted || isFenced || isStoreDown;
  const endings = await scheduleOperations(plan.operations, {
    parallelism: input.parallelism,
    isStopped,
    async run(operation, place) {
      const progress: { stage: "ahead" | "begun" | "refused" } = { stage: "ahead" };
      const begin = async (): Promise<void> => {
        progress.stage = (await place.take()) ? "begun" : "refused";
        if (progress.stage === "refused") throw new Error(`${operation.id} is not started any more`);
        tracker.started(operation);
        await pauses.before(operation.id);
      };
      try {
        await announce(operation);
        await runOperation(context, operation, { begin, answered: place.answered });
        tracker.done(operation);
        return "done";
      } catch (problem) {
        if (progress.stage === "refused" || (progress.stage === "ahead" && isStopped())) return "skipped";
        if (progress.stage === "ahead") tracker.started(operation);
        isFenced ||= problem instanceof LockLost;
        isStoreDown ||= problem instanceof StoreFailed;
        tracker.failed(operation, problem);
        return "failed";
      } finally {
        if (!isFenced && progress.stage === "begun") await pauses.after(operation.id);
      }
    },
  });
  const counts = tracker.finish(endings);
  const afterwards: Diagnostic[] = [];
  try {
    if (!isFenced) {
      afterwards.push(...(await pauses.end()));
      await bindCreatedByUse(context);
      afterwards.push(...(await confirmWrites(context)));
      await saveResult(context);
    }
    return { counts, diagnostics: [...tracker.diagnostics(), ...afterwards] };
  } catch (unsaved) {
    return { counts, diagnostics: [...tracker.diagnostics(), ...afterwards], unsaved };
  }
}

async function runOperation(context: ApplyContext, operation: Operation, turn: Turn): Promise<void> {
  if (operation.unapproved)
    throw changedMeanwhile(operation.address, "It no longer matches the plan that you confirmed");
  refuseUnresolved(context, operation);
  if (operation.op === "create") return runCreate(context, operation, turn);
  await turn.begin();
  switch (operation.op) {
    case "update":
      return runUpdate(context, operation);
    case "delete":
      return runDelete(context, operation);
    case "set":
      return runSet(context, operation);
  }
}

/** An object that may have been created already is not created again. */
function refuseUnresolved({ unresolved }: ApplyContext, { op, address, inlineChildren }: Operation): void {
  const made = [
    ...(op === "create" ? [address] : []),
    ...(inlineChildren?.items ?? []).flatMap((item) => item.address ?? []),
  ];
  const found = made.find((each) => unresolved.has(each));
  if (found === undefined) return;
  throw new OperationFailed(found, {
    code: "LF6004",
    summary: `${found} is left alone`,
    detail:
      "An earlier run may have created it already, and it is not clear which object that is. The other message about it lists the candidates: delete the surplus ones at the service and apply again",
  });
}

/** Saves what happened; a run that had nothing to do leaves the state as it is. */
async function saveResult(context: ApplyContext): Promise<void> {
  const { plan, state, session } = context;
  const intents: readonly Intent[] = [...context.unresolved.values()];
  const hadIntents = (session.stored?.intents.length ?? 0) > 0;
  if (plan.operations.length === 0 && Object.keys(plan.stateChanges).length === 0 && !hadIntents) return;
  const { environment, target, project } = plan;
  const resources = Object.fromEntries(context.resources);
  await session.save(
    { ...state, project, ...(environment === undefined ? {} : { environment }), target, resources },
    intents,
  );
}

/** Turns operations into events about objects: a user thinks in addresses, not in requests. */
function trackChanges(context: ApplyContext) {
  const { plan, emit, clock, resources } = context;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const startedAt = new Map<string, number>();
  const left = new Map<string, number>();
  for (const operation of plan.operations)
    for (const address of addressesOf(operation)) left.set(address, (left.get(address) ?? 0) + 1);
  const failures: Diagnostic[] = [];
  const failedAddresses = new Set<string>();
  let ended: string | undefined;
  const each = (operation: Operation, use: (change: Change) => void): void => {
    for (const address of addressesOf(operation)) {
      const change = changes.get(address);
      if (change) use(change);
    }
  };
  return {
    started: (operation: Operation) =>
      each(operation, ({ address, action }) => {
        if (startedAt.has(address)) return;
        startedAt.set(address, clock.now());
        emit({ type: "apply_start", address, action });
      }),
    done: (operation: Operation) =>
      each(operation, ({ address, action }) => {
        left.set(address, (left.get(address) ?? 1) - 1);
        if ((left.get(address) ?? 0) > 0) return;
        const id = resources.get(address)?.id;
        const elapsedMs = clock.now() - (startedAt.get(address) ?? clock.now());
        emit({ type: "apply_complete", address, action, ...(id === undefined ? {} : { id }), elapsedMs });
      }),
    failed(operation: Operation, problem: unknown) {
      const diagnostic = explainOperation(problem, operation.address);
      failures.push(diagnostic);
      if (problem instanceof LockLost || problem instanceof StoreFailed) ended = diagnostic.summary;
      each(operation, ({ address, action }) => {
        failedAddresses.add(address);
        emit({ type: "apply_errored", address, action, diagnostic });
      });
    },
    finish(endings: ReadonlyMap<string, Ending>): ApplyCounts {
      const skipped = plan.operations.filter(({ id }) => endings.get(id) === "skipped").flatMap(addressesOf);
      const notAttempted = new Set(
        skipped.filter(
          (address) => (changes.get(address)?.action ?? "no-op") !== "no-op" && !failedAddresses.has(address),
        ),
      );
      const because = context.signal.aborted ? "interrupted" : (ended ?? "something it depends on failed");
      for (const address of notAttempted)
        emit({ type: "not_attempted", address, action: changes.get(address)?.action ?? "no-op", because });
      return countChanges(plan, failedAddresses, notAttempted);
    },
    diagnostics: (): readonly Diagnostic[] => failures,
  };
}

/** Addresses that an operation is about: its own, and the inline children that it makes, changes or ends. */
function addressesOf({ address, inlineChildren, ends }: Operation): readonly string[] {
  const items = (inlineChildren?.items ?? []).flatMap((item) => (item.address === undefined ? [] : [item.address]));
  return [...new Set([address, ...items, ...(ends ?? [])])];
}

function countChanges(plan: Plan, failed: ReadonlySet<string>, skipped: ReadonlySet<string>): ApplyCounts {
  const done = plan.changes.filter(({ address }) => !failed.has(address) && !skipped.has(address));
  const count = (...actions: readonly Change["action"][]) =>
    done.filter(({ action }) => actions.includes(action)).length;
  return {
    create: count("create", "replace"),
    update: count("update"),
    delete: count("delete", "replace"),
    failed: failed.size,
    not_attempted: skipped.size,
  };
}

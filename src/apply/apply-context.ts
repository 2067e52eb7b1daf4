import type { Api } from "../api/routes.ts";
import { memoizedApi } from "../live/memoized-api.ts";
import type { Hash } from "../model/fingerprint.ts";
import { grouped } from "../model/group-by.ts";
import type { Json } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { kindsByName } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { isDormant } from "../plan/find-live.ts";
import type { Change, Operation, Plan } from "../plan/plan.ts";
import { settleBindings } from "../plan/settle-bindings.ts";
import type { CreateIntent, Intent } from "../state/journal.ts";
import { intentKey } from "../state/journal.ts";
import type { State, StateResource } from "../state/state.ts";
import type { StateSession } from "../state/store.ts";
import type { ApplyEvent } from "./events.ts";
import { sharedLook } from "./shared-look.ts";

/** Time, as an argument. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What carrying a plan out needs from the world. */
export interface ApplyInput {
  readonly api: Api;
  readonly kinds: readonly AnyKind[];
  readonly session: StateSession;
  /** State as read under the lock, with what recovery found. */
  readonly state: State;
  /** What recovery could not settle. */
  readonly open: readonly Intent[];
  /** The live tree that the plan was made from or checked against, and when it was read. */
  readonly live: Tree;
  readonly readAt: number;
  /** A fresh live tree, for creates in doubt. */
  readonly reread: () => Promise<Tree>;
  /** The raw value of a declared secret. */
  readonly reveal: (address: string, path: readonly string[]) => Json | undefined;
  /** Text or bytes by hash. */
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  readonly clock: Clock;
  readonly hash: Hash;
  /** Aborted: nothing more is started; what is in flight ends. */
  readonly signal: AbortSignal;
  /** How many operations at a time, at most. */
  readonly parallelism: number;
  readonly emit: (event: ApplyEvent) => void;
  /** Told before a long wait for what a create without a good answer may still do, and how long it is. */
  readonly waiting?: (address: string, ms: number) => void;
}

/** One apply under way. */
export interface ApplyContext extends ApplyInput {
  readonly plan: Plan;
  readonly kindOf: (name: string) => AnyKind;
  /** Bindings as they are now, by address. */
  readonly resources: Map<string, StateResource>;
  /** What is in doubt and stays so, of this run and of those before it, by {@link intentKey}. */
  readonly doubtful: Map<string, Intent>;
  /** Objects that this run wrote: what was read of them before no longer holds. */
  readonly touched: Set<string>;
  /** Creates of this run whose answers were believed, by address. */
  readonly created: Map<string, CreateIntent>;
  /** What was bound when the run began, by handle. */
  readonly boundBefore: ReadonlyMap<string, { readonly address: string; readonly createdAt: string }>;
  /** Addresses by the handle of the object that their create was answered with. */
  readonly answered: Map<string, string>;
  /** Objects that this run deleted, as they were bound. */
  readonly deleted: { readonly address: string; readonly resource: StateResource }[];
  /** For single reads right before a write; each is sent once a second. */
  readonly look: () => Api;
  /** The live tree of the last second. */
  readonly shownNow: () => Promise<Tree>;
  /** Addresses that the plan makes objects for. */
  readonly made: ReadonlySet<string>;
  /** The service drops what a PUT does not carry (docs/engine.md, Assumptions A3). */
  putReplaces: boolean;
  /** Addresses whose objects are made again because they were not to be seen any more. */
  readonly vanished: ReadonlySet<string>;
  /** Kinds of which the plan deletes objects. */
  readonly deletedKinds: ReadonlySet<string>;
  /** Ids of a kind under a parent, as read. */
  readonly idsUnder: (kind: AnyKind, parentId: number | undefined) => readonly number[];
}

/** The context of one apply. */
export function applyContext(plan: Plan, input: ApplyInput): ApplyContext {
  const kinds = kindsByName(input.kinds);
  const resources = new Map(Object.entries(settleBindings(input.state.resources, plan)));
  const deletes = plan.operations.filter(({ op }) => op === "delete");
  return {
    ...input,
    plan,
    resources,
    doubtful: new Map(input.open.map((intent) => [intentKey(intent), intent])),
    touched: new Set(),
    created: new Map(),
    boundBefore: bindingIndex(input.state.resources),
    answered: new Map(),
    deleted: [],
    look: sharedLook(() => memoizedApi(input.api), input.clock.now),
    shownNow: sharedLook(input.reread, input.clock.now),
    made: new Set(plan.operations.filter(({ op }) => op === "create").map(({ address }) => address)),
    putReplaces: false,
    vanished: new Set(plan.changes.filter(isVanished).map(({ address }) => address)),
    deletedKinds: new Set(deletes.map(({ kind }) => kind)),
    kindOf: (name) => kinds.get(name) ?? unknownKind(name),
    idsUnder: idIndex(input.live, kinds, new Set(deletes.flatMap(deletedHandle))),
  };
}

function isVanished({ action, reason }: Change): boolean {
  return action === "create" && reason === "deleted outside";
}

/** Creates that may still have happened are stored with the result, so that the next run looks for them. */
export function keepDoubtful({ doubtful, clock }: ApplyContext, intents: readonly Intent[]): void {
  for (const intent of intents)
    doubtful.set(intentKey(intent), { ...intent, t: clock.now(), since: intent.since ?? intent.t });
}

function bindingIndex(resources: State["resources"]): ApplyContext["boundBefore"] {
  return new Map(
    Object.entries(resources).map(([address, { kind, id, createdAt }]) => [
      liveHandle(kind, id),
      { address, createdAt },
    ]),
  );
}

function unknownKind(name: string): never {
  throw new Error(`no kind ${name}`);
}

const deletedHandle = ({ kind, precondition }: Operation) => (precondition ? [liveHandle(kind, precondition.id)] : []);

/** What counts as absent is left out, also once it was deleted: a create may wake it. */
function idIndex(
  live: Tree,
  kinds: ReadonlyMap<string, AnyKind>,
  deleted: ReadonlySet<string>,
): ApplyContext["idsUnder"] {
  const index = grouped(
    [...live.nodes.values()].flatMap((node) => {
      const kind = kinds.get(node.kind);
      const isAbsent = kind?.remote.dormant !== undefined && (deleted.has(node.handle) || isDormant(kind, node));
      if (node.identity === undefined || isAbsent) return [];
      return [[`${node.kind} ${node.parent ?? ""}`, node.identity.id] as const];
    }),
  );
  return (kind, parentId) => {
    const parent = kind.parent === undefined || parentId === undefined ? "" : liveHandle(kind.parent, parentId);
    return index.get(`${kind.name} ${parent}`) ?? [];
  };
}

import type { Api } from "../api/routes.ts";
import { lastStep } from "../model/address.ts";
import type { Hash } from "../model/fingerprint.ts";
import { grouped } from "../model/group-by.ts";
import type { Json } from "../model/json.ts";
import { type AnyKind, isDeactivated, kindsByName, type RemoteScope } from "../model/kind.ts";
import { referenceResolver } from "../model/references.ts";
import { liveHandle, type Tree } from "../model/tree.ts";
import { withStateChanges } from "../plan/bind.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import type { ValueSources } from "../remote/encode-fields.ts";
import { memoizedApi } from "../remote/watched-api.ts";
import type { ServiceHabits } from "../remote/write-object.ts";
import { type CreateIntent, type Intent, intentKey, type State, type StateResource } from "../state/state.ts";
import type { StateSession } from "../state/store.ts";
import type { ApplyEvent } from "./events.ts";

/** Reads the live tree again, with the texts and files that these creates may have made: lists have only their sizes. */
export type Reread = (pending?: readonly CreateIntent[]) => Promise<Tree>;

/** Time, as an argument. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The world as carrying a plan out sees it. */
export interface ApplyInput {
  readonly api: Api;
  readonly kinds: readonly AnyKind[];
  readonly session: StateSession;
  /** State as read under the lock, with what recovery found. */
  readonly state: State;
  /** Creates and pauses of earlier runs that recovery could not resolve. */
  readonly pendingIntents: readonly Intent[];
  /** The live tree that the plan was made from or checked against, and when it was read. */
  readonly live: Tree;
  readonly readAt: number;
  readonly reread: Reread;
  /** The raw value of a declared secret. */
  readonly reveal: (address: string, path: readonly string[]) => Json | undefined;
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  readonly clock: Clock;
  readonly hash: Hash;
  /** Aborted: nothing more is started; what is in flight ends. */
  readonly signal: AbortSignal;
  readonly parallelism: number;
  /** Milliseconds after which a request is given up, where they are not the usual ones. */
  readonly timeoutMs?: number | undefined;
  readonly emit: (event: ApplyEvent) => void;
  /** Called before a long wait for a create whose answer was lost, with the length of the wait. */
  readonly waiting?: (address: string, ms: number) => void;
}

/** One apply under way. */
export type ApplyContext = Readonly<ReturnType<typeof applyContext>>;

export function applyContext(plan: Plan, input: ApplyInput) {
  const kinds = kindsByName(input.kinds);
  const resources = new Map(Object.entries(withStateChanges(input.state.resources, plan)));
  const unresolved = new Map(input.pendingIntents.map((intent) => [intentKey(intent), intent]));
  const { api, clock, contents, live, state } = input;
  const { spell } = referenceResolver({ live, addressOf: () => undefined, readKinds: new Set() });
  const kindOf = (name: string): AnyKind => kinds.get(name) ?? unknownKind(name);
  /** A secret may be a whole field, in which objects are named. */
  const reveal = (address: string, path: readonly string[]): Json | undefined => {
    const value = input.reveal(address, path);
    const [name = "", ...rest] = path;
    if (value === undefined || rest.length > 0) return value;
    return spell(kindOf(lastStep(address).kind), { [name]: value })[name];
  };
  const { organization } = plan.target;
  const deletes = plan.operations.filter(({ op }) => op === "delete");
  const vanished = plan.changes.filter(({ action, reason }) => action === "create" && reason === "deleted outside");
  const deleted: { readonly address: string; readonly resource: StateResource }[] = [];
  const habits: ServiceHabits = { putReplaces: false };
  return {
    ...input,
    plan,
    /** Bindings as they are now, by address. */
    resources,
    /** Creates and pauses that remain unresolved, of this run and of those before it, by {@link intentKey}. */
    unresolved,
    /** Objects that this run wrote: what was read of them before no longer holds. */
    touched: new Set<string>(),
    /** Creates of this run whose answers were believed, by address. */
    created: new Map<string, CreateIntent>(),
    /** Bindings as the run began, by handle. */
    boundBefore: bindingIndex(input.state.resources),
    /** Addresses by the handle of the object that their create was answered with. */
    answered: new Map<string, string>(),
    /** Objects that this run deleted, as they were bound. */
    deleted,
    /** For single reads right before a write; each is sent once a second. */
    look: sharedLook(() => memoizedApi(api), clock.now),
    /** The live tree of the last second. */
    shownNow: sharedLook(input.reread, clock.now),
    /** Addresses that the plan creates objects for. */
    plannedCreates: new Set(plan.operations.filter(({ op }) => op === "create").map(({ address }) => address)),
    habits,
    /** Addresses whose objects are created again because they no longer exist. */
    vanished: new Set(vanished.map(({ address }) => address)),
    deletedKinds: new Set(deletes.map(({ kind }) => kind)),
    kindOf,
    scopeOf: (address: string): RemoteScope => ({ api, organization, address }),
    /** Where the values are found that the planned fields of an address point at: also at what is forgotten, and remains at the service. */
    sourcesOf: (address: string): ValueSources => ({
      idOf: (referred) =>
        (plan.stateChanges[referred] === null ? state.resources[referred] : resources.get(referred))?.id,
      secret: (path) => reveal(address, path),
      content: contents,
    }),
    /** Stores creates that may have happened with the result, so that the next run looks for them. */
    keepUnresolved(intents: readonly Intent[]): void {
      for (const intent of intents)
        unresolved.set(intentKey(intent), { ...intent, t: clock.now(), since: intent.since ?? intent.t });
    },
    idsUnder: idIndex(input.live, kinds, new Set(deletes.flatMap(deletedHandle))),
  };
}

/** The time for which a look at the service counts as one right before a write. */
export const lookLastsMs = 1_000;

/** One look serves every caller within a second; `now` is in milliseconds. */
function sharedLook<T>(look: () => T, now: () => number): () => T {
  let last: { readonly taken: T; readonly at: number } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= lookLastsMs) last = { taken: look(), at: now() };
    return last.taken;
  };
}

function bindingIndex(resources: State["resources"]) {
  const bound = Object.entries(resources);
  return new Map(bound.map(([address, { kind, id, createdAt }]) => [liveHandle(kind, id), { address, createdAt }]));
}

function unknownKind(name: string): never {
  throw new Error(`no kind ${name}`);
}

const deletedHandle = ({ kind, precondition }: Operation) => (precondition ? [liveHandle(kind, precondition.id)] : []);

/** An inactive object counts as absent, also once it was deleted: a create may wake it. */
function idIndex(
  live: Tree,
  kinds: ReadonlyMap<string, AnyKind>,
  deleted: ReadonlySet<string>,
): (kind: AnyKind, parentId: number | undefined) => readonly number[] {
  const index = grouped(
    [...live.nodes.values()].flatMap((node) => {
      const kind = kinds.get(node.kind);
      const isAbsent =
        kind?.remote.deactivated !== undefined && (deleted.has(node.handle) || isDeactivated(kind, node));
      if (node.identity === undefined || isAbsent) return [];
      return [[`${node.kind} ${node.parent ?? ""}`, node.identity.id] as const];
    }),
  );
  return (kind, parentId) => {
    const parent = kind.parent === undefined || parentId === undefined ? "" : liveHandle(kind.parent, parentId);
    return index.get(`${kind.name} ${parent}`) ?? [];
  };
}

import { isContentMark } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { mapReferences } from "../model/references.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { holdsSecret, same } from "../plan/diff-fields.ts";
import { isDormant } from "../plan/find-live.ts";
import type { CreateIntent } from "../state/journal.ts";
import { sleepUnless } from "../state/sleep-unless.ts";
import { WaitStopped } from "../state/store.ts";
import type { Clock } from "./apply-context.ts";

/** How long a lost create may still take effect: the request's timeout and 15 s (docs/engine.md, Assumptions A7). */
const lateEffectMs = 45_000;
/** Two looks this far apart, before a create is sent again. */
const lookAgainMs = 2_000;
/** How far the service's clock may be behind ours. */
const clockSkewMs = 300_000;

/** What became of a create in doubt. */
export type Recovery =
  | { readonly outcome: "found"; readonly node: TreeNode }
  | { readonly outcome: "absent" }
  | { readonly outcome: "ambiguous"; readonly nodes: readonly TreeNode[] };

/** A create of which it is not known whether it happened. */
export interface CreateInDoubt {
  readonly kind: AnyKind;
  readonly intent: CreateIntent;
  /** Id of the parent by now; undefined at the top. */
  readonly parentId: number | undefined;
  /** Id of what its name is unique within; undefined when that is not known. */
  readonly withinId: number | undefined;
  readonly isBound: (handle: string) => boolean;
  /**
   * It was sent by this run: an object of its name that says something else leaves the doubt, rather than that it is made a
   * second time. A later run takes it for somebody else's, and its plan says so.
   */
  readonly isOwn?: true;
}

/** What recovery looks things up with. */
export interface RecoveryInput {
  readonly reread: () => Promise<Tree>;
  readonly clock: Clock;
  /** Nothing that was sent can still take effect: the service ended with the process that sent it. */
  readonly isOver?: boolean;
  /** Aborted: nothing more is waited for, and {@link WaitStopped} is thrown. */
  readonly signal?: AbortSignal;
  /** Told before a long wait: for how many, and how long. */
  readonly waiting?: (creates: number, ms: number) => void;
}

/** Finds out whether a create in doubt happened (docs/engine.md, Journal and recovery): waits until it can no longer happen by itself. */
export async function recoverCreate(create: CreateInDoubt, input: RecoveryInput): Promise<Recovery> {
  const [recovery = absent] = await recoverCreates([create], input);
  return recovery;
}

/** The same for many, in their order: they are looked for, and waited for, all at once. */
export async function recoverCreates(
  creates: readonly CreateInDoubt[],
  { reread, clock, isOver, signal, waiting }: RecoveryInput,
): Promise<readonly Recovery[]> {
  if (creates.length === 0) return [];
  const found = new Map<CreateInDoubt, Recovery>();
  const look = async (left: readonly CreateInDoubt[]): Promise<readonly CreateInDoubt[]> => {
    const live = await reread();
    for (const [create, recovery] of lookFor(left, live)) found.set(create, recovery);
    return left.filter((create) => found.get(create)?.outcome === "absent");
  };
  let left: readonly CreateInDoubt[] = (await look(creates)).filter(
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

const absent: Recovery = { outcome: "absent" };

/** What the live tree says of creates in doubt. As many objects as creates that cannot be told apart are theirs, one each. */
export function lookFor(creates: readonly CreateInDoubt[], live: Tree): ReadonlyMap<CreateInDoubt, Recovery> {
  const looked = creates.map((create) => ({ create, nodes: candidatesOf(create, live) }));
  const twins = groupBy(looked, ({ nodes }) => nodes.map(({ handle }) => handle).join(" "));
  return new Map(
    [...twins.values()].flatMap((group) =>
      group.map(({ create, nodes }, index) => {
        const node = nodes.length === group.length ? nodes[index] : nodes[0];
        if (node === undefined) return [create, absent] as const;
        const isClear = (nodes.length === 1 || nodes.length === group.length) && mayBeSent(create, node);
        return [create, isClear ? { outcome: "found", node } : { outcome: "ambiguous", nodes }] as const;
      }),
    ),
  );
}

function candidatesOf(create: CreateInDoubt, live: Tree): readonly TreeNode[] {
  return [...live.nodes.values()].filter(
    (node) => isCandidate(create, node) && (create.isOwn === true || mayBeSent(create, node)),
  );
}

/** Id of what the name of a create is unique within, with the bindings as they are by now. */
export function withinIdOf(
  { within }: CreateIntent,
  boundId: (address: string) => number | undefined,
): number | undefined {
  const { id, ref } = within ?? {};
  if (typeof ref === "string") return boundId(ref);
  return typeof id === "number" ? id : undefined;
}

function isCandidate(create: CreateInDoubt, node: TreeNode): boolean {
  const { kind, intent, parentId, isBound } = create;
  if (node.kind !== kind.name || node.identity === undefined || isDormant(kind, node)) return false;
  if (!isWithin(create, node)) return false;
  const parent = kind.parent === undefined || parentId === undefined ? undefined : liveHandle(kind.parent, parentId);
  if (node.parent !== parent || intent.preIds.includes(node.identity.id)) return false;
  // What was inactive is older than the create that activated it again.
  const isOlder = Date.parse(node.identity.createdAt) < (intent.since ?? intent.t) - clockSkewMs;
  if (isOlder && kind.remote.dormant === undefined) return false;
  if (intent.createdAt !== undefined && node.identity.createdAt !== intent.createdAt) return false;
  const isNamed = intent.name === undefined || node.fields["name"] === intent.name;
  const isSame = isNamed && hasAllSent(kind, identifying(create), node.fields);
  return isSame && !isBound(node.handle);
}

/** What tells an object from another one of its name, or without a name: fields that never change in place, or all. */
function identifying({ kind, intent: { name, sent = {} } }: CreateInDoubt): JsonObject {
  if (name === undefined) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([field]) => kind.fields[field]?.change === "replace"));
}

/** Whether a create can have made an object: one that nobody has changed since says what was sent. */
function mayBeSent({ kind, intent }: CreateInDoubt, { identity, fields, facts }: TreeNode): boolean {
  if (identity?.createdAt !== identity?.updatedAt) return true;
  const readable = Object.entries(intent.sent ?? {}).filter(([name]) => !kind.fields[name]?.ownRequest);
  return readable.every(([name, value]) => {
    const live = fields[name] ?? kind.fields[name]?.default;
    // Of a file only the size is listed.
    if (isContentMark(value) && live === undefined)
      return facts?.["size"] === undefined || facts["size"] === value.bytes;
    return isContentMark(value) && isContentMark(live) ? value.$content === live.$content : same(value, live);
  });
}

function isWithin({ kind, withinId }: CreateInDoubt, node: TreeNode): boolean {
  if (typeof kind.naturalKey !== "object" || withinId === undefined) return true;
  return same(node.fields[kind.naturalKey.within], { id: withinId });
}

/** Whether a live object has every field that was sent. */
function hasAllSent(kind: AnyKind, sent: JsonObject, live: JsonObject): boolean {
  return Object.entries(sent).every(
    ([name, value]) => kind.fields[name]?.ownRequest || same(value, live[name] ?? kind.fields[name]?.default),
  );
}

/** What an object is recognized by: the fields sent, without those that hold secrets or references. */
export function traceableFields(kind: AnyKind, fields: JsonObject): JsonObject {
  const own = mapReferences(kind, fields, () => null);
  const isTraceable = ([name, value]: readonly [string, Json]) =>
    value !== null && !holdsSecret(value) && same(value, fields[name]);
  return Object.fromEntries(Object.entries(own).filter(isTraceable));
}

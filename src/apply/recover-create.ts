import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { mapReferences } from "../model/references.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { holdsSecret, same } from "../plan/diff-fields.ts";
import type { CreateIntent } from "../state/journal.ts";
import type { Clock } from "./apply-context.ts";

/** How long a lost create may still take effect: the request's timeout and 15 s (engine.md 2.15, A7). */
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
  readonly isBound: (handle: string) => boolean;
}

/** What recovery looks things up with. */
export interface RecoveryInput extends CreateInDoubt {
  readonly reread: () => Promise<Tree>;
  readonly clock: Clock;
  /** Nothing that was sent can still take effect: the service ended with the process that sent it. */
  readonly isOver?: boolean;
}

/** Finds out whether a create in doubt happened (engine.md 2.7): waits until it can no longer happen by itself. */
export async function recoverCreate(input: RecoveryInput): Promise<Recovery> {
  const { intent, clock, kind } = input;
  const first = await look(input);
  if (first.outcome !== "absent" || kind.remote.upserts || input.isOver === true) return first;
  const wait = intent.t + lateEffectMs - clock.now();
  if (wait > 0) await clock.sleep(wait);
  const second = await look(input);
  if (second.outcome !== "absent") return second;
  await clock.sleep(lookAgainMs);
  return look(input);
}

async function look(input: RecoveryInput): Promise<Recovery> {
  const nodes = findCreated(input, await input.reread());
  const [only] = nodes;
  if (only === undefined) return { outcome: "absent" };
  return nodes.length === 1 ? { outcome: "found", node: only } : { outcome: "ambiguous", nodes };
}

/** Live objects that a create in doubt may have made. */
export function findCreated(input: CreateInDoubt, live: Tree): readonly TreeNode[] {
  return [...live.nodes.values()].filter((node) => isCandidate(input, node));
}

function isCandidate({ kind, intent, parentId, isBound }: CreateInDoubt, node: TreeNode): boolean {
  if (node.kind !== kind.name || isBound(node.handle) || node.identity === undefined) return false;
  const parent = kind.parent === undefined || parentId === undefined ? undefined : liveHandle(kind.parent, parentId);
  if (node.parent !== parent || intent.preIds.includes(node.identity.id)) return false;
  if (!kind.remote.upserts && Date.parse(node.identity.createdAt) < (intent.since ?? intent.t) - clockSkewMs)
    return false;
  return intent.name === undefined
    ? hasAllSent(kind, intent.sent ?? {}, node.fields)
    : node.fields["name"] === intent.name;
}

/** Whether a live object has every field that was sent. */
function hasAllSent(kind: AnyKind, sent: JsonObject, live: JsonObject): boolean {
  return Object.entries(sent).every(
    ([name, value]) => kind.fields[name]?.ownRequest || same(value, live[name] ?? kind.fields[name]?.default),
  );
}

/** What a kind without a name is found by: the fields sent, without secrets and references. */
export function traceableFields(kind: AnyKind, fields: JsonObject): JsonObject {
  const own = mapReferences(kind, fields, () => null);
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null && !holdsSecret(value)));
}

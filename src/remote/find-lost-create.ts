import { holdsSecret, isContentMark, isSecretMark, same } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { type AnyKind, isDeactivated } from "../model/kind.ts";
import { hasFields, inSameScope } from "../model/normal-form.ts";
import { mapReferences } from "../model/references.ts";
import { ServiceError, UnresolvedAnswer } from "../model/service-error.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";

/** The time that the service's clock may be behind ours, in milliseconds: a wrong time zone makes hours, and a lost create that is not found would be sent again. */
const clockSkewMs = 86_400_000;

/** True of a write that may have happened although there was no usable answer (docs/engine.md, Retries). */
export function isUnresolved(problem: unknown): boolean {
  if (problem instanceof UnresolvedAnswer) return true;
  if (!(problem instanceof ServiceError)) return false;
  if (problem.arrival === "not-sent") return false;
  const { status } = problem;
  return problem.arrival === "maybe-done" || status === 408 || (status !== undefined && status >= 500);
}

/** A create of which it is not known whether it happened. */
export interface LostCreate {
  readonly kind: AnyKind;
  /** Id of the parent by now; undefined at the top. */
  readonly parentId?: number | undefined;
  /** Id of what its name is unique within; undefined when that is not known. */
  readonly withinId?: number | undefined;
  /** Name that was sent, for kinds that have one. */
  readonly name?: string | undefined;
  /** What was sent, as {@link traceableFields} says it. */
  readonly sent: JsonObject;
  /** When it was sent first; epoch milliseconds. */
  readonly sentAt: number;
  /** When its object was created, where an answer said so. */
  readonly createdAt?: string | undefined;
  /** Ids of that kind under that parent before. */
  readonly known: readonly number[];
  readonly isBound: (handle: string) => boolean;
  /**
   * It was sent by this run: where an object has the name but other values, the create remains unresolved and is not sent
   * again. A later run takes that object for an unmanaged one, and its plan says so.
   */
  readonly isOwn?: true;
}

/** The outcome of the search for a lost create. */
export type Match =
  | { readonly outcome: "found"; readonly node: TreeNode }
  | { readonly outcome: "absent" }
  | { readonly outcome: "ambiguous"; readonly nodes: readonly TreeNode[] };

/** No object can be that of the create. */
export const absent: Match = { outcome: "absent" };

/** Looks for the object of one lost create in the live tree. */
export function findLostCreate(create: LostCreate, live: Tree): Match {
  return findLostCreates([create], live).get(create) ?? absent;
}

/** Looks for the objects of lost creates. When n creates that cannot be told apart match exactly n objects, each gets one. */
export function findLostCreates<T extends LostCreate>(creates: readonly T[], live: Tree): ReadonlyMap<T, Match> {
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

/** What an object is recognized by: the fields sent, without references and secrets; of a secret within a mapping remains that there is one. */
export function traceableFields(kind: AnyKind, fields: JsonObject): JsonObject {
  const own = mapReferences(kind, fields, () => null);
  const isTraceable = ([name, value]: readonly [string, Json]) =>
    value !== null && !isSecretMark(value) && same(value, fields[name]);
  return Object.fromEntries(
    Object.entries(own)
      .filter(isTraceable)
      .map(([name, value]) => [name, withoutFingerprints(value)]),
  );
}

function withoutFingerprints(value: Json): Json {
  if (isSecretMark(value)) return { $secret: "" };
  if (Array.isArray(value)) return value.map(withoutFingerprints);
  if (!isObject(value) || !holdsSecret(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutFingerprints(each)]));
}

function candidatesOf(create: LostCreate, live: Tree): readonly TreeNode[] {
  return [...live.nodes.values()].filter(
    (node) => isCandidate(create, node) && (create.isOwn === true || mayBeSent(create, node)),
  );
}

function isCandidate(create: LostCreate, node: TreeNode): boolean {
  const { kind, parentId, isBound } = create;
  if (node.kind !== kind.name || node.identity === undefined || isDeactivated(kind, node)) return false;
  if (!isInScope(create, node)) return false;
  const parent = kind.parent === undefined || parentId === undefined ? undefined : liveHandle(kind.parent, parentId);
  if (node.parent !== parent || create.known.includes(node.identity.id)) return false;
  // What was inactive is older than the create that activated it again.
  const isOlder = Date.parse(node.identity.createdAt) < create.sentAt - clockSkewMs;
  if (isOlder && kind.remote.deactivated === undefined) return false;
  if (create.createdAt !== undefined && node.identity.createdAt !== create.createdAt) return false;
  const isNamed = create.name === undefined || node.fields["name"] === create.name;
  const isSame = isNamed && hasFields(kind, identifying(create), { live: node.fields, equal: saysWhatWasSent });
  return isSame && !isBound(node.handle);
}

/** What tells an object from another one of its name, or without a name: fields that never change in place, or all. */
function identifying({ kind, name, sent }: LostCreate): JsonObject {
  if (name === undefined) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([field]) => kind.fields[field]?.change === "replace"));
}

/** True where a create can have made an object: one that was not changed since has the values that were sent. */
function mayBeSent({ kind, sent }: LostCreate, { identity, fields, facts }: TreeNode): boolean {
  if (identity?.createdAt !== identity?.updatedAt) return true;
  const readable = Object.entries(sent).filter(([name]) => !kind.fields[name]?.separateRequest);
  return readable.every(([name, value]) => {
    const live = fields[name] ?? kind.fields[name]?.default;
    // Of a file only the size is listed.
    if (isContentMark(value) && live === undefined)
      return facts?.["size"] === undefined || facts["size"] === value.bytes;
    return saysWhatWasSent(value, live);
  });
}

/** True of the value that was sent; its secret parts cannot be read. */
function saysWhatWasSent(sent: Json | undefined, live: Json | undefined): boolean {
  if (!holdsSecret(sent)) return same(sent, live);
  if (!isObject(sent) || isSecretMark(sent)) return true;
  const shown = isObject(live) ? live : {};
  return Object.keys({ ...sent, ...shown }).every((key) => saysWhatWasSent(sent[key], shown[key]));
}

function isInScope({ kind, withinId }: LostCreate, node: TreeNode): boolean {
  if (typeof kind.naturalKey !== "object" || withinId === undefined) return true;
  return inSameScope(kind, { [kind.naturalKey.within]: { id: withinId } }, node.fields);
}

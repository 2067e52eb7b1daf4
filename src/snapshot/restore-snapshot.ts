import { isWithin } from "../model/address.ts";
import { type Hash, isContentMark, type SecretFingerprint } from "../model/fingerprint.ts";
import { type Json, type JsonObject, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import { type State, type StateResource, stateFormat } from "../state/state.ts";
import {
  isHiddenMark,
  isOneExpression,
  type ReferenceWords,
  referenceWords,
  replaceValues,
  sourceHash,
} from "./hidden-value.ts";
import type { BoundObject, OtherObject, Snapshot } from "./snapshot.ts";

/** The two sides of a plan that a snapshot has. */
export interface RestoredSides {
  readonly state: State;
  readonly live: Tree;
  /** Declared objects with a value that the snapshot hides, and of which it is not known whether it is the declared one. */
  readonly undecided: readonly string[];
}

/** The other side, which hidden values are taken from. */
export interface RestoreInput {
  readonly desired: Tree;
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  readonly fingerprint: SecretFingerprint;
  readonly hash: Hash;
  readonly kinds: readonly AnyKind[];
}

/**
 * State and live tree of a snapshot. A hidden value counts as the one that is declared as a secret, unless it is marked as changed or
 * the project's files say something else of it.
 */
export function restoreSnapshot(snapshot: Snapshot, input: RestoreInput): RestoredSides {
  const { desired, moves, kinds, fingerprint, hash } = input;
  const nodes = new Map<string, TreeNode>();
  const addresses = new Map<string, string>();
  for (const other of snapshot.others) {
    const node = otherNode(other);
    nodes.set(node.handle, node);
  }
  const bound = Object.entries(snapshot.bound).map(([address, each]) => ({
    ...{ address, each, moved: movedAddress(address, moves) },
    ...(each.live && { live: treeNode(each, each.live) }),
  }));
  for (const { live, moved } of bound) if (live) addresses.set(live.handle, moved);
  for (const { live } of bound) if (live) nodes.set(live.handle, live);
  // Hidden values are still marks: what references are resolved by, names and ids, is none.
  const words = referenceWords({ kinds, desired, live: { nodes, contents: new Map() }, bound: addresses });
  const undecided = new Set<string>();
  const resources = bound.map(({ address, each, moved, live }): [string, StateResource] => {
    const node = desired.nodes.get(moved);
    const undecide = () => void (node && undecided.add(node.handle));
    const filling: Filling = { node, bound: each, fingerprint, hash, words, undecided: undecide };
    if (live) nodes.set(live.handle, { ...live, fields: liveFields(filling) });
    return [address, resourceOf({ ...filling, ...(node && { node: spelled(node, words) }) })];
  });
  const { project, environment, target, lineage, serial, contents = {} } = snapshot;
  const state: State = {
    format: stateFormat,
    resources: Object.fromEntries(resources),
    ...{ serial, lineage, project, target, salt: "", pending: [] },
    ...(environment !== undefined && { environment }),
  };
  return { state, live: { nodes, contents: new Map(Object.entries(contents)) }, undecided: [...undecided] };
}

function movedAddress(address: string, moves: RestoreInput["moves"]): string {
  const move = moves.find(({ from }) => isWithin(address, from));
  return move === undefined
    ? address
    : movedAddress(
        `${move.to}${address.slice(move.from.length)}`,
        moves.filter((each) => each !== move),
      );
}

/** Where hidden values of one object come from. */
interface Filling {
  readonly node: TreeNode | undefined;
  readonly bound: BoundObject;
  readonly fingerprint: SecretFingerprint;
  readonly hash: Hash;
  readonly words: ReferenceWords;
  readonly undecided: () => void;
}

/** Replaces a value that is not known. */
const nothingDeclared = "(hidden)";
const changedText = "(changed outside)";

/** The value that counts as applied: the declared one, if that is hidden as well; an open one may be another. */
function hiddenValue({ node, bound, hash, words, undecided }: Filling, path: readonly string[]): Json {
  if (!node?.sensitive?.includes(path.join("."))) {
    undecided();
    return nothingDeclared;
  }
  const source = words.sourceOf(node, path.join("."));
  const known = bound.sources?.[path.join(".")];
  if (known !== undefined && known !== sourceHash(source, hash)) return nothingDeclared;
  if (known === undefined ? !isOneExpression(source) : isPartlyFile(source)) undecided();
  return valueAt(node.fields, path) ?? nothingDeclared;
}

/** The text of a file may change, too; one that is a secret as a whole counts as applied. */
function isPartlyFile(source: Json): boolean {
  return !isOneExpression(source) && JSON.stringify(source).includes("${file:");
}

function resourceOf(filling: Filling): StateResource {
  const { hidden = [], live: _live, sources: _sources, ...binding } = filling.bound;
  const secrets = hidden.map((path): [string, string] => {
    const value = hiddenValue(filling, path.split("."));
    return [path, filling.fingerprint(binding.kind, path, isContentMark(value) ? value.$content : value)];
  });
  const applied = replaceValues(binding.applied, (value, path) => {
    return isHiddenMark(value) ? hiddenValue(filling, path) : undefined;
  });
  return { ...binding, applied, ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }) };
}

function spelled(node: TreeNode, { spell }: ReferenceWords): TreeNode {
  return { ...node, fields: spell(node.kind, node.fields) };
}

function liveFields(filling: Filling): JsonObject {
  const { hidden = [], live, applied, content } = filling.bound;
  const secret = hidden.map((path) => path.split(".")[0] ?? "");
  const compared = new Set([...Object.keys({ ...applied, ...content, ...filling.node?.fields }), ...secret]);
  return replaceValues(live?.fields ?? {}, (value, path) => {
    if (!isHiddenMark(value)) return undefined;
    if (!compared.has(path[0] ?? "")) return changedText;
    const declared = hiddenValue(filling, path);
    if (!hidden.includes(path.join("."))) filling.undecided();
    if (value.$hidden === "as applied") return declared;
    return isContentMark(declared) ? { $content: changedText, bytes: 0 } : changedText;
  });
}

function otherNode({ kind, id, createdAt, name, references, ...rest }: OtherObject): TreeNode {
  return treeNode({ kind, id, createdAt }, { ...rest, fields: { ...(name !== undefined && { name }), ...references } });
}

function treeNode(
  { kind, id, createdAt }: Pick<OtherObject, "kind" | "id" | "createdAt">,
  rest: Pick<TreeNode, "fields" | "parent" | "facts" | "offers" | "deactivatedOffers">,
): TreeNode {
  return {
    ...{ handle: liveHandle(kind, id), kind, key: String(id), identity: { id, createdAt, updatedAt: createdAt } },
    ...rest,
  };
}

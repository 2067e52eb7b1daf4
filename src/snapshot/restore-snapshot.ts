import { isWithin } from "../model/address.ts";
import { type Hash, isContentMark, type SecretFingerprint } from "../model/fingerprint.ts";
import { type Json, type JsonObject, valueAt } from "../model/json.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import { type State, type StateResource, stateFormat } from "../state/state.ts";
import { isHiddenMark, replaceValues, sourceHash } from "./hidden-value.ts";
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
}

/**
 * State and live tree of a snapshot. A hidden value counts as the one that is declared as a secret, unless it is marked as changed or
 * the project's files say something else of it.
 */
export function restoreSnapshot(snapshot: Snapshot, input: RestoreInput): RestoredSides {
  const resources: Record<string, StateResource> = {};
  const nodes = new Map<string, TreeNode>();
  const undecided = new Set<string>();
  for (const [address, bound] of Object.entries(snapshot.bound)) {
    const node = input.desired.nodes.get(movedAddress(address, input.moves));
    const filling: Filling = {
      ...{ node, bound, fingerprint: input.fingerprint, hash: input.hash },
      undecided: () => node && undecided.add(node.handle),
    };
    resources[address] = resourceOf(bound, filling);
    const live = liveNode(bound, filling);
    if (live) nodes.set(live.handle, live);
  }
  for (const other of snapshot.others) {
    const node = otherNode(other);
    nodes.set(node.handle, node);
  }
  const { project, environment, target, lineage, serial, contents = {} } = snapshot;
  const state: State = {
    format: stateFormat,
    ...{ serial, lineage, project, target, salt: "", resources, pending: [] },
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
  readonly undecided: () => void;
}

/** Replaces a value that is not known. */
const nothingDeclared = "(hidden)";
const changedText = "(changed outside)";

/** The value that counts as applied: the declared one, if that is hidden as well; an open one may be another. */
function hiddenValue({ node, bound, hash, undecided }: Filling, path: readonly string[]): Json {
  if (!node?.sensitive?.includes(path.join("."))) {
    undecided();
    return nothingDeclared;
  }
  const [name = ""] = path;
  const source = node.sources?.[name] ?? null;
  const known = bound.sources?.[name];
  if (known !== undefined && known !== sourceHash(source, hash)) return nothingDeclared;
  if (known === undefined ? !isOneExpression(source) : isPartlyFile(source)) undecided();
  return valueAt(node.fields, path) ?? nothingDeclared;
}

/** `${env:NAME}` alone: nothing else of it can change. */
function isOneExpression(source: Json): boolean {
  return typeof source === "string" && /^\$\{[^{}]*\}$/.test(source);
}

/** The text of a file may change, too; one that is a secret as a whole counts as applied. */
function isPartlyFile(source: Json): boolean {
  return !isOneExpression(source) && JSON.stringify(source).includes("${file:");
}

function resourceOf(
  { hidden = [], live: _live, sources: _sources, ...binding }: BoundObject,
  filling: Filling,
): StateResource {
  const secrets = hidden.map((path): [string, string] => {
    const value = hiddenValue(filling, path.split("."));
    return [path, filling.fingerprint(binding.kind, path, isContentMark(value) ? value.$content : value)];
  });
  const applied = replaceValues(binding.applied, (value, path) => {
    return isHiddenMark(value) ? hiddenValue(filling, path) : undefined;
  });
  return { ...binding, applied, ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }) };
}

function liveNode(bound: BoundObject, filling: Filling): TreeNode | undefined {
  const { kind, id, createdAt, hidden = [], live, applied, content } = bound;
  if (live === undefined) return undefined;
  const compared = { ...applied, ...content, ...filling.node?.fields };
  const fields: JsonObject = replaceValues(live.fields, (value, path) => {
    if (!isHiddenMark(value)) return undefined;
    if (!((path[0] ?? "") in compared)) return changedText;
    const declared = hiddenValue(filling, path);
    if (!hidden.includes(path.join("."))) filling.undecided();
    if (value.$hidden === "as applied") return declared;
    return isContentMark(declared) ? { $content: changedText, bytes: 0 } : changedText;
  });
  return treeNode({ kind, id, createdAt }, { ...live, fields });
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

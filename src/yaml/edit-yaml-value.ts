import { isMap, isScalar, isSeq, type Node, type Pair, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { isObject, type Json, sameJson } from "../model/json.ts";
import {
  addInBrackets,
  addPair,
  afterLine,
  besideComment,
  hasMerge,
  removeInBrackets,
  removePair,
  replaceValue,
} from "./edit-yaml-map.ts";
import { isInQuotes, quotedAs, renderItem } from "./render-yaml.ts";
import {
  columnOf,
  contentEnd,
  keyName,
  lineEndAt,
  lineStartAt,
  NotWritable,
  nodeStart,
  ownPair,
  type Splice,
} from "./yaml-places.ts";

/** A value that is to become another one, within one text. */
export interface ValueEdit {
  readonly text: string;
  /** The present value, as it would be written; absent when that is not known. */
  readonly old?: Node;
  readonly next: Node;
  /** The present value may be a reference to a variable, the environment or a file: it is dropped for good. */
  readonly mayDrop?: boolean;
}

const expressionIn = /(?<!\$)\$\{(?:env|var|file):[^}]*\}/;
const environmentIn = /(?<!\$)\$\{env:/;

/** Gives a pair another value, touching as little as possible: equal members and items remain as they are written. */
export function editPair(pair: Pair, edit: ValueEdit, flow: boolean): readonly Splice[] {
  const inside = edit.old && editInside(pair.value as Node | null, { ...edit, old: edit.old });
  return inside ?? [replacePair(pair, edit, flow)];
}

/** Gives a pair another value as a whole. */
export function replacePair(pair: Pair, { text, next, mayDrop }: ValueEdit, flow: boolean): Splice {
  const splice = replaceValue(pair, text, quotedAs(writable(next), pair.value), flow);
  if (!mayDrop) refuseExpression(text.slice(splice.from, splice.to));
  return splice;
}

/** A copy of a value for one use, since rendering changes nodes; a secret is never written. */
export function writable(next: Node): Node {
  if (holdsEnvironment(next)) throw new NotWritable("it contains a secret, which is never written into a file");
  return next.clone() as Node;
}

function holdsEnvironment(value: Node): boolean {
  let isFound = false;
  visit(value, {
    Scalar(at, scalar) {
      isFound ||= at !== "key" && typeof scalar.value === "string" && environmentIn.test(scalar.value);
    },
  });
  return isFound;
}

/** A value from elsewhere is changed there, or not at all. */
export function refuseExpression(source: string): void {
  const [found] = expressionIn.exec(source) ?? [];
  if (found !== undefined) throw new NotWritable(`its value comes from ${found}`);
}

/** Splices within a node; undefined when it has to be replaced as a whole. */
function editInside(node: Node | null, edit: ValueEdit & { readonly old: Node }): readonly Splice[] | undefined {
  const { old, next } = edit;
  if (isSame(old, next)) return [];
  if (isMap(node) && isMap(old) && isMap(next) && !hasMerge(node)) return editMembers(node, edit.text, [old, next]);
  if (isSeq(node) && isSeq(old) && isSeq(next))
    return editItems(node, edit.text, [old.items as Node[], next.items as Node[]]);
  return undefined;
}

function editMembers(map: YAMLMap, text: string, [before, after]: readonly [YAMLMap, YAMLMap]) {
  const names = after.items.map(keyName);
  const missing = before.items.map(keyName).filter((name) => !names.includes(name));
  const removed = missing.flatMap((name) => ownPair(map, name) ?? []);
  const added = names.filter((name) => !ownPair(map, name));
  // In brackets each shares a comma with its neighbour.
  const isTight = map.flow === true && removed.length + added.length > 1;
  if (removed.length === map.items.length || isTight) return undefined;
  const remaining = { items: map.items.filter((pair) => !removed.includes(pair)), flow: map.flow === true };
  const splices = removed.map((pair) => {
    refuseExpression(text.slice(nodeStart(pair.key), contentEnd(pair, text)));
    return removePair(map, text, pair, false);
  });
  for (const member of after.items) {
    const [name, next] = [keyName(member), member.value as Node];
    const old = ownPair(before, name)?.value as Node | undefined;
    const pair = ownPair(map, name);
    if (old !== undefined && isSame(old, next)) continue;
    if (pair) splices.push(...editPair(pair, { text, next, ...(old && { old }) }, map.flow === true));
    else splices.push(addPair(remaining, text, { name, value: writable(next), order: names }));
  }
  return splices;
}

type BothItems = readonly [readonly Node[], readonly Node[]];

function editItems(list: YAMLSeq, text: string, [before, after]: BothItems): readonly Splice[] | undefined {
  const nodes = matchItems(list, before);
  if (nodes === undefined) return undefined;
  const removed = before.filter((item) => !after.some((each) => isSame(each, item)));
  const added = after.filter((item) => !before.some((each) => isSame(each, item)));
  const splices: Splice[] = [];
  for (const old of removed.splice(0, added.length)) {
    const next = mostLike(added, comparedJson(old), comparedJson);
    added.splice(added.indexOf(next), 1);
    const node = nodes.get(old) ?? null;
    splices.push(...(editInside(node, { text, old, next }) ?? [replaceItem(list, node, { text, next })]));
  }
  const rest = resizeList(list, text, { removed: removed.flatMap((item) => nodes.get(item) ?? []), added });
  return rest && [...splices, ...rest];
}

function replaceItem(list: YAMLSeq, node: Node | null, { text, next }: ValueEdit): Splice {
  const [from, to] = [nodeStart(node), contentEnd(node, text)];
  refuseExpression(text.slice(from, to));
  const value = quotedAs(writable(next), node);
  const item = renderItem(value, { flow: list.flow === true, indent: columnOf(text, from) });
  return list.flow ? { from, to, text: item } : besideComment(text, { from, to, text: item });
}

/** Takes items out, or adds some at the end; undefined when none would remain, or brackets would lose several. */
function resizeList(
  list: YAMLSeq,
  text: string,
  { removed, added }: { readonly removed: readonly Node[]; readonly added: readonly Node[] },
): readonly Splice[] | undefined {
  const last = list.items.at(-1) as Node | undefined;
  if (last === undefined || removed.length === list.items.length || (list.flow && removed.length > 1)) return undefined;
  const splices = removed.map((node) => removeItem(list, node, text));
  return added.length === 0 ? splices : [...splices, appendItems(list, last, text, added)];
}

function appendItems(list: YAMLSeq, last: Node, text: string, added: readonly Node[]): Splice {
  const flow = list.flow === true;
  // A list in lines begins at its first dash.
  const dash = columnOf(text, nodeStart(list));
  const indent = dash + 2;
  const quoted = isInQuotes(isMap(last) ? last.items[0]?.key : last);
  const items = added.map((item) => renderItem(writable(item), { flow, indent, quoted }));
  if (flow) return addInBrackets(text, last, items);
  const from = lineEndAt(text, contentEnd(last, text));
  return { from, to: from, text: items.map((item) => `\n${" ".repeat(dash)}- ${item}`).join("") };
}

function removeItem(list: YAMLSeq, node: Node, text: string): Splice {
  const [from, to] = [nodeStart(node), contentEnd(node, text)];
  refuseExpression(text.slice(from, to));
  if (list.flow) return removeInBrackets(text, list.items, node);
  return { from: lineStartAt(text, from), to: afterLine(text, to), text: "" };
}

/** Which item is written where; undefined when that is not plain. Order in lists often means nothing, so likeness decides. */
function matchItems(list: YAMLSeq, items: readonly Node[]): ReadonlyMap<Node, Node> | undefined {
  if (list.items.length !== items.length) return undefined;
  const free = list.items.filter((node): node is Node => isMap(node) || isScalar(node));
  if (free.length !== items.length) return undefined;
  const matches = new Map<Node, Node>();
  for (const item of items) {
    const best = mostLike(free, comparedJson(item), json);
    free.splice(free.indexOf(best), 1);
    matches.set(item, best);
  }
  return matches;
}

/** The first of several nodes that has most in common with a value. */
function mostLike(nodes: readonly Node[], wanted: Json, compared: (node: Node) => Json): Node {
  return nodes.reduce((left, right) =>
    sharedScalars(compared(right), wanted) > sharedScalars(compared(left), wanted) ? right : left,
  );
}

function json(node: Node): Json {
  return (node as YAMLMap).toJSON() as Json;
}

/** A value to compare by; one with a secret in it is like nothing. */
function comparedJson(value: Node): Json {
  return holdsEnvironment(value) ? null : json(value);
}

function sharedScalars(left: Json | undefined, right: Json | undefined): number {
  if (Array.isArray(left) && Array.isArray(right))
    return left.reduce((sum: number, item: Json, at) => sum + sharedScalars(item, right[at] as Json | undefined), 0);
  if (isObject(left) && isObject(right))
    return Object.keys(left).reduce((sum, name) => sum + sharedScalars(left[name], right[name]), 0);
  return sameJson(left, right) ? 1 : 0;
}

function isSame(left: Node, right: Node): boolean {
  return sameJson(json(left), json(right));
}

import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isMap, isScalar, isSeq } from "yaml";
import type { Json } from "../model/json.ts";
import { isObject, sameJson } from "../model/json.ts";
import type { Written, WrittenMember } from "../model/written.ts";
import { addPair, besideComment, hasMerge, removePair, replaceValue } from "./edit-yaml-map.ts";
import { isInQuotes, quotedAs, renderItem } from "./render-yaml.ts";
import type { YamlContext } from "./write-yaml-value.ts";
import { yamlValue } from "./write-yaml-value.ts";
import type { Splice } from "./yaml-places.ts";
import { columnOf, contentEnd, lineEndAt, lineStartAt, NotWritable, ownPair, startOf } from "./yaml-places.ts";

/** A value that is to become another one, within one text. */
export interface ValueEdit {
  readonly text: string;
  readonly context: YamlContext;
  /** What stands there, as it would be written; absent when that is not known. */
  readonly old?: Written;
  readonly next: Written;
  /** What stands there may be a reference to a variable, the environment or a file: it goes for good. */
  readonly mayDrop?: boolean;
}

const expressionIn = /(?<!\$)\$\{(?:env|var|file):[^}]*\}/;

/** Gives a pair another value, touching as little as possible: members and items that stay the same stay as they are written. */
export function editPair(pair: Pair, edit: ValueEdit, flow: boolean): readonly Splice[] {
  const inside = edit.old && editInside(pair.value as Node | null, { ...edit, old: edit.old });
  return inside ?? [replacePair(pair, edit, flow)];
}

/** Gives a pair another value as a whole. */
export function replacePair(pair: Pair, { text, context, next, mayDrop }: ValueEdit, flow: boolean): Splice {
  const value = quotedAs(valueNode(next, context), pair.value);
  const splice = replaceValue(pair, text, value, flow);
  if (!mayDrop) refuseExpression(text.slice(splice.from, splice.to));
  return splice;
}

/** The node of a value; a secret is never written. */
export function valueNode(next: Written, context: YamlContext): Node {
  if (holdsEnvironment(next)) throw new NotWritable("it holds a secret, which is never written into a file");
  return yamlValue(next, context);
}

function holdsEnvironment(value: Written): boolean {
  if (value.is === "list") return value.items.some(holdsEnvironment);
  if (value.is === "map") return value.members.some((member) => holdsEnvironment(member.value));
  return value.is === "environment";
}

/** A value that comes from elsewhere is changed there, or not at all. */
export function refuseExpression(source: string): void {
  const [found] = expressionIn.exec(source) ?? [];
  if (found !== undefined) throw new NotWritable(`its value comes from ${found}`);
}

type InsideEdit = ValueEdit & { readonly old: Written };

/** Splices within a node; undefined when it has to be replaced as a whole. */
function editInside(node: Node | null, edit: InsideEdit): readonly Splice[] | undefined {
  const { old, next } = edit;
  if (sameWritten(old, next)) return [];
  if (isMap(node) && old.is === "map" && next.is === "map" && !hasMerge(node))
    return editMembers(node, edit, [old.members, next.members]);
  if (isSeq(node) && old.is === "list" && next.is === "list") return editItems(node, edit, [old.items, next.items]);
  return undefined;
}

type BothMembers = readonly [readonly WrittenMember[], readonly WrittenMember[]];

function editMembers(map: YAMLMap, edit: InsideEdit, [before, after]: BothMembers): readonly Splice[] | undefined {
  const { text, context } = edit;
  const gone = before.filter(({ name }) => !after.some((each) => each.name === name) && ownPair(map, name));
  if (gone.length === map.items.length || gone.length > 1) return undefined;
  const splices = gone.flatMap(({ name }) => {
    const pair = ownPair(map, name);
    if (pair) refuseExpression(text.slice(startOf(pair.key), contentEnd(pair, text)));
    return pair ? [removePair(map, text, pair, false)] : [];
  });
  let isAdded = false;
  for (const { name, value } of after) {
    const old = before.find((each) => each.name === name)?.value;
    const pair = ownPair(map, name);
    if (old !== undefined && sameWritten(old, value)) continue;
    if (pair) splices.push(...editPair(pair, { text, context, next: value, ...(old && { old }) }, map.flow === true));
    else if (isAdded || gone.length > 0) return undefined;
    else {
      isAdded = true;
      splices.push(
        addPair(map, text, { name, value: valueNode(value, context), order: after.map((each) => each.name) }),
      );
    }
  }
  return splices;
}

type BothItems = readonly [readonly Written[], readonly Written[]];

function editItems(list: YAMLSeq, edit: InsideEdit, [before, after]: BothItems): readonly Splice[] | undefined {
  const { text, context } = edit;
  const nodes = matchItems(list, before, context);
  if (nodes === undefined) return undefined;
  const left = before.filter((item) => !after.some((each) => sameWritten(each, item)));
  const added = after.filter((item) => !before.some((each) => sameWritten(each, item)));
  const splices: Splice[] = [];
  for (const old of left.splice(0, added.length)) {
    const next = mostLike(old, added, context);
    added.splice(added.indexOf(next), 1);
    const node = nodes.get(old) ?? null;
    splices.push(
      ...(editInside(node, { text, context, old, next }) ?? [replaceItem(list, node, { text, context, next })]),
    );
  }
  const rest = resizeList(list, edit, { nodes, gone: left, added });
  return rest && [...splices, ...rest];
}

function replaceItem(list: YAMLSeq, node: Node | null, { text, context, next }: ValueEdit): Splice {
  const [from, to] = [startOf(node), contentEnd(node, text)];
  refuseExpression(text.slice(from, to));
  const value = quotedAs(valueNode(next, context), node);
  const item = renderItem(value, { flow: list.flow === true, indent: columnOf(text, from) });
  return list.flow ? { from, to, text: item } : besideComment(text, { from, to, text: item });
}

interface Resize {
  readonly nodes: ReadonlyMap<Written, Node>;
  readonly gone: readonly Written[];
  readonly added: readonly Written[];
}

/** Takes items out, or adds some at the end; undefined when none would be left, or brackets would lose several. */
function resizeList(list: YAMLSeq, edit: InsideEdit, { nodes, gone, added }: Resize): readonly Splice[] | undefined {
  const last = list.items.at(-1) as Node | undefined;
  if (last === undefined || gone.length === list.items.length || (list.flow && gone.length > 1)) return undefined;
  const removed = gone.flatMap((item) => {
    const node = nodes.get(item);
    return node ? [removeItem(list, node, edit.text)] : [];
  });
  return added.length === 0 ? removed : [...removed, appendItems(list, last, edit, added)];
}

function appendItems(list: YAMLSeq, last: Node, { text, context }: InsideEdit, added: readonly Written[]): Splice {
  const flow = list.flow === true;
  // A list in lines begins at its first dash.
  const dash = columnOf(text, startOf(list));
  const indent = dash + 2;
  const before = flow ? ", " : `\n${" ".repeat(dash)}- `;
  const quoted = isInQuotes(isMap(last) ? last.items[0]?.key : last);
  const items = added.map((item) => before + renderItem(valueNode(item, context), { flow, indent, quoted }));
  const end = contentEnd(last, text);
  const from = flow ? end : lineEndAt(text, end);
  return { from, to: from, text: items.join("") };
}

function removeItem(list: YAMLSeq, node: Node, text: string): Splice {
  const at = list.items.indexOf(node);
  const [previous, next] = [list.items[at - 1], list.items[at + 1]];
  const [from, to] = [startOf(node), contentEnd(node, text)];
  refuseExpression(text.slice(from, to));
  if (list.flow)
    return next === undefined
      ? { from: contentEnd(previous, text), to, text: "" }
      : { from, to: startOf(next), text: "" };
  const end = text.indexOf("\n", to);
  return { from: lineStartAt(text, from), to: end < 0 ? text.length : end + 1, text: "" };
}

/** Which item is written where; undefined when that is not plain. Order in lists often means nothing, so likeness decides. */
function matchItems(
  list: YAMLSeq,
  items: readonly Written[],
  context: YamlContext,
): ReadonlyMap<Written, Node> | undefined {
  if (list.items.length !== items.length) return undefined;
  const free = list.items.filter((node): node is Node => isMap(node) || isScalar(node));
  if (free.length !== items.length) return undefined;
  const found = new Map<Written, Node>();
  for (const item of items) {
    const wanted = plainOf(item, context);
    const best = free.reduce((left, right) =>
      likeness(jsonOf(right), wanted) > likeness(jsonOf(left), wanted) ? right : left,
    );
    free.splice(free.indexOf(best), 1);
    found.set(item, best);
  }
  return found;
}

function mostLike(old: Written, candidates: readonly Written[], context: YamlContext): Written {
  const wanted = plainOf(old, context);
  return candidates.reduce((left, right) =>
    likeness(plainOf(right, context), wanted) > likeness(plainOf(left, context), wanted) ? right : left,
  );
}

function jsonOf(node: Node): Json {
  return (node as YAMLMap).toJSON() as Json;
}

function plainOf(value: Written, context: YamlContext): Json {
  return holdsEnvironment(value) ? null : jsonOf(yamlValue(value, context));
}

/** How many scalars two values have in common, at the same places. */
function likeness(left: Json | undefined, right: Json | undefined): number {
  if (Array.isArray(left) && Array.isArray(right))
    return left.reduce((sum: number, item: Json, index) => sum + likeness(item, right[index] as Json | undefined), 0);
  if (isObject(left) && isObject(right))
    return Object.keys(left).reduce((sum, name) => sum + likeness(left[name], right[name]), 0);
  return sameJson(left, right) ? 1 : 0;
}

/** Whether two values are written alike. */
function sameWritten(left: Written, right: Written): boolean {
  return sameJson(left as unknown as Json, right as unknown as Json);
}

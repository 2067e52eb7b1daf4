import type { Node, Pair, YAMLMap } from "yaml";
import { isAlias, isMap, isScalar, isSeq, visit } from "yaml";
import type { Field } from "../model/field.ts";
import { isMergeKey } from "./parse-yaml.ts";
import { keyName } from "./yaml-places.ts";

/** How keys are sorted. */
export interface SortOptions {
  /** Mappings with an anchor or alias in them stay as they are: an anchor must stand before what repeats it. */
  readonly skipAnchored: boolean;
}

/** Sorts the keys of a mapping, and of all below it, in the order in which their fields are declared. */
export function sortKeys(node: Node | null, field: Field | undefined, options: SortOptions): void {
  if (isSeq(node)) for (const item of node.items) sortKeys(item as Node | null, field?.of, options);
  if (!isMap(node)) return;
  const shape = field?.type === "list" ? field.of : field;
  if (shape?.fields && !(options.skipAnchored && isAnchored(node))) sortMap(node, orderOf(shape.fields));
  for (const pair of node.items)
    sortKeys(pair.value as Node | null, shape?.fields?.[keyName(pair)] ?? shape?.of, options);
}

function isAnchored(node: YAMLMap): boolean {
  let found = false;
  visit(node, (_, each) => {
    found ||= isAlias(each) || ((isMap(each) || isSeq(each) || isScalar(each)) && each.anchor !== undefined);
    return found ? visit.BREAK : undefined;
  });
  return found;
}

const first = ["project", "service", "state", "include", "variables", "environments", "defaults"];
const last = ["moved", "removed"];

/** The settings of a project stand above its objects, what happened to them below. */
function orderOf(fields: Readonly<Record<string, Field>>): readonly string[] {
  const names = Object.keys(fields);
  if (!names.includes("moved")) return names;
  return [...first, ...names.filter((name) => !first.includes(name) && !last.includes(name)), ...last];
}

function sortMap(map: YAMLMap, order: readonly string[]): void {
  const rank = (pair: Pair): number => {
    const at = order.indexOf(keyName(pair));
    return isMergeKey(pair) ? -1 : at < 0 ? order.length : at;
  };
  const sorted = [...map.items].sort((left, right) => rank(left) - rank(right));
  if (sorted.every((pair, index) => pair === map.items[index])) return;
  const [head] = sorted;
  if (isScalar(head?.key)) head.key.spaceBefore = false;
  map.items = sorted;
}

import type { Node, Pair, YAMLMap } from "yaml";
import { isAlias, isMap, isScalar, isSeq, visit } from "yaml";
import { isMergeKey } from "./parse-yaml.ts";
import { keyName } from "./yaml-places.ts";

/** The order of the keys of a mapping, or of each mapping of a list, and of those below it. */
export interface KeyOrder {
  /** Others follow as they are; without any the mapping remains as it is. */
  readonly keys?: readonly string[];
  readonly below: (key: string) => KeyOrder | undefined;
}

export interface OrderOptions {
  /** Mappings with an anchor or alias in them remain as they are: an anchor is written before what repeats it. */
  readonly skipAnchored: boolean;
}

/** Orders the keys of a mapping and of all below it. */
export function orderKeys(node: Node | null, order: KeyOrder | undefined, options: OrderOptions): void {
  if (isSeq(node)) for (const item of node.items) orderKeys(item as Node | null, order, options);
  if (!isMap(node)) return;
  if (order?.keys && !(options.skipAnchored && isAnchored(node))) orderMap(node, order.keys);
  for (const pair of node.items) orderKeys(pair.value as Node | null, order?.below(keyName(pair)), options);
}

function isAnchored(node: YAMLMap): boolean {
  let isFound = false;
  visit(node, (_, each) => {
    isFound ||= isAlias(each) || ((isMap(each) || isSeq(each) || isScalar(each)) && each.anchor !== undefined);
    return isFound ? visit.BREAK : undefined;
  });
  return isFound;
}

function orderMap(map: YAMLMap, keys: readonly string[]): void {
  const rank = (pair: Pair): number => {
    const at = keys.indexOf(keyName(pair));
    return isMergeKey(pair) ? -1 : at < 0 ? keys.length : at;
  };
  const ordered = [...map.items].sort((left, right) => rank(left) - rank(right));
  if (ordered.every((pair, index) => pair === map.items[index])) return;
  const [head] = ordered;
  if (isScalar(head?.key)) head.key.spaceBefore = false;
  map.items = ordered;
}

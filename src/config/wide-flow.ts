import type { Document, Node, Pair } from "yaml";
import { isAlias, isMap, isPair, isScalar, isSeq, visit } from "yaml";

/** The longest list or mapping that stays on one line. */
const longest = 100;

/** Writes lists and mappings out that are too long for one line, or that have comments in them. */
export function openWideFlow(document: Document): void {
  visit(document, {
    Collection(_, node) {
      if (node.flow && node.items.length > 0 && lengthOf(node) > longest) node.flow = false;
      return undefined;
    },
  });
}

/** How long a value is on one line, its quotes left aside; without end when a comment makes it several. */
function lengthOf(node: Node | null): number {
  if (isAlias(node)) return node.source.length + 1;
  if (isScalar(node)) return String(node.source ?? node.value).length;
  if (!isMap(node) && !isSeq(node)) return 0;
  const items: readonly unknown[] = node.items;
  return items.reduce((sum: number, item) => sum + itemLength(item as Node | Pair | null) + 2, 2);
}

function itemLength(item: Node | Pair | null): number {
  return isPair(item) ? within(item.key as Node | null) + within(item.value as Node | null) + 2 : within(item);
}

function within(node: Node | null): number {
  const isCommented = Boolean(node?.comment) || Boolean(node?.commentBefore);
  return isCommented ? Number.POSITIVE_INFINITY : lengthOf(node);
}

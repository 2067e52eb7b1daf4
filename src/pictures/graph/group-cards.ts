import { topAddress } from "../../model/address.ts";
import type { GraphNode, GraphReference, ObjectGraph } from "../../model/graph/object-graph.ts";
import { groupBy } from "../../model/group-by.ts";

/** An object in a card, and how far below the card's own object it is declared; direct children are at 0. */
export interface CardEntry {
  readonly node: GraphNode;
  readonly depth: number;
}

/** A frame of a picture with objects in one or two lanes, in reading order. */
export interface Card {
  /** The object that all others of the card are declared in: its heading. Absent for objects that nothing is around. */
  readonly heading?: GraphNode;
  /** A further frame of the same object, which is too long for one. */
  readonly isContinued: boolean;
  /** Objects that refer to others of the card, and those that do not; without a heading all are in the second lane. */
  readonly lanes: readonly [readonly CardEntry[], readonly CardEntry[]];
}

/** The cards of a graph: one for each folder at the top, and those of the objects that are declared for all. */
export interface GroupedCards {
  readonly folders: readonly Card[];
  readonly shared: readonly Card[];
}

/** An object with everything below it, which is not torn apart. */
type Family = readonly CardEntry[];

/** Groups the objects into cards of at most `rows` rows, where single families are not longer. */
export function groupCards({ nodes, references }: ObjectGraph, rows: number): GroupedCards {
  const children = groupBy(nodes, ({ parent }) => parent);
  const familyOf = (node: GraphNode, depth = 0): Family => [
    { node, depth },
    ...(children.get(node.address) ?? []).flatMap((child) => familyOf(child, depth + 1)),
  ];
  const tops = children.get(undefined) ?? [];
  const referring = referringWithin(references);
  const folders = tops
    .filter(({ isFolder }) => isFolder)
    .flatMap((heading) => {
      const families = (children.get(heading.address) ?? []).map((child) => familyOf(child));
      const isReferring = (family: Family) => family.some(({ node }) => referring.has(node.address));
      const [first, second] = [families.filter(isReferring), families.filter((family) => !isReferring(family))];
      // Without references one lane holds everything.
      const lanes = first.length === 0 ? ([second, []] as const) : ([first, second] as const);
      return cutCard(heading, lanes, rows);
    });
  const single = tops.filter(({ isFolder }) => !isFolder).map((node) => familyOf(node));
  return { folders, shared: single.length === 0 ? [] : cutCard(undefined, [[], single], rows) };
}

/** Objects that refer to others with the same object at the top. */
function referringWithin(references: readonly GraphReference[]): ReadonlySet<string> {
  return new Set(references.flatMap(({ from, to }) => (topAddress(from) === topAddress(to) ? [from] : [])));
}

function cutCard(
  heading: GraphNode | undefined,
  [first, second]: readonly [readonly Family[], readonly Family[]],
  rows: number,
): readonly Card[] {
  const [left, right] = [cutLane(first, rows), cutLane(second, rows)];
  return Array.from({ length: Math.max(1, left.length, right.length) }, (_, index) => ({
    ...(heading && { heading }),
    isContinued: index > 0,
    lanes: [left[index] ?? [], right[index] ?? []],
  }));
}

function cutLane(families: readonly Family[], rows: number): readonly (readonly CardEntry[])[] {
  const lanes: CardEntry[][] = [];
  for (const family of families) {
    const last = lanes.at(-1);
    if (last === undefined || last.length + family.length > rows) lanes.push([...family]);
    else last.push(...family);
  }
  return lanes;
}

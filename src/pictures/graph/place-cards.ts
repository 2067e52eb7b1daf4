import type { GraphNode, ObjectGraph } from "../../model/graph/object-graph.ts";
import { type Card, type CardEntry, groupCards } from "./group-cards.ts";

/** Half of the distance from one row to the next: every object begins at a multiple of it. */
export const halfRow = 27;

/** Columns of about this width and an agreeable shape of the picture decide how many there are. */
const shape = { column: 560, ratio: 1.5, leastRows: 16 };

/** Left (0) and right (1) lane of a column; the inner gutter is between them. */
export type Lane = 0 | 1;

/** The place of an object: its column, lanes and top edge, the lengths not yet known. */
export interface Placed {
  readonly node: GraphNode;
  readonly column: number;
  /** First and last lane that its box covers. */
  readonly lanes: readonly [Lane, Lane];
  readonly depth: number;
  /** Top edge, in half rows. */
  readonly at: number;
  /** Cards are numbered: references within one are drawn inside of it. */
  readonly card: number;
  /** Lanes that the card covers. */
  readonly cardLanes: readonly [Lane, Lane];
  readonly isHeading: boolean;
}

/** A frame around the objects of a card. */
interface PlacedFrame {
  readonly column: number;
  readonly lanes: readonly [Lane, Lane];
  readonly from: number;
  readonly to: number;
  /** The words above the objects of a frame without a heading of its own. */
  readonly title?: string;
}

/** All objects of a picture in their columns. */
export interface Placement {
  readonly columns: number;
  readonly halfRows: number;
  readonly objects: readonly Placed[];
  readonly frames: readonly PlacedFrame[];
}

/** A column of cards; the lane with the objects that refer to others is the one nearer to the shared objects. */
interface Column {
  readonly cards: readonly Card[];
  readonly isMirrored: boolean;
}

/** Places test cases in columns as in a newspaper, and the objects that they share in the middle. */
export function placeCards(graph: ObjectGraph): Placement {
  const columns = chooseColumns(graph);
  const objects: Placed[] = [];
  const frames: PlacedFrame[] = [];
  let card = 0;
  let halfRows = 0;
  for (const [column, { cards, isMirrored }] of columns.entries()) {
    let at = 0;
    for (const each of cards) {
      const placed = placeCard(each, { column, isMirrored, at, card: card++ });
      objects.push(...placed.objects);
      frames.push(placed.frame);
      at = placed.frame.to + 1;
    }
    halfRows = Math.max(halfRows, at - 1);
  }
  return { columns: columns.length, halfRows, objects, frames };
}

function chooseColumns(graph: ObjectGraph): readonly Column[] {
  const whole = groupCards(graph, Number.POSITIVE_INFINITY);
  const total = [...whole.folders, ...whole.shared].reduce((sum, each) => sum + heightOf(each), 0);
  const count = Math.max(1, Math.round(Math.sqrt((total * halfRow * shape.ratio) / shape.column)));
  const limit = Math.max(2 * shape.leastRows, Math.ceil(total / count));
  const { folders, shared } = groupCards(graph, Math.floor(limit / 2) - 1);
  const columns = fillColumns(folders, limit);
  const middle = Math.floor(columns.length / 2);
  return [
    ...columns.slice(0, middle).map((cards) => ({ cards, isMirrored: true })),
    ...fillColumns(shared, limit).map((cards) => ({ cards, isMirrored: false })),
    ...columns.slice(middle).map((cards) => ({ cards, isMirrored: false })),
  ];
}

function fillColumns(cards: readonly Card[], limit: number): readonly (readonly Card[])[] {
  const columns: Card[][] = [];
  let height = Number.POSITIVE_INFINITY;
  for (const card of cards) {
    const own = heightOf(card);
    if (height + own > limit) {
      columns.push([]);
      height = 0;
    }
    columns.at(-1)?.push(card);
    height += own;
  }
  return columns;
}

/** In half rows, with the gap below. */
function heightOf({ lanes: [first, second] }: Card): number {
  return 2 * (1 + Math.max(first.length, second.length)) + 1;
}

function placeCard(
  { heading, isContinued, lanes }: Card,
  { column, isMirrored, at, card }: Pick<Placed, "column" | "at" | "card"> & Pick<Column, "isMirrored">,
): { readonly objects: readonly Placed[]; readonly frame: PlacedFrame } {
  const [own, other]: readonly [Lane, Lane] = isMirrored ? [1, 0] : [0, 1];
  const used: readonly [Lane, Lane] =
    lanes[1].length === 0 ? [own, own] : lanes[0].length === 0 ? [other, other] : [0, 1];
  const common = { column, card, cardLanes: used };
  const below = (entries: readonly CardEntry[], lane: Lane): readonly Placed[] =>
    entries.map(({ node, depth }, index) => ({
      ...common,
      node,
      depth,
      lanes: [lane, lane],
      at: at + 2 + 2 * index,
      isHeading: false,
    }));
  const top = { ...common, lanes: used, depth: 0, at, isHeading: true };
  const title = heading === undefined ? "for all test cases" : `${heading.step}, continued`;
  return {
    objects: [
      ...(heading && !isContinued ? [{ ...top, node: heading }] : []),
      ...below(lanes[0], own),
      ...below(lanes[1], other),
    ],
    frame: {
      column,
      lanes: used,
      from: at,
      to: at + 2 * (1 + Math.max(lanes[0].length, lanes[1].length)),
      ...((heading === undefined || isContinued) && { title }),
    },
  };
}

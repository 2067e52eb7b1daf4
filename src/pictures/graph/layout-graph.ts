import type { GraphNode, GraphReference, ObjectGraph } from "../../model/graph/object-graph.ts";
import type { Point } from "../chart.ts";
import { halfRow, type Lane, type Placed, type Placement, placeCards } from "./place-cards.ts";
import { type Route, type RouteEnd, type Routing, routeReferences, type Track } from "./route-references.ts";

/** A rectangle of a picture. */
interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A graph as what a pen draws: no colours, no format. */
export interface GraphDrawing {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly (Rectangle & { readonly title?: string })[];
  readonly boxes: readonly (Rectangle & { readonly node: GraphNode; readonly isHeading: boolean })[];
  /** From an object to one that is declared below it within a frame. */
  readonly branches: readonly (readonly Point[])[];
  /** References, from their beginning to the object that they name. */
  readonly lines: readonly (GraphReference & { readonly points: readonly Point[] })[];
}

const size = { box: 224, height: 42, indent: 22, track: 8, padding: 12, gutter: 26, margin: 14, branch: 10 };

/** Left edges of what a column consists of. */
interface ColumnPlace {
  readonly lanes: readonly [number, number];
  readonly widths: readonly [number, number];
  /** First track of the inner gutter. */
  readonly inner: number;
}

interface Places {
  readonly columns: readonly ColumnPlace[];
  /** First track of each outer gutter. */
  readonly outer: readonly number[];
  readonly width: number;
  /** Top edge of the first row. */
  readonly top: number;
}

/** Draws a graph: boxes in frames, every reference led around all boxes. The same graph is always drawn alike. */
export function layoutGraph(graph: ObjectGraph): GraphDrawing {
  const placement = placeCards(graph);
  const routing = routeReferences(graph.references, placement);
  const places = measure(placement, routing);
  const boxes = placement.objects.map((each) => ({
    ...boxOf(each, places),
    node: each.node,
    isHeading: each.isHeading,
  }));
  return {
    width: places.width,
    height: places.top + placement.halfRows * halfRow + size.margin,
    frames: placement.frames.map(({ title, ...frame }) => ({
      ...frameOf(frame, places),
      ...(title !== undefined && { title }),
    })),
    boxes,
    branches: branchesOf(boxes),
    lines: routing.routes.map((route) => ({ ...route.reference, points: pointsOf(route, places) })),
  };
}

function measure({ columns, objects }: Placement, { outer, inner, bus }: Routing): Places {
  const used = new Set(objects.flatMap(({ column, lanes }) => lanes.map((lane) => `${column} ${lane}`)));
  let x = size.margin;
  const columnPlaces: ColumnPlace[] = [];
  const gutters: number[] = [];
  const gutter = (count: number, isAtEdge: boolean) => {
    if (count === 0) return isAtEdge ? 0 : size.gutter;
    return (count - 1) * size.track + size.gutter * 1.5;
  };
  for (let column = 0; column <= columns; column++) {
    gutters.push(x + size.gutter * 0.75);
    x += gutter(outer[column] ?? 0, column === 0 || column === columns);
    if (column === columns) break;
    const widthOf = (lane: Lane) => (used.has(`${column} ${lane}`) ? size.box : 0);
    const widths = [widthOf(0), widthOf(1)] as const;
    const tracks = inner[column] ?? 0;
    const between = tracks > 0 ? gutter(tracks, false) : widths[0] > 0 && widths[1] > 0 ? size.padding : 0;
    const left = x + size.padding;
    const right = left + widths[0] + between;
    columnPlaces.push({ lanes: [left, right], widths, inner: left + widths[0] + size.gutter * 0.75 });
    x = right + widths[1] + size.padding;
  }
  const top = size.margin + size.padding + (bus === 0 ? 0 : bus * size.track + 6);
  return { columns: columnPlaces, outer: gutters, width: x + size.margin, top };
}

function boxOf({ column, lanes: [first, last], depth, at }: Placed, { columns, top }: Places): Rectangle {
  const { lanes, widths } = columnAt(columns, column);
  const x = lanes[first] + depth * size.indent;
  return { x, y: top + at * halfRow, width: lanes[last] + widths[last] - x, height: size.height };
}

function frameOf(
  { column, lanes: [first, last], from, to }: Omit<Placement["frames"][number], "title">,
  { columns, top }: Places,
): Rectangle {
  const { lanes, widths } = columnAt(columns, column);
  const x = lanes[first] - size.padding;
  const y = top + from * halfRow - size.padding;
  // A frame without a heading may have its inner gutter in front of its only lane.
  const left = first === 1 && widths[0] === 0 ? lanes[0] - size.padding : x;
  return {
    x: left,
    y,
    width: lanes[last] + widths[last] + size.padding - left,
    height: (to - from) * halfRow + size.padding,
  };
}

function columnAt(columns: readonly ColumnPlace[], index: number): ColumnPlace {
  const found = columns[index];
  if (found === undefined) throw new RangeError(`no column ${index}`);
  return found;
}

function branchesOf(boxes: GraphDrawing["boxes"]): readonly (readonly Point[])[] {
  const byAddress = new Map(boxes.map((box) => [box.node.address, box]));
  return boxes.flatMap((box) => {
    const parent = byAddress.get(box.node.parent ?? "");
    if (parent === undefined || parent.isHeading) return [];
    const [x, y] = [parent.x + size.branch, box.y + box.height / 2];
    return [
      [
        [x, parent.y + parent.height],
        [x, y],
        [box.x, y],
      ],
    ];
  });
}

function pointsOf({ from, to, tracks, bus }: Route, places: Places): readonly Point[] {
  const [start, end] = [pointOf(from, places), pointOf(to, places)];
  const [first, second] = tracks.map((track) => trackX(track, places));
  if (first === undefined) return [start, end];
  if (second === undefined || bus === undefined) return [start, [first, start[1]], [first, end[1]], end];
  const above = places.top - size.padding - 6 - bus * size.track;
  return [start, [first, start[1]], [first, above], [second, above], [second, end[1]], end];
}

function trackX({ gutter: { is, index }, lane }: Track, { outer, columns }: Places): number {
  const first = is === "outer" ? (outer[index] ?? 0) : columnAt(columns, index).inner;
  return first + lane * size.track;
}

function pointOf({ box, side, y }: RouteEnd, places: Places): Point {
  const { x, width } = boxOf(box, places);
  return [side === "left" ? x : x + width, places.top + y];
}

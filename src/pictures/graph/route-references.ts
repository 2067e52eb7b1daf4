import type { GraphReference } from "../../model/graph/object-graph.ts";
import { halfRow, type Placed, type Placement } from "./place-cards.ts";

/** Distances of the ends of references from the top edge of a box, so that no two lie on each other in a gutter. */
const ends = {
  left: { inner: { out: 6, in: 12 }, outer: { out: 18, in: 24 } },
  right: { inner: { out: 30, in: 36 }, outer: { out: 30, in: 36 } },
} as const;

type Side = keyof typeof ends;

/** One end of a reference: the side of a box, and how far down, measured from the first row. */
export interface RouteEnd {
  readonly box: Placed;
  readonly side: Side;
  readonly y: number;
}

/** A vertical track of a gutter. */
export interface Track {
  /** Outer gutters are numbered from the left edge on, an inner one as its column. */
  readonly gutter: { readonly is: "outer" | "inner"; readonly index: number };
  readonly lane: number;
}

/** The way of a reference: from a box to a track, along it, or over the bus above all columns to a second one, and to a box. */
export interface Route {
  readonly reference: GraphReference;
  readonly from: RouteEnd;
  readonly to: RouteEnd;
  readonly tracks: readonly Track[];
  /** Its line of the bus, the lowest is 0. */
  readonly bus?: number;
}

/** All references with their tracks, and how many tracks each gutter needs. */
export interface Routing {
  readonly routes: readonly Route[];
  readonly outer: readonly number[];
  readonly inner: readonly number[];
  readonly bus: number;
}

interface Leg extends Pick<Route, "reference" | "from" | "to"> {
  readonly gutters: readonly Track["gutter"][];
}

/**
 * Leads every reference around all boxes: they run in gutters and above the columns only, where no box is. References
 * to one object share one track of a gutter; those to different objects never lie on each other.
 */
export function routeReferences(references: readonly GraphReference[], placement: Placement): Routing {
  const boxes = new Map(placement.objects.map((each) => [each.node.address, each]));
  const legs = references.flatMap((reference) => {
    const [from, to] = [boxes.get(reference.from), boxes.get(reference.to)];
    return from && to ? [legOf(reference, from, to)] : [];
  });
  const buses = packed(
    spansOf(legs, (leg) => {
      const [first, second] = leg.gutters;
      return first && second ? [{ place: "", at: [first.index, second.index] }] : [];
    }).sort((left, right) => left.to - left.from - (right.to - right.from)),
  );
  const lanes = packed(
    spansOf(legs, (leg) =>
      leg.gutters.map((gutter, index) => ({ place: sideOf(gutter), at: heightsIn(leg, index) })),
    ).sort((left, right) => left.from - right.from || left.to - right.to),
  );
  const countOf = (gutter: Track["gutter"]) => lanes.counts.get(sideOf(gutter)) ?? 0;
  return {
    routes: legs.map(({ gutters, ...leg }) => {
      const { to: target } = leg.reference;
      const bus = gutters.length === 2 ? buses.laneOf("", target) : undefined;
      return {
        ...leg,
        tracks: gutters.map((gutter) => ({ gutter, lane: lanes.laneOf(sideOf(gutter), target) })),
        ...(bus !== undefined && { bus }),
      };
    }),
    outer: Array.from({ length: placement.columns + 1 }, (_, index) => countOf({ is: "outer", index })),
    inner: Array.from({ length: placement.columns }, (_, index) => countOf({ is: "inner", index })),
    bus: buses.counts.get("") ?? 0,
  };
}

function sideOf({ is, index }: Track["gutter"]): string {
  return `${is} ${index}`;
}

function legOf(reference: GraphReference, from: Placed, to: Placed): Leg {
  if (from.card === to.card && !from.isHeading && !to.isHeading) {
    const end = (box: Placed, way: "out" | "in") => tipOf(box, { side: innerSide(box), reach: "inner", way });
    return { reference, from: end(from, "out"), to: end(to, "in"), gutters: [{ is: "inner", index: from.column }] };
  }
  const pairs = outerSides(from).flatMap((out) => outerSides(to).map((into) => [out, into] as const));
  const length = ([out, into]: readonly [Side, Side]) => Math.abs(gutterAt(from, out) - gutterAt(to, into));
  const [out, into] = pairs.reduce((best, pair) => (length(pair) < length(best) ? pair : best));
  const [first, second] = [gutterAt(from, out), gutterAt(to, into)];
  return {
    reference,
    from: tipOf(from, { side: out, reach: "outer", way: "out" }),
    to: tipOf(to, { side: into, reach: "outer", way: "in" }),
    gutters: (first === second ? [first] : [first, second]).map((index) => ({ is: "outer", index })),
  };
}

function tipOf(
  box: Placed,
  { side, reach, way }: { readonly side: Side; readonly reach: "inner" | "outer"; readonly way: "out" | "in" },
): RouteEnd {
  return { box, side, y: box.at * halfRow + ends[side][reach][way] };
}

/** The side that faces the inner gutter, which is between the lanes. */
function innerSide({ lanes: [lane] }: Placed): Side {
  return lane === 0 ? "right" : "left";
}

/** Sides from which nothing of the same card is between a box and the outer gutter. */
function outerSides({ lanes, cardLanes }: Placed): readonly [Side, ...Side[]] {
  const [first, last] = lanes;
  if (first === cardLanes[0] && last === cardLanes[1]) return ["left", "right"];
  return first === 0 ? ["left"] : ["right"];
}

function gutterAt({ column }: Placed, side: Side): number {
  return side === "left" ? column : column + 1;
}

/** Above and below the ends of a line, so that two on one track do not look like one. */
const gap = 5;

/** The heights that a reference takes in one of its gutters; the bus is above everything. */
function heightsIn({ from, to, gutters }: Leg, index: number): readonly number[] {
  const heights = gutters.length === 1 ? [from.y, to.y] : [Number.NEGATIVE_INFINITY, index === 0 ? from.y : to.y];
  return heights.flatMap((y) => [y - gap, y + gap]);
}

/** The part of a place, a gutter or the bus, that all references to one object take up. */
interface Span {
  readonly place: string;
  readonly target: string;
  readonly from: number;
  readonly to: number;
}

function spansOf(
  legs: readonly Leg[],
  partsOf: (leg: Leg) => readonly { readonly place: string; readonly at: readonly number[] }[],
): Span[] {
  const spans = new Map<string, Span>();
  for (const leg of legs) {
    const target = leg.reference.to;
    for (const { place, at } of partsOf(leg)) {
      const key = `${place} ${target}`;
      const known = spans.get(key);
      const all = known === undefined ? at : [...at, known.from, known.to];
      spans.set(key, { place, target, from: Math.min(...all), to: Math.max(...all) });
    }
  }
  return [...spans.values()];
}

/** Gives each span the first lane of its place in which it meets no other one. */
function packed(spans: readonly Span[]): {
  readonly laneOf: (place: string, target: string) => number;
  readonly counts: ReadonlyMap<string, number>;
} {
  const chosen = new Map<string, number>();
  const taken = new Map<string, Span[][]>();
  for (const span of spans) {
    const lanes = taken.get(span.place) ?? [];
    taken.set(span.place, lanes);
    const meets = (other: Span) => span.from <= other.to && other.from <= span.to;
    const free = lanes.findIndex((lane) => !lane.some(meets));
    const lane = free < 0 ? lanes.length : free;
    lanes[lane] = [...(lanes[lane] ?? []), span];
    chosen.set(`${span.place} ${span.target}`, lane);
  }
  return {
    laneOf: (place, target) => chosen.get(`${place} ${target}`) ?? 0,
    counts: new Map([...taken].map(([place, lanes]) => [place, lanes.length])),
  };
}

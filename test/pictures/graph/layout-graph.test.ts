import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { objectGraph } from "../../../src/model/graph/object-graph.ts";
import type { Point } from "../../../src/pictures/chart.ts";
import { type GraphDrawing, layoutGraph } from "../../../src/pictures/graph/layout-graph.ts";
import { timesOf } from "../../support/deep.ts";
import { manyObjects } from "../../support/many-objects.ts";
import { randomGraph } from "../../support/random-graph.ts";

type Rectangle = GraphDrawing["frames"][number];

const runs = { numRuns: timesOf({ few: 50, deep: 3_000 }) };

/** The straight parts of a line, as rectangles without width or height. */
const partsOf = (points: readonly Point[]): readonly Rectangle[] =>
  points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index]!;
    return {
      x: Math.min(x, fromX),
      y: Math.min(y, fromY),
      width: Math.abs(x - fromX),
      height: Math.abs(y - fromY),
    };
  });

/** True where the two have more than an edge or a point in common. */
const overlap = (one: Rectangle, other: Rectangle) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const isInside = (inner: Rectangle, outer: Rectangle) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** References and branches that pass through a box. */
const crossingsOf = ({ boxes, lines, branches }: GraphDrawing) =>
  [...lines.map(({ points }) => points), ...branches]
    .flatMap(partsOf)
    .filter((part) => boxes.some((box) => overlap(part, box)));

/** Parts of references to different objects that lie on each other: nobody could tell where they lead. */
function sharedParts({ lines }: GraphDrawing): readonly string[] {
  const byLine = new Map<
    string,
    { readonly from: number; readonly to: number; readonly of: string; readonly source: string }[]
  >();
  for (const { from, to, points } of lines)
    for (const { x, y, width, height } of partsOf(points)) {
      const [key, start, length] = height === 0 ? [`y ${y}`, x, width] : [`x ${x}`, y, height];
      byLine.set(key, [...(byLine.get(key) ?? []), { from: start, to: start + length, of: to, source: from }]);
    }
  return [...byLine].flatMap(([key, parts]) =>
    parts.flatMap((part, index) =>
      parts
        .slice(index + 1)
        .filter((other) => other.of !== part.of && other.source !== part.source)
        .filter((other) => part.from < other.to && other.from < part.to)
        .map((other) => `${key}: ${part.source} -> ${part.of}, ${other.source} -> ${other.of}`),
    ),
  );
}

describe("the picture of a graph", () => {
  it("leads every reference around all boxes, from one object to the other", () => {
    fc.assert(
      fc.property(randomGraph, (graph) => {
        const drawing = layoutGraph(graph);
        expect(crossingsOf(drawing)).toEqual([]);
        expect(drawing.lines.map(({ from, to }) => ({ from, to }))).toEqual(graph.references);
        const boxes = new Map(drawing.boxes.map((box) => [box.node.address, box]));
        for (const { from, to, points } of drawing.lines) {
          for (const [address, [x, y]] of [
            [from, points[0]!],
            [to, points.at(-1)!],
          ] as const) {
            const box = boxes.get(address)!;
            expect([box.x, box.x + box.width]).toContain(x);
            expect(y > box.y && y < box.y + box.height).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  it("never draws references from different objects to different objects on each other", () => {
    fc.assert(
      fc.property(randomGraph, (graph) => {
        expect(sharedParts(layoutGraph(graph))).toEqual([]);
      }),
      { numRuns: 6 * runs.numRuns },
    );
  });

  it("draws every object once, apart from the others, within a frame and within the picture", () => {
    fc.assert(
      fc.property(randomGraph, (graph) => {
        const drawing = layoutGraph(graph);
        const { boxes, frames, lines } = drawing;
        expect(boxes.map(({ node }) => node.address).sort()).toEqual(graph.nodes.map(({ address }) => address).sort());
        for (const [index, box] of boxes.entries()) {
          expect(boxes.slice(index + 1).filter((other) => overlap(box, other))).toEqual([]);
          expect(frames.filter((frame) => isInside(box, frame))).toHaveLength(1);
        }
        for (const [index, frame] of frames.entries())
          expect(frames.slice(index + 1).filter((other) => overlap(frame, other))).toEqual([]);
        const whole = { x: 0, y: 0, width: drawing.width, height: drawing.height };
        for (const each of [...frames, ...lines.flatMap(({ points }) => partsOf(points))])
          expect(isInside(each, whole)).toBe(true);
      }),
      runs,
    );
  });

  it("draws 1,000 objects as a sheet, not as a strip, around no box, within two seconds, and always alike", () => {
    const graph = objectGraph(manyObjects(112), kinds);
    expect(graph.nodes.length).toBeGreaterThan(1000);
    const start = process.cpuUsage();
    const drawing = layoutGraph(graph);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(drawing.width / drawing.height).toBeGreaterThan(0.8);
    expect(drawing.width / drawing.height).toBeLessThan(2.5);
    expect(crossingsOf(drawing)).toEqual([]);
    expect(layoutGraph(graph)).toEqual(drawing);
  });

  it("divides a test case of 1,000 objects into several frames", () => {
    const nodes = ["testCase.big", ...Array.from({ length: 999 }, (_, index) => `testCase.big/scenario.s${index}`)].map(
      (address, index) => ({
        address,
        kind: index === 0 ? "testCase" : "scenario",
        step: address.slice(address.lastIndexOf("/") + 1),
        isFolder: index === 0,
        ...(index > 0 && { parent: "testCase.big" }),
      }),
    );
    const { frames, width, height } = layoutGraph({ nodes, references: [] });
    expect(frames.length).toBeGreaterThan(5);
    expect(frames[1]?.title).toBe("testCase.big, continued");
    expect(width / height).toBeGreaterThan(0.3);
  });
});

import type { GraphNode, ObjectGraph } from "../../model/graph/object-graph.ts";
import type { Point } from "../chart.ts";
import { asHtml } from "../escape-html.ts";
import { cutText } from "./cut-text.ts";
import style from "./graph.css?raw" with { type: "text" };
import { type GraphDrawing, layoutGraph } from "./layout-graph.ts";

/** Sizes of letters, and the space between a box and its text. */
const text = { small: 11, large: 13, inset: 10 };

/** Colours of references; those to one object have one colour. */
const tones = 6;

/** A graph as an SVG of its own, which a page may also contain: no script, nothing loaded; `id` is unique in the page. */
export function graphSvg(graph: ObjectGraph, { id, title }: { readonly id: string; readonly title: string }): string {
  const drawing = layoutGraph(graph);
  const [width, height] = [Math.ceil(drawing.width), Math.ceil(drawing.height)];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="graph" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">${xml(title)}</title><desc id="${id}-d">${xml(describeGraph(graph))}</desc>
<style>${style}</style>
<rect class="back" width="${width}" height="${height}"/>
${drawing.frames.map(frame).join("\n")}
${drawing.branches.map((points) => `<path class="branch" d="${path(points)}"/>`).join("\n")}
${references(drawing)}
${drawing.boxes.map((each) => box(each, graph)).join("\n")}
</svg>
`;
}

/** A graph in a sentence, for who does not see it. */
function describeGraph({ nodes, references: edges }: ObjectGraph): string {
  const kinds = countsOf(nodes.map(({ kind }) => kind));
  const marks = countsOf(nodes.flatMap(({ mark }) => mark?.words ?? []));
  const changes = marks.length === 0 ? "" : ` Changes: ${marks.join(", ")}.`;
  return `${kinds.length === 0 ? "No objects" : kinds.join(", ")}; references: ${edges.length}.${changes}`;
}

function countsOf(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${word} ${count}`);
}

function frame({ x, y, width, height, title }: GraphDrawing["frames"][number]): string {
  const words = title === undefined ? "" : `<text class="frame-title" x="${x + 14}" y="${y + 34}">${xml(title)}</text>`;
  return `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>${words}`;
}

/** Each with its arrow; those to one object follow each other, so that their colour is written once. */
function references({ lines }: GraphDrawing): string {
  const byTarget = new Map<string, (readonly Point[])[]>();
  for (const { to, points } of lines) byTarget.set(to, [...(byTarget.get(to) ?? []), points]);
  return [...byTarget.values()]
    .map((all, index) => {
      const arrows = new Set(all.map(arrow));
      return `<path class="reference tone-${index % tones}" d="${all.map(path).join("")}"/><path class="arrow tone-${index % tones}" d="${[...arrows].join("")}"/>`;
    })
    .join("\n");
}

/** A line with round corners: a turn is told from a crossing. */
function path(points: readonly Point[]): string {
  return points
    .map(([x, y], index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${x} ${y}`;
      if (after === undefined) return `L${x} ${y}`;
      const [ax, ay] = towards([x, y], before);
      const [bx, by] = towards([x, y], after);
      return `L${ax} ${ay}Q${x} ${y} ${bx} ${by}`;
    })
    .join("");
}

/** The point at which a corner begins to be round. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.abs(toX - x) + Math.abs(toY - y);
  const radius = Math.min(5, length / 2);
  return length === 0 ? [x, y] : [x + ((toX - x) / length) * radius, y + ((toY - y) / length) * radius];
}

function arrow(points: readonly Point[]): string {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (tip === undefined || before === undefined) return "";
  const back = before[0] < tip[0] ? -7 : 7;
  return `M${tip[0]} ${tip[1]}l${back} -3.5v7Z`;
}

/** An own viewport clips whatever a font draws wider than it was taken to be. */
function box({ x, y, width, height, node, isHeading }: GraphDrawing["boxes"][number], { isPlan }: ObjectGraph): string {
  const { mark, kind, step, name } = node;
  const change = mark?.change ?? (isPlan ? "same" : undefined);
  const classes = ["box", ...(isHeading ? ["heading"] : []), ...(change ? [change] : [])];
  const room = width - 2 * text.inset;
  const large = (words: string) => cutText(clean(words), { width: room, letters: text.large });
  const small = (words: string, share: number) => cutText(words, { width: room * share, letters: text.small });
  const [head, shown] = name === undefined ? [kind, step.slice(kind.length + 1)] : [mark ? kind : step, name];
  const label = mark
    ? `<text class="mark" x="${width - text.inset}" y="16">${xml(small(mark.words, 0.48))}</text>`
    : "";
  return `<svg class="${classes.join(" ")}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${xml(fullLabel(node))}</title><rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="${cornerOf(node)}"/><text class="kind" x="${text.inset}" y="16">${xml(small(head, mark ? 0.5 : 1))}</text>${label}<text class="name" x="${text.inset}" y="33">${xml(large(shown))}</text></svg>`;
}

/** New objects are round, those that are deleted or replaced have no round corners. */
function cornerOf({ mark }: GraphNode): number {
  if (mark?.change === "create") return 14;
  return mark?.change === "delete" || mark?.change === "replace" ? 0 : 6;
}

function fullLabel({ address, name, mark }: GraphNode): string {
  return `${address}${name === undefined ? "" : `: ${name}`}${mark ? ` (${mark.words})` : ""}`;
}

/** Characters that XML does not allow, and those that turn the direction of what follows. */
const unprintable = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufffe\uffff]/gu;

function clean(words: string): string {
  return words.replaceAll(unprintable, "\ufffd");
}

function xml(words: string): string {
  return asHtml(clean(words));
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphNode, ObjectGraph } from "../../../src/model/graph/object-graph.ts";
import { graphDot } from "../../../src/report/graph/graph-dot.ts";
import { randomGraph } from "../../support/random-graph.ts";

interface Read {
  readonly boxes: ReadonlyMap<string, string>;
  readonly edges: readonly { readonly from: string; readonly to: string; readonly isReference: boolean }[];
}

const string = '"(?:[^"\\\\]|\\\\.)*"';
const attributes = `\\[((?:\\w+=(?:\\w+|${string})(?:, |(?=\\])))+)\\]`;

/** The lines of our subset of Graphviz's language, which Graphviz itself was seen to take (viz-js). */
const lines = {
  block: /^ *(?:digraph loadform|subgraph cluster_\d+) \{$/,
  end: /^ *\}$/,
  look: /^ *(?:\w+=\w+;| )+$|^ {2}node \[shape=box, fontname="sans-serif"\];$/,
  edge: new RegExp(`^ {2}(${string}) -> (${string})(?: ${attributes})?;$`, "s"),
  box: new RegExp(`^ {2,4}(${string}) ${attributes};$`, "s"),
};

/** Reads a text as Graphviz does, as far as we write it; anything else fails. */
function read(text: string): Read {
  const boxes = new Map<string, string>();
  const edges: Read["edges"][number][] = [];
  let depth = 0;
  for (const line of text.trimEnd().split("\n")) {
    const [kind, pattern] = Object.entries(lines).find(([, each]) => each.test(line)) ?? [];
    if (pattern === undefined) throw new Error(`not of our subset: ${line}`);
    const [, first = "", second = "", more] = pattern.exec(line) ?? [];
    if (kind === "block") depth++;
    if (kind === "end") depth--;
    if (kind === "edge") edges.push({ from: plain(first), to: plain(second), isReference: more === undefined });
    if (kind === "box") boxes.set(plain(first), plain(new RegExp(`label=(${string})`, "s").exec(second)?.[1] ?? ""));
  }
  expect(depth).toBe(0);
  return { boxes, edges };
}

/** A quoted string as Graphviz shows it. */
function plain(quoted: string): string {
  const shown = quoted.slice(1, -1).replaceAll(/\\(.)/gs, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
  return shown.replaceAll("&amp;", "&");
}

const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** The lines that a box has to show; a name is compared where nothing of it is cut or spelt out. */
function labelOf({ step, name, mark }: GraphNode): RegExp {
  const isPlain = name !== undefined && /^[ -~]{1,60}$/.test(name);
  const shown = isPlain ? `\n"${literal(name)}"` : name === undefined ? "" : '\n"[^\n]*"';
  return new RegExp(`^${literal(step)}${shown}${mark ? `\n${mark.words}` : ""}$`);
}

describe("a graph as DOT", () => {
  it("has every object, line and reference whatever the names are, and shows the names as they are", () => {
    fc.assert(
      fc.property(randomGraph, (graph: ObjectGraph) => {
        const { boxes, edges } = read(graphDot(graph));
        expect([...boxes.keys()].sort()).toEqual(graph.nodes.map(({ address }) => address).sort());
        expect(edges.filter(({ isReference }) => isReference).map(({ from, to }) => ({ from, to }))).toEqual(
          graph.references,
        );
        expect(edges.filter(({ isReference }) => !isReference)).toHaveLength(
          graph.nodes.filter(({ parent }) => parent !== undefined).length,
        );
        for (const node of graph.nodes) expect(boxes.get(node.address)).toMatch(labelOf(node));
      }),
    );
  });
});

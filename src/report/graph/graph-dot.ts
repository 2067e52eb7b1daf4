import { topAddress } from "../../model/address.ts";
import type { GraphNode, ObjectGraph } from "../../model/graph/object-graph.ts";
import { classColors, classOf, framedAddresses, type GraphClass, labelLines } from "./graph-label.ts";

/** The styles of a box by its class: the outline says what changes where colours are not seen. */
const outlines: Readonly<Record<GraphClass, string>> = {
  plain: "rounded,filled",
  same: "rounded,filled",
  create: "filled,bold",
  update: "rounded,filled,bold",
  replace: "filled,bold,diagonals",
  delete: "filled,dashed",
  state: "filled,dotted",
};

/** A graph in the language of Graphviz: test cases as clusters, plain lines to what is declared below, arrows for references. */
export function graphDot(graph: ObjectGraph): string {
  const frames = framedAddresses(graph);
  const blocks = graph.nodes.flatMap((node, index): readonly string[] => {
    if (node.parent !== undefined) return [];
    if (!frames.has(node.address)) return [`  ${boxOf(graph, node)}`];
    const inside = graph.nodes.filter(({ address }) => topAddress(address) === node.address);
    const boxes = inside.map((each) => `    ${boxOf(graph, each)}`);
    return [`  subgraph cluster_${index} {`, "    style=rounded; color=gray;", ...boxes, "  }"];
  });
  const below = graph.nodes.flatMap(({ address, parent }) =>
    parent === undefined ? [] : [`  ${dotText(parent)} -> ${dotText(address)} [arrowhead=none, color=gray];`],
  );
  const references = graph.references.map(({ from, to }) => `  ${dotText(from)} -> ${dotText(to)};`);
  const head = ["digraph loadform {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];'];
  return `${[...head, ...blocks, ...below, ...references, "}"].join("\n")}\n`;
}

function boxOf(graph: ObjectGraph, node: GraphNode): string {
  const name = classOf(graph, node);
  const { fill, stroke, text } = classColors[name];
  const label = dotText(labelLines(node).join("\n"));
  return `${dotText(node.address)} [label=${label}, style=${dotText(outlines[name])}, fillcolor="${fill}", color="${stroke}", fontcolor="${text}"];`;
}

/** A quoted string of Graphviz, in which a backslash begins an escape and an ampersand an entity. */
function dotText(text: string): string {
  const plain = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("&", "&amp;");
  return `"${plain.replaceAll("\n", "\\n")}"`;
}

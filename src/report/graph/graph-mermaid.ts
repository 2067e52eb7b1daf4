import { topAddress } from "../../model/address.ts";
import type { GraphNode, ObjectGraph } from "../../model/graph/object-graph.ts";
import { classColors, classOf, framedAddresses, type GraphClass, labelLines } from "./graph-label.ts";

/** The brackets of each class: the shape says what changes where colours are not seen. */
const shapes: Readonly<Record<GraphClass, readonly [string, string]>> = {
  plain: ["[", "]"],
  same: ["[", "]"],
  create: ["([", "])"],
  update: ["{{", "}}"],
  replace: ["[[", "]]"],
  delete: ["[/", "\\]"],
  state: ["(", ")"],
};

/** A graph as a flowchart of Mermaid: test cases as frames, lines to what is declared below, arrows for references. */
export function graphMermaid(graph: ObjectGraph): string {
  const ids = new Map(graph.nodes.map(({ address }, index) => [address, `n${index}`]));
  const idOf = (address: string) => ids.get(address) ?? "";
  const frames = framedAddresses(graph);
  const shape = (node: GraphNode, indent: string) => {
    const [open, close] = shapes[classOf(graph, node)];
    return `${indent}${idOf(node.address)}${open}${labelOf(node, "<br/>")}${close}:::${classOf(graph, node)}`;
  };
  const blocks = graph.nodes.flatMap((node): readonly string[] => {
    if (node.parent !== undefined) return [];
    if (!frames.has(node.address)) return [shape(node, "  ")];
    const inside = graph.nodes.filter(({ address, parent }) => parent && topAddress(address) === node.address);
    // A title of several lines would lie behind the boxes of its frame.
    const head = `  subgraph ${idOf(node.address)}[${labelOf(node, " ")}]`;
    return [head, ...inside.map((each) => shape(each, "    ")), "  end"];
  });
  const framed = graph.nodes.filter(({ address }) => frames.has(address));
  const below = graph.nodes.flatMap(({ address, parent }) =>
    parent === undefined || frames.has(parent) ? [] : [`  ${idOf(parent)} --- ${idOf(address)}`],
  );
  const lines = [
    "flowchart LR",
    ...blocks,
    ...below,
    ...graph.references.map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`),
    ...framed.map((node) => `  class ${idOf(node.address)} ${classOf(graph, node)}`),
    ...usedClasses(graph),
  ];
  return `${lines.join("\n")}\n`;
}

function usedClasses(graph: ObjectGraph): readonly string[] {
  return [...new Set(graph.nodes.map((node) => classOf(graph, node)))].map((name) => {
    const { fill, stroke, text } = classColors[name];
    const dashes = name === "delete" ? ",stroke-dasharray:6 3" : "";
    return `  classDef ${name} fill:${fill},stroke:${stroke},color:${text}${dashes}`;
  });
}

function labelOf(node: GraphNode, between: "<br/>" | " "): string {
  return `"${labelLines(node).map(mermaidText).join(between)}"`;
}

/** Text within a quoted label: whatever is no letter, digit or blank is written by its number. */
function mermaidText(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N} .,_-]/gu, (found) => `#${found.codePointAt(0)};`);
}

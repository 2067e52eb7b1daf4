import type { ObjectGraph } from "../../model/graph/object-graph.ts";
import { graphSvg } from "../../pictures/graph/graph-svg.ts";
import { graphDot } from "./graph-dot.ts";
import { graphMermaid } from "./graph-mermaid.ts";

/** A graph in one of its formats; `title` is the subject of the picture. */
export function graphText(graph: ObjectGraph, format: "svg" | "mermaid" | "dot", title: string): string {
  switch (format) {
    case "svg":
      return graphSvg(graph, { id: "graph", title });
    case "mermaid":
      return graphMermaid(graph);
    case "dot":
      return graphDot(graph);
  }
}

import { type GraphMark, markedPart, type ObjectGraph } from "../../model/graph/object-graph.ts";
import type { Change } from "../../plan/plan.ts";
import { actionWords } from "../change-markdown.ts";
import { fencedCode, foldedPart, type TextPart } from "../markdown-text.ts";
import { graphMermaid } from "./graph-mermaid.ts";

/** A picture with more objects than this is no longer taken in within a comment. */
const most = 30;

/** The graph of a plan: each object that it changes has a mark. */
export function markChanges({ nodes, references }: ObjectGraph, changes: readonly Change[]): ObjectGraph {
  const marks = new Map(changes.map((change) => [change.address, markOf(change)]));
  return {
    nodes: nodes.map((node) => {
      const mark = marks.get(node.address);
      return mark === undefined ? node : { ...node, mark };
    }),
    references,
    isPlan: true,
  };
}

/** The mark of a change; undefined where nothing happens. */
export function markOf(change: Change): GraphMark | undefined {
  const { action } = change;
  const words = actionWords(change);
  if (words === "") return undefined;
  return { change: action === "no-op" || action === "forget" ? "state" : action, words };
}

/** The part of a comment with what a plan changes and what is beside it, as a picture; nothing where that is too much for one. */
export function planGraphPart(graph: ObjectGraph, changes: readonly Change[]): readonly TextPart[] {
  const shown = markedPart(markChanges(graph, changes));
  if (shown.nodes.length === 0 || shown.nodes.length > most) return [];
  const picture = fencedCode("mermaid", graphMermaid(shown));
  return [{ text: foldedPart("Picture of the changes and of what is beside them", picture), optional: "the picture" }];
}

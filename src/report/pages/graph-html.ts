import { markedPart, type ObjectGraph } from "../../model/graph/object-graph.ts";
import { formatSeveral } from "../../pictures/figures.ts";
import { graphSvg } from "../../pictures/graph/graph-svg.ts";

/** A graph with more objects than the first shows what changes and what is beside it; with more than the second it is not drawn. */
const most = { whole: 150, drawn: 2_500 };

/** The graph of a plan with what changes marked, in a window that scrolls; the page's script adds dragging and zoom. */
export function graphHtml(graph: ObjectGraph, names: { readonly id: string; readonly title: string }): string {
  const shown = graph.nodes.length <= most.whole ? graph : markedPart(graph);
  if (shown.nodes.length === 0 || shown.nodes.length > most.drawn)
    return `<p class="soft">${formatSeveral(graph.nodes.length, "object")}, which one picture on a page does not show. The whole graph: <code>loadform graph --format svg</code></p>`;
  const left = graph.nodes.length - shown.nodes.length;
  const note =
    left === 0
      ? ""
      : `<p class="soft">What changes and what is beside it; ${formatSeveral(left, "other object")} of the project not shown.</p>`;
  return `${note}<div class="pan"><div class="zoom" role="group" aria-label="Zoom of the graph" hidden><button type="button" data-zoom="out" aria-label="Smaller">−</button><button type="button" data-zoom="fit">Fit</button><button type="button" data-zoom="in" aria-label="Larger">+</button></div>
<div class="view" role="group" aria-label="Graph" tabindex="0">${graphSvg(shown, names)}</div></div>`;
}

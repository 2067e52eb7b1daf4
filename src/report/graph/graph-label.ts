import type { GraphMark, GraphNode, ObjectGraph } from "../../model/graph/object-graph.ts";
import { cleanLine } from "../terminal-text.ts";

/** Characters of a name in a label. */
const nameWidth = 60;

/** The lines of an object's label: the end of its address, its name where that is another word, and what changes. */
export function labelLines({ step, name, mark }: GraphNode): readonly string[] {
  const shown = name === undefined ? [] : [`"${cleanLine(name, nameWidth)}"`];
  return [step, ...shown, ...(mark ? [mark.words] : [])];
}

/** The class of an object in a graph: its change, or in a plan that it remains as it is. */
export type GraphClass = GraphMark["change"] | "same" | "plain";

/** The class of a node. */
export function classOf({ isPlan }: ObjectGraph, { mark }: GraphNode): GraphClass {
  return mark?.change ?? (isPlan ? "same" : "plain");
}

/** Colours of a class; black text on light fills reads on light and on dark pages. */
export interface ClassColors {
  readonly fill: string;
  readonly stroke: string;
  readonly text: string;
}

/** The colours of each class. A shape and words say the same. */
export const classColors: Readonly<Record<GraphClass, ClassColors>> = {
  plain: { fill: "#ffffff", stroke: "#555d6b", text: "#161a20" },
  same: { fill: "#eceef1", stroke: "#a0a7b2", text: "#4b535f" },
  create: { fill: "#d9f2e1", stroke: "#116b3a", text: "#0b3d22" },
  update: { fill: "#fcf0da", stroke: "#7c4a00", text: "#4a2c00" },
  replace: { fill: "#f1e4fb", stroke: "#6b2fa0", text: "#3d1660" },
  delete: { fill: "#fbe1de", stroke: "#ab231c", text: "#6b120d" },
  state: { fill: "#e3ecfd", stroke: "#2351c0", text: "#16357f" },
};

/** Objects that are drawn as a frame around those declared in them: folders at the top with something below. */
export function framedAddresses({ nodes }: ObjectGraph): ReadonlySet<string> {
  const parents = new Set(nodes.flatMap(({ parent }) => parent ?? []));
  return new Set(
    nodes.filter(({ parent, address }) => parent === undefined && parents.has(address)).map(({ address }) => address),
  );
}

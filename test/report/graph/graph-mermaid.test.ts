import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ObjectGraph } from "../../../src/model/graph/object-graph.ts";
import { graphMermaid } from "../../../src/report/graph/graph-mermaid.ts";
import { randomGraph } from "../../support/random-graph.ts";

const label = `"(?:[\\p{L}\\p{M}\\p{N} .,_-]|#\\d+;|<br/>)+"`;
const box = `(?:\\[${label}\\]|\\(\\[${label}\\]\\)|\\{\\{${label}\\}\\}|\\[\\[${label}\\]\\]|\\[/${label}\\\\\\]|\\(${label}\\))`;
const style = "(?:plain|same|create|update|replace|delete|state)";

/** The lines of our subset of Mermaid's flowcharts, which its own parser was seen to take (mermaid 12.3.0). */
const lines = {
  head: /^flowchart LR$/,
  node: new RegExp(`^ {2,4}(n\\d+)${box}:::${style}$`, "u"),
  frame: new RegExp(`^ {2}subgraph (n\\d+)\\[${label}\\]$`, "u"),
  end: /^ {2}end$/,
  edge: /^ {2}(n\d+) (---|-->) (n\d+)$/,
  class: new RegExp(`^ {2}class (n\\d+) ${style}$`),
  look: new RegExp(
    `^ {2}classDef ${style} fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#[0-9a-f]{6}(?:,stroke-dasharray:6 3)?$`,
  ),
};

/** What a text declares, by the kind of its lines; a line of no kind fails. */
function read(text: string): Readonly<Record<keyof typeof lines, readonly (readonly string[])[]>> {
  const found = Object.fromEntries(Object.keys(lines).map((kind) => [kind, [] as string[][]]));
  for (const line of text.trimEnd().split("\n")) {
    const [kind, pattern] = Object.entries(lines).find(([, each]) => each.test(line)) ?? [];
    if (kind === undefined || pattern === undefined) throw new Error(`not of our subset: ${line}`);
    found[kind]?.push([...(pattern.exec(line) ?? [])].slice(1));
  }
  return found as unknown as ReturnType<typeof read>;
}

const small: ObjectGraph = {
  nodes: [
    { address: "tag.nightly", kind: "tag", step: "tag.nightly", isFolder: false },
    { address: "testCase.shop", kind: "testCase", step: "testCase.shop", name: "Shop", isFolder: true },
    {
      address: "testCase.shop/scenario.browse",
      kind: "scenario",
      step: "scenario.browse",
      name: 'Browse "it" & more',
      parent: "testCase.shop",
      isFolder: false,
      mark: { change: "delete", words: "delete" },
    },
    {
      address: "testCase.shop/scenario.browse/dataStore.users.csv",
      kind: "dataStore",
      step: "dataStore.users.csv",
      parent: "testCase.shop/scenario.browse",
      isFolder: false,
    },
  ],
  references: [{ from: "testCase.shop/scenario.browse", to: "tag.nightly" }],
  isPlan: true,
};

describe("a graph as Mermaid", () => {
  it("has frames for test cases, boxes with their changes, lines to what is below and arrows for references", () => {
    expect(graphMermaid(small)).toBe(`flowchart LR
  n0["tag.nightly"]:::same
  subgraph n1["testCase.shop #34;Shop#34;"]
    n2[/"scenario.browse<br/>#34;Browse #34;it#34; #38; more#34;<br/>delete"\\]:::delete
    n3["dataStore.users.csv"]:::same
  end
  n2 --- n3
  n2 --> n0
  class n1 same
  classDef same fill:#eceef1,stroke:#a0a7b2,color:#4b535f
  classDef delete fill:#fbe1de,stroke:#ab231c,color:#6b120d,stroke-dasharray:6 3
`);
  });

  it("is of our subset whatever the names are, with every object and every reference once", () => {
    fc.assert(
      fc.property(randomGraph, (graph) => {
        const { node, frame, end, edge } = read(graphMermaid(graph));
        expect(end).toHaveLength(frame.length);
        const ids = [...node, ...frame].map(([id]) => id);
        expect(new Set(ids).size).toBe(graph.nodes.length);
        expect(ids).toHaveLength(graph.nodes.length);
        expect(edge.filter(([, line]) => line === "-->")).toHaveLength(graph.references.length);
        expect(edge.flatMap(([from, , to]) => [from, to]).filter((id) => !ids.includes(id))).toEqual([]);
      }),
    );
  });
});

import fc from "fast-check";
import { isWithin } from "../../src/model/address.ts";
import type { GraphNode, ObjectGraph } from "../../src/model/graph/object-graph.ts";
import { anyCharacter } from "./any-character.ts";

/** Names that mean something in SVG, Mermaid, DOT, Markdown or to a terminal. */
export const hostileNames: readonly string[] = [
  '"]; end --> n0["',
  "a\nsubgraph x",
  "</svg><script>alert(1)</script>",
  "]]>&lt;&amp; #quot; #35;",
  "end",
  "-- o--x ==> %% {{}} ([ ]) [/ \\] ::: |",
  '\\N \\" \\',
  "`**md**`",
  "1. list",
  "日本語 👩‍👩‍👧 ä\u202e\u0000\ud800",
  "https://evil.example @team #1",
  "W".repeat(300),
];

const marks = ["create", "update", "replace", "delete", "state"] as const;
const name = fc.option(fc.oneof(fc.constantFrom(...hostileNames), fc.string({ unit: anyCharacter })), {
  nil: undefined,
});
const mark = fc.option(
  fc.constantFrom(...marks).map((change) => ({ change, words: change })),
  { nil: undefined },
);

function node(address: string, kind: string, parent: string | undefined): fc.Arbitrary<GraphNode> {
  const base = { address, kind, step: address.slice(address.lastIndexOf("/") + 1), isFolder: kind === "testCase" };
  return fc.record({ name, mark }).map((more) => ({
    ...base,
    ...(more.name !== undefined && { name: more.name }),
    ...(more.mark && { mark: more.mark }),
    ...(parent !== undefined && { parent }),
  }));
}

/** What is below an object: how many children, and how many theirs have. */
const below = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 5 });

/** Any graph: deeper nesting and wilder references than the ten kinds have, in any order. */
export const randomGraph: fc.Arbitrary<ObjectGraph> = fc
  .tuple(fc.array(below, { maxLength: 7 }), fc.integer({ min: 0, max: 9 }))
  .chain(([cases, shared]): fc.Arbitrary<ObjectGraph> => {
    const nodes: fc.Arbitrary<GraphNode>[] = [];
    const addresses: string[] = [];
    const add = (kind: string, key: string, parent?: string) => {
      const address = parent === undefined ? `${kind}.${key}` : `${parent}/${kind}.${key}`;
      nodes.push(node(address, kind, parent));
      addresses.push(address);
      return address;
    };
    for (let index = 0; index < shared; index++) add("region", `dc${index}`);
    for (const [index, children] of cases.entries()) {
      const top = add("testCase", `case${index}`);
      for (const [each, grandchildren] of children.entries()) {
        const child = add("scenario", `s${each}`, top);
        for (let store = 0; store < grandchildren; store++) add("dataStore", `d${store}.csv`, child);
      }
    }
    if (addresses.length === 0) return fc.constant({ nodes: [], references: [] });
    const end = fc.constantFrom(...addresses);
    const references = fc.uniqueArray(fc.record({ from: end, to: end }), {
      maxLength: 3 * addresses.length,
      selector: ({ from, to }) => `${from} ${to}`,
    });
    return fc.record({ nodes: fc.tuple(...nodes), references, isPlan: fc.boolean() }).map((graph) => ({
      nodes: graph.nodes,
      references: graph.references.filter(({ from, to }) => !isWithin(from, to)),
      ...(graph.isPlan && { isPlan: true as const }),
    }));
  });

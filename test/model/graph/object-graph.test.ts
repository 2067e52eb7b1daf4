import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { markedPart, type ObjectGraph, objectGraph } from "../../../src/model/graph/object-graph.ts";
import { loadFiles } from "../../support/load-files.ts";

const project = `
providers: { grid: { name: "\${env:GRID}", providerType: Shared } }
regions: { dc1: { provider: grid } }
tags: { nightly: {} }
testCases:
  shop:
    name: Shop
    scenarios:
      browse: { script: "run();", tags: [nightly, undeclared], dataStores: { users.csv: { contents: "u" } } }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 2
        durationSecs: 60
        providers: [{ provider: grid, regions: [dc1] }]
        schedules: { nightly: { scheduleType: Recurring, recurringInterval: Day } }
  other:
    configurations:
      load: { scenario: shop/browse, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }] }
`;

const graphOf = async (): Promise<ObjectGraph> => {
  const { tree, diagnostics } = await loadFiles(project, { env: { GRID: "grid-secret" } });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return objectGraph(tree, kinds);
};

const smoke = "testCase.shop/configuration.smoke";
const browse = "testCase.shop/scenario.browse";

describe("the graph of a project", () => {
  it("has every reference to a declared object, by id and by name, once", async () => {
    const { references } = await graphOf();
    expect(new Set(references.map(({ from, to }) => `${from} -> ${to}`))).toEqual(
      new Set([
        "region.dc1 -> provider.grid",
        `${browse} -> tag.nightly`,
        `${smoke} -> ${browse}`,
        `${smoke} -> provider.grid`,
        `${smoke} -> region.dc1`,
        `testCase.other/configuration.load -> ${browse}`,
      ]),
    );
    expect(references).toHaveLength(6);
  });

  it("has every object with its place, its name where that is no repetition, and none from the environment", async () => {
    const { nodes } = await graphOf();
    const byAddress = new Map(nodes.map((node) => [node.address, node]));
    expect(nodes).toHaveLength(10);
    expect(byAddress.get("testCase.shop")).toEqual({
      address: "testCase.shop",
      kind: "testCase",
      step: "testCase.shop",
      name: "Shop",
      isFolder: true,
    });
    expect(byAddress.get(`${browse}/dataStore.users.csv`)).toEqual({
      address: `${browse}/dataStore.users.csv`,
      kind: "dataStore",
      step: "dataStore.users.csv",
      parent: browse,
      isFolder: false,
    });
    expect(JSON.stringify(nodes)).not.toContain("grid-secret");
  });

  it("is narrowed to what is marked and what is beside it, with all that this is declared in", async () => {
    const { nodes, references } = await graphOf();
    const mark = { change: "update", words: "update" } as const;
    const marked = nodes.map((node) => (node.address === browse ? { ...node, mark } : node));
    const part = markedPart({ nodes: marked, references, isPlan: true });
    expect(part.nodes.map(({ address }) => address).sort()).toEqual(
      ["tag.nightly", "testCase.other", "testCase.other/configuration.load", "testCase.shop", smoke, browse].sort(),
    );
    expect(part.references).toHaveLength(3);
  });
});

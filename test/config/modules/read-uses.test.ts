import { expect, test } from "vitest";
import { loadFiles } from "../../support/load-files.ts";

const files = {
  "m.yaml": `testCases:
  api:
    scenarios: { s: { script: x } }
    configurations:
      c: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }] }
`,
  "outer.yaml": "use: { a: { module: m.yaml } }\n",
};
const removes = "patch: { testCases: { api: { configurations: null } } }";

test.each([
  ["a use", `use: { a: { module: m.yaml, ${removes} } }\n`],
  ["the environment", `use: { a: { module: m.yaml } }\nenvironments: { staging: { use: { a: { ${removes} } } } }\n`],
  [
    "the environment, over a patch of the use,",
    `use: { a: { module: m.yaml, patch: { testCases: { api: { description: x } } } } }\nenvironments: { staging: { use: { a: { ${removes} } } } }\n`,
  ],
  ["a patch of another module", `use: { o: { module: outer.yaml, patch: { use: { a: { ${removes} } } } } }\n`],
])("a null in the patch that %s has for a module removes what the module declares", async (_, uses) => {
  const text = uses.includes("environments") ? uses : `${uses}environments: { staging: {} }\n`;
  const { diagnostics, tree } = await loadFiles(text, { files, environment: "staging" });
  expect(diagnostics).toEqual([]);
  expect([...tree.nodes.values()].map(({ kind }) => kind)).toEqual(["testCase", "scenario"]);
});

test("a null of an environment removes a use with its patch", async () => {
  const uses = `use: { a: { module: m.yaml, ${removes} }, b: { module: m.yaml } }\nenvironments: { staging: { use: { a: null, b: { patch: null } } } }\n`;
  const { diagnostics, tree } = await loadFiles(uses, { files, environment: "staging" });
  expect(diagnostics).toEqual([]);
  expect([...tree.nodes.keys()]).toEqual([
    "testCase.b-api",
    "testCase.b-api/scenario.s",
    "testCase.b-api/configuration.c",
  ]);
});

test.each(["", " {}", "\n      # a: {}"])("a forEach without entries makes no instance: %j", async (entries) => {
  const { diagnostics, tree } = await loadFiles(`use:\n  a:\n    module: m.yaml\n    forEach:${entries}\n`, { files });
  expect([diagnostics, tree.nodes.size]).toEqual([[], 0]);
});

test.each([
  [17, 1, "m16.yaml is used below 16 other modules"],
  [16, 2, "there are more than 50000 instances"],
  [15, 1, undefined],
])("%i modules within each other that each use the next one %i times: %s", async (depth, times, found) => {
  const uses = (next: number) => Array.from({ length: times }, (_, at) => `u${at}: { module: m${next}.yaml }`);
  const levels = Array.from({ length: depth }, (_, level) => [
    `m${level}.yaml`,
    level + 1 < depth ? `use: { ${uses(level + 1)} }\n` : "testCases: { t: {} }\n",
  ]);
  const { diagnostics } = await loadFiles(`use: { ${uses(0)} }\n`, { files: Object.fromEntries(levels) });
  expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual(
    found === undefined ? [] : [["LF1310", expect.stringContaining(found)]],
  );
});

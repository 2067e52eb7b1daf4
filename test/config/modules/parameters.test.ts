import { expect, test } from "vitest";
import { codesOf, loadFiles, nodeAt } from "../../support/load-files.ts";

const module = (parameters: string) => ({
  "m.yaml": `parameters: { ${parameters} }
testCases:
  t:
    description: "\${param:d}"
    scenarios: { s: { script: x } }
    configurations:
      c: { scenario: s, durationSecs: 60, concurrentClients: "\${param:n}", providers: [{ provider: { id: 0 } }] }
`,
});

test.each([
  ["d: { type: string }, n: {}", "d: 2, n: 3"],
  ["d: { type: string, default: 2 }, n: { default: 3 }", ""],
])(
  "a parameter %s that is given { %s } is a text where that is asked for, else what it is",
  async (declared, given) => {
    const use = `use: { a: { module: m.yaml, with: { ${given} } } }\n`;
    const project = await loadFiles(use, { files: module(declared) });
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.a-t").fields.description).toBe("2");
    expect(nodeAt(project, "testCase.a-t/configuration.c").fields.concurrentClients).toBe(3);
  },
);

test("what is no value is described as such, and not as a list", async () => {
  const use = "use: { a: { module: m.yaml, with: { d: { a: 1 }, n: [1, null] } } }\n";
  const { diagnostics } = await loadFiles(use, { files: module("d: {}, n: {}") });
  const details = diagnostics.map(({ detail }) => detail);
  expect(details).toContain("The value is a mapping; it must be a single value, or a list of them");
  expect(details).toContain("The value is null; it must be a single value");
});

test.each(['""', '" "', "", "5"])("a use of the module %s is refused", async (path) => {
  const use = `use: { a: { module: ${path} } }\n`;
  const [code, ...more] = codesOf(await loadFiles(use));
  expect([["LF1102", "LF1103", "LF1104"].includes(code ?? ""), more]).toEqual([true, []]);
});

test("what a module has in the place of a test case is said once, with how many instances have it", async () => {
  const files = { "m.yaml": "testCases:\n  t: [1]\n" };
  const { diagnostics } = await loadFiles("use: { a: { module: m.yaml }, b: { module: m.yaml } }\n", { files });
  expect(diagnostics).toMatchObject([
    {
      code: "LF1102",
      file: "m.yaml",
      line: 2,
      detail: "The value is a list; it must be a mapping. 2 instances have this problem",
    },
  ]);
});

test("an unknown parameter is reported where it is used, and what it would be there is not", async () => {
  const files = module("d: { default: x }, n: { default: 1 }");
  const wrong = files["m.yaml"]
    .replace("param:n", "param:no")
    .replace("60", '"${param:no}", scriptParams: { b: "${param:no}" }');
  const { diagnostics } = await loadFiles("use: { a: { module: m.yaml } }\n", { files: { "m.yaml": wrong } });
  expect(diagnostics.map(({ code }) => code)).toEqual(["LF1311", "LF1311", "LF1311"]);
});

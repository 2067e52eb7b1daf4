import { expect, test } from "vitest";
import { loadFiles, nodeAt } from "../../support/load-files.ts";

const module = `parameters: { a: {}, b: { default: "{env:TOKEN}" } }
testCases: { x: { name: "\${param:a}{env:TOKEN}", description: "\${param:a}\${param:b} $\${param:a}" } }
`;

test("a value makes no expression with what stands behind it", async () => {
  const use = 'use: { one: { module: m.yaml, with: { a: "x$" } } }\n';
  const project = await loadFiles(use, { files: { "m.yaml": module }, env: { TOKEN: "hunter2" } });
  expect(project.diagnostics).toEqual([]);
  expect(nodeAt(project, "testCase.one-x").fields).toEqual({
    name: "x${env:TOKEN}",
    description: "x${env:TOKEN} ${param:a}",
  });
});

test("a value that makes a key of a mapping which no mapping can have is refused", async () => {
  const text =
    'testCases: { t: { scenarios: { s: { script: x } }, configurations: { c: { scenario: s, durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 } }], scriptParams: { "${param:a}": v, w: "1" } } } } }\n';
  const files = { "m.yaml": `parameters: { a: {} }\n${text}` };
  const { diagnostics } = await loadFiles("use: { one: { module: m.yaml, with: { a: __proto__ } } }\n", { files });
  expect(diagnostics).toMatchObject([{ code: "LF1105", file: "m.yaml", line: 2 }]);
});

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

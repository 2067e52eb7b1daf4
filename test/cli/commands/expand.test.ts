import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../../support/run-cli.ts";

const main = `project: small
service: { url: "memory:" }
variables: { size: { default: 3 } }
use: { orders: { module: ../shared/api.yaml, with: { path: "/\${var:size}" } } }
`;
const module = `parameters: { path: {} }
testCases:
  main: { description: "\${param:path} \${env:WORD}", scenarios: { call: { script: "\${file:call.js}" } } }
`;

/** A project whose module is beside its folder, in one work tree. */
function workTree(isTree = true): string {
  const root = freshFolder();
  for (const folder of [...(isTree ? [".git"] : []), "shared", "load"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "load/loadform.yaml"), main);
  writeFileSync(join(root, "shared/api.yaml"), module);
  writeFileSync(join(root, "shared/call.js"), "call(`${x}`)\n");
  return join(root, "load");
}

describe("expand", () => {
  it("prints one document, with texts from outside the folder written out and secrets as they are written", async () => {
    expect(await runCli(["expand"], { cwd: workTree(), env: { WORD: "hidden-word" } })).toEqual({
      code: 0,
      stderr: "",
      stdout: `project: small

service:
  url: "memory:"

testCases:
  orders-main:
    description: /3 \${env:WORD}
    scenarios:
      call:
        script: |
          call(\`\${x}\`)
`,
    });
  });

  it("reads no module from outside a work tree, and says where it is used", async () => {
    const { code, stdout, stderr } = await runCli(["expand"], { cwd: workTree(false), env: { WORD: "x" } });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("loadform.yaml:4:");
    expect(stderr).toContain("in no git work tree");
  });

  it("names the module's line and the use of a problem", async () => {
    const cwd = workTree();
    writeFileSync(join(cwd, "../shared/api.yaml"), "parameters: { path: {} }\ntestCases: { main: { protect: 7 } }\n");
    const { code, stderr } = await runCli(["expand"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ {2}\.\.\/shared\/api\.yaml:2:\d+ .*\n {2}used at loadform\.yaml:4:8$/m);
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const module = `parameters:
  users: { type: number, default: 5 }
testCases:
  api:
    description: All of it
    scenarios:
      call: { script: "call();" }
    configurations:
      load:
        scenario: call
        durationSecs: 60
        concurrentClients: \${param:users}
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
`;
const main = `project: shop
use:
  orders: { module: modules/api.yaml, with: { users: 7 } }
  search: { module: modules/api.yaml }
`;

describe("drift --accept of an object that a module declares", () => {
  const service = sharedService();

  async function applied() {
    const project = servedProject(service, main);
    mkdirSync(join(project.cwd, "modules"));
    writeFileSync(join(project.cwd, "modules/api.yaml"), module);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    return { ...project, read: (path: string) => readFileSync(join(project.cwd, path), "utf8") };
  }

  it.each([
    ["a value under with", "test-confs/1", { concurrentClients: 9 }, "concurrentClients", 12],
    ["a literal of the module", "test-confs/1", { durationSecs: 90 }, "durationSecs", 11],
    ["a text of the module", "scripts/1", { main: "mine();" }, "script", 7],
  ] as const)("is refused for %s, and names the use and the module's line", async (_, path, body, field, line) => {
    const project = await applied();
    await service.call("PUT", `/${path}`, body);
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${field} is not accepted`)]);
    const words = stderr.replaceAll(/\s+/g, " ");
    expect(words).toContain("a module declares it, and accepted values are not written into modules");
    expect(words).toContain(
      `Change ${field} for this instance under with or patch in the use at loadform.yaml:3, or for all instances at modules/api.yaml:${line}, or put back`,
    );
    expect([project.read("loadform.yaml"), project.read("modules/api.yaml")]).toEqual([main, module]);
  });

  it("is refused for an object that was deleted, with the same", async () => {
    const project = await applied();
    await service.call("DELETE", "/test-confs/1");
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("testCase.orders-api/configuration.load is not accepted"),
    ]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "in the use at loadform.yaml:3, or for all instances at modules/api.yaml:9",
    );
    expect(project.read("modules/api.yaml")).toBe(module);
  });

  it.each([
    ["the project", "use: { a: { module: modules/m.yaml } }\n"],
    ["another environment", "environments: { staging: { use: { a: { module: modules/m.yaml } } } }\n"],
  ])("leaves a script that a module of %s uses when its object in the project was deleted", async (_, use) => {
    const own = '  own: { scenarios: { s: { script: "${file:modules/call.js}" } } }\n';
    const project = servedProject(service, `project: shop\n${use}testCases:\n  two: {}\n${own}`);
    mkdirSync(join(project.cwd, "modules"));
    writeFileSync(join(project.cwd, "modules/call.js"), "call();\n");
    const scenario = '{ call: { script: "${file:call.js}" } }';
    writeFileSync(join(project.cwd, "modules/m.yaml"), `testCases:\n  api: { scenarios: ${scenario} }\n`);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    const { body } = await service.call("GET", "/test-cases");
    const made = (body as readonly { readonly id: number; readonly name: string }[]).find(({ name }) => name === "own");
    await service.call("DELETE", `/test-cases/${made?.id}`);
    expect(await project.run("drift", "--accept", "testCase.own")).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(project.cwd, "modules/call.js"))).toBe(true);
    expect(readFileSync(join(project.cwd, "loadform.yaml"), "utf8")).not.toContain("own");
  });
});

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

  async function applied(text = main) {
    const project = servedProject(service, text);
    mkdirSync(join(project.cwd, "modules"));
    writeFileSync(join(project.cwd, "modules/api.yaml"), module);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    return { ...project, read: (path: string) => readFileSync(join(project.cwd, path), "utf8") };
  }

  /** The route of the only object of its kind in a test case; test cases are created at the same time, in any order. */
  async function routeOf(testCase: string, below: "configurations" | "scenarios" = "configurations"): Promise<string> {
    const { body } = await service.call("GET", "/test-cases?down=true");
    const cases = body as readonly ({ readonly name: string } & Record<
      typeof below,
      readonly { readonly id: number }[]
    >)[];
    const id = cases.find(({ name }) => name === testCase)?.[below][0]?.id;
    return `/${below === "configurations" ? "test-confs" : "scripts"}/${id}`;
  }

  it("writes a value that comes from with into the use, and nothing else", async () => {
    const project = await applied();
    await service.call("PUT", await routeOf("orders-api"), { concurrentClients: 9 });
    const { code, stdout, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr, stdout]).toEqual([
      0,
      "",
      expect.stringContaining("~ testCase.orders-api/configuration.load concurrentClients in loadform.yaml"),
    ]);
    expect([project.read("loadform.yaml"), project.read("modules/api.yaml")]).toEqual([
      main.replace("users: 7", "users: 9"),
      module,
    ]);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  const only = main.replace(/ {2}search.*\n/, "");
  it.each([
    ["a literal", "test-confs/1", { durationSecs: 90 }, module.replace("60", "90")],
    ["a text", "scripts/1", { main: "mine();" }, module.replace("call();", "mine();")],
  ])("writes %s of the module where it has one instance", async (_, path, body, wanted) => {
    const project = await applied(only);
    await service.call("PUT", `/${path}`, body);
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect([project.read("loadform.yaml"), project.read("modules/api.yaml")]).toEqual([only, wanted]);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("writes into a patch, an entry of forEach, and the use outside of a module in between", async () => {
    const load = "testCases: { api: { configurations: { load: { durationSecs: 30 } } } }";
    const text = `project: shop
use:
  all:
    module: modules/outer.yaml
    forEach: { a: { clients: 3 }, b: { clients: 4 } }
  single: { module: modules/api.yaml, patch: { ${load} } }
`;
    const project = servedProject(service, text);
    mkdirSync(join(project.cwd, "modules"));
    writeFileSync(join(project.cwd, "modules/api.yaml"), module);
    const outer =
      "parameters: { clients: {} }\nuse: { in: { module: api.yaml, with: { users: '${param:clients}' } } }\n";
    writeFileSync(join(project.cwd, "modules/outer.yaml"), outer);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    await service.call("PUT", await routeOf("b-in-api"), { concurrentClients: 8 });
    await service.call("PUT", await routeOf("single-api"), { durationSecs: 45 });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(project.cwd, "loadform.yaml"), "utf8")).toBe(
      text.replace("clients: 4", "clients: 8").replace("durationSecs: 30", "durationSecs: 45"),
    );
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it.each([
    ["a literal of the module", "orders-api", { durationSecs: 90 }, ["durationSecs", 11]],
    ["a text of the module", "orders-api", { main: "mine();" }, ["script", 7]],
    ["the default of a parameter", "search-api", { concurrentClients: 9 }, ["concurrentClients", 12]],
  ] as const)(
    "is refused for %s with several instances, and names the use and the module's line",
    async (_, testCase, body, [field, line]) => {
      const project = await applied();
      const route = await routeOf(testCase, field === "script" ? "scenarios" : "configurations");
      await service.call("PUT", route, body);
      const { code, stderr } = await project.run("drift", "--accept", "**");
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${field} is not accepted`)]);
      const words = stderr.replaceAll(/\s+/g, " ");
      const isDefault = field === "concurrentClients";
      expect(words).toContain(
        isDefault
          ? "it is the default of the parameter users (modules/api.yaml:2)"
          : "modules/api.yaml declares it for 2 instances",
      );
      expect(words).toContain(
        `Change ${field} for this instance under with or patch in the use at loadform.yaml:${isDefault ? 4 : 3}, or for all instances at modules/api.yaml:${line}, or put back`,
      );
      expect([project.read("loadform.yaml"), project.read("modules/api.yaml")]).toEqual([main, module]);
    },
  );

  it("is refused where another environment has further instances of the module", async () => {
    const project = await applied(
      `${only}environments: { staging: { use: { more: { module: modules/api.yaml } } } }\n`,
    );
    await service.call("PUT", await routeOf("orders-api"), { durationSecs: 90 });
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining(
        "another environment has further instances, and modules/api.yaml may declare it for them",
      ),
    ]);
  });

  const shared = "with: { users: 7 }, forEach: { orders: {} }";
  it.each([
    [
      "of the module that this one has not",
      `${main}environments: { staging: { use: { search: null } }, prod: {} }\n`,
      { durationSecs: 90 },
      "another environment has further instances, and modules/api.yaml may declare it for them",
    ],
    [
      "of the module, in files that only it includes",
      `project: shop\ninclude: [a.yaml]\nenvironments: { staging: {}, prod: { include: [a.yaml, b.yaml] } }\n`,
      { durationSecs: 90 },
      "another environment has further instances, and modules/api.yaml may declare it for them",
    ],
    [
      "of the use, for which a shared value counts",
      `project: shop\nuse:\n  all: { module: modules/api.yaml, ${shared} }\nenvironments: { staging: {}, prod: { use: { all: { forEach: { more: {} } } } } }\n`,
      { concurrentClients: 9 },
      "another environment has further instances of all, which share it",
    ],
  ])("is refused where another environment has further instances %s", async (_, text, body, why) => {
    const project = servedProject(service, text);
    mkdirSync(join(project.cwd, "modules"));
    writeFileSync(join(project.cwd, "modules/api.yaml"), module);
    writeFileSync(join(project.cwd, "a.yaml"), "use: { orders: { module: modules/api.yaml } }\n");
    writeFileSync(join(project.cwd, "b.yaml"), "use: { search: { module: modules/api.yaml } }\n");
    expect((await project.run("apply", "--auto-approve", "--env", "staging")).code).toBe(0);
    await service.call("PUT", await routeOf("orders-api"), body);
    const { code, stderr } = await project.run("drift", "--accept", "**", "--env", "staging");
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining(why)]);
  });

  it("is written with what the module would replace in it escaped", async () => {
    const project = await applied(only);
    await service.call("PUT", await routeOf("orders-api", "scenarios"), { main: "see('${param:users} ${each:key}')" });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect(project.read("modules/api.yaml")).toContain("see('$${param:users} $${each:key}')");
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("is refused for an object that was deleted, with the same", async () => {
    const project = await applied();
    await service.call("DELETE", await routeOf("orders-api"));
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

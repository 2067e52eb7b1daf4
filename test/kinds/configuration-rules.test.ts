import { describe, expect, test } from "vitest";
import { configurationRules } from "../../src/kinds/configuration-rules.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { codesOf, loadFiles } from "../support/load-files.ts";

/** Fields of a test runner that the rules of a configuration refuse. */
function refused(runner: JsonObject): readonly string[] {
  const fields = { durationSecs: 60, concurrentClients: 1, providers: [{ provider: { id: 0 }, ...runner }] };
  return configurationRules.flatMap(({ check }) => check(fields)).map(({ path }) => path.join("."));
}

describe("a test runner", () => {
  test.each([
    [{ regions: ["a"], params: { instanceType: "m5" } }, []],
    [{ params: { regions: "a", weight: "2" } }, ["providers.0.params.regions", "providers.0.params.weight"]],
    [{ regions: ["a", "b"], weight: [1, 2, 3] }, ["providers.0.weight"]],
    [{ weight: 2 }, []],
  ])("%j is refused in %j", (runner, expected) => {
    expect(refused(runner)).toEqual(expected);
  });
});

describe("a parameter that the scenario requires", () => {
  interface Shop {
    readonly parameter?: string;
    readonly configuration?: string;
    readonly scenario?: string;
    /** Further lines of the project. */
    readonly more?: string;
  }
  const project = (shop: Shop) => {
    const { parameter = "name: baseUrl, required: true", configuration = "", scenario = "browse", more = "" } = shop;
    return `${more}
testCases:
  shop:
    scenarios:
      browse: { script: "a()", paramsConfig: [{ ${parameter} }] }
    configurations:
      smoke:
        scenario: ${scenario}
        concurrentClients: 1
        durationSecs: 60
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
        ${configuration}
  other:
    scenarios:
      pay: { script: "a()", paramsConfig: [{ name: baseUrl, required: true }] }
`;
  };

  test("is a warning where a configuration does not give it", async () => {
    const { diagnostics } = await loadFiles(project({}));
    expect(diagnostics).toMatchObject([
      {
        ...{ severity: "warning", code: "LF1205", summary: "required parameter baseUrl is not given" },
        ...{ address: "testCase.shop/configuration.smoke", file: "loadform.yaml", line: 9, column: 7 },
        detail: expect.stringMatching(/^testCase\.shop\/scenario\.browse says that baseUrl is required/),
      },
    ]);
  });

  const environment = "environments: { test: { testCases: { shop: { configurations: { smoke: PATCH } } } } }";
  const patch = (text: string) => environment.replace("PATCH", text);

  test.each<[string, Shop, readonly string[]]>([
    ["is given", { configuration: "scriptParams: { baseUrl: x }" }, []],
    ["is given as text", { configuration: `scriptParams: '{"baseUrl": "x"}'` }, []],
    ["is given by the defaults", { more: "defaults: { configuration: { scriptParams: { baseUrl: x } } }" }, []],
    ["is given by the environment", { more: patch("{ scriptParams: { baseUrl: x } }") }, []],
    ["is taken away by the environment", { configuration: "scriptParams: {}", more: patch("{}") }, ["LF1205"]],
    ["is given nothing", { configuration: "scriptParams: { baseUrl: null }" }, ["LF1102"]],
    ["is named like a member of every object", { parameter: "name: toString, required: true" }, ["LF1205"]],
    ["has a default", { parameter: "name: baseUrl, required: true, defaultValue: x" }, []],
    ["has an empty default", { parameter: 'name: baseUrl, required: true, defaultValue: ""' }, []],
    ["is encrypted", { parameter: "name: baseUrl, required: true, encrypted: true" }, []],
    ["is not required", { parameter: "name: baseUrl" }, []],
    ["has no name", { parameter: "required: true" }, ["LF1103"]],
    ["comes with all others from outside", { configuration: "scriptParams: ${env:PARAMS}" }, ["LF1303"]],
    ["is set by somebody else", { configuration: "ignore: [scriptParams]" }, []],
    ["is of a scenario at the service", { scenario: "{ name: Pay }" }, []],
    ["is of a scenario of another test case", { scenario: "other/pay" }, ["LF1205"]],
  ])("that %s", async (_, shop, codes) => {
    const named = shop.more?.startsWith("environments") ? { environment: "test" } : {};
    expect(codesOf(await loadFiles(project(shop), { ...named, unsetEnv: "warning" }))).toEqual(codes);
  });
});

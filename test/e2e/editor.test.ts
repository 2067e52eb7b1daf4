import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LanguageServer, startLanguageServer } from "../support/language-server.ts";

const schema = resolve(import.meta.dirname, "../../schemas/loadform.schema.json");
const head = `# yaml-language-server: $schema=${pathToFileURL(schema).href}\nproject: shop\n`;
const underCase = `${head}testCases:\n  checkout:\n`;
const underConfiguration = `${underCase}    configurations:\n      smoke:\n`;

let server: LanguageServer;
let count = 0;
const uri = () => `file:///project/file-${++count}.yaml`;

beforeAll(async () => {
  server = await startLanguageServer();
});
afterAll(() => server.stop());

describe("an editor with the schema", () => {
  test.each([
    ["the keys of a project", `${head}|`, ["service", "testCases", "environments", "vcsRoots"]],
    ["what stands under a test case", `${underCase}    |`, ["scenarios", "configurations", "gateways", "description"]],
    [
      "the fields of a configuration",
      `${underConfiguration}        |`,
      ["scenario", "durationSecs", "schedules", "protect"],
    ],
    ["the values of a choice", `${underConfiguration}        profileType: |`, ["Flat", "Step", "BreakingPoint"]],
    [
      "the values of an open choice",
      `${underConfiguration}        triggers:\n          - conditions:\n              - operator: |`,
      ["GTE", "NEQ"],
    ],
    ["fields under defaults", `${head}defaults:\n  schedule:\n    |`, ["recurringInterval", "hour"]],
    [
      "fields under an environment",
      `${head}environments:\n  staging:\n    testCases:\n      checkout:\n        |`,
      ["name", "scenarios"],
    ],
  ])("offers %s", async (_, text, expected) => {
    const offered = await server.complete(uri(), text);
    expect(offered).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ["a field", `${underConfiguration}        durationS|ecs: 60\n`, "How long to run"],
    ["a kind", `${head}test|Cases: {}\n`, "the scenarios, configurations"],
    ["a default", `${underConfiguration}        rampup|Secs: 5\n`, "Time to reach all users"],
  ])("explains %s on hover", async (_, text, expected) => {
    expect(await server.hover(uri(), text)).toContain(expected);
  });

  test.each([
    ["an unknown key", `${underCase}    descripton: x\n`, /descripton/, 4],
    ["a missing key", `${underCase}    gateways: { shop: {} }\n`, /url/, 4],
    [
      "a wrong choice",
      `${underConfiguration}        scenario: a\n        providers: []\n        profileType: Flatt\n`,
      /Flat/,
      8,
    ],
    [
      "a wrong type",
      `${underConfiguration}        scenario: a\n        providers: []\n        durationSecs: long\n`,
      /./,
      8,
    ],
    ["a bad key", `${head}tags: { "a b": {} }\n`, /a b|pattern/, 2],
    ["a secret written out", `${head}vcsRoots: { a: { url: x, password: hunter2 } }\n`, /pattern/, 2],
  ])("marks %s at its line", async (_, text, message, line) => {
    const diagnostics = await server.diagnose(uri(), text);
    expect(diagnostics.map((each) => each.message).join("\n")).toMatch(message);
    expect(diagnostics[0]?.range.start.line).toBe(line);
    expect(JSON.stringify(diagnostics)).not.toContain("hunter2");
  });

  test.each([
    [
      "expressions stand for numbers, flags and choices",
      `${underConfiguration}        scenario: a\n        providers: [{ provider: { id: 0 }, numRegions: "\${var:n}", weight: 1 }]\n        durationSecs: \${var:secs}\n        profileType: \${var:profile}\n        protect: \${var:protect}\n`,
    ],
    ["null clears an optional field", `${underCase}    description: null\n`],
    ["an object without required fields may be empty", `${head}tags:\n  nightly:\n`],
    ["an included file needs no project", `${head.replace("project: shop\n", "")}tags: { nightly: {} }\n`],
    ["a digit choice may be a number", `${underCase}    scenarios: { a: { script: x, nodeVersion: 22 } }\n`],
    ["secrets come from env or file", `${head}vcsRoots: { a: { url: x, password: "\${env:TOKEN}" } }\n`],
    [
      "an environment may say a part",
      `${head}environments: { staging: { testCases: { checkout: { configurations: { smoke: { durationSecs: null } } } } } }\n`,
    ],
  ])("is silent: %s", async (_, text) => {
    expect(await server.diagnose(uri(), text)).toEqual([]);
  });
});

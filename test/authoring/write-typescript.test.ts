import { describe, expect, test } from "vitest";
import { typescriptStatements } from "../../src/authoring/write-typescript.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Written } from "../../src/model/written.ts";
import { writtenObject } from "../support/written-object.ts";

const browse = writtenObject("testCase.a/scenario.browse", { script: { is: "file", path: "load/a/browse.js" } });
const reference = (address: string): Written => ({ is: "reference", address });

describe("a program that we write", () => {
  test("names what it made before, and spells keys for what comes later", () => {
    const smoke = writtenObject("testCase.a/configuration.smoke", { scenario: reference(browse.address) });
    const far = writtenObject("testCase.a/configuration.far", { scenario: reference("testCase.b/scenario.x") });
    const text = typescriptStatements([writtenObject("testCase.a", {}, [browse, smoke, far])], kinds).statements.join(
      "\n",
    );
    expect(text).toContain("scenario: aBrowse,");
    expect(text).toContain('scenario: "b/x",');
  });

  test("gives every object a word of its own", () => {
    const keys = ["a-b", "a.b", "aB", "1", "new"];
    const cases = keys.map((key) =>
      writtenObject(`testCase.${key}`, {}, [writtenObject(`testCase.${key}/gateway.g`, {})]),
    );
    const text = typescriptStatements(cases, kinds).statements.join("\n");
    expect([...text.matchAll(/const (\S+) =/g)].map(([, name]) => name)).toEqual([
      "aBTestCase",
      "aBTestCase2",
      "aBTestCase3",
      "_1TestCase",
      "newTestCase",
    ]);
  });

  test("has its line ends where an editor has them", () => {
    const value = { is: "plain", value: "a\u2028b\u2029c" } as const;
    const described = writtenObject("testCase.a", { description: value, "x\u2028": value });
    const text = typescriptStatements([described], kinds).statements.join("\n");
    expect(text).toContain(String.raw`description: "a\u2028b\u2029c"`);
    expect(text).toContain(String.raw`"x\u2028": "a\u2028b\u2029c"`);
  });
});

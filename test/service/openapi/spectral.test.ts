// merge: a linter of documents, which takes seconds; openapi.test.ts says what the document has, and every answer is checked by it.
import spectralCore from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { beforeAll, describe, expect, it } from "vitest";
import { makeRig } from "../support/rig.ts";

let document: object;

beforeAll(async () => {
  document = await (await makeRig()).ok("GET", "/_loadform/openapi.json");
});

describe("the OpenAPI document", () => {
  it("has nothing that any of Spectral's rules warns about, the recommended ones among them", async () => {
    const spectral = new spectralCore.Spectral();
    // The project has no address to write to.
    spectral.setRuleset({ extends: [[oas, "all"]], rules: { "contact-properties": "off" } } as never);
    const found = await spectral.run({ ...structuredClone(document) });
    expect(found.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`)).toEqual([]);
  });

  it("is what Spectral looks at: a hole is found", async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[oas, "recommended"]] } as never);
    const broken = { ...structuredClone(document), paths: {}, info: { title: "", version: "1" } };
    expect((await spectral.run(broken)).map(({ code }) => code)).toContain("info-contact");
  });
});

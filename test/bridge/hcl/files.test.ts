import { describe, expect, it } from "vitest";
import { type TerraformSettings, terraformFiles } from "../../../src/bridge/hcl/files.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { terraformSchema } from "../../../src/terraform-schema/schema.ts";

const service = { url: "https://load.example.com", auth: {} } as TerraformSettings["service"];
const nothing = { objects: [], contents: new Map(), bindings: {} };

function providerOf(version: string): string {
  const settings = { schema: terraformSchema(kinds), kinds, service, live: true, version, isConfigured: false };
  return String(terraformFiles(nothing, settings).files.get("loadform.tf"));
}

describe("the version of the provider in loadform.tf", () => {
  it.each([
    ["0.1.0", "~> 0.1"],
    ["0.12.3", "~> 0.12"],
    ["1.4.2", "~> 1.4"],
    ["1.4.2+build.7", "~> 1.4"],
    ["1.0.0-beta.2", "1.0.0-beta.2"],
  ])("of %s is %s", (version, constraint) => {
    expect(providerOf(version)).toContain(`version = "${constraint}"`);
  });

  it("is left out where loadform knows none", () => {
    expect(providerOf("unknown")).toContain('loadform = { source = "loadform/loadform" }');
  });
});

it("names no file as one that Terraform merges into the others", () => {
  const settings = { schema: terraformSchema(kinds), kinds, service, live: true, version: "1.0.0", isConfigured: true };
  const objects = ["override", "night_override", "Overrides"].map((key) => ({
    ...{ kind: "testCase", key, address: `testCase.${key}`, members: [], notes: [], children: [] },
  }));
  const { files } = terraformFiles({ ...nothing, objects }, settings);
  expect([...files.keys()].filter((file) => /over/i.test(file))).toEqual([
    "override-2.tf",
    "night_override-2.tf",
    "Overrides.tf",
  ]);
});

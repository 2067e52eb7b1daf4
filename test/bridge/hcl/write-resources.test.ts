import { expect, it } from "vitest";
import { writeResources } from "../../../src/bridge/hcl/write-resources.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { type Written, type WrittenObject, writtenPlain } from "../../../src/model/written.ts";
import { terraformSchema } from "../../../src/terraform-schema/schema.ts";

const region = (key: string): WrittenObject => ({
  ...{ kind: "region", key, address: `region.${key}`, notes: [], children: [] },
  members: [{ name: "name", value: writtenPlain("Rack 4") }],
});

const runner: Written = {
  is: "map",
  members: [
    { name: "provider", value: { is: "map", members: [{ name: "id", value: writtenPlain(7) }] } },
    { name: "regions", value: { is: "list", items: [writtenPlain("Rack 4")] } },
  ],
};

const testCase: WrittenObject = {
  ...{ kind: "testCase", key: "shop", address: "testCase.shop", notes: [], members: [] },
  children: [
    {
      ...{ kind: "configuration", key: "night", address: "testCase.shop/configuration.night", parent: "testCase.shop" },
      ...{ notes: [], children: [], members: [{ name: "providers", value: { is: "list", items: [runner] } }] },
    },
  ],
};

it.each([
  ["a region of a runner by its resource", ["rack"], true],
  ["one whose name another grid's has by the name alone", ["rack", "other"], false],
])("writes %s", (_, regions, isResource) => {
  const options = { schema: terraformSchema(kinds), isText: () => true };
  const { blocks } = writeResources([...regions.map(region), testCase], options);
  const text = JSON.stringify(blocks.get("testCase.shop"));
  expect([text.includes("loadform_region.rack.name"), text.includes('"Rack 4"')]).toEqual([isResource, !isResource]);
});

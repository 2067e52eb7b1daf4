import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { isNested, type TerraformAttribute } from "../../src/terraform-schema/attribute.ts";
import { camelCase, kindOfResource, resourceType, snakeCase } from "../../src/terraform-schema/names.ts";
import { terraformSchema } from "../../src/terraform-schema/schema.ts";

const { provider, resources, dataSources } = terraformSchema(kinds);
const schemas = [...resources.values(), ...dataSources.values()];

const attribute = (type: string, name: string) =>
  resources.get(type)?.attributes.find((each) => each.name === name) as TerraformAttribute;

const within = (attributes: readonly TerraformAttribute[]): readonly TerraformAttribute[] =>
  attributes.flatMap((each) => [each, ...(isNested(each.type) ? within(each.type.attributes) : [])]);

describe("names", () => {
  test("lead to Terraform and back, for every kind and field", () => {
    for (const kind of kinds) {
      expect(kindOfResource(resourceType(kind.name))).toBe(kind.name);
      for (const name of Object.keys(kind.fields)) expect(camelCase(snakeCase(name))).toBe(name);
    }
    expect(kindOfResource("aws_instance")).toBeUndefined();
  });

  // What Terraform keeps to itself, what breaks a generated class, and what bindings rename.
  const reserved = [
    ..."count for_each depends_on provider lifecycle connection provisioners".split(" "),
    ..."cdktf_stack constructor friendly_unique_id has_resource_move raw_overrides terraform_resource_type".split(" "),
    ..."to_string fqn node system self build software equals get_x import_from move_to".split(" "),
  ];

  test.each(schemas.map((schema) => [schema.type, schema] as const))("of %s are free to use", (_, { attributes }) => {
    expect(attributes.map(({ name }) => name).filter((name) => reserved.includes(name))).toEqual([]);
    for (const list of [attributes, ...within(attributes).map(({ type }) => (isNested(type) ? type.attributes : []))]) {
      const names = list.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    }
  });
});

describe("attributes", () => {
  test("lead back to every field of every kind", () => {
    for (const { kind, attributes } of resources.values()) {
      const sources = attributes.flatMap(({ source }) => (source.is === "field" ? [source.path[0]] : []));
      expect([...new Set(sources)].sort(), kind.name).toEqual(Object.keys(kind.fields).sort());
    }
  });

  test("are required, or may be set, or are computed", () => {
    for (const { type, attributes } of [...schemas, { type: "provider", attributes: provider }])
      for (const { name, required, optional, computed } of within(attributes))
        expect([required, optional ?? computed].filter(Boolean), `${type}.${name}`).toHaveLength(1);
  });

  test("have an id that is computed in every resource, so that Terraform's mocks make one up and ask for nothing else", () => {
    for (const { type, attributes } of resources.values())
      expect(
        attributes.find(({ name }) => name === "id"),
        type,
      ).toMatchObject({ type: "string", computed: true });
  });

  test("have ids and foreign keys as text", () => {
    for (const { attributes } of schemas)
      for (const { name, type } of within(attributes).filter(({ name }) => /^id$|_id$/.test(name)))
        expect(type, name).toBe("string");
  });

  test("with a documented default are computed, and so is what the service fills in", () => {
    expect(attribute("loadform_configuration", "rampup_secs")).toMatchObject({
      optional: true,
      computed: true,
      default: 60,
    });
    expect(attribute("loadform_configuration", "script_params").default).toBe("{}");
    const { type } = attribute("loadform_configuration", "providers");
    const runner = isNested(type) ? type.attributes : [];
    const regions = runner.find(({ name }) => name === "num_regions");
    expect(regions).toMatchObject({ optional: true, computed: true });
    expect(regions).not.toHaveProperty("default");
  });

  test("of references hold ids: the parent's, those of fields, those within lists", () => {
    expect(attribute("loadform_data_store", "scenario_id")).toMatchObject({
      required: true,
      requiresReplace: true,
      source: { is: "parent", kind: "scenario" },
    });
    expect(attribute("loadform_configuration", "scenario_id").source).toMatchObject({ path: ["scenario"], form: "id" });
    expect(attribute("loadform_region", "provider_id").requiresReplace).toBe(true);
  });

  test("need a name, since a provider never learns the key", () => {
    for (const { kind, attributes } of resources.values())
      if ("name" in kind.fields) expect(attributes.find(({ name }) => name === "name")?.required).toBe(true);
  });

  test("hold lists of objects as nested lists and tags as a set", () => {
    expect(attribute("loadform_scenario", "tags").type).toEqual(["set", "string"]);
    expect(attribute("loadform_configuration", "triggers").type).toMatchObject({ nesting: "list" });
  });

  test("of secrets are sensitive, and each has a write-only form with a number beside it", () => {
    const secrets = [...resources.values()].flatMap(({ attributes }) =>
      attributes.filter(({ writeOnly }) => writeOnly),
    );
    expect(secrets.map(({ name }) => name)).toEqual([
      "password_wo",
      "private_key_wo",
      "cloud_access_key_id_wo",
      "cloud_secret_access_key_wo",
    ]);
    for (const { attributes } of resources.values())
      for (const { name, source, sensitive } of attributes.filter(({ writeOnly }) => writeOnly)) {
        const plain = attributes.find((each) => `${each.name}_wo` === name);
        expect(plain).toMatchObject({ source, sensitive: true, optional: true });
        expect(sensitive).toBe(true);
        const version = attributes.find((each) => each.name === `${name}_version`);
        expect(version).toMatchObject({ type: "number", source: { is: "version", of: name } });
      }
  });

  test("of data sources say nothing of defaults and changes", () => {
    for (const { attributes } of dataSources.values())
      for (const { name, description } of within(attributes))
        expect(description, name).not.toMatch(/Default: |A change replaces/);
  });

  test("of data sources hold no secret", () => {
    const names = [...dataSources.values()].flatMap(({ attributes }) => within(attributes).map(({ name }) => name));
    expect(names.filter((name) => /password|private_key|access_key|_wo/.test(name))).toEqual([]);
  });

  test("that programs fill with scripts, files, JSON and keys are literal", () => {
    const literal = [...resources.values()].flatMap(({ attributes }) =>
      within(attributes).flatMap(({ name, literal }) => (literal ? [name] : [])),
    );
    expect(literal).toEqual(
      expect.arrayContaining(["script", "init", "teardown", "contents", "script_params", "private_key", "password_wo"]),
    );
    expect(literal).not.toContain("name");
  });

  test("speak of each other by their own names", () => {
    for (const { type, attributes } of schemas)
      for (const { name, description } of within(attributes))
        expect(description, `${type}.${name}`).not.toMatch(/\b[a-z]+[A-Z]\w*|\$\{|the key\.$/);
  });
});

describe("the provider", () => {
  test("offers the ten kinds, the data sources and its settings", () => {
    expect([...resources.keys()].sort()).toMatchInlineSnapshot(`
      [
        "loadform_configuration",
        "loadform_data_store",
        "loadform_gateway",
        "loadform_provider",
        "loadform_region",
        "loadform_scenario",
        "loadform_schedule",
        "loadform_tag",
        "loadform_test_case",
        "loadform_vcs_root",
      ]
    `);
    expect([...dataSources.keys()].sort()).toMatchInlineSnapshot(`
      [
        "loadform_organization",
        "loadform_provider",
        "loadform_region",
        "loadform_regions",
        "loadform_scenario",
        "loadform_tags",
        "loadform_test_case",
        "loadform_vcs_root_refs",
      ]
    `);
    expect(provider.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "url",
        "api_key",
        "organization",
        "auth_header",
        "max_retries",
        "adopt_existing",
      ]
    `);
  });
});

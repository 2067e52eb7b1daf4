import { describe, expect, test } from "vitest";
import { loadProject, type ProjectInput } from "../../../src/config/load-project.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { sha256 } from "../../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../../src/workspace/memory-workspace.ts";
import { nodeAt } from "../../support/load-files.ts";

function load(files: Readonly<Record<string, string>>, options: Partial<ProjectInput> = {}) {
  const workspace = memoryWorkspace(files, "/work/webshop");
  return loadProject({ workspace, kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256, ...options });
}

/** A test case and a scenario, written by constructs; further blocks, resources and attributes of the scenario as given. */
function program({ blocks = {}, resources = {}, ...scenario }: Readonly<Record<string, Json>>): string {
  const s = { test_case_id: "${loadform_test_case.t.id}", name: "S", script: "x", ...scenario };
  const resource = {
    loadform_test_case: { t: { "//": { metadata: { path: "shop/t" } }, name: "T" } },
    loadform_scenario: { s: { "//": { metadata: { path: "shop/s" } }, ...s } },
    ...(resources as JsonObject),
  };
  return JSON.stringify({ provider: { loadform: { url: "memory:" } }, resource, ...(blocks as JsonObject) });
}

const grid = (data: JsonObject) => ({
  blocks: { data: { loadform_provider: { grid: data } } },
  resources: { loadform_region: { r: { name: "r", provider_id: "${data.loadform_provider.grid.id}" } } },
});
const cloud = (attributes: JsonObject) => ({
  resources: { loadform_provider: { c: { name: "C", provider_type: "CloudOnDemand", ...attributes } } },
});
const store = (attributes: JsonObject) => ({
  resources: { loadform_data_store: { d: { scenario_id: "${loadform_scenario.s.id}", name: "d", ...attributes } } },
});
const provided = (...providers: JsonObject[]) => ({ blocks: { provider: { loadform: providers } } });

test.each([
  ["with a comma too many", '{ "provider": {},\n  "resource": {,} }\n', 2, 16],
  ["that ends too early", '{ "provider": {},\n  "resource": {', 2, 16],
])("a file %s is refused at its place", async (_, text, line, column) => {
  const { diagnostics } = await load({ "cdk.tf.json": text });
  expect(diagnostics).toMatchObject([{ code: "LF1003", file: "cdk.tf.json", line, column }]);
});

/** What is refused, the code, and words of the message: where, and what to do. */
const refused: Readonly<Record<string, readonly [Readonly<Record<string, Json>>, string, ...string[]]>> = {
  count: [{ count: 1 }, "LF1307", "shop/s has count 1", "loadform terraform"],
  for_each: [{ for_each: {} }, "LF1307", "shop/s has for_each {}"],
  depends_on: [{ depends_on: ["loadform_test_case.t"] }, "LF1307", "depends_on", "shop/s"],
  "another provider": [{ provider: "loadform.eu" }, "LF1307", "loadform.eu", "shop/s"],
  "a provider that is no name": [{ provider: 3 }, "LF1307", "provider 3", "shop/s"],
  "a second provider block": [provided({ url: "memory:" }, { alias: "eu" }), "LF1307", "alias eu"],
  "a provider block with an alias only": [provided({ url: "memory:", alias: "eu" }), "LF1307", "alias eu"],
  "two provider blocks": [provided({ url: "memory:" }, { url: "memory:x" }), "LF1307", "another provider block"],
  "an organization that is known later": [
    provided({ organization: "${loadform_test_case.t.id}" }),
    "LF1307",
    "organization of provider.loadform",
  ],
  "a url that is no text": [provided({ url: {} }), "LF1307", "url of provider.loadform"],
  "a condition of a resource": [
    { lifecycle: { precondition: [{}] } },
    "LF1307",
    "shop/s has precondition in its lifecycle",
  ],
  "a protection that is worked out": [
    { lifecycle: { prevent_destroy: "${var.p}" } },
    "LF1307",
    "prevent_destroy in lifecycle of shop/s",
  ],
  "a lifecycle that is none": [{ lifecycle: "x" }, "LF1102", "lifecycle of shop/s"],
  "a part of an attribute to ignore": [
    { lifecycle: { ignore_changes: ["params_config[0].name"] } },
    "LF1307",
    "ignore_changes of shop/s",
  ],
  locals: [{ blocks: { locals: { a: 1 } }, name: "${local.a}" }, "LF1307", "make them variables"],
  moved: [{ blocks: { moved: [{}] } }, "LF1307", "loadform state mv"],
  import: [{ blocks: { import: [{}] } }, "LF1307", "--adopt exact"],
  removed: [{ blocks: { removed: [{}] } }, "LF1307", "loadform state rm"],
  module: [{ blocks: { module: {} } }, "LF1307", "module"],
  "a block that does not exist": [{ blocks: { resources: {} } }, "LF1307", "not a known block"],
  "a word for blocks": [{ resources: { loadform_tag: "x" } }, "LF1102", "loadform_tag"],
  "a word for a block": [{ resources: { loadform_tag: { a: "x" } } }, "LF1102", "loadform_tag.a"],
  "a word for a variable": [{ blocks: { variable: { a: "x" } } }, "LF1102", "variable.a"],
  "an object twice": [
    { resources: { loadform_tag: { a: [{ name: "a" }, { name: "b" }] } } },
    "LF1005",
    "loadform_tag.a",
  ],
  "an answer of the service": [
    { ...grid({ name: "G" }), name: "${data.loadform_provider.grid.constructor}" },
    "LF1307",
    "name of shop/s",
  ],
  "a data source of another provider": [
    { blocks: { data: { random_id: { x: {} } } }, name: "${data.random_id.x.hex}" },
    "LF1307",
    ", a data source of another provider",
  ],
  "a data source of another service": [grid({ name: "G", provider: "loadform.eu" }), "LF1307", "loadform_region.r"],
  "a data source that looks by more": [grid({ name: "G", count: 2 }), "LF1307", "looks by count"],
  "a data source that looks by nothing": [grid({}), "LF1307", "neither name nor id"],
  "a data source by the id of an object": [
    grid({ id: "${loadform_test_case.t.id}" }),
    "LF1307",
    "a data source whose id is known to Terraform only",
  ],
  "an expression that is not closed": [{ name: "${loadform_test_case.t.name" }, "LF1307", "without its }", "shop/s"],
  "a word of JavaScript": [{ name: "${constructor.a}" }, "LF1307", "a reference to constructor, which"],
  "a splat": [{ name: "${loadform_test_case.t.*.name}" }, "LF1307", "a splat"],
  "a template in a text in quotes": [{ name: '${"a ${loadform_test_case.t.name}"}' }, "LF1307", "name of shop/s"],
  "a variable in a key": [
    { ...cloud({ metadata: { "${var.a}": "x" } }), blocks: { variable: { a: { default: "q" } } } },
    "LF1307",
    "metadata.${var.a} of loadform_provider.c",
  ],
  "nothing in a list": [{ tags: ["a", null] }, "LF1102", "tags.1 of shop/s"],
  "no parent": [{ test_case_id: null }, "LF1307", "test_case_id of shop/s is nothing"],
  "bytes by variable": [store({ contents_base64: "${loadform_scenario.s.id}" }), "LF1307", "contents_base64"],
  "a file in two ways": [
    store({ contents: "a", contents_base64: "Yg==" }),
    "LF1104",
    "and another attribute for the same",
  ],
};

describe("a program for Terraform with", () => {
  test.each(Object.entries(refused))(
    "%s is refused with its place and what to do",
    async (_, [parts, code, ...words]) => {
      const { diagnostics } = await load({ "main.tf.json": program(parts) });
      const told = diagnostics.filter((each) => each.severity === "error" && each.code === code);
      expect(told, JSON.stringify(diagnostics)).not.toHaveLength(0);
      expect(told.every(({ file }) => file === "main.tf.json")).toBe(true);
      for (const word of words) expect(told.map(({ detail }) => detail).join("\n")).toContain(word);
    },
  );

  test("nothing of these is planned", async () => {
    const parts = { lifecycle: { create_before_destroy: false, prevent_destroy: "false" }, depends_on: [] };
    const { diagnostics, tree } = await load({ "main.tf.json": program({ ...parts, provider: "loadform" }) });
    expect(diagnostics).toEqual([]);
    expect(tree.nodes.size).toBe(2);
  });

  test("an object in two files is declared twice", async () => {
    const second = JSON.stringify({ resource: { loadform_test_case: { t: { name: "U" } } } });
    const { diagnostics } = await load({ "a.tf.json": program({}), "b.tf.json": second });
    expect(diagnostics).toMatchObject([{ code: "LF1005", file: "b.tf.json", address: "testCase.t" }]);
  });

  test("a name that stands twice in one object is told with its line", async () => {
    const text = program({}).replace('"resource"', '"resource": {"loadform_tag": {"a": {"name": "a"}}},\n"resource"');
    const { diagnostics } = await load({ "main.tf.json": text });
    expect(diagnostics).toMatchObject([{ code: "LF1005", file: "main.tf.json", line: 2 }]);
    const comments = program({}).replace('"resource"', '"//": "a", "//": "b", "resource"');
    expect((await load({ "main.tf.json": comments })).diagnostics).toEqual([]);
  });

  test("the name of a prototype is no key", async () => {
    const text = program({ resources: { loadform_tag: { NAME: { name: "a" } } } }).replace("NAME", "__proto__");
    const { diagnostics } = await load({ "main.tf.json": text });
    expect(diagnostics).toMatchObject([{ code: "LF1105", file: "main.tf.json" }]);
  });

  test("a secret in two ways is refused", async () => {
    const attributes = { vcs_auth_type: "Username", username: "u", password: "${var.a}", password_wo: "${var.b}" };
    const v = { name: "V", url: "https://git.example.com/a.git", ...attributes };
    const text = program({ blocks: { variable: { a: {}, b: {} } }, resources: { loadform_vcs_root: { v } } });
    const { diagnostics } = await load({ "main.tf.json": text }, { env: { TF_VAR_a: "hush", TF_VAR_b: "quiet" } });
    expect(diagnostics).toMatchObject([{ code: "LF1104", address: "vcsRoot.v" }]);
  });

  test("keys of a mapping reads them as Terraform does", async () => {
    const metadata = { "$${a}": "$${b}", '${"c"}': "d" };
    const project = await load({ "main.tf.json": program(cloud({ metadata })) });
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "provider.c").fields["metadata"]).toEqual({ "${a}": "${b}", c: "d" });
  });

  test("a variable that is flagged in any way is a secret", async () => {
    for (const sensitive of [true, "true", "${true}"]) {
      const text = program({ blocks: { variable: { a: { sensitive } } }, name: "${var.a}" });
      const project = await load({ "main.tf.json": text }, { env: { TF_VAR_a: "hush" } });
      expect(nodeAt(project, "testCase.t/scenario.s").sensitive).toEqual(["name"]);
    }
  });
});

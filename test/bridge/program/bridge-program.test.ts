import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { literal } from "../../../scripts/derive/bindings/literal.ts";
import { loadProject, type ProjectInput } from "../../../src/config/load-project.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { sha256 } from "../../../src/workspace/hash.ts";
import { memoryWorkspace } from "../../../src/workspace/memory-workspace.ts";
import { check, timesOf } from "../../support/deep.ts";
import { loadFiles, nodeAt } from "../../support/load-files.ts";
import { shopProgram, shopYaml } from "./webshop-program.ts";

function loadProgram(program: JsonObject, options: Partial<ProjectInput> = {}) {
  const workspace = memoryWorkspace({ "main.tf.json": JSON.stringify(program) }, "/work/webshop");
  return loadProject({ workspace, kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256, ...options });
}

const secrets = { TF_VAR_key: "key value", TF_VAR_secret: "secret value" };

/** A program with one test case and one scenario, and whatever else. */
function programWith(more: { readonly [word: string]: Json }, scenario: JsonObject = {}): JsonObject {
  const resource = {
    loadform_test_case: { t: { name: "T" } },
    loadform_scenario: { s: { test_case_id: "${loadform_test_case.t.id}", name: "S", script: "x", ...scenario } },
  };
  return { provider: { loadform: { url: "memory:" } }, resource, ...more };
}

describe("a program for Terraform", () => {
  test("is told of a path that is sent as text in its own words", async () => {
    const { diagnostics } = await loadProgram(programWith({}, { script: "scripts/a.js" }));
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "LF1204" }]);
    expect(diagnostics[0]?.detail).toContain('Did you mean file("scripts/a.js")?');
  });

  test("makes the tree of the same project in YAML", async () => {
    const yaml = await loadFiles(shopYaml, { env: secrets });
    const program = await loadProgram(shopProgram, { env: secrets });
    expect(yaml.diagnostics).toEqual([]);
    expect(program.diagnostics).toEqual([]);
    expect([...program.tree.nodes.keys()].sort()).toEqual([...yaml.tree.nodes.keys()].sort());
    for (const [address, node] of yaml.tree.nodes) expect(nodeAt(program, address)).toEqual(node);
    expect(new Map(program.tree.contents)).toEqual(new Map(yaml.tree.contents));
    expect({ ...program.service }).toEqual(yaml.service);
    expect(program).toMatchObject({ name: "webshop", language: "terraform", state: yaml.state });
  });

  test("reads a reference to an id as it reads the same one in another spelling, which is taken apart", async () => {
    const label = fc.constantFrom("t", "id", "a-b", "_x", "none");
    const type = fc.constantFrom("loadform_test_case", "loadform_test_case", "loadform_scenario", "aws_thing");
    const labels = fc.uniqueArray(label, { minLength: 1 });
    const programs = fc.record({
      labels,
      parents: fc.array(fc.record({ type, label }), { minLength: 1, maxLength: 3 }),
    });
    let sound = 0;
    const property = fc.asyncProperty(programs, async ({ labels: cases, parents }) => {
      const load = (idOf: (type: string, label: string) => string) => {
        const scenarios = parents.map((each, at) => [
          `s${at}`,
          { test_case_id: `\${${idOf(each.type, each.label)}}`, name: `s${at}`, script: "x" },
        ]);
        const resource = {
          loadform_test_case: Object.fromEntries(cases.map((each) => [each, { name: each }])),
          loadform_scenario: Object.fromEntries(scenarios),
          ...(parents.some((each) => each.type === "aws_thing") && { aws_thing: { t: { name: "x" } } }),
        };
        return loadProgram({ provider: { loadform: { url: "memory:" } }, resource });
      };
      const plain = await load((kind, name) => `${kind}.${name}.id`);
      const apart = await load((kind, name) => `${kind}["${name}"].id`);
      expect(plain.tree).toEqual(apart.tree);
      expect(plain.diagnostics.map(({ code }) => code)).toEqual(apart.diagnostics.map(({ code }) => code));
      if (plain.diagnostics.length === 0) sound++;
    });
    const runs = await check("references of programs", property, { few: 300, deep: 20_000 });
    expect(sound).toBeGreaterThan(0);
    expect(sound).toBeLessThan(runs);
  });

  test("may be in several files, with lists of blocks", async () => {
    const { resource, ...rest } = programWith({});
    const files = { "a.tf.json": JSON.stringify({ resource: [resource] }), "b.tf.json": JSON.stringify(rest) };
    const workspace = memoryWorkspace(files, "/work/two");
    const project = await loadProject({ workspace, kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256 });
    expect(project.diagnostics).toEqual([]);
    expect(project.name).toBe("two");
    expect([...project.tree.nodes.keys()]).toEqual(["testCase.t", "testCase.t/scenario.s"]);
  });

  test("is not planned beside files that only Terraform reads", async () => {
    const others = {
      "more.tf": "",
      "terraform.tfvars": 'name = "other"\n',
      "prod.auto.tfvars.json": "{}",
      ".auto.tfvars": "",
      "asked.tfvars": "",
    };
    const files = { "main.tf.json": JSON.stringify(programWith({})), ...others };
    const workspace = memoryWorkspace(files);
    const project = await loadProject({ workspace, kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256 });
    expect(project.diagnostics).toMatchObject([
      { code: "LF1307", file: ".auto.tfvars" },
      { code: "LF1307", file: "more.tf" },
      { code: "LF1307", file: "prod.auto.tfvars.json" },
      { code: "LF1307", file: "terraform.tfvars" },
    ]);
  });

  test("has problems of its objects at their lines", async () => {
    const text = JSON.stringify(programWith({}, { language: "cobol" }), undefined, 2);
    const workspace = memoryWorkspace({ "main.tf.json": text });
    const project = await loadProject({ workspace, kinds, env: {}, vars: {}, unsetEnv: "error", hash: sha256 });
    const line = text.split("\n").findIndex((each) => each.includes("cobol")) + 1;
    expect(project.diagnostics).toMatchObject([
      { code: "LF1104", address: "testCase.t/scenario.s", file: "main.tf.json", line },
    ]);
  });

  test("keeps bytes that are no text", async () => {
    const bytes = Uint8Array.from([0, 255, 128, 10]);
    const store = {
      scenario_id: "${loadform_scenario.s.id}",
      name: "b",
      contents_base64: Buffer.from(bytes).toString("base64"),
    };
    const { resource, ...rest } = programWith({});
    const project = await loadProgram({ ...rest, resource: [resource as Json, { loadform_data_store: { b: store } }] });
    expect(project.diagnostics).toEqual([]);
    expect([...project.tree.contents.values()].map((content) => [...Buffer.from(content)])).toContainEqual([...bytes]);
  });

  test("means composed letters, as in Terraform", async () => {
    const project = await loadProgram(programWith({}, { name: "cafe\u0301" }));
    expect(nodeAt(project, "testCase.t/scenario.s").fields["name"]).toBe("caf\u00e9");
  });
});

describe("variables of a program", () => {
  const program = programWith(
    { variable: { a: { type: "string", default: "from default ${x}" } } },
    { name: "${var.a}", script: 'a ${var.a} ${"b"} $${c}' },
  );
  const nameOf = async (options: Partial<ProjectInput>) =>
    nodeAt(await loadProgram(program, options), "testCase.t/scenario.s").fields["name"];

  test("are set by --var, $LOADFORM_VAR_, $TF_VAR_ or their default, in this order", async () => {
    const [own, terraforms] = [{ LOADFORM_VAR_a: "own" }, { TF_VAR_a: "terraform's" }];
    expect(await nameOf({ vars: { a: "given" }, env: { ...own, ...terraforms } })).toBe("given");
    expect(await nameOf({ env: { ...own, ...terraforms } })).toBe("own");
    expect(await nameOf({ env: terraforms })).toBe("terraform's");
    expect(await nameOf({})).toBe("from default ${x}");
  });

  test("stand within texts", async () => {
    const project = await loadProgram(program, { vars: { a: "${file:x}" } });
    expect(project.diagnostics).toEqual([]);
    expect([...project.tree.contents.values()]).toEqual(["a ${file:x} b ${c}"]);
  });

  test("that are sensitive are masked wherever they stand, however they are given", async () => {
    const secret = programWith({ variable: { a: { type: "string", sensitive: true } } }, { name: "of ${var.a}" });
    for (const options of [
      { vars: { a: "hush" } },
      { env: { TF_VAR_a: "hush" } },
      { env: { LOADFORM_VAR_a: "hush" } },
    ]) {
      const project = await loadProgram(secret, options);
      expect(project.diagnostics).toEqual([]);
      expect(nodeAt(project, "testCase.t/scenario.s")).toMatchObject({
        fields: { name: "of hush" },
        sensitive: ["name"],
      });
      expect(project.variables).toEqual({ a: "(sensitive)" });
      expect(project.secrets).toContain("hush");
    }
  });

  test("whose default is null leave the attribute out that they are the value of", async () => {
    const optional = programWith({ variable: { a: { type: "string", default: null } } }, { init: "${var.a}" });
    const project = await loadProgram(optional);
    expect(project.diagnostics).toEqual([]);
    expect(nodeAt(project, "testCase.t/scenario.s").fields).not.toHaveProperty("init");
    const listed = await loadProgram(
      programWith({ variable: { a: { type: "string", default: null } } }, { tags: ["${var.a}"] }),
    );
    expect(listed.diagnostics.map(({ code }) => code)).toEqual(["LF1307"]);
    const given = await loadProgram(optional, { env: { TF_VAR_a: "x();" } });
    expect(nodeAt(given, "testCase.t/scenario.s").fields).toHaveProperty("init");
    const within = await loadProgram({
      ...optional,
      ...programWith({ variable: { a: { type: "string", default: null } } }, { name: "of ${var.a}" }),
    });
    expect(within.diagnostics.map(({ code }) => code)).toEqual(["LF1307"]);
  });

  test("that have no value are reported, in the words of the environment", async () => {
    const secret = programWith({ variable: { a: { sensitive: true } } }, { name: "of ${var.a}" });
    const { diagnostics } = await loadProgram(secret);
    expect(diagnostics.map(({ code }) => code)).toContain("LF1303");
    expect(JSON.stringify(diagnostics)).toContain("TF_VAR_a");
  });
});

describe("a text that a program passes on as it is", () => {
  const signs = fc.string({
    unit: fc.constantFrom("$", "%", "{", "}", '"', "\\", "\n", "a", "${env:X}"),
    maxLength: 30,
  });

  test("arrives as it was, whatever is in it", async () => {
    await fc.assert(
      fc.asyncProperty(signs, signs, async (text, line) => {
        const [script, name] = [`s${text}`, line.replaceAll("\n", "")];
        const project = await loadProgram(programWith({}, { script: literal(script), name: literal(`n${name}n`) }));
        expect(project.diagnostics).toEqual([]);
        expect([...project.tree.contents.values()]).toEqual([script]);
        expect(nodeAt(project, "testCase.t/scenario.s").fields["name"]).toBe(`n${name}n`);
      }),
      { numRuns: timesOf({ few: 200, deep: 2_000 }) },
    );
  });

  test("arrives through references and within other texts", async () => {
    await fc.assert(
      fc.asyncProperty(signs, async (text) => {
        const program = programWith(
          {},
          { script: "${loadform_test_case.t.description}", teardown: "<${loadform_scenario.s.script}>" },
        );
        const described = {
          ...program,
          resource: [
            program["resource"] ?? null,
            { loadform_test_case: { u: { name: "u", description: literal(`d${text}`) } } },
          ],
        };
        const moved = JSON.parse(
          JSON.stringify(described).replaceAll("loadform_test_case.t.description", "loadform_test_case.u.description"),
        ) as JsonObject;
        const project = await loadProgram(moved);
        expect(project.diagnostics).toEqual([]);
        expect([...project.tree.contents.values()]).toEqual([`d${text}`, `<d${text}>`]);
      }),
      { numRuns: timesOf({ few: 100, deep: 1_000 }) },
    );
  });
});

test("references of 5,000 resources are read in a moment", async () => {
  const names = Array.from({ length: 2500 }, (_, index) => `n${index}`);
  const resource = {
    loadform_test_case: Object.fromEntries(names.map((name) => [name, { name: `Case ${name}` }])),
    loadform_gateway: Object.fromEntries(
      names.map((name) => [
        name,
        {
          test_case_id: `\${loadform_test_case.${name}.id}`,
          name: `of \${loadform_test_case.${name}.name}`,
          url: "https://a.example.com",
        },
      ]),
    ),
  };
  const { bridgeProgram } = await import("../../../src/bridge/program/bridge-program.ts");
  const files = [{ file: "main.tf.json", value: { resource } }];
  const bridge = () =>
    bridgeProgram(files, { project: "p", kinds, env: {}, vars: {}, report: () => expect.unreachable() });
  bridge();
  const began = process.cpuUsage();
  bridge();
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(500);
});

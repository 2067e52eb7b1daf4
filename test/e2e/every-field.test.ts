// merge: every kind of field in every form, by every engine
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import type { Field } from "../../src/model/field.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { createService } from "../../src/service/index.ts";
import { everyField, secretValues } from "../support/every-field.ts";
import { asProgram, asTerraform, asTypeScript, asYaml } from "../support/every-field-forms.ts";
import { leftAt } from "../support/left-at.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";
import { HostedWorld, worldSeed } from "../support/terraform/hosted-world.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";

const require = createRequire(import.meta.url);
const program = (library: "cdktf" | "cdktn") =>
  asProgram(require(library), require(join(repository, "gen", library, "index.js")));

const forms: Readonly<Record<string, () => readonly [file: string, text: string]>> = {
  YAML: () => ["loadform.yaml", asYaml()],
  TypeScript: () => ["loadform.config.ts", asTypeScript(join(repository, "src/index.ts"))],
  "Terraform's JSON": () => ["main.tf.json", asTerraform()],
  "a program for cdktf": () => ["cdk.tf.json", program("cdktf")],
  "a program for cdktn": () => ["cdk.tf.json", program("cdktn")],
};

const given = Object.fromEntries(
  Object.entries(secretValues).flatMap(([name, value]) => [
    [name.toUpperCase(), value],
    [`TF_VAR_${name}`, value],
  ]),
);

/** What our own engine leaves at a service. */
async function leftByLoadform(form: string): Promise<JsonObject> {
  const service = createService({ seed: worldSeed });
  const { url } = await service.listen(0);
  const cwd = freshFolder();
  const [file, text] = forms[form]!();
  writeFileSync(join(cwd, file), text);
  const env = { ...given, LOADFORM_URL: url, LOADFORM_API_KEY: service.apiKey };
  const { code, stderr } = await runCli(["apply", "--auto-approve"], { cwd, env });
  expect(code, stderr).toBe(0);
  expect((await runCli(["plan", "--detailed-exitcode"], { cwd, env })).code).toBe(0);
  const left = leftAt(service);
  await service.close();
  rmSync(cwd, { recursive: true });
  return left;
}

/** What Terraform leaves at a service. */
async function leftByTerraform(form: string): Promise<JsonObject> {
  const world = new HostedWorld({ env: given });
  const [file, text] = forms[form]!();
  writeFileSync(join(world.path, file), text);
  expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
  expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
  const left = leftAt(world.service);
  await world.close();
  return left;
}

if (!hasTerraform) console.log("SKIPPED: every field through Terraform, as there is no terraform on the PATH");

describe("a project that sets every field of every kind", () => {
  it("misses no field of the kinds, and no value of one is its default", () => {
    const all = kinds.flatMap(({ name, fields }) => pathsOf(name, fields));
    const set = everyField.flatMap(({ kind, fields }) => pathsSet(kind, fields));
    expect([...new Set(set)].sort()).toEqual(all.map(({ path }) => path).sort());
    const values = everyField.flatMap(({ kind, fields }) => valuesSet(kind, fields));
    const onlyDefault = all.filter(
      ({ path, field }) =>
        field.default !== undefined &&
        values.every((each) => each.path !== path || JSON.stringify(each.value) === JSON.stringify(field.default)),
    );
    // Of these the service knows one value.
    expect(onlyDefault.map(({ path }) => path)).toEqual(["vcsRoot.vcsType", "scenario.scriptType"]);
  });

  it("leaves the same at the service in whatever form, by our own engine and by Terraform", {
    timeout: 180_000,
  }, async () => {
    const yaml = await leftByLoadform("YAML");
    expect(yaml["configuration"]).toHaveLength(3);
    for (const form of Object.keys(forms).slice(1)) expect(await leftByLoadform(form), form).toEqual(yaml);
    // The program for cdktf is planned by Terraform in terraform-conformance.test.ts.
    const ofTerraform = ["Terraform's JSON", "a program for cdktn"];
    for (const form of hasTerraform ? ofTerraform : [])
      expect(await leftByTerraform(form), `${form}, by Terraform`).toEqual(yaml);
  });
});

interface Found {
  readonly path: string;
  readonly field: Field;
}

/** Every field of a kind, with those of objects in it. */
function pathsOf(above: string, fields: Readonly<Record<string, Field>>): readonly Found[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${above}.${name}`;
    const below = field.fields ?? field.of?.fields ?? {};
    const keys = (field.secretKeys ?? []).map((key) => ({ path: `${path}.${key}`, field: field.of ?? field }));
    return [{ path, field }, ...pathsOf(path, below), ...keys];
  });
}

function valuesSet(above: string, fields: JsonObject): readonly { readonly path: string; readonly value: Json }[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = `${above}.${name}`;
    const items = Array.isArray(value) ? value : [value];
    const isPlain = /\.(scriptParams|params|password|defaultValue|privateKey|provider|scenario|cloud\w+)$/.test(path);
    const below = isPlain ? [] : items.filter(isObject).flatMap((item) => valuesSet(path, item));
    return [{ path, value }, ...below];
  });
}

function pathsSet(above: string, fields: JsonObject): readonly string[] {
  return valuesSet(above, fields).map(({ path }) => path);
}

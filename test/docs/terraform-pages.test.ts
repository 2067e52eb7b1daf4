// merge: the real Terraform again, with what the pages say.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { createService, type Service } from "../../src/service/index.ts";
import { terraformSchema } from "../../src/terraform-schema/schema.ts";
import { builtCli } from "../support/built-cli.ts";
import { freshFolder } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";
import { hasTerraform, runToEnd, terraformEnv } from "../support/terraform/real-terraform.ts";

const home = join(repository, "docs/terraform");
const names = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const pages = names.sort().map((name) => ({ name, text: readFileSync(join(home, name), "utf8") }));

/** The configuration that a page shows first. */
function exampleOf(text: string): string | undefined {
  return /^## Example Usage\n\n```terraform\n([\s\S]*?)^```$/m.exec(text)?.[1];
}

/** A folder with the examples of these pages and the files that they name. */
function exampleFolder(shown: readonly { readonly name: string; readonly text: string }[]): string {
  const folder = freshFolder();
  for (const { name, text } of shown)
    writeFileSync(join(folder, name.replace("/", "_").replace(/md$/, "tf")), exampleOf(text) ?? "");
  for (const part of ["scripts", "data"])
    cpSync(join(repository, "examples/webshop", part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "data"), { recursive: true });
  writeFileSync(join(folder, "data", "carts.csv"), Buffer.from([0x6e, 0x0a, 0xe9, 0x0a]));
  return folder;
}

describe("the pages of the Terraform provider", () => {
  it("are one for each resource and data source, laid out as registries want them", () => {
    const { resources, dataSources } = terraformSchema(kinds);
    const page = (folder: string, type: string) => `${folder}/${type.replace("loadform_", "")}.md`;
    const expected = [
      "index.md",
      ...[...resources.keys()].map((type) => page("resources", type)),
      ...[...dataSources.keys()].map((type) => page("data-sources", type)),
    ];
    expect(names).toEqual(expected.sort());
  });

  it.each(pages)("$name says what it is, shows an example and explains attributes", ({ text }) => {
    expect(text).toMatch(/^---\npage_title: "[^"\n]+"\nsubcategory: ""\ndescription: \|-\n {2}\S[^\n]+\n---\n\n# \S/);
    expect(exampleOf(text)).toBeDefined();
    expect(text).toContain("\n## Schema\n\n### ");
  });

  it.each(pages)("$name links only to what there is", ({ name, text }) => {
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) =>
      link.startsWith("#") ? !text.includes(`<a id="${link.slice(1)}"></a>`) : !names.includes(join(name, "..", link)),
    );
    expect(dead).toEqual([]);
  });
});

describe.skipIf(!hasTerraform)("the examples of all pages", () => {
  let service: Service;
  let env: Record<string, string>;
  beforeAll(async () => {
    const refs = { "https://git.example.com/load.git": ["refs/heads/main"] };
    service = createService({ apiKey: "key", settings: { refs } });
    const { url } = await service.listen(0);
    env = terraformEnv({ LOADFORM_URL: url, LOADFORM_API_KEY: "key" });
  });
  afterAll(() => service.close());

  const loadform = async (cwd: string, ...args: readonly string[]) =>
    runToEnd([process.execPath, await builtCli(), "terraform", "--", ...args], { cwd, env });

  it("are one configuration that terraform validates without a warning, in its own format", async () => {
    const folder = exampleFolder(pages);
    const { output } = await loadform(folder, "validate", "-json");
    expect(JSON.parse(output)).toMatchObject({ valid: true, error_count: 0, warning_count: 0, diagnostics: [] });
    expect(await runToEnd(["terraform", "fmt", "-check", "-diff"], { cwd: folder, env })).toEqual({
      code: 0,
      output: "",
    });
  });

  const secrets = ["git_token", "cloud_key_id", "cloud_secret"].flatMap((name) => ["-var", `${name}=canary`]);

  /** The service is that of the environment. */
  const withoutProviderBlock = (folder: string) => {
    const index = readFileSync(join(folder, "index.tf"), "utf8");
    writeFileSync(join(folder, "index.tf"), index.replace(/^provider [\s\S]*?^}\n/m, ""));
  };

  it("of resources are applied, have nothing to change then, and are imported as the pages say; those of data sources are read beside them", async () => {
    const folder = exampleFolder(pages.filter(({ name }) => !name.startsWith("data-sources")));
    withoutProviderBlock(folder);
    const applied = await loadform(folder, "apply", "-auto-approve", "-no-color", ...secrets);
    expect(applied.output).toContain("Apply complete!");
    const again = await loadform(folder, "plan", "-detailed-exitcode", "-no-color", ...secrets);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining("No changes.") });
    // The tag that the scenario made is in the state from now on.
    await loadform(folder, "apply", "-refresh-only", "-auto-approve", "-no-color", ...secrets);
    const state = readFileSync(join(folder, "terraform.tfstate"), "utf8");
    expect(state).not.toContain("canary");

    const imports = freshFolder();
    writeFileSync(join(imports, "index.tf"), readFileSync(join(folder, "index.tf")));
    const blocks = pages.flatMap(({ text }) => importOf(text, idsIn(state)));
    writeFileSync(join(imports, "import.tf"), blocks.join("\n"));
    const plan = await loadform(imports, "plan", "-generate-config-out=generated.tf", "-no-color");
    expect(plan.output).toContain(`Plan: ${terraformSchema(kinds).resources.size} to import, 0 to add, 0 to change`);

    const ids = idsIn(state);
    await made("/test-cases", { name: "Payment", org: 1 });
    await made(`/test-cases/${(await payment()).id}/scripts`, { name: "Pay by card", main: "pay()" });
    await made("/orgs/1/regions", { name: "dc-2", providerId: Number(ids.get("loadform_provider")) });
    const sources = exampleFolder(pages.filter(({ name }) => name.startsWith("data-sources")));
    for (const name of readdirSync(sources).filter((each) => each.startsWith("data-sources")))
      writeFileSync(join(folder, name), readFileSync(join(sources, name)));
    const read = await loadform(folder, "apply", "-auto-approve", "-no-color", ...secrets);
    expect(read.output).toContain("0 added, 0 changed, 0 destroyed");
    const outputs = await loadform(folder, "output", "-json");
    expect(JSON.parse(outputs.output)).toMatchObject({
      public_regions: { value: expect.arrayContaining(["cloud-us-east-1"]) },
      tags: { value: ["nightly"] },
      branches_and_tags: { value: ["refs/heads/main"] },
    });
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.handle({ method, path, headers: { "x-api-key": "key" }, body: body as never });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.json)}`);
    return answer.json as unknown;
  };
  const made = (path: string, body: object) => call("POST", path, body);
  const payment = async () => {
    const all = (await call("GET", "/test-cases")) as readonly { readonly id: number; readonly name: string }[];
    return all.find(({ name }) => name === "Payment")!;
  };
});

/** The first id of each type of a state. */
function idsIn(state: string): ReadonlyMap<string, string> {
  interface Resource {
    readonly type: string;
    readonly instances: readonly { readonly attributes: { readonly id: string | null } }[];
  }
  const { resources } = JSON.parse(state) as { readonly resources: readonly Resource[] };
  return new Map(resources.map(({ type, instances }) => [type, instances[0]?.attributes.id ?? ""]));
}

/** The import block of a page, with the id of what was made. */
function importOf(text: string, ids: ReadonlyMap<string, string>): readonly string[] {
  const [block, type = ""] = /^import \{\n {2}to = (\w+)\.example\n[\s\S]*?^\}$/m.exec(text) ?? [];
  return block === undefined ? [] : [block.replace('"7"', JSON.stringify(ids.get(type)))];
}

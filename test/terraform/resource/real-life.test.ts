// merge: all kinds in the real Terraform; all-kinds.test.ts has them with its core in this process.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../../src/service/index.ts";
import { builtCli } from "../../support/built-cli.ts";
import { repository } from "../../support/source-files.ts";
import {
  hasTerraform,
  runToEnd,
  type TerraformFolder,
  terraformEnv,
  terraformFolder,
} from "../../support/terraform/real-terraform.ts";

const text = readFileSync(join(repository, "test/fixtures/terraform/all-kinds.tf"), "utf8");

/** A change of each kind that can change: in place, by replacement, of a secret alone. */
const edits: readonly (readonly [RegExp, string])[] = [
  [/"hunter2"/, '"hunter3"'],
  [/"Shop"/, '"Store"'],
  [/base64encode\("a,b/, 'base64encode("a,c'],
  [/shop\.example\.com/, "shop2.example.com"],
  [/wo_version(\s*)= 1/, "wo_version$1= 2"],
  [/"Rack 4"/, '"Rack 5"'],
  [/duration_secs(\s*)= 60/, "iterations$1= 3"],
  [/= count\.index\n/, "= count.index + 5\n"],
  [/!= 1/, "!= 2"],
];

describe.skipIf(!hasTerraform)("all kinds in the real terraform (P18)", () => {
  let service: Service;
  let env: Record<string, string>;
  const folder = terraformFolder();
  const second = terraformFolder();
  beforeAll(async () => {
    service = createService();
    const { url } = await service.listen(0);
    env = terraformEnv({ LOADFORM_URL: url, LOADFORM_API_KEY: "local" });
  });
  afterAll(async () => {
    folder.remove();
    second.remove();
    await service.close();
  });
  const loadform = async ({ path: cwd }: TerraformFolder, ...args: readonly string[]) =>
    runToEnd([process.execPath, await builtCli(), "terraform", "--", ...args, "-no-color"], { cwd, env });

  it("are created, planned without change, changed, imported with generated configuration and destroyed", async () => {
    folder.write(text);
    expect((await loadform(folder, "apply", "-auto-approve")).output).toContain("16 added, 0 changed, 0 destroyed");
    expect(await loadform(folder, "plan", "-detailed-exitcode")).toMatchObject({ code: 0 });
    folder.write(edits.reduce((changed, [from, to]) => changed.replace(from, to), text));
    expect((await loadform(folder, "apply", "-auto-approve")).output).toContain("1 added, 10 changed, 1 destroyed");
    expect(await loadform(folder, "plan", "-detailed-exitcode")).toMatchObject({ code: 0 });
    second.write(importBlocks(folder));
    const imported = await loadform(second, "plan", "-generate-config-out=generated.tf");
    expect(imported.output).toContain("16 to import, 0 to add, 0 to change, 0 to destroy");
    expect(readFileSync(join(second.path, "generated.tf"), "utf8")).not.toMatch(/hunter|t0ken|AKIA/);
    expect((await loadform(folder, "destroy", "-auto-approve")).output).toContain("16 destroyed");
  });
});

function importBlocks(folder: TerraformFolder): string {
  const blocks = folder
    .state()
    .resources.flatMap(({ type, name, instances }) =>
      instances.map(
        ({ attributes }, index) =>
          `import {\n  to = ${type}.${name}_${index}\n  id = "${String(attributes["id"])}"\n}\n`,
      ),
    );
  return blocks.join("");
}

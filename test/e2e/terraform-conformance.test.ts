// merge: the web shop in four languages; examples.test.ts applies each example.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { createService } from "../../src/service/index.ts";
import { copyExample } from "../support/copy-example.ts";
import { leftAt } from "../support/left-at.ts";
import { freshFolder, runProcess } from "../support/run-cli.ts";
import { HostedWorld, worldSeed } from "../support/terraform/hosted-world.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { synthesizedWebshop } from "../support/terraform/webshop-cdktf.ts";

/** What our own engine makes of an example. */
async function leftByLoadform(example: string): Promise<JsonObject> {
  const service = createService({ seed: worldSeed });
  const { url } = await service.listen(0);
  const cwd = freshFolder();
  copyExample(example, cwd);
  const env = { LOADFORM_URL: url, LOADFORM_API_KEY: service.apiKey };
  const { code, stderr } = await runProcess(["apply", "--auto-approve"], { cwd, env });
  expect(code, stderr).toBe(0);
  const left = leftAt(service);
  await service.close();
  rmSync(cwd, { recursive: true });
  return left;
}

/** What Terraform makes of the configuration that is written into its folder. */
async function leftByTerraform(write: (folder: string) => void): Promise<JsonObject> {
  const world = new HostedWorld();
  write(world.path);
  expect(await world.apply()).toMatchObject({ code: 0, errors: [], warnings: [] });
  expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
  const left = leftAt(world.service);
  await world.close();
  return left;
}

const ways: Readonly<Record<string, () => Promise<JsonObject>>> = {
  "a program with our own constructs": () => leftByLoadform("typescript"),
  ...(hasTerraform && {
    HCL: () => leftByTerraform((folder) => copyExample("terraform", folder)),
    "a program for cdktf": () =>
      leftByTerraform((folder) => writeFileSync(join(folder, "cdk.tf.json"), synthesizedWebshop())),
  }),
};

describe("the web shop", () => {
  it("is the same at the service whether it is declared in YAML, TypeScript, HCL or with cdktf", async () => {
    const yaml = await leftByLoadform("webshop");
    expect(yaml["configuration"]).toHaveLength(3);
    for (const [way, left] of Object.entries(ways)) expect(await left(), way).toEqual(yaml);
  });
});

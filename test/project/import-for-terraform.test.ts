import { describe, expect, it } from "vitest";
import { importForTerraform } from "../../src/project/import-for-terraform.ts";
import { processSystem } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { projectFolder } from "../support/small-project.ts";

describe("an import for Terraform", () => {
  it("gives the provider the key of the project's own variable in the one that it reads", async () => {
    const service = createService({ apiKey: "named-key-4711" });
    const { url } = await service.listen(0);
    const cwd = projectFolder(`project: small\nservice: { url: "${url}", apiKey: "\${env:SHOP_KEY}" }\n`);
    const system = { ...processSystem(), cwd, env: { SHOP_KEY: "named-key-4711", LOADFORM_API_KEY: "another" } };
    const given: (string | undefined)[] = [];
    const flags = { dir: cwd, vars: {}, dryRun: true, wanted: ["*"] };
    await service.handle({
      method: "POST",
      path: "/test-cases",
      headers: { "x-api-key": "named-key-4711" },
      body: { name: "Checkout", org: 1 },
    });
    const plan = async (_: string, env: Readonly<Record<string, string>>) => {
      given.push(env["LOADFORM_URL"], env["LOADFORM_API_KEY"]);
      return { is: "absent" as const, why: "it is not installed" };
    };
    const outcome = await importForTerraform(flags, plan, system);
    expect(outcome.diagnostics).toMatchObject([{ code: "LF3013", summary: "the import is not proved" }]);
    expect(given).toEqual([url, "named-key-4711"]);
    await service.close();
  });
});

// merge: the real Terraform again, with what docs/terraform.md says.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../src/service/index.ts";
import { builtCli } from "../support/built-cli.ts";
import { freshFolder } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";
import { hasTerraform, runToEnd, terraformEnv } from "../support/terraform/real-terraform.ts";

describe.skipIf(!hasTerraform)("the configuration of docs/terraform.md", () => {
  let service: Service;
  let env: Record<string, string>;
  const cwd = freshFolder();
  beforeAll(async () => {
    service = createService({ apiKey: "key" });
    const { url } = await service.listen(0);
    env = terraformEnv({ LOADFORM_URL: url, LOADFORM_API_KEY: "key" });
    const page = readFileSync(join(repository, "docs/terraform.md"), "utf8");
    const [, text = ""] = /<!-- file: main\.tf -->\s+```hcl\n([\s\S]*?)```/.exec(page) ?? [];
    writeFileSync(join(cwd, "main.tf"), text);
  });
  afterAll(() => service.close());

  const loadform = async (...args: readonly string[]) =>
    runToEnd([process.execPath, await builtCli(), "terraform", "--", ...args, "-no-color"], { cwd, env });

  it("is applied, unchanged, changed and destroyed", async () => {
    const applied = await loadform("apply", "-auto-approve");
    expect(applied.output).toContain("4 added, 0 changed, 0 destroyed");
    expect(await loadform("plan", "-detailed-exitcode")).toMatchObject({ code: 0 });
    const text = readFileSync(join(cwd, "main.tf"), "utf8");
    writeFileSync(join(cwd, "main.tf"), text.replace("= 20", "= 50"));
    expect(await loadform("plan", "-detailed-exitcode")).toMatchObject({ code: 2 });
    expect((await loadform("apply", "-auto-approve")).output).toContain("0 added, 1 changed, 0 destroyed");
    expect((await loadform("destroy", "-auto-approve")).output).toContain("4 destroyed");
  });

  it("tells a user who waits of an answer that is not clear, and sends no more than the provider block allows", async () => {
    const faults = [{ method: "POST", path: "/test-cases", status: 500 }];
    const headers = { "x-api-key": "key" };
    await service.handle({ method: "PUT", path: "/_loadform/faults", headers, body: faults });
    const text = readFileSync(join(cwd, "main.tf"), "utf8");
    writeFileSync(join(cwd, "main.tf"), `${text}\nprovider "loadform" {\n  max_retries = 0\n}\n`);
    const sent = () =>
      service.requests.filter(({ method, path }) => method === "POST" && path === "/test-cases").length;
    const before = sent();
    const { code, output } = await loadform("apply", "-auto-approve");
    expect([code, sent() - before]).toEqual([1, 1]);
    expect(output).toMatch(
      /^loadform_test_case "Checkout": the answer to its create was unclear \(status 500\); it is looked for$/m,
    );
  });
});

// merge: the provider of real-terraform.test.ts, with an example of ours.
import { expect, test } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { hasTerraform, runToEnd, terraformEnv } from "../support/terraform/real-terraform.ts";

const service = sharedService();

/** A copy of the example, and Terraform in it with the provider hosted. */
function exampleFolder() {
  const cwd = freshFolder();
  copyExample("terraform", cwd);
  const { url, apiKey } = service.ready;
  const env = { LOADFORM_URL: url, LOADFORM_API_KEY: apiKey };
  return {
    env,
    terraform: async (...args: readonly string[]) =>
      runToEnd([process.execPath, await builtCli(), "terraform", "--", ...args, "-no-color"], {
        cwd,
        env: terraformEnv(env),
      }),
  };
}

/** What the service has but did not have when it was new. */
async function leftovers(): Promise<readonly string[]> {
  const names = async (path: string) =>
    ((await service.call("GET", path)).body as { name: string }[]).map(({ name }) => name);
  const [testCases, providers, roots, tags] = await Promise.all([
    names("/test-cases"),
    names("/orgs/1/providers"),
    names("/orgs/1/vcs-roots"),
    names("/orgs/1/tags"),
  ]);
  return [...testCases, ...providers, ...roots, ...tags].filter((name) => name !== "Public Shared Grid");
}

test.skipIf(!hasTerraform)(
  "examples/terraform is valid, applied, unchanged in a second plan, changed in place and destroyed",
  async () => {
    const { terraform } = exampleFolder();
    expect((await terraform("validate")).output).toContain("Success! The configuration is valid.");
    expect((await terraform("apply", "-auto-approve")).output).toContain(
      "Apply complete! Resources: 13 added, 0 changed, 0 destroyed.",
    );
    expect(await terraform("plan", "-detailed-exitcode")).toMatchObject({ code: 0 });
    expect((await terraform("apply", "-auto-approve", "-var", "users=50")).output).toContain(
      "0 added, 1 changed, 0 destroyed",
    );
    expect((await terraform("destroy", "-auto-approve")).output).toContain("13 destroyed");
    expect(await leftovers()).toEqual([]);
  },
);

test.skipIf(!hasTerraform)("examples/terraform makes what examples/webshop declares", async () => {
  const { terraform, env } = exampleFolder();
  expect(await terraform("apply", "-auto-approve")).toMatchObject({ code: 0 });
  const cwd = freshFolder();
  copyExample("webshop", cwd);
  const { stdout } = await runCli(["plan", "--json", "--adopt", "name"], { cwd, env });
  const { summary } = JSON.parse(stdout) as { readonly summary: Readonly<Record<string, number>> };
  // Tags are bound by their names alone.
  expect(summary).toMatchObject({ create: 0, update: 0, delete: 0, replace: 0, import: 11, noop: 2 });
});

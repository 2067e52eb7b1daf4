// merge: the real Terraform again, whose mocks ask no provider for more than its schema.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { declaredResources } from "../support/terraform/ten-lives.ts";

const mocked = `
mock_provider "loadform" {}

run "all_kinds" {
  assert {
    condition     = loadform_configuration.smoke.test_case_id == loadform_test_case.shop.id
    error_message = "the configuration is of another test case"
  }
}
`;

describe.skipIf(!hasTerraform)("terraform test with a mock_provider", () => {
  const world = new HostedWorld();
  afterAll(() => world.close());

  it("passes for every kind, with ids that the mocks make up, and asks the service nothing", async () => {
    world.declare(declaredResources);
    writeFileSync(join(world.path, "all.tftest.hcl"), mocked);
    const { code, output } = await world.run("test", "-no-color");
    expect(output).toContain("1 passed, 0 failed");
    expect([code, world.service.requests.length]).toEqual([0, 0]);
  });
});

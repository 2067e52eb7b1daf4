// merge: the real Terraform again; read-resource.test.ts has what a refresh finds.
import { afterAll, describe, expect, it } from "vitest";
import { isObject } from "../../src/model/json.ts";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { declaredResources } from "../support/terraform/ten-lives.ts";
import type { Resources } from "../support/terraform/terraform-project.ts";

/** Without those of which Terraform keeps the marks of several sensitive attributes in an order of chance, and takes another one for a change. */
const watched: Resources = Object.fromEntries(
  Object.entries(declaredResources).filter(([address]) => !/^loadform_(?:vcs_root|provider)\./.test(address)),
);

describe.skipIf(!hasTerraform)("plan -refresh-only -detailed-exitcode, as a job that watches for drift runs it", () => {
  const world = new HostedWorld();
  afterAll(() => world.close());

  const declare = async (resources: Resources) => {
    const grid = await world.send("POST", "/providers", { name: "grid", organizationId: 1, providerType: "Shared" });
    const id = isObject(grid) ? String(grid["id"]) : "";
    const text = JSON.stringify(resources).replaceAll("${loadform_provider.grid.id}", id);
    world.declare(JSON.parse(text) as Resources);
  };
  const refreshOnly = () => world.plan("-refresh-only");

  it("exits 0 after an apply, and 2 once somebody changed something", async () => {
    await declare(watched);
    expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
    // A tag has its id once a scenario carries it.
    expect(await world.told("apply", "-refresh-only", "-auto-approve")).toMatchObject({ code: 0, errors: [] });
    expect(await refreshOnly()).toMatchObject({ code: 0, errors: [], drift: {} });
    await world.send("PATCH", `/gateways/${world.id("loadform_gateway.api")}`, { name: "theirs" });
    expect(await refreshOnly()).toMatchObject({ code: 2, drift: { "loadform_gateway.api": "update" } });
  });
});

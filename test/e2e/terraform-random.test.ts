import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { check } from "../support/deep.ts";
import { randomProject } from "../support/random-project.ts";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { madeSince, objectsInState } from "../support/terraform/made-objects.ts";
import { toResources } from "../support/terraform/random-resources.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";

describe.skipIf(!hasTerraform)("random configurations", () => {
  const world = new HostedWorld();
  const fresh = world.service.snapshot();
  const made = madeSince(world.service);
  afterAll(() => world.close());

  it("are applied as planned, leave an empty plan, and are destroyed", async () => {
    await check(
      "Terraform: apply, plan, destroy",
      fc.asyncProperty(randomProject, async (wishes) => {
        world.state = undefined;
        await world.service.restore(fresh);
        world.declare(toResources(wishes));
        expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
        expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
        expect(made()).toEqual(objectsInState(world));
        expect(await world.destroy()).toMatchObject({ code: 0, errors: [] });
        expect(made()).toEqual([]);
      }),
      { few: 3, deep: 200 },
    );
  });
});

// merge: random configurations through the real Terraform
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { check } from "../support/deep.ts";
import { randomProject } from "../support/random-project.ts";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { madeSince, objectsInState } from "../support/terraform/made-objects.ts";
import { toResources } from "../support/terraform/random-resources.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import type { Resources } from "../support/terraform/terraform-project.ts";

/** What the messages of a refused delete lead to: the order of Terraform is another one with it. */
const keptInOrder = (resources: Resources): Resources =>
  Object.fromEntries(
    Object.entries(resources).map(([address, members]) => [
      address,
      address.startsWith("loadform_scenario.") ? { ...members, lifecycle: { create_before_destroy: true } } : members,
    ]),
  );

/** Names that no two resources share: one that was made earlier is in the way of another one of its name. */
const namedApart = (resources: Resources): Resources =>
  Object.fromEntries(
    Object.entries(resources).map(([address, members]) => [
      address,
      typeof members["name"] === "string" && !/_(?:tag|region)\./.test(address)
        ? { ...members, name: `${members["name"]} ${address.split(".")[1]}` }
        : members,
    ]),
  );

/** What no plan may let through: the resource that has it, what is written there, and what the error is about. */
const refusals = [
  ["test_case", { id: "77" }, "id is read-only"],
  ["test_case", { name: "a\nb" }, "the name cannot be read"],
  ["scenario", { test_case_id: "01" }, "test_case_id is no id"],
  ["scenario", { test_case_id: "9999" }, "test_case_id refers to nothing"],
  ["scenario", { script: "", script_type: "Code" }, "the script is empty"],
  ["data_store", { contents: null, contents_base64: "***" }, "contents_base64 is no base64"],
  ["configuration", { providers: [] }, "there are no providers"],
  ["configuration", { scenario_id: "9999" }, "scenario_id refers to nothing"],
  ["configuration", { providers: [{ provider_id: "9999" }] }, "provider_id refers to nothing"],
  ["configuration", { providers: [{ provider_id: "0", regions: ["us-east-1"] }] }, "there is no region us-east-1"],
  ["configuration", { providers: [{ provider_id: "0", regions: ["cloud-us-east-1,cloud-eu-west-1"] }] }, "a region is"],
  ["configuration", { triggers: [{ conditions: [], actions: [] }] }, "the trigger has no conditions"],
] as const satisfies readonly (readonly [string, JsonObject, string])[];

describe.skipIf(!hasTerraform)("random configurations", () => {
  const world = new HostedWorld();
  const fresh = world.service.snapshot();
  const made = madeSince(world.service);
  afterAll(() => world.close());

  const isApplied = async () => {
    expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
    await isSettled();
  };
  const isSettled = async () => {
    expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
    expect(made()).toEqual(objectsInState(world));
  };

  /** A removed scenario that is in use until its configuration has changed is the only refusal, and the way out is one. */
  const isAppliedAsToldTo = async (resources: Resources) => {
    world.declare(resources);
    const { code, errors } = await world.apply();
    if (code !== 0) {
      for (const error of errors) expect(error).toMatch(/^loadform_scenario is in use: .*terraform apply -target=/s);
      const users = Object.keys(resources).filter((address) => address.startsWith("loadform_configuration."));
      const targets = users.map((address) => `-target=${address}`);
      expect(await world.apply(...targets)).toMatchObject({ code: 0, errors: [] });
      await isApplied();
    } else await isSettled();
  };

  let refused = 0;

  /** One resource with what is refused: the plan says it, and nothing is sent. */
  const isRefused = async (resources: Resources, salt: number) => {
    const [type, broken, words] = refusals[salt % refusals.length]!;
    const address = Object.keys(resources).find((each) => each.startsWith(`loadform_${type}.`));
    if (address === undefined) return;
    refused += 1;
    world.declare({ ...resources, [address]: { ...resources[address], ...broken } });
    const { code, errors } = await world.plan();
    expect([code, errors]).toEqual([1, expect.arrayContaining([expect.stringContaining(words)])]);
    world.declare(resources);
  };

  it("are applied as planned, changed to others, leave empty plans, and are destroyed", async () => {
    refused = 0;
    const runs = await check(
      "Terraform: apply, plan, change, plan, destroy",
      fc.asyncProperty(randomProject, randomProject, fc.boolean(), fc.nat(), async (first, second, isOrdered, salt) => {
        const declared = (wishes: typeof first) => namedApart(toResources(wishes));
        world.state = undefined;
        await world.service.restore(fresh);
        await isRefused(declared(first), salt);
        world.declare(isOrdered ? keptInOrder(declared(first)) : declared(first));
        await isApplied();
        world.declare(isOrdered ? keptInOrder(declared(second)) : declared(second));
        if (isOrdered) await isApplied();
        else await isAppliedAsToldTo(declared(second));
        expect(await world.destroy()).toMatchObject({ code: 0, errors: [] });
        expect(made()).toEqual([]);
      }),
      { few: 12, deep: 200 },
    );
    expect(refused).toBeGreaterThan(runs / 4);
  });
});

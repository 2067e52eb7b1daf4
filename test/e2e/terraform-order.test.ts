// merge: what terraform/resource and real-terraform.test.ts show, in the order of a whole configuration.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Service, ServiceRequest } from "../../src/service/index.ts";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { madeSince, objectsInState } from "../support/terraform/made-objects.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import type { Resources } from "../support/terraform/terraform-project.ts";

const keepsOrder = { lifecycle: { create_before_destroy: true } };

const scenario = (name: string) => ({ test_case_id: "${loadform_test_case.shop.id}", name, script: "run()" });

const smoke = (scenarioId: string, providerId = "0", regions = ["cloud-us-east-1"]) => ({
  test_case_id: "${loadform_test_case.shop.id}",
  scenario_id: scenarioId,
  name: "Smoke",
  concurrent_clients: 1,
  duration_secs: 60,
  providers: [{ provider_id: providerId, regions }],
});

const shop: Resources = { "loadform_test_case.shop": { name: "Shop" }, "loadform_scenario.new": scenario("New") };

type Which = (request: ServiceRequest) => boolean;

/** A service that takes some requests only once it has refused another one because of a conflict. */
class LateService {
  #isHeld: Which = () => false;
  #refuse = (): void => undefined;
  #refused = Promise.resolve();

  hold(isHeld: Which): void {
    this.#isHeld = isHeld;
    this.#refused = new Promise((resolve) => {
      this.#refuse = resolve;
    });
  }

  readonly before = (service: Service): Service => ({
    ...service,
    handle: async (request) => {
      if (this.#isHeld(request)) await this.#refused;
      const answer = await service.handle(request);
      if (answer.status === 409) this.#refuse();
      return answer;
    },
  });
}

describe.skipIf(!hasTerraform)("what the service refuses while something else is as it was", () => {
  const late = new LateService();
  const world = new HostedWorld({ before: late.before });
  const fresh = world.service.snapshot();
  const made = madeSince(world.service);
  afterAll(() => world.close());
  beforeEach(async () => {
    late.hold(() => false);
    world.state = undefined;
    await world.service.restore(fresh);
  });

  const applied = async (resources: Resources) => {
    world.declare(resources);
    expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
  };
  const isSettled = async () => {
    expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
    expect(made()).toEqual(objectsInState(world));
  };

  const before = {
    ...shop,
    "loadform_scenario.old": scenario("Old"),
    "loadform_configuration.smoke": smoke("${loadform_scenario.old.id}"),
  };
  const after = { ...shop, "loadform_configuration.smoke": smoke("${loadform_scenario.new.id}") };

  it("a scenario that is removed as its configuration gets another: the error says how, and so it works", async () => {
    await applied(before);
    world.declare(after);
    const { code, errors } = await world.apply();
    expect(code).toBe(1);
    expect(errors.join()).toContain("terraform apply -target=<address of what uses it>");
    expect(await world.apply("-target=loadform_configuration.smoke")).toMatchObject({ code: 0, errors: [] });
    expect(await world.apply()).toMatchObject({ code: 0, actions: { "loadform_scenario.old": "delete" } });
    await isSettled();
  });

  it("the same with create_before_destroy, even added later on: one apply", async () => {
    await applied(before);
    await applied({ ...before, "loadform_scenario.old": { ...scenario("Old"), ...keepsOrder } });
    await applied(after);
    await isSettled();
  });

  it("a provider that is replaced while a configuration runs on it: the errors lead to create_before_destroy and a new name", async () => {
    const cloud = { provider_type: "CloudOnDemand", cloud_access_key_id: "access", cloud_secret_access_key: "secret" };
    const running = {
      ...shop,
      "loadform_configuration.smoke": smoke("${loadform_scenario.new.id}", "${loadform_provider.grid.id}", []),
    };
    const replaced = (members: object) => ({ ...running, "loadform_provider.grid": { name: "grid", ...members } });
    await applied(replaced({ provider_type: "Shared" }));
    world.declare(replaced(cloud));
    expect((await world.apply()).errors.join()).toContain("create_before_destroy = true");
    world.declare(replaced({ ...cloud, ...keepsOrder }));
    expect((await world.apply()).errors.join()).toContain("write another name; after that apply it can be changed");
    await applied(replaced({ ...cloud, ...keepsOrder, name: "cloud" }));
    await isSettled();
    await applied(replaced({ ...cloud, ...keepsOrder }));
    await isSettled();
  });

  it("a scenario that a configuration names by its id alone: the delete waits for the change beside it", async () => {
    const { [`loadform_configuration.smoke`]: _, ...scenarios } = before;
    await applied(scenarios);
    const named = (key: string) => ({
      "loadform_configuration.smoke": smoke(String(world.id(`loadform_scenario.${key}`))),
    });
    const newest = named("new");
    await applied({ ...scenarios, ...named("old") });
    late.hold(({ method, path }) => method === "PUT" && path.startsWith("/test-confs/"));
    await applied({ ...shop, ...newest });
    await isSettled();
  });

  it("a name that another resource is about to give up: the rename waits for that", async () => {
    const named = (a: string, b: string) => ({
      "loadform_test_case.a": { name: a },
      "loadform_test_case.b": { name: b },
    });
    await applied(named("Shop", "Other"));
    const id = world.id("loadform_test_case.a");
    late.hold(({ method, path }) => method === "PUT" && path === `/test-cases/${id}`);
    await applied(named("Store", "Shop"));
    await isSettled();
  });

  it("names that are swapped and passed around: a temporary one makes room, under the same ids", async () => {
    const named = (...names: string[]): Resources =>
      Object.fromEntries(names.map((name, index) => [`loadform_test_case.c${index}`, { name }]));
    await applied(named("A", "B", "C", "D", "E"));
    const id = world.id("loadform_test_case.c0");
    await applied(named("B", "A", "D", "E", "C"));
    expect(world.id("loadform_test_case.c0")).toBe(id);
    await isSettled();
  });
});

// merge: the provider's guarantees through the real Terraform and its process
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/service/index.ts";
import { isDeep, seed } from "../support/deep.ts";
import { type HostileService, hostileService } from "../support/hostile/hostile-service.ts";
import { allSenseless } from "../support/hostile/senseless.ts";
import { HostedWorld } from "../support/terraform/hosted-world.ts";
import { madeSince, objectsInState } from "../support/terraform/made-objects.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { changedResources, declaredResources, lives } from "../support/terraform/ten-lives.ts";
import type { Resources } from "../support/terraform/terraform-project.ts";

const entries = Object.entries(lives);
const updated = Object.fromEntries(entries.map(([address, { update, rename }]) => [address, { ...update, ...rename }]));
const replaced = Object.fromEntries(entries.map(([address, { replace }]) => [address, replace?.members ?? {}]));

/** What is declared when the answer comes; all but the first start from what was declared first. */
const steps: Readonly<Record<string, Resources>> = {
  create: declaredResources,
  update: changedResources(updated),
  replace: changedResources(replaced),
  destroy: {},
};

/** From which request of an apply on the first write is answered so: a few in `npm test`, else many. */
const moments = Array.from({ length: Number(process.env.LOADFORM_RUNS ?? (isDeep ? 14 : 1)) }, (_, at) => 3 * at);

const cases = allSenseless.flatMap((which, round) =>
  Object.entries(steps)
    .filter((_, index) => isDeep || index === round % 4)
    .flatMap(([step, resources]) =>
      moments.map((at) => ({ which, step, resources, at: (at + 7 * round + seed) % 42 })),
    ),
);

describe.skipIf(!hasTerraform)("a senseless answer to a write", () => {
  let hostile: HostileService;
  let settled: { readonly state: string; readonly snapshot: Snapshot };
  const world = new HostedWorld({
    before: (service) => {
      hostile = hostileService(service, async () => undefined);
      return hostile.service;
    },
  });
  const fresh = world.service.snapshot();
  const made = madeSince(world.service);

  beforeAll(async () => {
    world.declare(declaredResources);
    expect(await world.apply()).toMatchObject({ code: 0 });
    settled = { state: world.state ?? "", snapshot: world.service.snapshot() };
  });
  afterAll(() => world.close());

  it.each(cases)(
    "$which, at request $at of a $step: the next apply ends with an empty plan and no orphan",
    async (each) => {
      world.state = each.step === "create" ? undefined : settled.state;
      await world.service.restore(each.step === "create" ? fresh : settled.snapshot);
      world.declare(each.resources);
      hostile.arm([{ is: "senseless", which: each.which, at: each.at, times: 1 }]);
      await world.apply();
      await hostile.disarm();
      expect(await world.apply()).toMatchObject({ code: 0, errors: [] });
      expect(await world.plan()).toMatchObject({ code: 0, actions: {}, errors: [] });
      expect(made()).toEqual(objectsInState(world));
    },
  );
});

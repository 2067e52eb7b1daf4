import { expect, test } from "vitest";
import type { ApplyEvent } from "../../src/apply/events.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

const gateway: Wish = { kind: "gateway", key: "g", fields: { name: "g", url: "https://g.test" }, below: [] };
const shop = (...below: readonly Wish[]) => toTree([{ kind: "testCase", key: "t", fields: { name: "t" }, below }]);

test("a create whose answer and whose look were lost remains unresolved, and is bound by the next run", async () => {
  const rig = makeRig({ outlives: true });
  await rig.apply(shop());
  let isCut = false;
  const onEvent = async ({ type }: ApplyEvent) => {
    if (isCut || type !== "apply_start") return;
    isCut = true;
    await rig.setFaults([
      { method: "POST", path: "/test-cases/:testCaseId/gateways", drop: "after" },
      { method: "GET", path: "/orgs/:orgId/test-cases", status: 500 },
    ]);
  };
  const { status } = await rig.apply(shop(gateway), { onEvent });
  expect([isCut, status]).toEqual([true, "partial"]);
  expect((await rig.stored())?.intents).toMatchObject([{ address: "testCase.t/gateway.g" }]);
  await rig.setFaults([]);
  expect((await rig.apply(shop(gateway))).status).toBe("nothing");
  expect((await rig.stored())?.intents).toEqual([]);
  expect(await serviceBodies(rig)).toEqual(["gateway", "testCase"]);
});

test("a region that is activated again has nothing of what was declared before", async () => {
  const rig = makeRig();
  const grid: Wish = { kind: "provider", key: "g", fields: { name: "g", providerType: "Shared" }, below: [] };
  const region = (description: string | null): Wish => {
    return { kind: "region", key: "r", fields: { name: "r", provider: { ref: "provider.g" }, description }, below: [] };
  };
  for (const wishes of [[grid, region("rack 4")], [grid], [grid, region(null)]])
    expect((await rig.apply(toTree(wishes))).status).toBe("applied");
  expect((await rig.plan(toTree([grid, region(null)]))).plan?.operations).toEqual([]);
});

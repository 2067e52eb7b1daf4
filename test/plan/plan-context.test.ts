import { expect, test } from "vitest";
import { scenario, shop } from "../support/one-test-case.ts";
import { toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const moved = [{ from: "testCase.t", to: "testCase.checkout" }];
const checkout = toTree([{ kind: "testCase", key: "checkout", fields: { name: "t" }, below: [scenario("s")] }]);

test.each(["testCase.t/scenario.old", "testCase.t/scenario.ol*", "testCase.checkout/scenario.old"])(
  "an object that is removed as %s is forgotten, also where its parent moves",
  async (address) => {
    const rig = makeRig();
    await rig.apply(shop([scenario("s"), scenario("old")]));
    const { plan } = await rig.apply(checkout, { moved, removed: [{ address, destroy: false }] });
    expect(plan?.plan?.summary).toMatchObject({ delete: 0, forget: 1 });
    const [live] = await rig.outside.call("GET /test-cases", { query: { down: true } });
    expect(live?.scenarios?.map(({ name }) => name).sort()).toEqual(["old", "s"]);
    expect((await rig.plan(checkout, { moved })).plan?.changes).toEqual([]);
  },
);

test.each([
  ["former", "testCase.t/scenario.old"],
  ["new", "testCase.checkout/scenario.old"],
])("nor does what is said to be removed under its %s address, where its parent moves", async (_, address) => {
  const rig = makeRig();
  await rig.apply(shop([scenario("s"), scenario("old", "same")]));
  const below = [scenario("s"), scenario("fresh", "same")];
  const tree = toTree([{ kind: "testCase", key: "checkout", fields: { name: "t" }, below }]);
  const { plan } = await rig.plan(tree, { moved, removed: [{ address, destroy: true }] });
  expect(plan?.summary).toMatchObject({ create: 1, delete: 1 });
});

test.each([true, false])(
  "what is said to be removed (destroy: %s) does not become a new key that is equal",
  async (destroy) => {
    const rig = makeRig();
    await rig.apply(shop([scenario("s", "x")]));
    const renamed = shop([scenario("other", "x")]);
    const { plan } = await rig.plan(renamed, { removed: [{ address: "testCase.t/scenario.s", destroy }] });
    const done = plan?.changes.map(({ action, address }) => `${action} ${address}`);
    expect(done).toEqual([
      "create testCase.t/scenario.other",
      `${destroy ? "delete" : "forget"} testCase.t/scenario.s`,
    ]);
    expect((await rig.plan(renamed)).plan?.summary).toMatchObject({ move: 1, delete: 0 });
  },
);

test("what is said to be removed is not told to be a likely rename", async () => {
  const rig = makeRig();
  await rig.apply(shop([scenario("s", "x")]));
  const other = { ...scenario("s", "y"), key: "other" };
  const codes = async (removed: readonly { readonly address: string; readonly destroy: boolean }[]) =>
    (await rig.plan(shop([other]), { removed })).diagnostics.map(({ code }) => code);
  expect(await codes([])).toEqual(["LF3018"]);
  expect(await codes([{ address: "testCase.t/scenario.s", destroy: true }])).toEqual([]);
});

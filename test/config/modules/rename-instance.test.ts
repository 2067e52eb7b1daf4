import { describe, expect, test } from "vitest";
import type { Project } from "../../../src/config/load-project.ts";
import { codesOf, loadFiles } from "../../support/load-files.ts";
import { movesIn } from "../../support/reshaped.ts";
import { makeRig, type Rig } from "../../support/rig.ts";

const module = `parameters:
  path: { required: true }
testCases:
  main:
    scenarios: { call: { script: "get('\${param:path}')" } }
    configurations:
      load: { scenario: main/call, durationSecs: 60, concurrentClients: 5, providers: [{ provider: { id: 0 } }] }
`;

/** A project with an instance for each key, of the path that is given; a module's text may be another one. */
async function withInstances(paths: Readonly<Record<string, string>>, more = "", text = module): Promise<Project> {
  const uses = Object.entries(paths).map(([key, path]) => `  ${key}: { module: api.yaml, with: { path: ${path} } }\n`);
  const project = await loadFiles(`${more}use:\n${uses.join("")}`, { files: { "api.yaml": text } });
  expect(codesOf(project)).toEqual([]);
  return project;
}

const addressesOf = async (rig: Rig) => Object.keys((await rig.stored())?.state.resources ?? {});

const idsOf = async (rig: Rig) =>
  Object.fromEntries(
    Object.entries((await rig.stored())?.state.resources ?? {}).map(([address, { id }]) => [address, id]),
  );

async function applied(paths: Readonly<Record<string, string>>, text = module): Promise<Rig> {
  const rig = makeRig();
  const outcome = await rig.apply((await withInstances(paths, "", text)).tree);
  expect(outcome.status).toBe("applied");
  rig.takeWrites();
  return rig;
}

describe("a renamed instance", () => {
  test("moves with everything below it: only the test case's name is written, ids remain", async () => {
    const rig = await applied({ orders: "/orders", search: "/search" });
    const before = await idsOf(rig);
    const { tree } = await withInstances({ sales: "/orders", search: "/search" });
    const { plan } = await rig.plan(tree);
    expect(plan?.summary).toMatchObject({ move: 3, create: 0, delete: 0 });
    expect((await rig.apply(tree)).status).toBe("applied");
    expect(rig.takeWrites()).toBe(1);
    expect(await idsOf(rig)).toEqual(
      Object.fromEntries(Object.entries(before).map(([address, id]) => [address.replace("orders-", "sales-"), id])),
    );
    expect((await rig.plan(tree)).plan?.changes).toEqual([]);
  });

  test("beside another one of equal content stops the plan with the moves to write, and they are enough", async () => {
    const rig = await applied({ a: "/same", b: "/same" });
    const before = await idsOf(rig);
    const renamed = await withInstances({ c: "/same", d: "/same" });
    const { diagnostics } = await rig.plan(renamed.tree);
    expect(diagnostics).toMatchObject([{ code: "LF3011", severity: "error" }]);
    const moves = movesIn(diagnostics[0]?.detail ?? "");
    expect(moves).toEqual([
      { from: "testCase.a-main", to: "testCase.c-main" },
      { from: "testCase.b-main", to: "testCase.d-main" },
    ]);
    const lines = moves.map(({ from, to }) => `  - { from: ${from}, to: ${to} }\n`);
    const { tree, moved } = await withInstances({ c: "/same", d: "/same" }, `moved:\n${lines.join("")}`);
    expect((await rig.apply(tree, { moved })).status).toBe("applied");
    expect(Object.values(await idsOf(rig))).toEqual(Object.values(before));
    expect(await addressesOf(rig)).toContain("testCase.d-main/configuration.load");
  });

  test("whose content names it is deleted and created anew without a moved entry, and moves with one", async () => {
    const named = module.replace("get('", "get('/$" + "{each:key}");
    const rig = await applied({ orders: "/x" }, named);
    const before = await idsOf(rig);
    const { tree } = await withInstances({ sales: "/x" }, "", named);
    expect((await rig.plan(tree)).plan?.summary).toMatchObject({ move: 0, create: 3, delete: 3 });
    const entry = "moved: [{ from: testCase.orders-main, to: testCase.sales-main }]\n";
    const declared = await withInstances({ sales: "/x" }, entry, named);
    const { plan } = await rig.apply(declared.tree, { moved: declared.moved });
    expect(plan?.plan?.summary).toMatchObject({ move: 3, create: 0, delete: 0 });
    expect(Object.values(await idsOf(rig))).toEqual(Object.values(before));
  });
});

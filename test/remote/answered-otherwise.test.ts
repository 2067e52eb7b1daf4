import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import { UnresolvedAnswer } from "../../src/model/service-error.ts";
import { findNamesake, hasTakenOver, readAnswered, refuseFormer } from "../../src/remote/answered-otherwise.ts";
import { makeBench } from "../support/remote-bench.ts";

async function makeShop() {
  const bench = makeBench();
  const wire = await bench.create("testCase", { name: "Shop" });
  return { ...bench, wire, kind: bench.kindOf("testCase") };
}

test("an id that nothing had before is believed without a look", async () => {
  const { scope, kind, wire, rig } = await makeShop();
  const before = rig.service.requests.length;
  await refuseFormer(scope, kind, { wire, before: [] });
  expect(rig.service.requests.length).toBe(before);
});

test("an answer about the very object that was there before is refused", async () => {
  const { scope, kind, wire } = await makeShop();
  const refused = refuseFormer(scope, kind, { wire, before: [String(wire["createdAt"])] });
  await expect(refused).rejects.toBeInstanceOf(UnresolvedAnswer);
});

test("an id that was given again is believed once its own GET shows the new object, and refused otherwise", async () => {
  const { scope, kind, wire } = await makeShop();
  const before = ["2020-01-01T00:00:00.000Z"];
  await refuseFormer(scope, kind, { wire, before });
  const stale = { ...wire, createdAt: "2021-01-01T00:00:00.000Z" };
  await expect(refuseFormer(scope, kind, { wire: stale, before })).rejects.toThrow("was there before");
  const other = { ...wire, id: wire.id + 1 };
  await expect(refuseFormer(scope, kind, { wire: other, before })).rejects.toThrow("was there before");
});

test("a look that fails leaves the create unresolved", async () => {
  const { scope, kind, wire, rig } = await makeShop();
  await rig.setFaults([{ method: "GET", path: "/test-cases/:testCaseId", status: 400 }]);
  await expect(readAnswered(scope, kind, wire)).rejects.toBeInstanceOf(UnresolvedAnswer);
});

describe("the answer to an upsert", () => {
  const nobody = { kinds, isOurs: () => false };
  const wire = (createdAt: string, updatedAt: string) => ({ id: 7, createdAt, updatedAt, name: "Shop" });
  const noon = "2026-11-20T12:00:00.000Z";

  test.each([
    ["created by it", noon, 0, false],
    ["created by it, by a slow one", "2026-11-20T12:00:02.000Z", 2_500, false],
    ["created before it was sent", "2026-11-20T12:00:02.000Z", 1_000, true],
    ["of which two stamps of one write differ", "2026-11-20T12:00:00.020Z", 0, false],
    ["of which the stamps differ by more", "2026-11-20T12:00:00.021Z", 0, true],
  ])("about an object %s", (_, updatedAt, elapsedMs, expected) => {
    const { kindOf } = makeBench();
    expect(hasTakenOver(kindOf("testCase"), { wire: wire(noon, updatedAt), elapsedMs, ...nobody })).toBe(expected);
  });

  test("is about somebody else's object when anything is below it that this run did not create", () => {
    const { kindOf } = makeBench();
    const full = { ...wire(noon, noon), scenarios: [{ id: 3 }] };
    const judge = (isOurs: (handle: string) => boolean) =>
      hasTakenOver(kindOf("testCase"), { wire: full, elapsedMs: 0, kinds, isOurs });
    expect([judge(() => false), judge((handle) => handle === "scenario#3")]).toEqual([true, false]);
  });
});

describe("the object that an upsert would update", () => {
  test("is found by its name", async () => {
    const { scope, kindOf, create } = makeBench();
    const { id } = await create("testCase", { name: "Shop" });
    expect(await findNamesake(scope, kindOf("testCase"), { body: { name: "Shop" } })).toMatchObject({ id });
    expect(await findNamesake(scope, kindOf("testCase"), { body: { name: "Other" } })).toBeUndefined();
  });

  test("is not looked for where a create never updates", async () => {
    const { scope, kindOf, create, rig } = makeBench();
    const { id } = await create("testCase", { name: "Shop" });
    await create("gateway", { name: "g", url: "https://g.test" }, { parentId: id });
    const before = rig.service.requests.length;
    expect(await findNamesake(scope, kindOf("gateway"), { body: { name: "g" }, parentId: id })).toBeUndefined();
    expect(rig.service.requests.length).toBe(before);
  });
});

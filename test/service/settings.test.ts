import { describe, expect, it } from "vitest";
import { createService, type Settings, WrongSettings } from "../../src/service/index.ts";
import { browse, flat, makeShop } from "./support/rig.ts";

const shop = (settings: Partial<Settings>) => makeShop({ settings });
const files = async (rig: Awaited<ReturnType<typeof shop>>) => (await rig.ok("GET", "/scripts/1/data-stores")).files;

describe("settings", () => {
  it("nested: summary leaves texts and data stores of scenarios out of lists", async () => {
    const rig = await shop({ nested: "summary" });
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: "YQ==" });
    const [tree] = await rig.ok("GET", "/test-cases?down=true");
    expect(tree.scenarios[0]).not.toHaveProperty("main");
    expect(tree.scenarios[0]).not.toHaveProperty("dataStores");
    expect(tree.dataStores).toMatchObject([{ script: { id: 1 } }]);
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({ main: browse });
  });

  it("touch: parent moves updatedAt of all parents", async () => {
    const rig = await shop({ touch: "parent" });
    await rig.service.advance(1000);
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: "YQ==" });
    for (const path of ["/scripts/1", "/test-cases/1"])
      expect(await rig.ok("GET", path)).toMatchObject({ updatedAt: "2026-11-20T10:07:31.000Z" });
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ updatedAt: "2026-11-20T10:07:30.000Z" });
  });

  it("put: replace puts what is omitted back to its default, but what cannot be missing", async () => {
    const rig = await shop({ put: "replace" });
    await rig.ok("PUT", "/test-confs/1", { rampupSecs: 5, scriptParams: '{"a":1}' });
    expect(await rig.ok("PUT", "/test-confs/1", { concurrentClients: 7 })).toMatchObject({
      name: "Smoke",
      concurrentClients: 7,
      durationSecs: 60,
      rampupSecs: 60,
      scriptParams: "{}",
    });
    expect(await rig.ok("PUT", "/scripts/1", { init: "i" })).toMatchObject({ name: "Browse", main: browse, tags: [] });
  });

  it("scheduleIds: new gives every schedule of a PUT a new id", async () => {
    const rig = await shop({ scheduleIds: "new" });
    const daily = { scheduleType: "Recurring", recurringInterval: "Day" };
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily] });
    expect((await rig.ok("PUT", "/test-confs/1", { schedules: [{ ...daily, id: 1 }] })).schedules).toMatchObject([
      { id: 2 },
    ]);
  });

  it("inUse: allow deletes what a configuration uses", async () => {
    const rig = await shop({ inUse: "allow" });
    expect(await rig.ok("DELETE", "/scripts/1")).toMatchObject({ id: 1 });
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ script: null });
    expect(await rig.ok("PUT", "/test-confs/1", { name: "Still" })).toMatchObject({ name: "Still", script: null });
  });

  it("ids: reuse gives the smallest free id", async () => {
    const rig = await shop({ ids: "reuse" });
    await rig.ok("POST", "/test-cases", { name: "Two", org: 1 });
    await rig.ok("DELETE", "/test-cases/1");
    expect(await rig.ok("POST", "/test-cases", { name: "Three", org: 1 })).toMatchObject({ id: 1 });
    expect((await rig.ok("GET", "/test-cases")).map((each: { id: number }) => each.id)).toEqual([1, 2]);
  });

  it("cascade: refuse is 409 while anything lies below", async () => {
    const rig = await shop({ cascade: "refuse" });
    expect((await rig.call("DELETE", "/test-cases/1")).status).toBe(409);
    for (const path of ["/test-confs/1", "/scripts/1", "/gateways/1", "/test-cases/1"]) await rig.ok("DELETE", path);
  });

  it("names: unique refuses a sibling's name", async () => {
    const rig = await shop({ names: "unique" });
    expect((await rig.call("POST", "/test-cases/1/confs", flat)).status).toBe(409);
    expect((await rig.call("POST", "/test-cases/1/scripts", { name: "Browse", main: "x" })).status).toBe(409);
    expect((await rig.call("POST", "/test-cases/1/gateways", { name: "Shop", url: "http://a.test" })).status).toBe(409);
    expect(await rig.ok("PUT", "/test-confs/1", { name: "Smoke" })).toMatchObject({ name: "Smoke" });
    const shared = await shop({});
    expect(await shared.ok("POST", "/test-cases/1/confs", flat)).toMatchObject({ id: 2 });
  });

  it("errors: plain answers text", async () => {
    const rig = await shop({ errors: "plain" });
    const answer = await rig.service.handle({ method: "GET", path: "/test-cases/9?key=local" });
    expect(answer).toMatchObject({
      status: 404,
      json: undefined,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
    expect(answer.body()).toContain("found no testCase 9");
  });

  it("contents: duplicate makes a second file of the name", async () => {
    const rig = await shop({ contents: "duplicate" });
    for (let index = 0; index < 2; index++)
      await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: "YQ==" });
    expect(await files(rig)).toHaveLength(2);
  });

  it("nameCase: fold takes names that differ in case as the same", async () => {
    const rig = await shop({ nameCase: "fold" });
    expect(await rig.ok("POST", "/test-cases", { name: "CHECKOUT", org: 1 })).toMatchObject({
      id: 1,
      name: "Checkout",
    });
    await rig.ok("POST", "/test-cases", { name: "Other", org: 1 });
    expect((await rig.call("PUT", "/test-cases/2", { name: "checkOut" })).status).toBe(409);
  });

  it("pageSize ends lists", async () => {
    const rig = await shop({ pageSize: 1 });
    await rig.ok("POST", "/test-cases", { name: "Other", org: 1 });
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(1);
    expect((await rig.call("HEAD", "/test-cases/2")).status).toBe(200);
  });

  it("upsert: clear takes an omitted description away", async () => {
    const rig = await shop({ upsert: "clear" });
    await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1, description: "d" });
    expect(await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1 })).toMatchObject({ description: null });
  });

  it("are refused when unknown, by name or value", () => {
    expect(() => createService({ settings: { colour: "red" } })).toThrow(
      /found setting "colour"; expected one of nested, touch/,
    );
    expect(() => createService({ apiKey: " " })).toThrow(/empty apiKey/);
    for (const apiKey of [" a b ", "ключ"]) expect(() => createService({ apiKey })).toThrow(/no header can carry/);
    expect(() => createService({ clock: "stopped" as never })).toThrow(/found clock stopped; expected real or frozen/);
    expect(() => createService({ clock: { mode: "x" as never } })).toThrow(/found clock x/);
    expect(() => createService({ settings: { put: "patch" as never } })).toThrow(
      /found put: "patch"; expected merge or replace/,
    );
    expect(() => createService({ settings: { pageSize: "5" as never } })).toThrow(
      'found pageSize: "5"; expected a whole number, at least 0',
    );
    expect(() => createService({ settings: { accountMaximum: -1 } })).toThrow(/at least 1$/);
  });

  it("are refused with all that is wrong, by name", () => {
    const wrong = { authHeader: "", engine: ["model"], colour: 1 } as never;
    const thrown = (() => {
      try {
        return createService({ settings: wrong });
      } catch (error) {
        return error as WrongSettings;
      }
    })() as WrongSettings;
    expect(thrown).toBeInstanceOf(WrongSettings);
    expect([...thrown.problems.keys()]).toEqual(["authHeader", "engine", "colour"]);
  });
});

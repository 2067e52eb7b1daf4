import { describe, expect, it } from "vitest";
import { accepted, daily, refused, trigger } from "../support/configuration-cases.ts";
import { fieldsOf, flat, grid, makeShop, type Way } from "../support/rig.ts";

describe.each<Way>(["in process", "over HTTP"])("configurations %s", (way) => {
  it("refuses, with the field, whatever a rule refuses", async () => {
    const rig = await makeShop({ way });
    for (const { rule, body, fields } of refused) {
      const answer = await rig.call("POST", "/test-cases/1/confs", body);
      expect(answer.status, rule).toBe(400);
      expect(fieldsOf(answer), rule).toEqual(fields);
      expect(answer.body.code, rule).toBe("INVALID");
    }
    expect(await rig.ok("GET", "/test-cases/1/confs")).toHaveLength(1);
    await rig.close();
  });

  it.each(accepted)("accepts $rule", async ({ body, answer }) => {
    const rig = await makeShop({ way });
    const made = await rig.ok("POST", "/test-cases/1/confs", body);
    expect(made).toMatchObject(answer);
    expect(await rig.ok("GET", `/test-confs/${made.id}`)).toEqual(made);
    await rig.close();
  });
});

describe("configurations", () => {
  it("report all invalid fields at once, of type and of sense", async () => {
    const rig = await makeShop();
    const answer = await rig.call("POST", "/test-cases/1/confs", {
      name: 7,
      scriptId: 9,
      concurrentClients: "x",
      providers: [{}],
    });
    expect([...fieldsOf(answer)].sort()).toEqual([
      "concurrentClients",
      "durationSecs",
      "name",
      "providers[0].providerId",
      "scriptId",
    ]);
  });

  it("pass every key of a runner's params through", async () => {
    const rig = await makeShop();
    const providers = JSON.parse('[{"providerId":0,"params":{"regions":"1","__proto__":"p","toString":"s"}}]');
    const made = await rig.ok("PUT", "/test-confs/1", { providers });
    expect(Object.entries(made.providers[0].params)).toEqual(Object.entries(providers[0].params));
  });

  it("merge on PUT: omitted keeps, null clears to the default", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { rampupSecs: 5, iterationSleepSecs: 3, scriptParams: '{"a":1}' });
    expect(await rig.ok("PUT", "/test-confs/1", { rampupSecs: null, scriptParams: null })).toMatchObject({
      rampupSecs: 60,
      iterationSleepSecs: 3,
      scriptParams: "{}",
      concurrentClients: 20,
    });
    const answer = await rig.call("PUT", "/test-confs/1", { name: null, scriptId: null, providers: null });
    expect(fieldsOf(answer)).toEqual(["name", "scriptId", "providers"]);
  });

  it("answer PATCH like PUT", async () => {
    const rig = await makeShop();
    expect(await rig.ok("PATCH", "/test-confs/1", { name: "Renamed" })).toMatchObject({
      name: "Renamed",
      durationSecs: 60,
    });
  });

  it("drop the other basis when one is written", async () => {
    const rig = await makeShop();
    const changed = await rig.ok("PUT", "/test-confs/1", { iterations: 4 });
    expect(changed).toMatchObject({ iterations: 4 });
    expect(changed).not.toHaveProperty("durationSecs");
  });

  it("drop what is foreign to a new profile, and report what was sent of it", async () => {
    const rig = await makeShop();
    const changed = await rig.ok("PUT", "/test-confs/1", {
      profileType: "Step",
      startConcurrentClients: 2,
      step: 2,
      rampupSecs: 9,
    });
    expect(changed).not.toHaveProperty("rampupSecs");
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual(["rampupSecs"]);
    const back = await rig.ok("PUT", "/test-confs/1", {
      profileType: "Flat",
      startConcurrentClients: null,
      step: null,
    });
    expect(back).toMatchObject({ rampupSecs: 60 });
    expect(back).not.toHaveProperty("step");
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual([]);
  });

  it("keep ids of triggers sent with them, and give new ones to others", async () => {
    const rig = await makeShop();
    const [first] = (await rig.ok("PUT", "/test-confs/1", { triggers: [trigger] })).triggers;
    const { triggers } = await rig.ok("PUT", "/test-confs/1", { triggers: [trigger, first] });
    expect(triggers.map((each: { id: number }) => each.id)).toEqual([2, 1]);
    expect(triggers[1]).toEqual(first);
  });

  it("change nothing when refused", async () => {
    const rig = await makeShop();
    const before = JSON.stringify(rig.service.snapshot());
    expect((await rig.call("PUT", "/test-confs/1", { name: "New", durationSecs: 0, triggers: [trigger] })).status).toBe(
      400,
    );
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
  });

  it("move updatedAt of the object, never of its parent", async () => {
    const rig = await makeShop();
    await rig.service.advance(1000);
    expect(await rig.ok("PUT", "/test-confs/1", { name: "Later" })).toMatchObject({
      updatedAt: "2026-11-20T10:07:31.000Z",
      firstVersion: false,
    });
    expect(await rig.ok("GET", "/test-cases/1?down=false")).toMatchObject({ updatedAt: "2026-11-20T10:07:30.000Z" });
  });

  it("mask encrypted parameters, and keep them when null is written", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", {
      paramsConfig: [
        { name: "token", encrypted: true, defaultValue: "canary-1" },
        { name: "url", defaultValue: "u" },
      ],
    });
    const made = await rig.ok("PUT", "/test-confs/1", { scriptParams: '{"token":"canary-2","url":"x"}' });
    expect(JSON.parse(made.scriptParams)).toEqual({ token: null, url: "x" });
    const digest = () => rig.service.snapshot().tables["configuration"]?.[0];
    const { secrets } = digest() as { secrets: object };
    await rig.ok("PUT", "/test-confs/1", { scriptParams: '{"token":null,"url":"y"}' });
    expect(digest()).toMatchObject({ secrets });
    expect(Object.keys(secrets)).toEqual(["token"]);
    expect(JSON.stringify([rig.service.snapshot(), rig.service.requests])).not.toMatch(/canary/);
  });

  it("publish one share link, changed by sharing again", async () => {
    const rig = await makeShop();
    const link = await rig.ok("POST", "/test-confs/1/share", { dashboardId: 3, tz: "Europe/Berlin" });
    expect(link).toMatchObject({
      targetType: "GetLatestExecution",
      targetId: 1,
      active: true,
      organization: { id: 1 },
    });
    expect(JSON.parse(link.description)).toEqual({ dashboardId: 3, tz: "Europe/Berlin" });
    expect(await rig.ok("POST", "/test-confs/1/share")).toMatchObject({ id: link.id, name: link.name });
    expect(fieldsOf(await rig.call("POST", "/test-confs/1/share", { tz: "Mars/Base" }))).toEqual(["tz"]);
    expect((await rig.ok("GET", "/test-confs/1?down=true")).tokens).toHaveLength(1);
  });

  it("delete with schedules, executions and share link", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily] });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.ok("POST", "/test-confs/1/share");
    expect(await rig.ok("DELETE", "/test-confs/1")).toMatchObject({ id: 1, schedules: [{ hour: 2 }] });
    expect(Object.keys(rig.service.snapshot().tables)).not.toContain("schedule");
    expect((await rig.call("GET", "/executions/1")).status).toBe(404);
    expect((await rig.call("HEAD", "/test-confs/1")).status).toBe(404);
  });

  it("may run a scenario of another test case of the organization", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Other", org: 1 });
    expect(await rig.ok("POST", "/test-cases/2/confs", { ...flat, providers: grid })).toMatchObject({
      script: { id: 1 },
    });
  });
});

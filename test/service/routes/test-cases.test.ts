import { describe, expect, it } from "vitest";
import { browse, fieldsOf, flat, makeRig, makeShop, start } from "../support/rig.ts";

describe("test cases", () => {
  it("are created with their organization, and updated when the name exists", async () => {
    const rig = await makeRig();
    const made = await rig.ok("POST", "/test-cases", { name: " Checkout ", org: 1, description: "**x**" });
    expect(made).toMatchObject({
      id: 1,
      name: "Checkout",
      active: true,
      description: "**x**",
      organization: { id: 1, name: "Default" },
    });
    expect(await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1 })).toMatchObject({
      id: 1,
      description: "**x**",
    });
    expect(await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1, description: null })).toMatchObject({
      id: 1,
      description: null,
    });
    expect(await rig.ok("POST", "/test-cases", { name: "checkout", org: 1 })).toMatchObject({ id: 2 });
  });

  it.each([
    [{ org: 1 }, ["name"]],
    [{ name: "A" }, ["org"]],
    [{ name: "A", org: 9 }, ["org"]],
    [{ name: "", org: "1" }, ["org", "name"]],
    [{ name: "A", org: 1, description: 5 }, ["description"]],
  ])("are refused with %j", async (body, fields) => {
    const rig = await makeRig();
    const answer = await rig.call("POST", "/test-cases", body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
  });

  it("are renamed, unless the name is taken: 409", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Other", org: 1 });
    expect((await rig.call("PUT", "/test-cases/1", { name: "Other" })).status).toBe(409);
    expect(await rig.ok("PUT", "/test-cases/1", { name: "Checkout" })).toMatchObject({ name: "Checkout" });
    expect(await rig.ok("PUT", "/test-cases/1", { name: "New" })).toMatchObject({ id: 1, name: "New" });
  });

  it("nest everything with down, executions only with deep", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", {
      name: "users.csv",
      contents: Buffer.from("a,b\n1,2\n").toString("base64"),
    });
    await rig.ok("POST", "/test-confs/1/executions");
    const [tree] = await rig.ok("GET", "/orgs/1/test-cases?down=true");
    expect(tree).toMatchObject({
      gateways: [{ keys: [{ url: "https://shop.test", isPrimary: true }] }],
      configurations: [
        { providers: [{ provider: { id: 0 } }], triggers: [], schedules: [], script: { id: 1, name: "Browse" } },
      ],
      scenarios: [
        { main: browse, init: null, tags: ["nightly"], paramsConfig: [], dataStores: [{ name: "users.csv" }] },
      ],
      dataStores: [{ name: "users.csv", headers: "a,b", numRows: 1, script: { id: 1, name: "Browse" } }],
      metricDefs: [],
    });
    expect(tree).not.toHaveProperty("organization");
    expect(tree.configurations[0]).not.toHaveProperty("executions");
    const [deep] = await rig.ok("GET", "/test-cases?down=true&deep=true&up=true");
    expect(deep).toMatchObject({ organization: { id: 1 }, configurations: [{ executions: [{ id: 1 }] }] });
  });

  it("are plain by default in a list, whole by default alone", async () => {
    const rig = await makeShop();
    expect((await rig.ok("GET", "/test-cases"))[0]).not.toHaveProperty("scenarios");
    expect(await rig.ok("GET", "/test-cases/1")).toMatchObject({
      scenarios: [{}],
      organization: { id: 1 },
      running: [],
    });
    expect(await rig.ok("GET", "/test-cases/1?down=false&up=false&includeRunning=false")).not.toHaveProperty("running");
  });

  it("are deleted with all below, and answered as they were", async () => {
    const rig = await makeShop();
    expect(await rig.ok("DELETE", "/test-cases/1")).toMatchObject({
      id: 1,
      scenarios: [{ id: 1 }],
      configurations: [{ id: 1 }],
    });
    for (const path of ["/test-cases/1", "/scripts/1", "/test-confs/1", "/gateways/1"])
      expect((await rig.call("HEAD", path)).status, path).toBe(404);
    expect(await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1 })).toMatchObject({ id: 2 });
  });

  it("cannot be deleted while another one's configuration runs a scenario of theirs: 409", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Other", org: 1 });
    await rig.ok("POST", "/test-cases/2/confs", flat);
    expect(await rig.call("DELETE", "/test-cases/1")).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect((await rig.call("HEAD", "/scripts/1")).status).toBe(200);
    await rig.ok("DELETE", "/test-confs/2");
    await rig.ok("DELETE", "/test-cases/1");
  });

  it("are copied with scenarios, data stores, configurations, schedules, gateways and recordings", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "u.csv", contents: "YQ==" });
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Recurring", recurringInterval: "Day" }] });
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    await rig.ok("PUT", "/scripts/1", { main: 'results().counter("orders")' });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await rig.ok("POST", "/test-cases/1/copy?name=Copy")).toEqual({
      id: 2,
      name: "Copy",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const copy = await rig.ok("GET", "/test-cases/2");
    expect(copy).toMatchObject({
      scenarios: [{ id: 2, name: "Browse", dataStores: [{ id: 2, name: "u.csv" }] }],
      configurations: [{ id: 2, script: { id: 2 }, schedules: [{ id: 2 }], executions: [] }],
      gateways: [{ id: 2, keys: [{ url: "https://shop.test" }] }],
    });
    expect(await rig.ok("GET", "/gateways/2/recordings")).toHaveLength(1);
    expect(copy.metricDefs).toMatchObject([{ name: "orders", metricType: "Counter" }]);
    expect(copy.gateways[0].keys[0].key).not.toBe((await rig.ok("GET", "/gateways/1")).keys[0].key);
    expect((await rig.call("POST", "/test-cases/1/copy?name=Copy")).status).toBe(409);
    expect(fieldsOf(await rig.call("POST", "/test-cases/1/copy?targetOrg=9"))).toEqual(["name", "targetOrg"]);
  });

  it("stand in the summary with the first gateway's key", async () => {
    const rig = await makeShop();
    expect(await rig.ok("GET", "/new-summary")).toMatchObject({
      testCases: [{ name: "Checkout", firstGatewayKey: { gateway: { id: 1, name: "Shop" } } }],
      running: [],
      scheduled: [],
    });
  });

  it("name their latest run in the summary, unless told not to", async () => {
    const rig = await makeShop();
    const first = async (query: string) => (await rig.ok("GET", `/new-summary${query}`)).testCases[0];
    expect(await first("")).toMatchObject({ lastRunAt: null, lastRunExecutionId: null });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await first("")).toMatchObject({ lastRunAt: start, lastRunExecutionId: 1 });
    expect(await first("?includeLatestExecution=false")).not.toHaveProperty("lastRunExecutionId");
  });
});

describe("scenarios", () => {
  it("read back all that is written, and compute the rest", async () => {
    const rig = await makeShop();
    const body = {
      name: "Buy",
      main: "buy()",
      init: "i()",
      teardown: "t",
      language: "typescript",
      nodeVersion: "22",
      scriptType: "Code",
      tags: [" a ", "b", "a"],
      paramsConfig: [{ name: "url", required: true, defaultValue: "x" }],
    };
    const made = await rig.ok("POST", "/test-cases/1/scripts", body);
    expect(made).toMatchObject({
      ...body,
      tags: ["a", "b"],
      paramsConfig: [{ name: "url", required: true, encrypted: false, defaultValue: "x" }],
      length: 5,
      hasInit: true,
      hasTeardown: true,
      dataLength: 0,
      readonly: false,
      sourceType: "Script",
      testCase: { id: 1 },
    });
    expect(await rig.ok("GET", `/scripts/${made.id}`)).toEqual(made);
    expect(await rig.ok("GET", `/scripts/${made.id}?down=false&up=false`)).not.toHaveProperty("main");
    expect(await rig.ok("PUT", "/scripts/2", { init: null, tags: null })).toMatchObject({
      init: null,
      hasInit: false,
      tags: [],
      main: "buy()",
    });
  });

  it.each([
    [{ main: "x" }, ["name"]],
    [{ name: "A" }, ["main"]],
    [{ name: "A", main: "x", language: "ruby" }, ["language"]],
    [{ name: "A", main: "x", nodeVersion: "16" }, ["nodeVersion"]],
    [{ name: "A", main: "x", tags: ["", "y"] }, ["tags[0]"]],
    [{ name: "A", main: "x", paramsConfig: [{ name: "p" }, { name: "p" }] }, ["paramsConfig[1].name"]],
  ])("are refused with %j", async (body, fields) => {
    const rig = await makeShop();
    expect(fieldsOf(await rig.call("POST", "/test-cases/1/scripts", body))).toEqual(fields);
  });

  it("name the configurations that run them, but within their test case, which lists those itself", async () => {
    const rig = await makeShop();
    const named = {
      configurations: [{ id: 1, name: "Smoke", createdAt: start, updatedAt: start, firstVersion: true }],
    };
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject(named);
    expect(await rig.ok("GET", "/test-cases/1/scripts?down=true")).toMatchObject([named]);
    expect(await rig.ok("GET", "/scripts/1?down=false")).not.toHaveProperty("configurations");
    expect((await rig.ok("GET", "/test-cases/1")).scenarios[0]).not.toHaveProperty("configurations");
  });

  it("need no script when they are not Code", async () => {
    const rig = await makeShop();
    expect(await rig.ok("POST", "/test-cases/1/scripts", { name: "Plan", scriptType: "EngineA" })).toMatchObject({
      length: 0,
    });
  });

  it("take what they encrypt from now on out of what was written before", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { scriptParams: '{"token":"canary","open":"o"}' });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(1000);
    await rig.ok("PUT", "/scripts/1", { paramsConfig: [{ name: "token", encrypted: true }] });
    const masked = { scriptParams: '{"token":null,"open":"o"}', updatedAt: start };
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject(masked);
    expect(await rig.ok("GET", "/executions/1")).toMatchObject(masked);
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("canary");
  });

  it("never return an encrypted default", async () => {
    const rig = await makeShop();
    const changed = await rig.ok("PUT", "/scripts/1", {
      paramsConfig: [{ name: "t", encrypted: true, defaultValue: "canary" }],
    });
    expect(changed.paramsConfig).toEqual([{ name: "t", required: false, encrypted: true }]);
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("canary");
  });

  it("cannot be deleted while a configuration runs them: 409", async () => {
    const rig = await makeShop();
    const answer = await rig.call("DELETE", "/scripts/1");
    expect(answer).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    await rig.ok("DELETE", "/test-confs/1");
    expect(await rig.ok("DELETE", "/scripts/1")).toMatchObject({ id: 1, testCase: { id: 1 } });
  });

  it("are copied to another test case, with the configurations that run them on request", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Other", org: 1 });
    const plain = await rig.ok("POST", "/scripts/1/copy?name=Again");
    expect(plain).toMatchObject({ id: 2, name: "Again", testCase: { id: 1 } });
    expect(plain).not.toHaveProperty("configurations");
    expect(plain).not.toHaveProperty("main");
    const whole = await rig.ok("POST", "/scripts/1/copy", { name: "There", targetTestCase: 2, copyConfs: true });
    expect(whole).toMatchObject({ id: 3, testCase: { id: 2 }, configurations: [{ name: "Smoke", script: { id: 3 } }] });
    expect(fieldsOf(await rig.call("POST", "/scripts/1/copy?targetTestCase=9"))).toEqual(["name", "targetTestCase"]);
  });

  it("that are readonly cannot be updated: 409", async () => {
    const rig = await makeShop();
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    snapshot.tables.scenario[0].readonly = true;
    await rig.service.restore(snapshot);
    expect((await rig.call("PUT", "/scripts/1", { name: "X" })).status).toBe(409);
    expect((await rig.call("POST", "/scripts/1/data-stores/contents", { name: "a", contents: "" })).status).toBe(409);
    expect(await rig.ok("POST", "/scripts/1/copy?name=Mine")).toMatchObject({ readonly: false });
    expect(await rig.ok("POST", "/test-cases/1/confs", flat)).toMatchObject({ script: { id: 1 } });
  });
});

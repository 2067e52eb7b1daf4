import { describe, expect, it } from "vitest";
import { type Config, type Refused, SessionCore } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop } from "../../support/terraform/shop.ts";

const root: Config = { name: "r", url: "https://git.test/a.git", vcs_auth_type: "Username", username: "ci" };
const cloud: Config = { name: "c", provider_type: "CloudOnDemand", metadata: { zone: "eu" } };

/** Bodies of the writes that a core sent since the last call. */
function writesOf(core: SessionCore): () => number {
  let seen = core.service.requests.length;
  return () => {
    const fresh = core.service.requests.slice(seen).filter(({ method }) => method !== "GET");
    seen = core.service.requests.length;
    return fresh.length;
  };
}

describe("secrets", () => {
  it("within parameters are not shown by what the service says of them, however deep they are", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const parameters = { token: "hunter2-top", more: { list: ["hunter2-deep"] }, pin: 90817263 };
    await core.setFaults([
      {
        ...{ method: "POST", path: "/test-cases/:testCaseId/confs", times: 1, status: 400 },
        body: { code: 400, message: `found ${JSON.stringify(parameters)} in the body` },
      },
    ]);
    const config = {
      ...configurationOf(shop.testCase, shop.scenario),
      script_params: JSON.stringify(parameters, undefined, 1),
    };
    const refused: unknown = await core.create("loadform_configuration", config).catch((thrown: unknown) => thrown);
    const told = JSON.stringify((refused as Refused).diagnostics);
    expect(told).toContain("in the body");
    expect(told).not.toMatch(/hunter2|90817263/);
  });

  it("keep their plain value on read, and are sent when they change", async () => {
    const core = await SessionCore.open();
    const made = await core.create("loadform_vcs_root", { ...root, password: "hunter2-one" });
    expect((await core.refresh(made))?.value["password"]).toBe("hunter2-one");
    const writes = writesOf(core);
    const next = await core.update(made, { ...root, password: "hunter2-two" });
    expect(next.value["password"]).toBe("hunter2-two");
    expect(writes()).toBe(1);
  });

  it("are sent as write-only values on create and when their version changes, and are never in a state", async () => {
    const core = await SessionCore.open();
    const config = { ...cloud, cloud_access_key_id_wo: "AKIA-one", cloud_secret_access_key_wo: "secret-one" };
    const made = await core.create("loadform_provider", { ...config, cloud_secret_access_key_wo_version: 1 });
    expect(JSON.stringify(made)).not.toMatch(/AKIA-one|secret-one/);
    expect(Buffer.from(made.private).toString()).not.toMatch(/AKIA|secret/);
    const digests = () => JSON.stringify((core.service.snapshot() as { providers?: unknown }) ?? {});
    const before = digests();
    const writes = writesOf(core);
    const other = { ...config, cloud_secret_access_key_wo: "secret-two", cloud_secret_access_key_wo_version: 1 };
    expect(SessionCore.isEmpty(await core.plan("loadform_provider", other, made))).toBe(true);
    expect(writes()).toBe(0);
    const renamed = await core.update(made, { ...other, name: "d" });
    expect(
      digests()
        .replace('"name":"d"', '"name":"c"')
        .replaceAll(/"updatedAt":"[^"]*"/g, ""),
    ).toBe(before.replaceAll(/"updatedAt":"[^"]*"/g, ""));
    const sent = await core.update(renamed, { ...other, name: "d", cloud_secret_access_key_wo_version: 2 });
    expect(digests()).not.toBe(before);
    expect(sent.value["cloud_secret_access_key_wo"]).toBeNull();
  });

  it("that are encrypted parameters keep what was configured, and only the others are read by an import", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const params = [
      { name: "token", encrypted: true, default_value: "t0ken-default" },
      { name: "user", default_value: "u" },
    ];
    const own = { test_case_id: idOf(testCase), name: "s", script: "run()" };
    const scenario = await core.create("loadform_scenario", { ...own, params_config: params });
    expect((await core.refresh(scenario))?.value).toEqual(scenario.value);
    const config = configurationOf(testCase, scenario, { script_params: '{"token":"t0ken-value","user":"me"}' });
    const made = await core.create("loadform_configuration", config);
    expect((await core.refresh(made))?.value).toEqual(made.value);
    expect(core.warnings).toEqual([]);
    const imported = [await core.import("loadform_scenario", "1"), await core.import("loadform_configuration", "1")];
    expect(JSON.stringify(imported)).not.toContain("t0ken");
    expect(imported[0]?.value["params_config"]).toMatchObject([{ default_value: null }, { default_value: "u" }]);
    expect(imported[1]?.value["script_params"]).toBe('{"user":"me"}');
  });

  it("that an import may have read remain until the configuration says them, and are cleared when it ceases to", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const params = [
      { name: "host", default_value: "a.test" },
      { name: "token", encrypted: true },
    ];
    const own = { test_case_id: idOf(testCase), name: "s", script: "run()", params_config: params };
    const scenario = await core.create("loadform_scenario", own);
    const config = configurationOf(testCase, scenario, { script_params: '{"token":"t0ken-value","user":"me"}' });
    await core.create("loadform_configuration", config);
    const [bare, unsaid] = [
      configurationOf(testCase, scenario),
      { ...own, params_config: [{ name: "host" }, params[1] ?? {}] },
    ];

    let made = await core.import("loadform_configuration", "1");
    expect(SessionCore.isEmpty(await core.plan(made.type, bare, made))).toBe(true);
    made = await core.update(made, { ...bare, name: "renamed" });
    expect(core.warnings).toEqual([]);
    const asRead = { ...bare, name: "renamed", script_params: '{ "user": "me" }' };
    expect(SessionCore.isEmpty(await core.plan(made.type, asRead, made))).toBe(true);
    made = await core.update(made, { ...asRead, script_params: '{"user":"you"}' });
    expect((await core.refresh(made))?.value["script_params"]).toBe('{"user":"you"}');
    made = await core.update(made, { ...bare, name: "renamed" });
    expect((await core.refresh(made))?.value["script_params"]).toBe("{}");

    let kept = await core.import("loadform_scenario", "1");
    expect(SessionCore.isEmpty(await core.plan(kept.type, unsaid, kept))).toBe(true);
    kept = await core.update(kept, { ...unsaid, script: "other()" });
    expect(kept.value["params_config"]).toMatchObject([{ default_value: "a.test" }, { default_value: null }]);
  });

  it("that an import could not read are no drift once another field was changed, and one that is added later is", async () => {
    const core = await SessionCore.open();
    const { testCase } = await makeShop(core);
    const params = ["user", "token", "pin"].map((name) => ({ name, encrypted: name !== "user" }));
    const own = { test_case_id: idOf(testCase), name: "s", script: "run()", params_config: params };
    const scenario = await core.create("loadform_scenario", own);
    const given = { script_params: '{"token":"t0ken-value","user":"me"}' };
    await core.create("loadform_configuration", configurationOf(testCase, scenario, given));
    const asRead = configurationOf(testCase, scenario, { script_params: '{"user":"me"}', concurrent_clients: 9 });
    const imported = await core.import("loadform_configuration", "2");
    const changed = await core.update(imported, asRead);
    const read = (await core.refresh(changed)) ?? changed;
    expect(SessionCore.isEmpty(await core.plan(read.type, asRead, read))).toBe(true);
    const place = { params: { confId: 2 } };
    const scriptParams = JSON.stringify({ user: "me", token: null, pin: "1234567" });
    await core.outside.call("PUT /test-confs/:confId", { ...place, body: { scriptParams } as never });
    await core.walk();
    const again = (await core.refresh(read)) ?? read;
    expect(again.value["script_params"]).toBe('{"user":"me","pin":null}');
    const written = await core.update(again, { ...asRead, script_params: '{"user":"you"}' });
    const foreign = JSON.stringify({ user: "you", token: "1234567" });
    await core.outside.call("PUT /test-confs/:confId", { ...place, body: { scriptParams: foreign } as never });
    await core.walk();
    expect((await core.refresh(written))?.value["script_params"]).toBe('{"user":"you","token":null}');
  });

  it("do not appear in messages that repeat them", async () => {
    const core = await SessionCore.open();
    const body = { code: "bad", message: "cannot use hunter2-hidden here" };
    await core.setFaults([{ method: "POST", path: "/orgs/:orgId/vcs-roots", status: 400, body }]);
    const failing = core.create("loadform_vcs_root", { ...root, password: "hunter2-hidden" });
    await expect(failing).rejects.toThrow("cannot use (sensitive) here");
  });

  it("do not appear in messages about another resource, or about a read", async () => {
    const core = await SessionCore.open();
    const written = { ...root, password_wo: "hunter2-written" };
    const made = await core.create("loadform_vcs_root", written);
    const { scenario, testCase } = await makeShop(core);
    const params = { script_params: '{"token":"t0ken-value","user":"me"}' };
    await core.create("loadform_configuration", configurationOf(testCase, scenario, params));
    const body = { code: "bad", message: "hunter2-written and t0ken-value are wrong, shop is not" };
    await core.setFaults([{ method: "POST", path: "/test-cases", status: 400, body }]);
    const failing = core.create("loadform_test_case", { name: "Another" });
    await expect(failing).rejects.toThrow("(sensitive) and (sensitive) are wrong, shop is not");
    await core.setFaults([{ method: "GET", path: "/orgs/:orgId/vcs-roots", status: 400, body }]);
    await expect(core.refresh(made)).rejects.toThrow("(sensitive) and (sensitive) are wrong");
  });
});

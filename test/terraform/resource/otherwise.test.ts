import { describe, expect, it } from "vitest";
import { Refused, SessionCore } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop } from "../../support/terraform/shop.ts";

describe("what the service or a state has otherwise than a configuration", () => {
  it("a key of metadata that is null means that it is absent", async () => {
    const core = await SessionCore.open();
    const config = { name: "grid", provider_type: "Shared", metadata: { a: null, b: "x" } };
    const made = await core.create("loadform_provider", config);
    expect(core.warnings).toEqual([]);
    expect(SessionCore.isEmpty(await core.plan("loadform_provider", config, made))).toBe(true);
  });

  it("a file is still in the state after its change failed", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    const file = { scenario_id: idOf(scenario), name: "a.csv", contents: "a" };
    const made = await core.create("loadform_data_store", file);
    await core.create("loadform_data_store", { ...file, name: "taken.csv" });
    const failed = await core.update(made, { ...file, name: "taken.csv" }).catch((thrown: unknown) => thrown);
    expect(failed).toBeInstanceOf(Refused);
    const { left } = failed as Refused;
    expect(left?.value).toMatchObject({ name: "a.csv", contents: "a" });
    expect(SessionCore.isEmpty(await core.plan("loadform_data_store", file, left))).toBe(true);
  });

  it("an empty file is imported as it is written", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    const file = { scenario_id: idOf(scenario), name: "a.csv" };
    await core.create("loadform_data_store", { ...file, contents: "" });
    await core.walk();
    const kept = await core.import("loadform_data_store", "1");
    expect(SessionCore.isEmpty(await core.plan("loadform_data_store", { ...file, contents: "" }, kept))).toBe(true);
  });

  it("an empty init is imported by the configuration that Terraform writes for it", async () => {
    const core = await SessionCore.open();
    const { testCase } = await makeShop(core);
    const below = { test_case_id: idOf(testCase), script: "run()", init: "" };
    const second = await core.create("loadform_scenario", { ...below, name: "second" });
    await core.walk();
    const kept = await core.import("loadform_scenario", idOf(second));
    const written = Object.entries(core.generatedConfig(kept));
    const config = Object.fromEntries(written.filter(([, value]) => value !== ""));
    expect(SessionCore.isEmpty(await core.plan("loadform_scenario", config, kept))).toBe(true);
  });

  it("the rules of the API hold for what ignore_changes leaves of a configuration", async () => {
    const core = await SessionCore.open();
    const { configuration, testCase, scenario } = await makeShop(core);
    const { value: prior, type, private: priorPrivate } = configuration;
    const config = { ...prior, ...configurationOf(testCase, scenario, { iterations: 3 }) } as typeof prior;
    const capabilities = { writeOnlyAttributesAllowed: true };
    const plan = { type, prior, proposed: config, config, priorPrivate, capabilities };
    const { diagnostics } = await core.session.planResource(plan);
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["duration_secs and iterations exclude each other"]);
  });
});

it.each([
  [{ url: "http://user:UrlSecret@127.0.0.1:99999" }, "url is no address of a service"],
  [{ url: "http://[::1" }, "url is no address of a service"],
  [{ url: "https://user:UrlSecret@shop.example.com" }, "url is no address of a service"],
  [{ url: "https://shop.example.com/api?key=UrlSecret" }, "url is no address of a service"],
  [{ api_key: "Key\nSecret" }, "api_key is no key"],
  [{ auth_header: "bad header" }, "auth_header is no name of a header"],
])("a provider block with %j says so, without what is secret in it", async (block, summary) => {
  const core = new SessionCore();
  const refused = await core.walk(block).catch((thrown: unknown) => String(thrown));
  expect(refused).toContain(summary);
  expect(refused).not.toContain("Secret");
});

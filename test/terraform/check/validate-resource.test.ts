import { describe, expect, it } from "vitest";
import { DecimalText, UNKNOWN, type Value } from "../../../src/terraform/wire/values.ts";
import { type Config, SessionCore } from "../../support/terraform/session-core.ts";

const core = new SessionCore();
const configuration: Config = {
  test_case_id: "1",
  scenario_id: "1",
  name: "smoke",
  concurrent_clients: 5,
  duration_secs: 60,
  providers: [{ provider_id: "0" }],
};

describe("validating a configuration", () => {
  it("takes one that keeps all rules, and one of which nothing is known", async () => {
    expect(await core.validate("loadform_configuration", configuration)).toEqual([]);
    const unknown: Config = Object.fromEntries(
      Object.keys(configuration).map((name): [string, Value] => [name, UNKNOWN]),
    );
    expect(await core.validate("loadform_configuration", unknown)).toEqual([]);
  });

  it("says rules of the API as errors, in Terraform's names, at the attribute", async () => {
    const [found] = await core.validate("loadform_configuration", { ...configuration, iterations: 3 });
    expect(found).toMatchObject({
      severity: "error",
      path: ["iterations"],
      summary: "duration_secs and iterations exclude each other",
    });
  });

  it("skips a rule that looks at something unknown, within lists too", async () => {
    const found = await core.validate("loadform_configuration", {
      ...configuration,
      duration_secs: UNKNOWN,
      iterations: 3,
    });
    expect(found).toEqual([]);
    const trigger: Config = {
      conditions: [{ metric: "a", operator: "GT", threshold: 1 }],
      actions: [{ action_type: UNKNOWN }],
    };
    expect(await core.validate("loadform_configuration", { ...configuration, triggers: [trigger] })).toEqual([]);
    const known: Config = { ...trigger, actions: [{ action_type: "Mail" }] };
    const [refused] = await core.validate("loadform_configuration", { ...configuration, triggers: [known] });
    expect(refused).toMatchObject({ severity: "error", path: ["triggers", 0, "actions", 0, "action_type"] });
  });

  it("refuses nulls in lists, which Terraform does not, and numbers that would become others", async () => {
    const found = await core.validate("loadform_configuration", {
      ...configuration,
      concurrent_clients: 9007199254740993n,
      providers: [null, { provider_id: null }],
      triggers: [{ conditions: [{ metric: null, operator: "GT", threshold: new DecimalText("1e400") }], actions: [] }],
    });
    const own = found.filter(({ summary }) => / is (?:null|too large a number)$/.test(summary));
    expect(own.map(({ path, summary }) => [path, summary])).toEqual([
      [["concurrent_clients"], "concurrent_clients is too large a number"],
      [["providers", 0], "providers[0] is null"],
      [["providers", 1, "provider_id"], "providers[1].provider_id is null"],
      [["triggers", 0, "conditions", 0, "metric"], "triggers[0].conditions[0].metric is null"],
      [["triggers", 0, "conditions", 0, "threshold"], "triggers[0].conditions[0].threshold is too large a number"],
    ]);
  });

  it("does not count what is unknown as set: of a file in two forms one may be null in the end", async () => {
    const file: Config = { scenario_id: "1", name: "a.csv", contents: "a" };
    expect(await core.validate("loadform_data_store", { ...file, contents_base64: UNKNOWN })).toEqual([]);
    expect(await core.validate("loadform_data_store", { ...file, contents: null, contents_base64: UNKNOWN })).toEqual(
      [],
    );
    const [both] = await core.validate("loadform_data_store", { ...file, contents_base64: "YQ==" });
    expect(both).toMatchObject({ severity: "error", summary: "both contents and contents_base64" });
    const [neither] = await core.validate("loadform_data_store", { ...file, contents: null });
    expect(neither).toMatchObject({ severity: "error", summary: "neither contents nor contents_base64" });
  });

  it("says our own decisions as warnings, and limits of fields", async () => {
    const found = await core.validate("loadform_configuration", {
      ...configuration,
      start_concurrent_clients: 2,
      iteration_sleep_secs: 0,
    });
    expect(found.map(({ severity, path }) => [severity, path])).toEqual([
      ["error", ["iteration_sleep_secs"]],
      ["warning", ["start_concurrent_clients"]],
    ]);
  });

  it("refuses a fraction where a whole number is expected, and leaves ids to the plan, which mocks replace", async () => {
    const found = await core.validate("loadform_configuration", {
      ...configuration,
      test_case_id: "d95d4jp2",
      scenario_id: "x",
      duration_secs: 1.5,
    });
    expect(found.map(({ path }) => path)).toEqual([["duration_secs"]]);
  });

  it.each([
    ["loadform_test_case", { name: "Shop", id: "77" }, "id"],
    ["loadform_test_case", { name: "Shop", created_at: UNKNOWN }, "created_at"],
    ["loadform_region", { name: "rack", provider_id: "1", active: false }, "active"],
    ["loadform_provider", { name: "p", provider_type: "Shared", public: true }, "public"],
  ] as const)("refuses what only the service decides: %s %j", async (type, config, name) => {
    const found = await core.validate(type, config as Config);
    expect(found).toMatchObject([{ severity: "error", path: [name], summary: `${name} is read-only` }]);
    const [source] = await core.session.validateDataSource("loadform_scenario", { id: "1", created_at: "x" });
    expect(source).toMatchObject({ severity: "error", path: ["created_at"] });
  });

  it.each(["***", "YQ", "YQ=", "YQ==YQ==", "Y Q = ="])(
    "refuses contents_base64 that is no base64: %j",
    async (text) => {
      const store = { scenario_id: "1", name: "a.csv" };
      const [found] = await core.validate("loadform_data_store", { ...store, contents_base64: text });
      expect(found).toMatchObject({ severity: "error", path: ["contents_base64"] });
      expect(await core.validate("loadform_data_store", { ...store, contents_base64: "YW\nJj\r\n" })).toEqual([]);
      expect(await core.validate("loadform_data_store", { ...store, contents_base64: "" })).toEqual([]);
    },
  );

  it("repeats only the beginning of a long value", async () => {
    const [found] = await core.validate("loadform_test_case", { name: "x".repeat(10_000) });
    expect(found?.detail).toContain(`"${"x".repeat(60)}…" (10000 characters)`);
    expect(found?.detail.length).toBeLessThan(200);
  });

  it("takes exactly one of contents and contents_base64", async () => {
    const store = { scenario_id: "1", name: "a.csv" };
    expect(await core.validate("loadform_data_store", { ...store, contents_base64: UNKNOWN })).toEqual([]);
    const [none] = await core.validate("loadform_data_store", store);
    expect(none?.summary).toBe("neither contents nor contents_base64");
    const [both] = await core.validate("loadform_data_store", { ...store, contents: "a", contents_base64: "YQ==" });
    expect(both?.summary).toBe("both contents and contents_base64");
  });

  it("warns of a missing secret, and refuses both its forms, secrets among plain keys and write-only ones in an old Terraform", async () => {
    const root: Config = { name: "a", url: "https://git.test/a.git", vcs_auth_type: "Username", username: "ci" };
    const [missing] = await core.validate("loadform_vcs_root", root);
    expect(missing).toMatchObject({ severity: "warning", summary: "Username authentication needs password" });
    expect(await core.validate("loadform_vcs_root", { ...root, password_wo: "x" })).toEqual([]);
    const [both] = await core.validate("loadform_vcs_root", { ...root, password: "x", password_wo: "x" });
    expect(both?.summary).toBe("both password and password_wo");
    const old = { writeOnlyAttributesAllowed: false };
    const [refused] = await core.validate("loadform_vcs_root", { ...root, password_wo: "x" }, old);
    expect(refused).toMatchObject({ severity: "error", path: ["password_wo"] });
    const cloud: Config = { name: "c", provider_type: "CloudOnDemand", metadata: { cloudAccessKeyId: "AKIA" } };
    const [shown] = await core.validate("loadform_provider", cloud);
    expect(shown?.detail).toContain("cloud_access_key_id or cloud_access_key_id_wo");
  });
});

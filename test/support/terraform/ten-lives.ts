import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Resources } from "./terraform-project.ts";

/** A request that somebody else sends, about the objects whose ids are given by address. */
type Outside = (id: (address: string) => number) => readonly [method: string, path: string, body?: Json];

/** What happens in the life of one resource; what the API knows no way for is left out. */
interface Life {
  readonly declared: JsonObject;
  /** Members that change in place. */
  readonly update?: JsonObject;
  readonly rename?: JsonObject;
  /** Members whose change makes another object, and what else is made anew with it. */
  readonly replace?: { readonly members: JsonObject; readonly along?: readonly string[] };
  /** What somebody else changes, and the attribute that shows it. */
  readonly drift?: { readonly request: Outside; readonly attribute: string };
}

const carts = "name,cart\r\nada,book\r\n";

/** One resource of each kind, and its life. All of them stand in one configuration. */
export const lives: Readonly<Record<string, Life>> = {
  "loadform_tag.nightly": { declared: { name: "nightly" } },
  "loadform_vcs_root.scripts": {
    declared: { name: "scripts", url: "https://git.test/a.git", branch: "main" },
    update: { branch: "next", vcs_auth_type: "Username", username: "ci", password: "hunter2" },
    rename: { name: "load scripts" },
    drift: {
      request: (id) => ["PUT", `/vcs-roots/${id("loadform_vcs_root.scripts")}`, { branch: "theirs" }],
      attribute: "branch",
    },
  },
  "loadform_provider.grid": {
    declared: { name: "grid", provider_type: "Shared" },
    update: { metadata: { zone: "eu" } },
    rename: { name: "own grid" },
    drift: {
      request: (id) => ["PUT", `/providers/${id("loadform_provider.grid")}`, { name: "theirs" }],
      attribute: "name",
    },
  },
  "loadform_provider.cloud": {
    declared: { name: "cloud", provider_type: "Shared" },
    replace: {
      members: {
        provider_type: "CloudOnDemand",
        cloud_access_key_id: "access-key",
        cloud_secret_access_key: "secret-key",
      },
    },
  },
  "loadform_region.cellar": {
    declared: { name: "dc-cellar", provider_id: "${loadform_provider.grid.id}", description: "below" },
    update: { description: "below the stairs" },
    replace: { members: { name: "dc-attic" } },
    drift: {
      request: (id) => [
        "POST",
        "/orgs/1/regions",
        { name: "dc-cellar", description: "theirs", providerId: id("loadform_provider.grid") },
      ],
      attribute: "description",
    },
  },
  "loadform_test_case.shop": {
    declared: { name: "Shop", description: "Buying path" },
    update: { description: "Buying path, ä\n" },
    rename: { name: "Store" },
    drift: {
      request: () => ["POST", "/test-cases", { name: "Shop", description: "theirs", org: 1 }],
      attribute: "description",
    },
  },
  "loadform_test_case.other": { declared: { name: "Other" } },
  "loadform_gateway.api": {
    declared: { test_case_id: "${loadform_test_case.shop.id}", name: "api", url: "https://shop.test" },
    rename: { name: "api of the shop" },
    replace: { members: { url: "https://shop.test/v2" } },
    drift: {
      request: (id) => ["PATCH", `/gateways/${id("loadform_gateway.api")}`, { name: "theirs" }],
      attribute: "name",
    },
  },
  "loadform_scenario.browse": {
    declared: {
      test_case_id: "${loadform_test_case.shop.id}",
      name: "Browse",
      script: "const url = `$${base}`;\r\nrun(url);\n",
      init: "init()",
      params_config: [
        { name: "user", required: true },
        { name: "token", encrypted: true },
      ],
      tags: ["${loadform_tag.nightly.name}"],
    },
    update: { script: "run()\n", init: null, params_config: [{ name: "user" }] },
    rename: { name: "Browse and buy" },
    drift: {
      request: (id) => ["PUT", `/scripts/${id("loadform_scenario.browse")}`, { main: "theirs()", tags: [] }],
      attribute: "script",
    },
  },
  "loadform_scenario.pay": {
    declared: { test_case_id: "${loadform_test_case.shop.id}", name: "Pay", script: "pay()" },
    replace: { members: { test_case_id: "${loadform_test_case.other.id}" } },
  },
  "loadform_data_store.carts": {
    declared: { scenario_id: "${loadform_scenario.browse.id}", name: "carts.csv", contents: carts },
    update: { contents: `${carts}eve,lamp\r\n` },
    rename: { name: "all-carts.csv" },
    replace: { members: { scenario_id: "${loadform_scenario.pay.id}" } },
    drift: {
      request: (id) => [
        "PUT",
        `/data-stores/${id("loadform_data_store.carts")}/contents`,
        { name: "carts.csv", contents: Buffer.from("theirs\n").toString("base64") },
      ],
      attribute: "contents",
    },
  },
  "loadform_configuration.smoke": {
    declared: {
      test_case_id: "${loadform_test_case.shop.id}",
      scenario_id: "${loadform_scenario.browse.id}",
      name: "Smoke",
      concurrent_clients: 20,
      duration_secs: 60,
      providers: [{ provider_id: "0", regions: ["cloud-us-east-1", "cloud-eu-west-1"] }],
      script_params: '{"user":"me"}',
    },
    update: { concurrent_clients: 50, iterations: 3, duration_secs: null, script_params: '{"user":"you"}' },
    rename: { name: "Smoke test" },
    drift: {
      request: (id) => ["PUT", `/test-confs/${id("loadform_configuration.smoke")}`, { concurrentClients: 7 }],
      attribute: "concurrent_clients",
    },
  },
  "loadform_configuration.peak": {
    declared: {
      test_case_id: "${loadform_test_case.shop.id}",
      scenario_id: "${loadform_scenario.browse.id}",
      name: "Peak",
      concurrent_clients: 40,
      duration_secs: 60,
      providers: [{ provider_id: "0", regions: ["cloud-us-east-1"] }],
    },
    replace: {
      members: { test_case_id: "${loadform_test_case.other.id}", scenario_id: "${loadform_scenario.pay.id}" },
    },
  },
  "loadform_schedule.night": {
    declared: {
      configuration_id: "${loadform_configuration.smoke.id}",
      schedule_type: "Recurring",
      recurring_interval: "Day",
      hour: 2,
      minute: 30,
    },
    update: { hour: 3, active: false },
    replace: { members: { configuration_id: "${loadform_configuration.peak.id}" } },
    drift: {
      request: (id) => ["PUT", `/test-schedules/${id("loadform_schedule.night")}`, { active: false }],
      attribute: "active",
    },
  },
};

/** The configuration in which everything is as it was first declared. */
export const declaredResources: Resources = Object.fromEntries(
  Object.entries(lives).map(([address, { declared }]) => [address, declared]),
);

/** The configuration with some members of some resources changed. */
export function changedResources(changes: Resources): Resources {
  return Object.fromEntries(
    Object.entries(declaredResources).map(([address, members]) => [address, { ...members, ...changes[address] }]),
  );
}

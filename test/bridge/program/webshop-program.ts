import { literal } from "../../../scripts/derive/bindings/literal.ts";
import type { JsonObject } from "../../../src/model/json.ts";

const step = "for (const x of [`${a}`, `$${b}`, `%{c}`]) run(x);\n";

/** A small shop as a YAML project. */
export const shopYaml = `project: webshop
service: { url: "https://load.example.com/api", organization: 3, auth: { header: X-Key } }
variables:
  users: { type: number, default: 20 }
testCases:
  checkout:
    name: Checkout
    description: Buying of Checkout
    protect: true
    ignore: [description]
    scenarios:
      browse:
        name: Browse
        script: ${JSON.stringify(step.replaceAll("${", () => "$${"))}
        tags: [nightly]
        paramsConfig: [{ name: baseUrl, required: true }]
        dataStores:
          users: { name: users.csv, contents: "name\\nann\\n" }
    gateways:
      shop: { name: Shop, url: "https://shop.example.com" }
    configurations:
      smoke:
        name: Smoke
        scenario: browse
        concurrentClients: \${var:users}
        durationSecs: 60
        providers:
          - { provider: { id: 0 }, regions: [cloud-us-east-1] }
          - { provider: grid, regions: [dc-1], weight: [2] }
          - { provider: { name: Public }, numRegions: 2 }
        scriptParams: { baseUrl: "https://shop.example.com" }
        triggers:
          - conditions: [{ metric: firstReceivedMs, operator: GTE, threshold: 0.5 }]
            actions: [{ actionType: StopExecution }]
        schedules:
          nightly: { scheduleType: Recurring, recurringInterval: Day, hour: 2, exclusions: [{ recurringInterval: Day, startHour: 22, endHour: 2 }] }
providers:
  grid: { name: Our grid, providerType: Shared }
  cloud: { name: Cloud, providerType: CloudOnDemand, metadata: { zone: a, cloudAccessKeyId: "\${env:TF_VAR_key}", cloudSecretAccessKey: "\${env:TF_VAR_secret}" } }
regions: { dc1: { name: dc-1, provider: grid } }
vcsRoots:
  scripts: { name: Scripts, url: "https://git.example.com/load.git", vcsAuthType: Username, username: ci, password: "\${env:TF_VAR_secret}" }
tags: { nightly: { name: nightly } }
`;

/** The same shop as a program for Terraform. */
export const shopProgram: JsonObject = {
  "//": { metadata: { stackName: "webshop" } },
  terraform: { backend: { local: { path: "x" } } },
  provider: { loadform: [{ url: "https://load.example.com/api", organization: "3", auth_header: "X-Key" }] },
  variable: {
    users: { type: "number", default: 20 },
    key: { type: "string", sensitive: true },
    secret: { type: "string" },
  },
  data: { loadform_provider: { public: { name: "Public" } } },
  resource: {
    loadform_test_case: {
      checkout: {
        name: "Checkout",
        description: "Buying of ${loadform_test_case.checkout.name}",
        lifecycle: { prevent_destroy: true, ignore_changes: ["description"] },
      },
    },
    loadform_scenario: {
      browse: {
        test_case_id: "${loadform_test_case.checkout.id}",
        name: "Browse",
        script: literal(step),
        tags: ["${loadform_tag.nightly.name}"],
        params_config: [{ name: "baseUrl", required: true, encrypted: null }],
      },
    },
    loadform_data_store: {
      users: { scenario_id: "${loadform_scenario.browse.id}", name: "users.csv", contents: "name\nann\n" },
    },
    loadform_gateway: {
      shop: { test_case_id: "${loadform_test_case.checkout.id}", name: "Shop", url: "https://shop.example.com" },
    },
    loadform_configuration: {
      smoke: {
        test_case_id: "${loadform_scenario.browse.test_case_id}",
        name: "Smoke",
        scenario_id: "${loadform_scenario.browse.id}",
        concurrent_clients: "${var.users}",
        duration_secs: "60",
        providers: [
          { provider_id: "0", regions: ["cloud-us-east-1"] },
          { provider_id: "${loadform_provider.grid.id}", regions: ["${loadform_region.dc1.name}"], weight: [2] },
          { provider_id: "${data.loadform_provider.public.id}", num_regions: 2 },
        ],
        script_params: '{"baseUrl":"${loadform_gateway.shop.url}"}',
        triggers: [
          {
            conditions: [{ metric: "firstReceivedMs", operator: "GTE", threshold: 0.5 }],
            actions: [{ action_type: "StopExecution" }],
          },
        ],
      },
    },
    loadform_schedule: {
      nightly: {
        configuration_id: "${loadform_configuration.smoke.id}",
        schedule_type: "Recurring",
        recurring_interval: "Day",
        hour: "${tolist(loadform_schedule.nightly.exclusions)[0].end_hour}",
        exclusions: [{ recurring_interval: "Day", start_hour: 22, end_hour: 2 }],
      },
    },
    loadform_provider: {
      grid: { name: "Our grid", provider_type: "Shared" },
      cloud: {
        name: "Cloud",
        provider_type: "CloudOnDemand",
        cloud_access_key_id: "${var.key}",
        cloud_secret_access_key_wo: "${var.secret}",
        cloud_secret_access_key_wo_version: 1,
        metadata: { zone: "a" },
      },
    },
    loadform_region: { dc1: { name: "dc-1", provider_id: "${loadform_provider.grid.id}" } },
    loadform_vcs_root: {
      scripts: {
        name: "Scripts",
        url: "https://git.example.com/load.git",
        vcs_auth_type: "Username",
        username: "ci",
        password: "${var.secret}",
      },
    },
    loadform_tag: { nightly: { name: "nightly" } },
  },
};

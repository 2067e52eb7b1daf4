import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TerraformStack, Testing } from "cdktf";
import {
  configuration,
  dataStore,
  gateway,
  provider,
  providerResource,
  region,
  scenario,
  schedule,
  tag,
  testCase,
  vcsRoot,
} from "../../../gen/cdktf/index.js";
import { repository } from "../source-files.ts";

const text = (path: string) => readFileSync(join(repository, "examples/webshop", path), "utf8");

/** The project of examples/webshop as a program for cdktf synthesizes it: the text of its cdk.tf.json. */
export function synthesizedWebshop(): string {
  const stack = new TerraformStack(Testing.app({ context: { targetVersions: { terraform: ">=1.11.0" } } }), "webshop");
  new provider.LoadformProvider(stack, "loadform");
  declareCheckout(stack, declareShared(stack));
  return Testing.synth(stack);
}

/** What other test cases would use too. */
function declareShared(stack: TerraformStack) {
  const grid = new providerResource.ProviderResource(stack, "grid", { name: "Our grid", providerType: "Shared" });
  const dc1 = new region.Region(stack, "dc1", { name: "dc-1", description: "Rack 4", providerId: grid.id });
  new vcsRoot.VcsRoot(stack, "scripts", {
    name: "Load scripts",
    url: "https://git.example.com/load.git",
    branch: "main",
  });
  const tags = [
    new tag.Tag(stack, "nightly", { name: "nightly" }).name,
    new tag.Tag(stack, "release", { name: "release-gate" }).name,
  ];
  return { own: [{ providerId: grid.id, regions: [dc1.name] }], tags };
}

function declareCheckout(stack: TerraformStack, { own, tags }: ReturnType<typeof declareShared>): void {
  const checkout = new testCase.TestCase(stack, "checkout", {
    name: "Checkout",
    description: "Buying path, **critical**",
  });
  const browse = new scenario.Scenario(stack, "browse", {
    testCaseId: checkout.id,
    name: "Browse and buy",
    script: text("scripts/browse.js"),
    init: text("scripts/init.js"),
    paramsConfig: [{ name: "baseUrl", required: true }],
    tags,
  });
  new dataStore.DataStore(stack, "users", {
    scenarioId: browse.id,
    name: "users.csv",
    contents: text("data/users.csv"),
  });
  new gateway.Gateway(stack, "shop", { testCaseId: checkout.id, name: "Shop", url: "https://shop.example.com" });
  declareLoads(stack, { own, common: { testCaseId: checkout.id, scenarioId: browse.id } });
}

interface Loads {
  readonly own: { readonly providerId: string; readonly regions: string[] }[];
  readonly common: { readonly testCaseId: string; readonly scenarioId: string };
}

function declareLoads(stack: TerraformStack, { own, common: ids }: Loads): void {
  const scriptParams = JSON.stringify({ baseUrl: "https://shop.example.com" });
  const common = { ...ids, scriptParams, iterationSleepSecs: 5 };
  const providers = [{ providerId: "0", regions: ["cloud-us-east-1", "cloud-eu-west-1"] }];
  const smoke = new configuration.Configuration(stack, "smoke", {
    ...common,
    name: "Smoke",
    concurrentClients: 20,
    durationSecs: 60,
    rampupSecs: 10,
    providers,
  });
  const weekend = { recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 7, endHour: 23, endMinute: 59 };
  new schedule.Schedule(stack, "every-night", {
    configurationId: smoke.id,
    scheduleType: "Recurring",
    recurringInterval: "Day",
    hour: 2,
    minute: 30,
    exclusions: [weekend],
  });
  new configuration.Configuration(stack, "peak", {
    ...common,
    name: "Peak",
    profileType: "Step",
    startConcurrentClients: 10,
    concurrentClients: 200,
    step: 10,
    durationSecs: 1200,
    providers,
  });
  const tooSlow = { metric: "firstReceivedMs", metricKey: "p95", operator: "GTE", threshold: 800 };
  new configuration.Configuration(stack, "limit", {
    ...common,
    name: "Where it breaks",
    profileType: "BreakingPoint",
    durationSecs: 1800,
    providers: own,
    triggers: [
      {
        conditions: [{ ...tooSlow, timePeriod: "LastMinute", valueType: "Absolute" }],
        actions: [{ actionType: "StopExecution" }],
      },
    ],
  });
}

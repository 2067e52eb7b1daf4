import {
  App,
  Configuration,
  DataStore,
  env,
  file,
  Gateway,
  Provider,
  Region,
  Scenario,
  Schedule,
  Tag,
  TestCase,
  VcsRoot,
  variable,
} from "loadform";

/** The project of examples/webshop, written as a program. */
const app = new App({
  project: "webshop",
  service: { url: "memory:.loadform/service.json" },
  variables: {
    users: { type: "number", default: 20, description: "peak users per region" },
    shopUrl: { type: "string", default: "https://shop.example.com", description: "the site under test" },
  },
  environments: {
    staging: {
      variables: { users: { default: 5 }, shopUrl: { default: "https://staging.shop.example.com" } },
      vcsRoots: { scripts: { vcsAuthType: "Username", username: "ci", password: env("GIT_TOKEN") } },
      providers: {
        cloud: {
          name: "Our cloud",
          providerType: "CloudOnDemand",
          metadata: { cloudAccessKeyId: env("CLOUD_KEY_ID"), cloudSecretAccessKey: env("CLOUD_SECRET") },
        },
      },
    },
  },
  gates: {
    // loadform run: starts checkout/smoke, follows the run, and exits 7 unless all of this holds
    release: {
      configuration: "checkout/smoke",
      kpis: ["Outcome[success] > 95%", "firstReceivedMs[p95] < 300ms"],
      noWorse: { "firstReceivedMs[p95]": ["+25%", "+50ms"] },
      minimum: { requests: 100 },
    },
  },
});

const grid = new Provider(app, "grid", { name: "Our grid", providerType: "Shared" });
const dc1 = new Region(app, "dc1", { name: "dc-1", description: "Rack 4", provider: grid });
new VcsRoot(app, "scripts", { name: "Load scripts", url: "https://git.example.com/load.git", branch: "main" });
const nightly = new Tag(app, "nightly", {});
const release = new Tag(app, "release", { name: "release-gate" });

const checkout = new TestCase(app, "checkout", { name: "Checkout", description: "Buying path, **critical**" });

const browse = new Scenario(checkout, "browse", {
  name: "Browse and buy",
  script: file("scripts/browse.js"),
  init: file("scripts/init.js"),
  paramsConfig: [{ name: "baseUrl", required: true }],
  tags: [nightly, release],
});
new DataStore(browse, "users.csv", { contents: file("data/users.csv") });
new Gateway(checkout, "shop", { name: "Shop", url: variable("shopUrl") });

/** What every configuration of this shop has in common. */
const common = {
  scenario: browse,
  iterationSleepSecs: 5,
  scriptParams: { baseUrl: variable("shopUrl") },
};
const everywhere = [{ provider: { name: "Public Shared Grid" }, regions: ["cloud-us-east-1", "cloud-eu-west-1"] }];

const smoke = new Configuration(checkout, "smoke", {
  ...common,
  name: "Smoke",
  concurrentClients: variable("users"),
  durationSecs: 60,
  rampupSecs: 10,
  providers: everywhere,
});
new Schedule(smoke, "nightly", {
  scheduleType: "Recurring",
  recurringInterval: "Day",
  hour: 2,
  minute: 30,
  exclusions: [{ recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 7, endHour: 23, endMinute: 59 }],
});

new Configuration(checkout, "peak", {
  ...common,
  name: "Peak",
  profileType: "Step",
  startConcurrentClients: 10,
  concurrentClients: 200,
  step: 10,
  durationSecs: 1200,
  providers: everywhere,
});

new Configuration(checkout, "limit", {
  ...common,
  name: "Where it breaks",
  profileType: "BreakingPoint",
  durationSecs: 1800,
  providers: [{ provider: grid, regions: [dc1] }],
  triggers: [
    {
      conditions: [
        {
          metric: "firstReceivedMs",
          metricKey: "p95",
          operator: "GTE",
          threshold: 800,
          timePeriod: "LastMinute",
          valueType: "Absolute",
        },
      ],
      actions: [{ actionType: "StopExecution" }],
    },
  ],
});

export default app;

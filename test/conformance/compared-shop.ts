import type { JsonObject } from "../../src/model/json.ts";
import type { Tree } from "../../src/model/tree.ts";
import { toTree, type Wish } from "../support/random-project.ts";

function wish(kind: string, key: string, fields: JsonObject, below: readonly Wish[] = []): Wish {
  const sensitive = kind === "vcsRoot" ? { sensitive: ["password"] } : {};
  return { kind, key, fields: { name: key, ...fields }, ...sensitive, below };
}

const runner = { provider: { id: 0 }, regions: ["cloud-us-east-1", "cloud-eu-west-1"], weight: [2, 1] };
const scenarioOf = (key: string) => ({ ref: `testCase.shop/scenario.${key}` });
const trigger = {
  conditions: [
    {
      ...{ metric: "firstReceivedMs", metricKey: "p95", operator: "GTE", threshold: 800, timePeriod: "LastMinute" },
      ...{ valueType: "Absolute", isPercentage: false },
    },
  ],
  actions: [{ actionType: "StopExecution" }],
};

function schedule(key: string, fields: JsonObject): Wish {
  return { kind: "schedule", key, fields, below: [] };
}

const nightly = {
  ...{ scheduleType: "Recurring", recurringInterval: "Day", hour: 2, minute: 30 },
  exclusions: [{ recurringInterval: "Day", startHour: 22, startMinute: 0, endHour: 2, endMinute: 0 }],
};

const shared: readonly Wish[] = [
  wish("tag", "nightly", {}),
  wish("provider", "grid", { providerType: "Shared" }),
  wish("region", "dc1", { description: "Rack 4", provider: { ref: "provider.grid" } }),
  wish("vcsRoot", "scripts", {
    ...{ url: "https://git.test/load.git", branch: "main", vcsType: "Git" },
    ...{ vcsAuthType: "Username", username: "ci", password: "hunter2-of-the-shop" },
  }),
];

const limit = wish("configuration", "limit", {
  ...{ scenario: scenarioOf("browse"), providers: [runner], profileType: "BreakingPoint", durationSecs: 600 },
  triggers: [trigger],
});

/** A project of every kind and variant, as it was applied. */
export const shopBefore: Tree = toTree([
  ...shared,
  wish("testCase", "shop", { description: "Buying **path**" }, [
    wish("gateway", "front", { url: "https://shop.test" }),
    wish("gateway", "old", { url: "https://old.test" }),
    wish(
      "scenario",
      "browse",
      {
        ...{
          script: "http.get('/')",
          init: "start()",
          paramsConfig: [{ name: "site", required: true }],
          tags: ["nightly"],
        },
      },
      [{ kind: "dataStore", key: "users", fields: { name: "users.csv", contents: "u,p\na,1\nb,2\n" }, below: [] }],
    ),
    wish("scenario", "spare", { script: "http.get('/spare')" }),
    wish(
      "configuration",
      "smoke",
      {
        ...{
          scenario: scenarioOf("browse"),
          providers: [runner],
          concurrentClients: 20,
          durationSecs: 60,
          rampupSecs: 5,
        },
        ...{ scriptParams: { site: "https://shop.test" }, imageDiffMode: "PreviousExecution" },
      },
      [
        schedule("night", nightly),
        schedule("once", { scheduleType: "Single", nextScheduled: "2031-02-03T04:05:00.000Z" }),
      ],
    ),
    limit,
  ]),
]);

/** The same project with something of each sort changed: updates, creates, deletes. */
export const shopAfter: Tree = toTree([
  ...shared,
  wish("testCase", "shop", { description: "Buying **path**, twice" }, [
    wish("gateway", "front", { url: "https://shop.test", name: "entrance" }),
    wish(
      "scenario",
      "browse",
      {
        ...{
          script: "http.get('/new')",
          init: "start()",
          paramsConfig: [{ name: "site", required: true }],
          tags: ["nightly"],
        },
      },
      [{ kind: "dataStore", key: "users", fields: { name: "users.csv", contents: "u,p\na,1\nc,3\n" }, below: [] }],
    ),
    wish("scenario", "pay", { script: "http.post('/pay')" }),
    wish(
      "configuration",
      "smoke",
      {
        ...{
          scenario: scenarioOf("browse"),
          providers: [runner],
          concurrentClients: 30,
          durationSecs: 60,
          rampupSecs: 5,
        },
        ...{ scriptParams: { site: "https://shop.test" }, imageDiffMode: "PreviousExecution" },
      },
      [
        schedule("night", { ...nightly, hour: 3 }),
        schedule("once", { scheduleType: "Single", nextScheduled: "2031-02-03T04:05:00.000Z" }),
      ],
    ),
    limit,
    wish("configuration", "steps", {
      ...{ scenario: scenarioOf("pay"), providers: [runner], profileType: "Step", durationSecs: 300 },
      ...{ startConcurrentClients: 2, concurrentClients: 20, step: 6 },
    }),
  ]),
]);

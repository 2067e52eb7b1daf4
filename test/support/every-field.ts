import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";

/** An object of a project in no particular language. */
export interface Declared {
  readonly kind: string;
  /** The object that it lies in. */
  readonly parent?: string;
  readonly key: string;
  /** References are `{ ref: key }`, secrets `{ secret: variable }`. Keys of objects are unique in the project. */
  readonly fields: JsonObject;
}

const public0 = { id: 0 };
const flat = { scenario: { ref: "browse" }, providers: [{ provider: public0, regions: ["cloud-us-east-1"] }] };
const script = "log.info(`visit ${user} of %{site}`);\n";

/** Objects that set each field of each kind, each to another value than its default. */
export const everyField: readonly Declared[] = [
  { kind: "tag", key: "nightly", fields: { name: "by night" } },
  {
    kind: "vcsRoot",
    key: "scripts",
    fields: {
      name: "Scripts",
      vcsType: "Git",
      url: "https://git.example.com/load.git",
      branch: "next",
      vcsAuthType: "Username",
      username: "ci",
      password: { secret: "git_token" },
    },
  },
  {
    kind: "vcsRoot",
    key: "libraries",
    fields: {
      name: "Libraries",
      url: "git@git.example.com:lib.git",
      vcsAuthType: "PrivateKey",
      username: "git",
      privateKey: { secret: "git_key" },
      privateKeyName: "deploy",
    },
  },
  { kind: "provider", key: "grid", fields: { name: "Our grid", providerType: "Shared" } },
  {
    kind: "provider",
    key: "cloud",
    fields: {
      name: "Our cloud",
      providerType: "CloudOnDemand",
      metadata: { cloudAccessKeyId: { secret: "cloud_key" }, cloudSecretAccessKey: { secret: "cloud_secret" } },
    },
  },
  { kind: "region", key: "dc1", fields: { name: "dc-1", description: "Rack 4", provider: { ref: "grid" } } },
  { kind: "testCase", key: "checkout", fields: { name: "Checkout", description: "Buying **path**" } },
  {
    ...{ kind: "gateway", parent: "checkout", key: "shop" },
    fields: { name: "Shop", url: "https://shop.example.com" },
  },
  {
    ...{ kind: "scenario", parent: "checkout", key: "browse" },
    fields: {
      name: "Browse",
      ...{ script, init: `// first\n${script}`, teardown: `// last\n${script}` },
      ...{ scriptType: "Code", language: "typescript", nodeVersion: "22" },
      paramsConfig: [
        { name: "key", required: true, defaultValue: { secret: "shop_key" }, encrypted: true },
        { name: "shop" },
      ],
      tags: ["by night"],
    },
  },
  {
    ...{ kind: "dataStore", parent: "browse", key: "users" },
    fields: { name: "users.csv", contents: "name,cart\r\nada,${x} %{y}\r\n" },
  },
  {
    ...{ kind: "configuration", parent: "checkout", key: "smoke" },
    fields: {
      ...{ name: "Smoke", ...flat, concurrentClients: 20, iterations: 3, iterationSleepSecs: 5, rampupSecs: 15 },
      scriptParams: { shop: "https://shop.example.com" },
      imageDiffMode: "ScenarioBaseline",
    },
  },
  {
    ...{ kind: "configuration", parent: "checkout", key: "peak" },
    fields: {
      ...{ name: "Peak", scenario: { ref: "browse" }, profileType: "Step" },
      ...{ startConcurrentClients: 10, concurrentClients: 200, step: 10, durationSecs: 1200 },
      providers: [
        {
          provider: { ref: "grid" },
          regions: ["dc-1"],
          ...{ numRegions: 1, concurrentClients: 30, weight: [2] },
          params: { pool: "large" },
        },
      ],
    },
  },
  {
    ...{ kind: "configuration", parent: "checkout", key: "limit" },
    fields: {
      ...{ name: "Limit", ...flat, profileType: "BreakingPoint", durationSecs: 1800 },
      triggers: [
        {
          conditions: [
            {
              ...{ metric: "firstReceivedMs", metricKey: "p95", operator: "GTE", threshold: 12.5 },
              ...{ timePeriod: "LastMinute", valueType: "ChangeFromLastMinute", isPercentage: true },
            },
          ],
          actions: [{ actionType: "StopExecution" }],
        },
      ],
    },
  },
  {
    ...{ kind: "schedule", parent: "smoke", key: "once" },
    fields: { scheduleType: "Single", nextScheduled: "2031-02-03T04:05:00.000Z" },
  },
  {
    ...{ kind: "schedule", parent: "smoke", key: "weekly" },
    fields: {
      ...{ scheduleType: "Recurring", recurringInterval: "Week", week: 2, dayOfWeek: 3, hour: 2, minute: 30 },
      exclusions: [{ recurringInterval: "Month", startDay: 24, endDay: 26, endHour: 23, endMinute: 59 }],
      active: false,
    },
  },
  {
    ...{ kind: "schedule", parent: "smoke", key: "monthly" },
    fields: {
      ...{ scheduleType: "Recurring", recurringInterval: "Month", month: 3, day: 5, hour: 4 },
      exclusions: [
        {
          ...{ recurringInterval: "Week", startDayOfWeek: 6, endDayOfWeek: 7 },
          ...{ startHour: 1, startMinute: 15, endHour: 22, endMinute: 45 },
        },
      ],
    },
  },
];

/** Values of the secrets, by variable. */
export const secretValues: Readonly<Record<string, string>> = {
  git_token: "token hunter22",
  git_key: "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
  shop_key: "shop hunter22",
  cloud_key: "access hunter22",
  cloud_secret: "secret hunter22",
};

/** A value with references and secrets in the words of a language. */
export function inWords(
  value: Json,
  words: { readonly ref: (key: string) => Json; readonly secret: (name: string) => Json },
): Json {
  if (Array.isArray(value)) return value.map((item: Json) => inWords(item, words));
  if (!isObject(value)) return value;
  if (typeof value["ref"] === "string") return words.ref(value["ref"]);
  if (typeof value["secret"] === "string") return words.secret(value["secret"]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inWords(member, words)]));
}

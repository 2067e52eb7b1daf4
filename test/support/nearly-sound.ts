import fc from "fast-check";
import type { Json } from "../../src/model/json.ts";

const small = fc.integer({ min: -1, max: 70 });
const sparse = <T extends Record<string, fc.Arbitrary<Json>>>(model: T) => fc.record(model, { requiredKeys: [] });

const exclusion = sparse({
  recurringInterval: fc.constantFrom("Month", "Week", "WeekDay", "Day", "Hour", "Year"),
  startDay: small,
  endDay: small,
  startDayOfWeek: fc.integer({ min: 0, max: 8 }),
  endDayOfWeek: fc.integer({ min: 0, max: 8 }),
  startHour: fc.integer({ min: -1, max: 24 }),
  endHour: fc.integer({ min: -1, max: 24 }),
  startMinute: small,
  endMinute: small,
});

const schedule = sparse({
  scheduleType: fc.constantFrom("Recurring", "Recurring", "Single"),
  nextScheduled: fc.constantFrom("2099-01-01T00:00:00Z", "soon"),
  recurringInterval: fc.constantFrom("Minute", "Hour", "WeekDay", "Day", "Week", "Month", "Year"),
  minute: small,
  hour: fc.integer({ min: -1, max: 25 }),
  week: fc.integer({ min: 0, max: 3 }),
  dayOfWeek: fc.integer({ min: 0, max: 8 }),
  month: fc.integer({ min: 0, max: 3 }),
  day: fc.integer({ min: 0, max: 32 }),
  exclusions: fc.array(exclusion, { maxLength: 1 }) as fc.Arbitrary<Json>,
});

const flat = { concurrentClients: 5, durationSecs: 30 };
const trigger = {
  conditions: [{ metric: "outcome", metricKey: "failure", operator: "GT", threshold: 5 }],
  actions: [{ actionType: "StopExecution" }],
};
const sound: readonly Json[] = [
  flat,
  { ...flat, profileType: "Step", startConcurrentClients: 1, step: 1 },
  { durationSecs: 30, profileType: "BreakingPoint", triggers: [trigger] },
];
const soundSchedules: readonly Json[] = [
  { scheduleType: "Single", nextScheduled: "2099-01-01T00:00:00Z" },
  { scheduleType: "Recurring", recurringInterval: "Minute", minute: 5 },
  { scheduleType: "Recurring", recurringInterval: "Week", dayOfWeek: 2 },
  {
    scheduleType: "Recurring",
    recurringInterval: "Month",
    day: 31,
    exclusions: [{ recurringInterval: "Day", startHour: 22, endHour: 2 }],
  },
];

/** Something sound with none to two of its fields written anew. */
function nearly(base: readonly Json[], changes: fc.Arbitrary<Readonly<Record<string, unknown>>>): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.constantFrom(...base), changes, fc.nat({ max: 2 }), fc.nat())
    .map(([start, change, count, salt]) => {
      const names = Object.keys(change);
      const chosen = Array.from(
        { length: Math.min(count, names.length) },
        (_, index) => names[(salt + index) % names.length]!,
      );
      return { ...(start as object), ...Object.fromEntries(chosen.map((name) => [name, change[name]])) } as Json;
    });
}

const configuration = sparse({
  profileType: fc.constantFrom("Flat", "Step", "BreakingPoint", "Ramp"),
  durationSecs: fc.integer({ min: 0, max: 100 }),
  iterations: fc.integer({ min: 0, max: 3 }),
  iterationSleepSecs: fc.integer({ min: 0, max: 3 }),
  rampupSecs: fc.integer({ min: -1, max: 3 }),
  concurrentClients: fc.integer({ min: 0, max: 300 }),
  startConcurrentClients: fc.integer({ min: 0, max: 10 }),
  step: fc.integer({ min: 0, max: 10 }),
  scriptParams: fc.constantFrom<Json>("{}", '{"a":"b"}', "no json", { a: "b" }),
  schedules: fc
    .option(nearly(soundSchedules, schedule), { nil: undefined })
    .map((each) => (each ? { only: each } : {}) as Json),
});

const repository = sparse({
  vcsType: fc.constantFrom("git", "Git", "svn"),
  url: fc.constantFrom("https://git.test/a.git", "ssh://git@git.test/a.git", "git@git.test:a.git", "no url"),
  vcsAuthType: fc.constantFrom("None", "Username", "PrivateKey", "Token"),
  username: fc.constant("ci"),
  password: fc.constant(`\${env:SECRET}`),
  privateKey: fc.constant(`\${env:SECRET}`),
});
/** The fields that an authentication uses. */
const ofAuthentication: Readonly<Record<string, readonly string[]>> = {
  Username: ["username", "password"],
  PrivateKey: ["privateKey"],
};
const fittingRepository = fc.tuple(repository, fc.nat(4)).map(([each, luck]) => {
  const members = each as Readonly<Record<string, Json>>;
  const used = ofAuthentication[String(members["vcsAuthType"])] ?? [];
  const isUnused = (name: string) => ["username", "password", "privateKey"].includes(name) && !used.includes(name);
  return luck === 0 ? each : (Object.fromEntries(Object.entries(members).filter(([name]) => !isUnused(name))) as Json);
});

/** Something sound, and now and then something else. */
const mostly = <T>(sound: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: sound }, { weight: 1, arbitrary: other });
const named = mostly(
  fc.constantFrom("A", "Ünï 🛒", " a "),
  fc.constantFrom("a\nb", "a\u2028b", "\u0007", "\u200b", "\ud800", "a\u0085"),
);
const runner = sparse({
  regions: fc.subarray([
    "cloud-us-east-1",
    "cloud-eu-west-1",
    "cloud-us-west-2,cloud-ap-south-1",
  ]) as fc.Arbitrary<Json>,
  weight: fc.constantFrom<Json>(1, [1], [1, 2]),
}).map((each) => ({ provider: { id: 0 }, ...each }) as Json);

/** Names, scripts, runners and triggers, of which some are none. */
const wholes: fc.Arbitrary<Json> = fc
  .record({
    name: named,
    tag: named,
    parameter: named,
    script: mostly(fc.constant("x"), fc.constant("")),
    scriptType: fc.constantFrom("Code", "Other"),
    providers: mostly<Json>(fc.array(runner, { minLength: 1, maxLength: 2 }), fc.constant<Json>([])),
    triggers: fc.array(
      fc.record({
        conditions: mostly<Json>(fc.constant(trigger.conditions), fc.constant<Json>([])),
        actions: mostly<Json>(fc.constant(trigger.actions), fc.constant<Json>([])),
      }),
      { maxLength: 1 },
    ) as fc.Arbitrary<Json>,
  })
  .map(({ name, tag, parameter, script, scriptType, ...configuration }) => ({
    name,
    scenarios: { s: { script, scriptType, tags: [tag], paramsConfig: [{ name: parameter }] } },
    configurations: { c: { name, scenario: "s", ...flat, ...configuration } },
    gateways: { g: { name, url: "https://shop.test" } },
  }));

const base = { project: "p", service: { url: "memory:" } };
const scenarios = { s: { script: "x" } };
const providers = [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }];

/** Projects that are sound or nearly so, each with what is drawn in it. */
export const nearlySound = [
  [
    "configurations and schedules",
    nearly(sound, configuration).map((each) => ({
      ...base,
      testCases: { t: { scenarios, configurations: { c: { scenario: "s", providers, ...(each as object) } } } },
    })),
  ],
  ["names, scripts, runners and triggers", wholes.map((t) => ({ ...base, testCases: { t } }))],
  ["repositories", fittingRepository.map((each) => ({ ...base, vcsRoots: { r: each } }))],
] as unknown as readonly (readonly [about: string, documents: fc.Arbitrary<Json>])[];

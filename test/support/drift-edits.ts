import { actOutside, tablesOf } from "./life/outside-edits.ts";
import { pick } from "./life/wish-edits.ts";
import type { Rig } from "./rig.ts";

const lifeActs = ["rename", "change", "delete", "delete a schedule", "pause a schedule", "add a schedule"] as const;

/** What somebody may do to the objects of a project by hand. */
export const driftActs = [
  ...lifeActs,
  "clear a description",
  "change the load",
  "change the profile",
  "change the basis",
  "change regions",
  "add a region",
  "change parameters",
  "change triggers",
  "change a schedule",
  "change data",
  "change a script",
  "drop a script",
  "change the parameters of a script",
  "change tags",
  "change a repository",
] as const;

type DriftAct = (typeof driftActs)[number];
type Body = Readonly<Record<string, unknown>>;

function isLifeAct(act: DriftAct): act is (typeof lifeActs)[number] {
  return (lifeActs as readonly string[]).includes(act);
}

const regions = (...names: string[]) => ({
  providerId: 0,
  numRegions: names.length,
  params: { regions: names.join(",") },
});

const condition = (threshold: number) => ({
  metric: "firstReceivedMs",
  metricKey: "p95",
  operator: "GTE",
  threshold,
  timePeriod: "LastMinute",
  valueType: "Absolute",
  isPercentage: threshold % 2 === 0,
});

const configurations: Readonly<Partial<Record<DriftAct, (number: number) => Body>>> = {
  "change the load": (number) => ({ concurrentClients: 90 + number }),
  "change the profile": (number) => ({
    profileType: "Step",
    durationSecs: 300,
    iterations: null,
    rampupSecs: null,
    concurrentClients: 40,
    startConcurrentClients: 4,
    step: number,
  }),
  "change the basis": (number) => ({ profileType: "Flat", iterations: number, durationSecs: null }),
  "change regions": () => ({ providers: [regions("cloud-eu-west-1")] }),
  "add a region": (number) => ({
    providers: [
      regions("cloud-us-east-1", "cloud-us-west-2"),
      { ...regions("cloud-eu-west-1"), params: { regions: "cloud-eu-west-1", weight: String(number) } },
    ],
  }),
  "change parameters": (number) => ({ scriptParams: JSON.stringify({ a: String(number), "new one": "x: y # z" }) }),
  "change triggers": (number) => ({
    triggers: [{ conditions: [condition(number), condition(number + 1)], actions: [{ actionType: "StopExecution" }] }],
  }),
};

const scripts: Readonly<Partial<Record<DriftAct, (number: number) => Body>>> = {
  "change a script": (number) => ({ main: `// line\r\nrun(${number}); \n\n\`\${x}\`\n` }),
  "drop a script": () => ({ init: null }),
  "change the parameters of a script": (number) => ({
    paramsConfig: [{ name: "u", required: number % 2 === 0, defaultValue: String(number) }, { name: "other" }],
  }),
  "change tags": (number) => ({ tags: [`by hand ${number}`] }),
};

/** Does it; a refusal is a refusal. */
export async function editOutside(rig: Rig, act: DriftAct, at: number, number: number): Promise<void> {
  if (isLifeAct(act)) return actOutside(rig, act, at, `By hand: ${number}`);
  const request = requestOf(rig, act, at, number);
  if (request === undefined) return;
  const [method, path, body] = request;
  await rig.service.handle({ method, path, headers: { "x-api-key": rig.service.apiKey }, body: body as never });
}

function requestOf(rig: Rig, act: DriftAct, at: number, number: number): readonly [string, string, Body] | undefined {
  const tables = tablesOf(rig);
  const of = (table: string) => pick(tables[table] ?? [], at);
  const configuration = configurations[act];
  const script = scripts[act];
  const target = of(configuration ? "configuration" : "scenario");
  if (configuration && target) return ["PUT", `/test-confs/${target.id}`, configuration(number)];
  if (script && target) return ["PUT", `/scripts/${target.id}`, script(number)];
  return otherRequest({ act, number, of });
}

type Of = (table: string) => (Body & { readonly id: number }) | undefined;

function otherRequest({ act, number, of }: { readonly act: DriftAct; readonly number: number; readonly of: Of }) {
  const [testCase, store, root, schedule] = [of("testCase"), of("dataStore"), of("vcsRoot"), of("schedule")];
  if (act === "clear a description")
    return testCase && (["POST", "/test-cases", { name: testCase["name"], description: null, org: 1 }] as const);
  if (act === "change data")
    return (
      store &&
      ([
        "PUT",
        `/data-stores/${store.id}/contents`,
        { name: store["name"], contents: Buffer.from(`a,b\r\n${number},é\r\n`).toString("base64") },
      ] as const)
    );
  if (act === "change a repository")
    return (
      root &&
      (["PUT", `/vcs-roots/${root.id}`, { vcsAuthType: "None", url: "https://git.test/elsewhere.git" }] as const)
    );
  if (act !== "change a schedule" || schedule === undefined) return undefined;
  const own = {
    id: schedule.id,
    scheduleType: "Recurring",
    recurringInterval: "Week",
    dayOfWeek: 3,
    week: number,
    hour: 4,
    minute: 5,
  };
  return ["PUT", `/test-confs/${schedule["configurationId"]}`, { schedules: [own] }] as const;
}

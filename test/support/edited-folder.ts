import fc from "fast-check";

/** One scenario of a random project in files. */
interface EditedScenario {
  /** `shared.js`, a file of its own, or a text in the file. */
  script: "shared" | "own" | "inline";
  parameter?: "required" | "encrypted" | "plain";
  tags: readonly string[];
  data: boolean;
}

/** One configuration: it may run a scenario of another test case. */
interface EditedConfiguration {
  scenario: readonly [number, number];
  params?: "plain" | "none";
  rampupSecs: number;
  schedule?: "active" | "inactive";
}

/** One test case, in a file of its own. */
interface EditedCase {
  name?: string;
  description: string;
  scenarios: EditedScenario[];
  configurations: EditedConfiguration[];
  gateway: boolean;
  protect?: boolean;
}

/** A project as a folder of files, to be edited. */
export interface EditedFolder {
  cases: (EditedCase | undefined)[];
  scripts: { shared: string; own: string };
  data: string;
  url: string;
  /** Of the environment `dev`. */
  patch: boolean;
  /** Text that spoils the first file, or only its looks. */
  extra: "" | "# a comment\n" | "[" | "unknown: 1\n";
  missing: boolean;
  tags: readonly string[];
}

const scenario = fc.record({
  script: fc.constantFrom("shared", "shared", "own", "inline"),
  parameter: fc.constantFrom(undefined, undefined, "required", "encrypted", "plain"),
  tags: fc.subarray(["nightly", "smoke"]),
  data: fc.boolean(),
}) as fc.Arbitrary<EditedScenario>;

const configuration = fc.record({
  scenario: fc.tuple(fc.nat(3), fc.nat(3)),
  params: fc.constantFrom(undefined, "plain", "none"),
  rampupSecs: fc.integer({ min: 1, max: 20 }),
  schedule: fc.constantFrom(undefined, "active", "inactive"),
}) as fc.Arbitrary<EditedConfiguration>;

const testCase = fc.record({
  description: fc.constantFrom("one", "two"),
  scenarios: fc.array(scenario, { minLength: 1, maxLength: 4 }),
  configurations: fc.array(configuration, { maxLength: 2 }),
  gateway: fc.boolean(),
}) as fc.Arbitrary<EditedCase>;

/** Random projects of about ten objects, where the guards on thresholds begin. */
export const editedFolder: fc.Arbitrary<EditedFolder> = fc
  .tuple(fc.array(testCase, { minLength: 2, maxLength: 4 }), fc.boolean(), fc.subarray(["nightly", "smoke"]))
  .map(([cases, patch, tags]) => ({
    cases,
    scripts: { shared: 'step("one")\n', own: "own()\n" },
    data: "a\n1\n",
    url: "https://a.example.com",
    patch,
    extra: "",
    missing: false,
    tags,
  }));

type Edit = (folder: EditedFolder, at: number, number: number) => void;

/** Everything that may happen to the files. */
export const fileEdits: Readonly<Record<string, Edit>> = {
  nothing: () => undefined,
  "the shared script": (folder, _, number) => Object.assign(folder.scripts, { shared: `step(${number})\n` }),
  "an own script": (folder, _, number) => Object.assign(folder.scripts, { own: `own(${number})\n` }),
  "the data": (folder, _, number) => Object.assign(folder, { data: `a\n${number}\n` }),
  "a variable": (folder, _, number) => Object.assign(folder, { url: `https://a${number}.example.com` }),
  "the environment": (folder) => Object.assign(folder, { patch: !folder.patch }),
  "a comment": (folder) => Object.assign(folder, { extra: folder.extra === "" ? "# a comment\n" : "" }),
  "a mistake": (folder, _, number) => Object.assign(folder, { extra: number % 2 === 0 ? "[" : "unknown: 1\n" }),
  "a mended mistake": (folder) => Object.assign(folder, { extra: "", missing: false }),
  "a missing file": (folder) => Object.assign(folder, { missing: !folder.missing }),
  tags: (folder, _, number) => Object.assign(folder, { tags: [[], ["nightly"], ["smoke"]][number % 3] }),
  "a description": (folder, at, number) => edited(folder, at, { description: `of ${number}` }),
  "a name": (folder, at, number) => edited(folder, at, { name: ["a", "b", "other"][number % 3] ?? "" }),
  "a gateway": (folder, at) => edited(folder, at, { gateway: !caseAt(folder, at)?.gateway }),
  protection: (folder, at) => edited(folder, at, { protect: caseAt(folder, at)?.protect !== true }),
  "a file less": (folder, at) => {
    folder.cases[at % folder.cases.length] = undefined;
  },
  "a file more": (folder) => {
    folder.cases.push({
      description: "more",
      scenarios: [{ script: "own", tags: [], data: false }],
      configurations: [],
      gateway: false,
    });
  },
  "a scenario more": (folder, at) =>
    caseAt(folder, at)?.scenarios.push({ script: "shared", tags: ["nightly"], data: true }),
  "a scenario less": (folder, at) => void caseAt(folder, at)?.scenarios.pop(),
  "a parameter": (folder, at, number) =>
    Object.assign(caseAt(folder, at)?.scenarios[0] ?? {}, {
      parameter: (["required", "encrypted", "plain"] as const)[number % 3],
    }),
  "where a script is": (folder, at, number) =>
    Object.assign(caseAt(folder, at)?.scenarios[0] ?? {}, {
      script: (["shared", "own", "inline"] as const)[number % 3],
    }),
  "a reference": (folder, at, number) => configured(folder, at, { scenario: [number, at] }),
  "a value of a parameter": (folder, at, number) =>
    configured(folder, at, { params: (["plain", "none"] as const)[number % 2] ?? "none" }),
  "a ramp-up": (folder, at, number) => configured(folder, at, { rampupSecs: number + 1 }),
  "a schedule": (folder, at, number) =>
    configured(folder, at, { schedule: (["active", "inactive"] as const)[number % 2] ?? "active" }),
};

const caseAt = (folder: EditedFolder, at: number) => folder.cases[at % folder.cases.length];

function edited(folder: EditedFolder, at: number, change: Partial<EditedCase>): void {
  Object.assign(caseAt(folder, at) ?? {}, change);
}

function configured(folder: EditedFolder, at: number, change: Partial<EditedConfiguration>): void {
  const all = folder.cases.flatMap((each) => each?.configurations ?? []);
  Object.assign(all[at % Math.max(1, all.length)] ?? {}, change);
}

/** The files of a project at a service, by path. */
export function filesOf(folder: EditedFolder, service: string): Readonly<Record<string, string>> {
  const cases = folder.cases.flatMap((each, index) =>
    each ? [[`load/${keyOf(index)}.yaml`, yaml({ testCases: { [keyOf(index)]: caseOf(folder, each, index) } })]] : [],
  );
  const patch = { dev: folder.patch ? { testCases: { a: { description: "of dev" } } } : {} };
  const main = {
    project: "p",
    service: { url: service, organization: 1 },
    state: { backend: "local", path: "state.json" },
    include: ["load/*.yaml"],
    variables: { url: { type: "string", default: folder.url } },
    environments: patch,
  };
  const shared = { tags: Object.fromEntries(folder.tags.map((tag) => [tag, {}])) };
  return {
    "loadform.yaml": yaml(main),
    "load/shared.yaml": `${yaml(shared)}${folder.extra}`,
    ...Object.fromEntries(cases),
    "load/shared.js": folder.scripts.shared,
    ...(!folder.missing && { "load/own.js": folder.scripts.own }),
    "load/u.csv": folder.data,
  };
}

/** Members on lines of their own, each value in flow style. */
function yaml(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

const keyOf = (index: number) => String.fromCharCode(97 + index);

function caseOf(folder: EditedFolder, each: EditedCase, index: number): object {
  const { name, description, protect, gateway } = each;
  const load = {
    concurrentClients: 5,
    durationSecs: 60,
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
  };
  return {
    ...(name !== undefined && { name }),
    description,
    ...(protect && { protect }),
    scenarios: Object.fromEntries(each.scenarios.map((one, at) => [`s${at}`, scenarioOf(one)])),
    ...(gateway && { gateways: { g: { url: "${var:url}" } } }),
    configurations: Object.fromEntries(
      each.configurations.map(({ scenario: [inCase, at], params, rampupSecs, schedule }, own) => [
        `c${own}`,
        {
          ...load,
          rampupSecs,
          scenario: referenceTo(folder, index, inCase, at),
          ...(params && { scriptParams: params === "none" ? {} : { token: "abc" } }),
          ...(schedule && {
            schedules: {
              n: { scheduleType: "Recurring", recurringInterval: "Day", hour: 2, active: schedule === "active" },
            },
          }),
        },
      ]),
    ),
  };
}

function scenarioOf({ script, parameter, tags, data }: EditedScenario): object {
  const parameters = { required: { required: true }, encrypted: { encrypted: true }, plain: {} };
  return {
    script: script === "inline" ? "sleep(1)" : `\${file:${script}.js}`,
    ...(tags.length > 0 && { tags }),
    ...(parameter && { paramsConfig: [{ name: "token", ...parameters[parameter] }] }),
    ...(data && { dataStores: { "u.csv": { contents: "${file:u.csv}" } } }),
  };
}

/** A scenario that is there, of this test case or of another. */
function referenceTo({ cases }: EditedFolder, own: number, inCase: number, at: number): string {
  const index = inCase % cases.length;
  const key = `s${at % Math.max(1, cases[index]?.scenarios.length ?? 1)}`;
  return index === own ? key : `${keyOf(index)}/${key}`;
}

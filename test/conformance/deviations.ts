import type { ShapeName } from "../../src/api/shapes.ts";
import { isObject, type JsonObject } from "../../src/model/json.ts";
import type { ServiceAnswer } from "../../src/service/index.ts";
import type { AppliedDeviation } from "./apply-under-deviation.ts";
import { type Deviation, each, type Met } from "./deviating-service.ts";

type Value = NonNullable<ServiceAnswer["json"]> | null;
type Mutable = Record<string, Value>;

/** A deviation that a read shows, with the finding that names it: its kind and its place. */
export interface ShownDeviation extends Deviation {
  readonly shows: readonly [kind: string, at: string];
}

const on = (shape: ShapeName, member: string, change: (value: Value, object: Mutable) => Value | undefined) =>
  each([shape], (object) => {
    const held = object[member];
    if (held === undefined) return;
    const changed = change(held as Value, object as Mutable);
    if (changed === undefined) delete object[member];
    else object[member] = changed;
  });

type Change = (value: Value, object: Mutable) => Value | undefined;

function member(
  at: `${ShapeName}.${string}`,
  words: string,
  [kind, change]: readonly [string, Change],
): ShownDeviation {
  const [shape, name = ""] = at.split(".") as [ShapeName, string];
  return { name: `${at} ${words}`, answers: on(shape, name, change), shows: [kind, at] };
}

/** Members that only some variants have: it is a rule that shows that one is missing. */
const byRule: ReadonlySet<string> = new Set(["configuration.concurrentClients", "schedule.hour"]);
const missing = (at: `${ShapeName}.${string}`) =>
  member(at, "is missing", [byRule.has(at) ? "rule" : "missing", () => undefined]);
const nulls = (at: `${ShapeName}.${string}`) => member(at, "is null", ["type", () => null]);
const asText = (at: `${ShapeName}.${string}`) =>
  member(at, "is text", ["type", (value) => (value === null ? null : String(value))]);
const upper = (at: `${ShapeName}.${string}`) =>
  member(at, "is in capitals", ["word", (value) => String(value).toUpperCase()]);
const lower = (at: `${ShapeName}.${string}`) =>
  member(at, "is in small letters", ["word", (value) => String(value).toLowerCase()]);

/** Other times everywhere. */
function times(words: string, change: (time: string) => Value, kind: "form" | "type"): ShownDeviation {
  return {
    name: `times are ${words}`,
    answers: each("every", (object) => {
      for (const name of ["createdAt", "updatedAt", "nextScheduled"])
        if (typeof object[name] === "string") object[name] = change(String(object[name]));
    }),
    shows: [kind, "configuration.createdAt"],
  };
}

/** Another answer of a route. */
function route(name: string, of: RegExp, change: (value: Value, met: Met) => Value): Omit<ShownDeviation, "shows"> {
  return { name, answers: (value, met) => (of.test(met.route) ? change(value as Value, met) : value) };
}

const isList = /^GET .*(?:test-cases|confs|scripts|gateways|vcs-roots|providers|tags|regions)$/;

/** Members that are not there. */
const missingMembers: readonly ShownDeviation[] = (
  [
    ...["testCase.description", "testCase.createdAt", "testCase.updatedAt", "configuration.providers"],
    ...["configuration.schedules", "configuration.triggers", "configuration.script", "configuration.profileType"],
    ...["configuration.concurrentClients", "scenario.tags", "scenario.paramsConfig", "scenario.hasInit"],
    ...["dataStore.size", "dataStore.headers", "dataStore.script", "gateway.keys", "provider.providerType"],
    ...["vcsRoot.branch", "vcsRoot.url", "schedule.active", "schedule.hour", "configuration.createdAt"],
  ] as `${ShapeName}.${string}`[]
).map(missing);

/** Values of another type. */
const otherTypes: readonly ShownDeviation[] = [
  ...(
    [
      ...["testCase.id", "scenario.id", "configuration.id", "gateway.id", "schedule.id"],
      ...["configuration.durationSecs", "configuration.concurrentClients", "schedule.active", "dataStore.size"],
    ] as `${ShapeName}.${string}`[]
  ).map(asText),
  ...(
    [
      ...["configuration.triggers", "configuration.schedules", "testCase.gateways", "testCase.dataStores"],
      ...["scenario.tags", "scenario.paramsConfig", "schedule.exclusions", "testCase.configurations"],
    ] as `${ShapeName}.${string}`[]
  ).map(nulls),
  member("configuration.scriptParams", "is an object", ["type", (value) => JSON.parse(String(value)) as Value]),
  member("configuration.script", "is an id", ["type", (value) => (isObject(value) ? (value["id"] as Value) : value)]),
  member("providerConfiguration.provider", "is an id", [
    "type",
    (value) => (isObject(value) ? (value["id"] as Value) : value),
  ]),
  member("scenario.tags", "are objects", [
    "type",
    (value) => (Array.isArray(value) ? value.map((name: Value) => ({ name })) : value),
  ]),
  member("scenario.paramsConfig", "is text", ["type", (value) => JSON.stringify(value)]),
  member("testCase.active", "is a number", ["type", (value) => Number(value)]),
  member("providerConfiguration.params", "has lists", [
    "value",
    (value) => (isObject(value) ? { ...value, regions: String(value["regions"]).split(",") } : value),
  ]),
  member("condition.threshold", "is text", ["type", (value) => String(value)]),
];

/** Values in another form, and words in other letters. */
const otherForms: readonly ShownDeviation[] = [
  times("epoch milliseconds", (time) => Date.parse(time), "type"),
  times("without milliseconds", (time) => time.replace(/\.\d{3}Z$/, "Z"), "form"),
  times("with an offset", (time) => time.replace("Z", "+00:00"), "form"),
  times("with a space", (time) => time.replace("T", " ").replace(/\.\d{3}Z$/, ""), "form"),
  upper("configuration.profileType"),
  upper("configuration.imageDiffMode"),
  upper("schedule.scheduleType"),
  lower("schedule.recurringInterval"),
  upper("vcsRoot.vcsAuthType"),
  lower("provider.providerType"),
  lower("condition.operator"),
  lower("exclusion.recurringInterval"),
  member("configuration.profileType", "is another word", ["word", () => "Spike"]),
  member("scenario.length", "counts otherwise", ["value", (value) => Number(value) + 1]),
  member("dataStore.url", "is another path", ["rule", () => "/files/1"]),
  member("configuration.iterationSleepSecs", "is 0", ["rule", () => 0]),
];

/** Members that nobody asked for. */
const furtherMembers: readonly ShownDeviation[] = [
  {
    name: "every object has a member more",
    answers: each("every", (object) => {
      object["colour"] = "red";
      object["constructor"] = "red";
    }),
    shows: ["undescribed", "configuration.colour"],
  },
  {
    name: "repositories have their password, masked",
    answers: each(["vcsRoot"], (object) => {
      object["password"] = "***";
    }),
    shows: ["undescribed", "vcsRoot.password"],
  },
  {
    name: "test cases always have their organization",
    answers: each(["testCase"], (object) => {
      object["organization"] ??= { id: 1, name: "Default" };
    }),
    shows: ["unasked", "testCase.organization"],
  },
  {
    name: "scenarios always have their text",
    answers: each(["scenario"], (object) => {
      object["main"] ??= "http.get('/')";
    }),
    shows: ["unasked", "scenario.main"],
  },
  {
    name: "fields of other variants are 0",
    answers: each(["configuration"], (object) => {
      for (const name of ["iterations", "startConcurrentClients", "step", "rampupSecs"]) object[name] ??= 0;
    }),
    shows: ["unasked", "configuration.step"],
  },
];

/** Other lists and other statuses. */
const otherAnswers: readonly ShownDeviation[] = [
  { ...route("lists are pages", isList, (value) => ({ items: value, total: 1 })), shows: ["type", "answer"] },
  {
    ...route("a list is cut after one entry", /^GET .*confs$/, (value) => (value as Value[]).slice(0, 1)),
    shows: ["count", "answer"],
  },
  { ...route("an empty list is null", /^GET .*recordings$/, () => null), shows: ["type", "answer"] },
  {
    ...route("a test case comes without what is below it", /^GET \/test-cases\/:testCaseId$/, (value) => {
      const { scenarios: _, configurations: __, gateways: ___, dataStores: ____, ...rest } = value as Mutable;
      return rest;
    }),
    shows: ["missing", "testCase.scenarios"],
  },
  {
    ...route("the overview is empty", /^GET .*new-summary$/, () => ({})),
    shows: ["missing", "summaryListing.running"],
  },
  { ...route("running agents are none", /agents$/, () => ({})), shows: ["missing", "runningAgents.regions"] },
  {
    name: "HEAD is not allowed",
    status: ({ request }) => (request.method === "HEAD" ? { status: 405, isEmpty: true } : undefined),
    shows: ["status", "answer"],
  },
  {
    name: "a missing object is 410",
    status: (_, status) => (status === 404 ? { status: 410 } : undefined),
    shows: ["status", "answer"],
  },
  {
    name: "a missing object is null",
    status: ({ request }, status) => (status === 404 && request.method === "GET" ? { status: 200 } : undefined),
    shows: ["status", "answer"],
  },
  {
    name: "repositories are forbidden",
    status: ({ route: asked }) => (/vcs-roots$/.test(asked) ? { status: 403 } : undefined),
    shows: ["status", "answer"],
  },
];

/** Deviations that a read shows. */
export const shownDeviations: readonly ShownDeviation[] = [
  ...missingMembers,
  ...otherTypes,
  ...otherForms,
  ...furtherMembers,
  ...otherAnswers,
];

const isWrite = ({ request: { method } }: Met) => method === "POST" || method === "PUT" || method === "PATCH";
const onWrite = (change: (value: Mutable, met: Met) => Value) => (value: Value | undefined, met: Met) =>
  isWrite(met) && isObject(value) ? change(value as Mutable, met) : (value ?? null);

const withDefault = (name: string, of: RegExp, fields: JsonObject): AppliedDeviation => ({
  name,
  ...storing(/^(?:configuration|scenario) .*"name":"(?:steps|pay)"/, fields, of),
  arrives: (body, { route: asked }) => (of.test(asked) ? { ...fields, ...body } : body),
});

/** Fields that nobody declares have the value that the service gives them; an object made before has it from then. */
function storing(objects: RegExp, fields: JsonObject, of: RegExp): Pick<AppliedDeviation, "stores"> {
  if (!of.source.includes("POST")) return {};
  const table = of.source.includes("confs") ? "configuration" : "scenario";
  return {
    stores(object) {
      if (!objects.test(object) || !object.startsWith(table)) return object;
      const cut = object.indexOf(" ") + 1;
      return object.slice(0, cut) + JSON.stringify({ ...(JSON.parse(object.slice(cut)) as JsonObject), ...fields });
    },
  };
}

/** Deviations that only a write shows. */
export const writeDeviations: readonly AppliedDeviation[] = [
  withDefault("iterationSleepSecs is 5 by default", /^POST .*confs$/, { iterationSleepSecs: 5 }),
  withDefault("imageDiffMode is ScenarioBaseline by default", /^POST .*confs$/, { imageDiffMode: "ScenarioBaseline" }),
  withDefault("nodeVersion is 22 by default", /^POST .*scripts$/, { nodeVersion: "22" }),
  withDefault("an update without triggers has none", /^PUT \/test-confs\/:confId$/, { triggers: [] }),
  withDefault("an update without parameters has none", /^PUT \/scripts\/:id$/, { paramsConfig: [], tags: [] }),
  {
    name: "texts of a create are in capitals",
    isTold: true,
    stores: (object) => object.replace("http.post('/pay')", "HTTP.POST('/PAY')"),
    arrives: (body, met) =>
      /^POST .*scripts$/.test(met.route) ? { ...body, main: String(body["main"]).toUpperCase() } : body,
  },
  {
    name: "writes are answered 201",
    status: (met, status) => (isWrite(met) && status === 200 ? { status: 201 } : undefined),
  },
  {
    name: "writes are answered 204",
    status: (met, status) => (isWrite(met) && status === 200 ? { status: 204, isEmpty: true } : undefined),
  },
  {
    name: "deletes are answered 204",
    status: ({ request }, status) =>
      request.method === "DELETE" && status === 200 ? { status: 204, isEmpty: true } : undefined,
  },
  {
    name: "deletes are answered 202 with null",
    status: ({ request }, status) =>
      request.method === "DELETE" && status === 200 ? { status: 202, isEmpty: true } : undefined,
  },
  { name: "writes answer only the id", answers: onWrite(({ id = null }) => ({ id })) },
  {
    name: "writes answer id and time alone",
    answers: onWrite(({ id = null, createdAt = null, name = null }) => ({ id, createdAt, name })),
  },
  { name: "writes answer within data", answers: onWrite((value) => ({ data: value })) },
  { name: "writes answer a list", answers: onWrite((value) => [value]) },
  { name: "writes answer nothing of what was sent", answers: onWrite((value) => ({ ...value, name: "another" })) },
  { name: "writes answer ids as text", answers: onWrite((value) => ({ ...value, id: String(value["id"]) })) },
  { name: "writes answer times in seconds", answers: onWrite((value) => ({ ...value, createdAt: 1_763_632_800 })) },
  {
    name: "writes answer null for lists",
    answers: onWrite((value) =>
      Object.fromEntries(Object.entries(value).map(([name, held]) => [name, Array.isArray(held) ? null : held])),
    ),
  },
  {
    name: "an update is not carried out",
    isTold: true,
    arrives: (body, { request, route: asked }) =>
      request.method === "PUT" && !asked.endsWith("/contents") ? {} : body,
  },
];

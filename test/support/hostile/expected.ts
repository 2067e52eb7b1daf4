import { type Body, type Declared, declaredIn, isBody, nameOf, type Value, valueIn } from "./document.ts";
import { parametersOf } from "./rows.ts";

/** What the service must hold of one declared object; it is worked out from the document alone. */
export interface Expected {
  readonly address: string;
  readonly kind: string;
  readonly parent: string | undefined;
  readonly name: string | undefined;
  /** Fields with the value that they must have. */
  readonly fields: Body;
  /** Fields that hold the id of another declared object, by its address. */
  readonly references: Readonly<Record<string, string>>;
  /** Values of which the service keeps a digest, by field. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Fields that are not declared, with what they are when nobody ever set them. */
  readonly unset: Body;
}

/** What the service must hold of a document, by address. */
export function expectedOf(document: Body): ReadonlyMap<string, Expected> {
  const all = declaredIn(document);
  const byAddress = new Map(all.map((each) => [each.address, each]));
  return new Map(all.map((each) => [each.address, expectedOne(each, byAddress)]));
}

type Part = Partial<Pick<Expected, "fields" | "references" | "secrets" | "unset">>;
type Objects = ReadonlyMap<string, Declared>;

function expectedOne(declared: Declared, objects: Objects): Expected {
  const { address, kind, parent } = declared;
  const name = kind === "schedule" ? undefined : nameOf(declared);
  const part = parts[kind]?.(declared, objects) ?? {};
  const fields = { ...(name !== undefined && { name }), ...part.fields };
  return { address, kind, parent, name, references: {}, secrets: {}, unset: {}, ...part, fields };
}

/** Fields of a body that are declared, and the others with their default. */
function split(body: Body, defaults: Body): { readonly fields: Body; readonly unset: Body } {
  const isSet = (name: string) => body[name] !== undefined;
  const entries = Object.entries(defaults);
  return {
    fields: Object.fromEntries(entries.filter(([name]) => isSet(name)).map(([name]) => [name, body[name] ?? null])),
    unset: Object.fromEntries(entries.filter(([name]) => !isSet(name))),
  };
}

const parts: Readonly<Record<string, (declared: Declared, objects: Objects) => Part>> = {
  tag: () => ({}),
  testCase: ({ body }) => split(body, { description: null }),
  scenario,
  dataStore: ({ body }) => ({ fields: { contents: Buffer.from(String(body["contents"])).toString("base64") } }),
  configuration,
  schedule,
  gateway: ({ body }) => ({ fields: { url: body["url"] ?? null } }),
  vcsRoot,
  provider,
  region: ({ body }) => ({
    ...split(body, { description: null }),
    references: { providerId: `provider.${String(body["provider"])}` },
  }),
};

const envOf = (value: Value | undefined) => /^\$\{env:([A-Z0-9_]+)\}$/.exec(String(value))?.[1];
const secretOf = (value: Value | undefined) => valueIn(envOf(value) ?? "");

function scenario({ body }: Declared, objects: Objects): Part {
  const { fields, unset } = split(body, { init: null, teardown: null, paramsConfig: [], tags: [] });
  const parameters = (body["paramsConfig"] ?? []) as Body[];
  const hidden = parameters.filter((each) => each["encrypted"] === true && each["defaultValue"] !== undefined);
  const tags = ((body["tags"] ?? []) as string[]).map((key) => {
    const tag = objects.get(`tag.${key}`);
    return tag ? nameOf(tag) : key;
  });
  return {
    fields: {
      ...fields,
      main: body["script"] ?? null,
      scriptType: "Code",
      language: "javascript",
      nodeVersion: "latest",
      ...(body["paramsConfig"] !== undefined && { paramsConfig: parametersOf(parameters.map(parameter)) }),
      ...(body["tags"] !== undefined && { tags: tags.sort() }),
    },
    unset,
    secrets: Object.fromEntries(hidden.map((each) => [String(each["name"]), secretOf(each["defaultValue"])])),
  };
}

function parameter({ name, required = false, encrypted = false, defaultValue }: Body): Body {
  const shown = encrypted === true || defaultValue === undefined ? {} : { defaultValue };
  return { name: name ?? "", required, encrypted, ...shown };
}

function configuration({ body, parent = "" }: Declared, objects: Objects): Part {
  const isFlat = (body["profileType"] ?? "Flat") === "Flat";
  const { fields, unset } = split(body, {
    iterationSleepSecs: 10,
    ...(isFlat && { rampupSecs: 60 }),
    scriptParams: {},
    imageDiffMode: "None",
    triggers: [],
  });
  // What is declared neither here nor as a default belongs to another variant, and is gone.
  const load = ["durationSecs", "iterations", "concurrentClients", "startConcurrentClients", "step"];
  const parameters = body["scriptParams"];
  return {
    fields: {
      ...fields,
      ...(typeof parameters === "string" && { scriptParams: JSON.parse(parameters) as Value }),
      profileType: body["profileType"] ?? "Flat",
      ...(!isFlat && { rampupSecs: null }),
      ...Object.fromEntries(load.map((name) => [name, body[name] ?? null])),
      providers: ((body["providers"] ?? []) as Body[]).map((each) => runner(each, objects)),
    },
    unset,
    references: { scriptId: scenarioAddress(String(body["scenario"]), parent) },
  };
}

function scenarioAddress(reference: string, parent: string): string {
  const [one = "", other] = reference.split("/");
  return other === undefined ? `${parent}/scenario.${one}` : `testCase.${one}/scenario.${other}`;
}

function runner(body: Body, objects: Objects): Body {
  const { provider: at, regions = [], numRegions, concurrentClients, weight } = body;
  const names = (regions as string[]).map((key) => {
    const region = objects.get(`region.${key}`);
    return region ? nameOf(region) : key;
  });
  const params = {
    ...(names.length > 0 && { regions: names.sort().join(",") }),
    ...(concurrentClients !== undefined && { concurrentClients: String(concurrentClients) }),
    ...(weight !== undefined && { weight: String(weight) }),
  };
  const providerId = isBody(at) ? (at["id"] ?? null) : { address: `provider.${String(at)}` };
  return { providerId, numRegions: numRegions ?? Math.max(1, names.length), params };
}

/** What each interval says, with its defaults. */
const intervals: Readonly<Record<string, Body>> = {
  Minute: { minute: null },
  Hour: { hour: 1, minute: 0 },
  WeekDay: { hour: 0, minute: 0 },
  Day: { hour: 0, minute: 0 },
  Week: { week: 1, dayOfWeek: null, hour: 0, minute: 0 },
  Month: { month: 1, day: 1, hour: 0, minute: 0 },
};

function schedule({ body }: Declared): Part {
  const { scheduleType = null, nextScheduled, recurringInterval = null } = body;
  if (scheduleType === "Single")
    return {
      fields: { scheduleType, nextScheduled: new Date(String(nextScheduled)).toISOString() },
      unset: { active: true },
    };
  const { fields, unset } = split(body, { exclusions: [], active: true, ...intervals[String(recurringInterval)] });
  const windows = (body["exclusions"] ?? []) as Body[];
  const whole = windows.map((each) => ({ startMinute: 0, endMinute: 0, ...each }));
  return {
    fields: { ...fields, scheduleType, recurringInterval, ...(windows.length > 0 && { exclusions: whole }) },
    unset,
  };
}

function vcsRoot({ body }: Declared): Part {
  const { vcsAuthType = "None", username = null, privateKeyName = null, password, privateKey } = body;
  const { fields, unset } = split(body, { branch: "HEAD" });
  const secrets = {
    ...(password !== undefined && { password: secretOf(password) }),
    ...(privateKey !== undefined && { privateKey: Buffer.from(secretOf(privateKey)).toString("base64") }),
  };
  return {
    fields: { ...fields, url: body["url"] ?? null, vcsType: "Git", vcsAuthType, username, privateKeyName },
    unset,
    secrets,
  };
}

function provider({ body }: Declared): Part {
  const metadata = isBody(body["metadata"]) ? body["metadata"] : {};
  const isSecret = (name: string) => envOf(metadata[name]) !== undefined;
  const names = Object.keys(metadata);
  return {
    fields: {
      providerType: body["providerType"] ?? null,
      metadata: Object.fromEntries(
        names.filter((name) => !isSecret(name)).map((name) => [name, metadata[name] ?? null]),
      ),
    },
    secrets: Object.fromEntries(names.filter(isSecret).map((name) => [name, secretOf(metadata[name])])),
  };
}

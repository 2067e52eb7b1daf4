import { type Body, isBody, type Value } from "./document.ts";

/** One object as the service stores it. */
export type Row = Readonly<Record<string, Value>> & { readonly id: number };

/** An object of the service by `kind#id`. */
export type Rows = ReadonlyMap<string, { readonly kind: string; readonly row: Row }>;

/** What a service shows of itself. */
export interface Shown {
  readonly snapshot: () => { readonly salt: string; readonly tables: Readonly<Record<string, readonly unknown[]>> };
}

/** Kinds that have rows, parents first; executions and recordings are history. */
const tables = [
  "vcsRoot",
  "provider",
  "region",
  "testCase",
  "gateway",
  "scenario",
  "dataStore",
  "configuration",
  "schedule",
  "execution",
  "recording",
];

/** Everything that the service holds, but for tags, which come and go with what carries them. */
export function rowsOf(service: Shown): Rows {
  const found = service.snapshot().tables;
  return new Map(
    tables.flatMap((kind) =>
      ((found[kind] ?? []) as readonly Row[]).map((row) => [`${kind}#${row.id}`, { kind, row }] as const),
    ),
  );
}

/** Tags by name. */
export function tagsOf(service: Shown): ReadonlyMap<string, number> {
  const tags = (service.snapshot().tables["tag"] ?? []) as readonly Row[];
  return new Map(tags.map(({ name, id }) => [String(name), id]));
}

const parentColumns: Readonly<Record<string, readonly [kind: string, column: string]>> = {
  gateway: ["testCase", "testCaseId"],
  scenario: ["testCase", "testCaseId"],
  configuration: ["testCase", "testCaseId"],
  dataStore: ["scenario", "scenarioId"],
  schedule: ["configuration", "configurationId"],
  execution: ["configuration", "configurationId"],
  recording: ["gateway", "gatewayId"],
  region: ["provider", "providerId"],
};

/** The object that a row stands below. */
export function parentOf(kind: string, row: Row): string | undefined {
  const [parent, column] = parentColumns[kind] ?? [];
  return parent === undefined || column === undefined ? undefined : `${parent}#${String(row[column])}`;
}

const withoutIds = (value: Value | undefined): Value => {
  if (Array.isArray(value)) return value.map((each) => withoutIds(each));
  if (!isBody(value)) return value ?? null;
  const own = Object.entries(value).filter(([name]) => name !== "id");
  return Object.fromEntries(own.map(([name, each]) => [name, withoutIds(each)]));
};

/** What can be declared of a row, in the words of a document as the model reads it. */
export function fieldsOf(kind: string, row: Row): Body {
  const own: Body = { ...row };
  if (kind === "gateway")
    own["url"] = ((row["keys"] ?? []) as Body[]).find((each) => each["isPrimary"])?.["url"] ?? null;
  if (kind === "scenario") {
    own["tags"] = [...((row["tags"] ?? []) as string[])].sort();
    own["paramsConfig"] = parametersOf(row["paramsConfig"]);
  }
  if (kind === "configuration") {
    own["scriptParams"] = JSON.parse(String(row["scriptParams"])) as Value;
    own["triggers"] = withoutIds(row["triggers"]);
    own["providers"] = ((row["providers"] ?? []) as Body[]).map(runner);
  }
  if (kind === "schedule" && row["scheduleType"] === "Recurring") own["exclusions"] ??= [];
  return own;
}

/** One weight for all regions says the same as one for each; the order of regions and parameters says nothing. */
function runner({ providerId = null, numRegions = null, params }: Body): Body {
  const own = isBody(params) ? params : {};
  const weights = new Set(String(own["weight"]).split(","));
  return {
    providerId,
    numRegions,
    params: {
      ...own,
      ...(own["regions"] !== undefined && { regions: String(own["regions"]).split(",").sort().join(",") }),
      ...(own["weight"] !== undefined && weights.size === 1 && { weight: [...weights].join() }),
    },
  };
}

/** Parameters in the order of their names. */
export const parametersOf = (list: Value | undefined) =>
  [...((list ?? []) as Body[])].sort((left, right) => (String(left["name"]) < String(right["name"]) ? -1 : 1));

/** Text of a value that is the same for the same value, whatever the order of its keys. */
export function textOf(value: Value | undefined): string {
  return JSON.stringify(value ?? null, (_name, each: Value) =>
    isBody(each) ? Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1))) : each,
  );
}

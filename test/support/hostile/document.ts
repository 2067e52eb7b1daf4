/** A value of a document. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** A mapping of a document. */
export type Body = { [name: string]: Value };

/** Sections of a project by what stands in them. */
const kindsOf: Readonly<Record<string, string>> = {
  testCases: "testCase",
  scenarios: "scenario",
  dataStores: "dataStore",
  gateways: "gateway",
  configurations: "configuration",
  schedules: "schedule",
  vcsRoots: "vcsRoot",
  providers: "provider",
  regions: "region",
  tags: "tag",
};

const tops = ["tags", "vcsRoots", "providers", "regions", "testCases"];

const sectionsBelow: Readonly<Record<string, readonly string[]>> = {
  testCase: ["scenarios", "gateways", "configurations"],
  scenario: ["dataStores"],
  configuration: ["schedules"],
};

/** One declared object, with where it stands. */
export interface Declared {
  readonly address: string;
  readonly kind: string;
  readonly key: string;
  readonly parent: string | undefined;
  /** What is said of it; sections of objects below it included. */
  readonly body: Body;
  /** The section in which it stands. */
  readonly section: Body;
}

/** Every declared object, parents first. */
export function declaredIn(document: Body): readonly Declared[] {
  return tops.flatMap((name) => inSection(document, name, undefined));
}

function inSection(holder: Body, name: string, parent: string | undefined): readonly Declared[] {
  const section = holder[name];
  const kind = kindsOf[name] ?? "";
  if (!isBody(section)) return [];
  return Object.entries(section).flatMap(([key, value]) => {
    const body = isBody(value) ? value : {};
    const address = parent === undefined ? `${kind}.${key}` : `${parent}/${kind}.${key}`;
    const below = (sectionsBelow[kind] ?? []).flatMap((each) => inSection(body, each, address));
    return [{ address, kind, key, parent, body, section }, ...below];
  });
}

/** Whether a value is a mapping. */
export function isBody(value: Value | undefined): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A mapping of an object, made when it is missing. */
export function sectionOf(body: Body, name: string): Body {
  const section = body[name];
  if (isBody(section)) return section;
  const fresh: Body = {};
  body[name] = fresh;
  return fresh;
}

/** Whether an address is another one or below it. */
export const isBelow = (address: string, top: string) => address === top || address.startsWith(`${top}/`);

/** The name that the service shows: the key when none is declared. */
export const nameOf = ({ body, key }: Pick<Declared, "body" | "key">) => String(body["name"] ?? key).trim();

/** What stands in the environment for the variables that a document names. */
export function environmentOf(text: string): Readonly<Record<string, string>> {
  const names = [...text.matchAll(/\$\{env:([A-Z0-9_]+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, valueIn(name)]));
}

/** The value of a variable of the environment. */
export const valueIn = (name: string) => `-----the value of ${name}-----`;

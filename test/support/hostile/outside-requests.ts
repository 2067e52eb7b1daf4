import type { Body, Value } from "./document.ts";
import type { Row, Rows } from "./rows.ts";

/** An object of the service with what it is known by. */
export interface Placed {
  readonly handle: string;
  readonly kind: string;
  readonly row: Row;
}

/** What somebody else finds when they begin. */
export interface Scene {
  readonly rows: Rows;
  readonly ours: readonly Placed[];
  readonly at: number;
}

/** What they send. */
export type Request = readonly [method: string, path: string, body?: Body];
/** A request that changes an object of ours. */
export type Write = Placed & { readonly request: Request };

/** Where objects can be changed and deleted. */
export const paths: Readonly<Record<string, (id: number) => string>> = {
  testCase: (id) => `/test-cases/${id}`,
  scenario: (id) => `/scripts/${id}`,
  dataStore: (id) => `/data-stores/${id}`,
  configuration: (id) => `/test-confs/${id}`,
  gateway: (id) => `/gateways/${id}`,
  vcsRoot: (id) => `/vcs-roots/${id}`,
  provider: (id) => `/providers/${id}`,
};

/** Kinds of which somebody may make one with our name. */
export const sameNameKinds: ReadonlySet<string> = new Set([
  "testCase",
  "scenario",
  "gateway",
  "dataStore",
  "vcsRoot",
  "provider",
]);

/** Fields that a document may leave to others: name, what they write, and how. */
export const unmanagedFields: Readonly<Record<string, readonly [string, Value, string, (id: number) => string]>> = {
  testCase: ["description", "their words", "POST", () => "/test-cases"],
  scenario: ["teardown", "theirs()", "PUT", (id) => `/scripts/${id}`],
  configuration: ["iterationSleepSecs", 77, "PUT", (id) => `/test-confs/${id}`],
  vcsRoot: ["branch", "their-branch", "PUT", (id) => `/vcs-roots/${id}`],
};

/** Changes of what a document mostly declares. */
export function managedWrites(of: Placed): readonly Write[] {
  const { kind, row } = of;
  const bodies: Readonly<Record<string, Body>> = {
    scenario: { main: "// theirs" },
    configuration: { imageDiffMode: row["imageDiffMode"] === "None" ? "PreviousExecution" : "None" },
    vcsRoot: { url: row["vcsAuthType"] === "PrivateKey" ? "ssh://git@their.test/a.git" : "https://their.test/a.git" },
    provider: { metadata: { zone: "theirs" } },
  };
  const [body, path] = [bodies[kind], paths[kind]?.(row.id)];
  return body && path !== undefined ? [{ ...of, request: ["PUT", path, body] }] : [];
}

/** A request that renames an object. */
export function rename(of: Placed, name: string): readonly Write[] {
  const path = paths[of.kind]?.(of.row.id);
  return path === undefined ? [] : [{ ...of, request: [of.kind === "gateway" ? "PATCH" : "PUT", path, { name }] }];
}

/** Requests that make something at the top. */
export function topRequests(name: string, rows: Rows): readonly Request[] {
  const grid = [...rows.values()].find(
    ({ kind, row }) => kind === "provider" && row["providerType"] === "Shared" && !row["public"],
  );
  return [
    ["POST", "/test-cases", { name, org: 1 }],
    ["POST", "/orgs/1/vcs-roots", { name, url: "https://their.test/b.git" }],
    ["POST", "/providers", { name, organizationId: 1, providerType: "CloudOnDemand" }],
    ...(grid ? [["POST", "/orgs/1/regions", { name, providerId: grid.row.id }] as const] : []),
  ];
}

/** Requests that make something below an object. */
export function childRequests({ kind, row: { id } }: Placed, name: string): readonly Request[] {
  if (kind === "scenario")
    return [
      ["POST", `/scripts/${id}/data-stores/contents`, { name, contents: Buffer.from("t\n9\n").toString("base64") }],
    ];
  if (kind !== "testCase") return [];
  return [
    ["POST", `/test-cases/${id}/scripts`, { name, main: "// theirs" }],
    ["POST", `/test-cases/${id}/gateways`, { name, url: "https://their.test" }],
  ];
}

const kindsOfPaths: readonly (readonly [RegExp, string])[] = [
  [/\/data-stores\/contents$/, "dataStore"],
  [/\/scripts$/, "scenario"],
  [/\/gateways$/, "gateway"],
  [/\/vcs-roots$/, "vcsRoot"],
  [/\/providers$/, "provider"],
  [/\/regions$/, "region"],
  [/\/test-cases$/, "testCase"],
];

/** The kind that a path makes. */
export const kindOfPath = (path: string) => kindsOfPaths.find(([pattern]) => pattern.test(path))?.[1] ?? "";

const computed = new Set(["id", "configurationId", "createdAt", "updatedAt", "active"]);

/** A schedule as a client sends it that knows nothing of ids. */
export const asSent = (row: Row): Body =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !computed.has(name)));

import type { Hash } from "../model/fingerprint.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import type { PlanInput } from "../plan/plan-input.ts";
import { encodeFields, type ValueSources } from "../remote/encode-fields.ts";

/** The records of a bundled service, by table. */
export type Records = Readonly<Record<string, readonly JsonObject[]>>;

/** Stands for a secret of a live object: it has one, and nobody can read it. */
const standIn = "not read";
/** The only user, whose key carries the plan out. */
const user = { id: 1, name: "rehearsal", email: null, lastLoggedIn: null, accessType: "Admin", confirmed: true };

/** The records of a service that has the live tree, with its ids and times. */
export function liveRecords(
  { kinds, live, target: { organization } }: Pick<PlanInput, "kinds" | "live" | "target">,
  content: ValueSources["content"],
): Records {
  const byName = kindsByName(kinds);
  const sources: ValueSources = { idOf: () => undefined, secret: () => standIn, content };
  const tables = new Map<string, JsonObject[]>(kinds.map(({ name }) => [name, []]));
  for (const node of live.nodes.values()) {
    const kind = byName.get(node.kind);
    if (kind === undefined || node.identity === undefined) continue;
    const owner = kind.parent === undefined ? organization : Number(live.nodes.get(node.parent ?? "")?.key);
    const row = { ...recordOf(node, encodeFields(kind, node.fields, sources)), ...node.identity };
    tables.get(node.kind)?.push({ [ownerColumn(kind)]: owner, ...row });
  }
  const regions = tables.get("region") ?? [];
  for (const node of live.nodes.values()) if (isPublic(node)) regions.push(...publicRegions(node, regions));
  return { ...ownRecords(organization), ...Object.fromEntries(tables) };
}

/** The column with the id of what an object is below. */
function ownerColumn({ parent }: AnyKind): string {
  return `${parent ?? "organization"}Id`;
}

function ownRecords(organization: number): Records {
  const stamps = { createdAt: "2000-01-01T00:00:00.000Z", updatedAt: "2000-01-01T00:00:00.000Z" };
  const flags = { public: false, shared: false, active: true };
  return {
    organization: [{ id: organization, ...stamps, name: "rehearsal", email: null, settings: {}, ...flags }],
    user: [{ ...user, ...stamps, active: true, authSource: "Password", secrets: {} }],
    grant: [{ id: 1, ...stamps, userId: user.id, organizationId: organization, userRole: "Admin" }],
  };
}

function isPublic({ facts }: TreeNode): boolean {
  return facts?.["public"] === true;
}

/** Regions of a public grid, of which lists tell only the names. */
function publicRegions({ identity, key, offers = [] }: TreeNode, known: readonly JsonObject[]): readonly JsonObject[] {
  const first = 1 + Math.max(0, ...known.map(({ id }) => Number(id)));
  const rest = { providerId: Number(key), description: null, active: true, location: null };
  return offers.map((name, index) => ({ ...rest, ...identity, id: first + index, name }));
}

/** An object as the service stores it; what an answer leaves out is as in one that was never written. */
function recordOf(node: TreeNode, body: JsonObject): JsonObject {
  const { facts } = node;
  const active = facts?.["active"] !== false;
  switch (node.kind) {
    case "testCase":
      return { description: null, ...body, active };
    case "scenario":
      return scenarioRecord(node, body);
    case "dataStore":
      return { contents: "", type: "text/csv", charset: null, headers: null, ...sizeOf(node), ...body };
    case "gateway":
      return gatewayRecord(node, { ...body, active });
    case "configuration":
      return configurationRecord(body);
    case "schedule":
      return { ...firedAt(node, active), active, ...body, ...windowsOf(body) };
    case "vcsRoot":
      return { ...repositoryDefaults, ...body, secrets: repositorySecrets(body) };
    case "provider":
      return providerRecord(node, { metadata: {}, ...body, active });
    case "region":
      return { description: null, location: null, ...body, active };
    default:
      return body;
  }
}

/** A Single schedule that has fired shows no moment any more; it was not later than its last change. */
function firedAt({ identity, fields }: TreeNode, active: boolean): JsonObject {
  return fields["scheduleType"] === "Single" && !active ? { nextScheduled: identity?.updatedAt ?? null } : {};
}

function scenarioRecord({ facts }: TreeNode, body: JsonObject): JsonObject {
  const parameters = objectsIn(body["paramsConfig"]).map((each) => ({ required: false, encrypted: false, ...each }));
  const encrypted = parameters
    .filter((each) => each.encrypted === true)
    .map((each) => String(Reflect.get(each, "name")));
  return {
    ...{ main: standIn, init: null, teardown: null, scriptType: "Code", language: "javascript", nodeVersion: "latest" },
    ...{ tags: [], sourceType: "Script", sourceId: null },
    ...body,
    readonly: facts?.["readonly"] === true,
    paramsConfig: parameters.map(withTextDefault),
    secrets: Object.fromEntries(encrypted.map((name) => [name, standIn])),
  };
}

function withTextDefault({ defaultValue, ...rest }: JsonObject): JsonObject {
  return defaultValue === undefined || defaultValue === null ? rest : { ...rest, defaultValue: String(defaultValue) };
}

function sizeOf({ facts }: TreeNode): JsonObject {
  return { size: facts?.["size"] ?? 0, numRows: facts?.["numRows"] ?? null };
}

function gatewayRecord({ identity }: TreeNode, { url = "", ...rest }: JsonObject): JsonObject {
  return { ...rest, keys: [{ ...identity, key: `rehearsal-${identity?.id}`, url, isPrimary: true }] };
}

function configurationRecord(body: JsonObject): JsonObject {
  const numbered = (items: Json | undefined) => objectsIn(items).map((item, index) => ({ id: index + 1, ...item }));
  const parameters: unknown = JSON.parse(String(body["scriptParams"] ?? "{}"));
  const hidden = Object.entries(parameters ?? {}).filter(([, value]) => value === null);
  return {
    ...{ scriptId: 0, profileType: "Flat", iterationSleepSecs: 10, scriptParams: "{}", imageDiffMode: "None" },
    ...body,
    providers: numbered(body["providers"]).map((each) => ({ numRegions: 1, params: {}, ...each })),
    triggers: numbered(body["triggers"]).map((each: JsonObject) => ({
      ...each,
      conditions: numbered(each["conditions"]),
      actions: numbered(each["actions"]),
    })),
    secrets: Object.fromEntries(hidden.map(([name]) => [name, standIn])),
  };
}

/** Windows with the members that have a default. */
function windowsOf({ exclusions }: JsonObject): JsonObject {
  if (exclusions === undefined) return {};
  const minutes = { startMinute: 0, endMinute: 0 };
  const hours = { startHour: 0, endHour: 0 };
  return {
    exclusions: objectsIn(exclusions).map((each) => ({
      ...minutes,
      ...(each["recurringInterval"] !== "Hour" && hours),
      ...each,
    })),
  };
}

const repositoryDefaults = {
  vcsType: "Git",
  branch: "HEAD",
  vcsAuthType: "None",
  username: null,
  privateKeyName: null,
};

function repositorySecrets({ vcsAuthType }: JsonObject): JsonObject {
  if (vcsAuthType === "Username") return { password: standIn };
  return vcsAuthType === "PrivateKey" ? { privateKey: standIn } : {};
}

function providerRecord(node: TreeNode, body: JsonObject): JsonObject {
  const isCloud = body["providerType"] === "CloudOnDemand";
  const secrets = isCloud ? { cloudAccessKeyId: standIn, cloudSecretAccessKey: standIn } : {};
  return { ...body, public: isPublic(node), ...(isPublic(node) && { organizationId: null }), secrets };
}

function objectsIn(items: Json | undefined): readonly JsonObject[] {
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** Texts in the place of those that were not read, and a hash to which both are the same. */
export interface StandIns {
  readonly content: ValueSources["content"];
  readonly hash: Hash;
}

const unreadMark = "// not read: ";
const unreadLength = unreadMark.length + 64;

/** Stand-ins for the texts and files of which only the hash (of 64 digits) is known. */
export function standIns(hash: Hash, contents: ValueSources["content"]): StandIns {
  return {
    content: (sha) => contents(sha) ?? `${unreadMark}${sha}`,
    hash(content) {
      const isOne = typeof content === "string" || content instanceof Uint8Array;
      if (!isOne || content.length !== unreadLength) return hash(content);
      const text = typeof content === "string" ? content : new TextDecoder().decode(content);
      return text.startsWith(unreadMark) ? text.slice(unreadMark.length) : hash(content);
    },
  };
}

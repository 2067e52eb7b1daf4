import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { VcsRootRecord } from "../store/records/repositories.ts";
import type { Digests } from "../store/records/stored.ts";
import type { Input } from "./load-profile.ts";
import { optionalText, readName, readUrl, refuseSibling, schemeOf, textAfter } from "./read-text.ts";

/** The fields of a repository that are read from a body. */
export type VcsRootFields = Omit<VcsRootRecord, "id" | "createdAt" | "updatedAt" | "organizationId">;

const schemes = ["http:", "https:", "ssh:", "git+ssh:", "file:"];

/** DECISION (API 1, Repositories: create body): fields foreign to the way of authenticating are dropped. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  None: ["username", "password", "privateKey", "privateKeyName"],
  Username: ["privateKey", "privateKeyName"],
  PrivateKey: ["username", "password"],
};

/** Creates or updates a repository (API 1, Repositories). */
export function writeVcsRoot(
  input: Input,
  of: { readonly organizationId: number; readonly former: VcsRootRecord | undefined },
  scope: Scope,
): VcsRootRecord {
  const { organizationId, former } = of;
  const fields = readVcsRoot(input, former, scope);
  scope.findings.check();
  const siblings = scope.store.where("vcsRoot", "organizationId", organizationId);
  refuseSibling(fields.name, siblings, { ...scope, ...(former && { self: former.id }) });
  return former
    ? scope.store.update("vcsRoot", former.id, fields)
    : scope.store.insert("vcsRoot", { ...fields, organizationId });
}

/** The fields of a repository after a write; what is invalid is among the findings. */
export function readVcsRoot(input: Input, former: VcsRootRecord | undefined, scope: Scope): VcsRootFields {
  const base = former && scope.settings.put === "replace" ? requiredOf(former) : former;
  const vcsAuthType = textAfter(input["vcsAuthType"], base?.vcsAuthType, "None");
  for (const name of foreign[vcsAuthType] ?? []) if (typeof input[name] === "string") scope.unknown.push(name);
  const url = input["url"] === undefined && base?.url !== undefined ? base.url : readUrl(input["url"], schemes, scope);
  refuseScheme(vcsAuthType, url, scope);
  return {
    name: input["name"] === undefined && base?.name !== undefined ? base.name : readName(input["name"], scope),
    vcsType: readType(input["vcsType"], scope),
    url,
    branch: textAfter(input["branch"], base?.branch, "HEAD"),
    vcsAuthType,
    username: vcsAuthType === "Username" ? readUsername(input["username"], base?.username, scope) : null,
    privateKeyName: vcsAuthType === "PrivateKey" ? optionalText(input["privateKeyName"], base?.privateKeyName) : null,
    secrets: readSecrets(input, { vcsAuthType, former }, scope),
  };
}

function requiredOf({ name, url, vcsAuthType, username, secrets }: VcsRootRecord): Partial<VcsRootRecord> {
  return { name, url, vcsAuthType, username, secrets };
}

/** API 1, Repositories: only git. DECISION (API 1, Repositories: vcsType): taken in any case, answered as `Git`. */
function readType(value: JsonValue | undefined, scope: Scope): string {
  if (typeof value === "string" && value.toLowerCase() !== "git")
    scope.findings.add("vcsType", `found ${shownValue(value)}; expected Git, the only supported type`, "documented");
  return "Git";
}

/** API 1, Repositories: Username requires an http(s) url, a private key is for ssh. */
function refuseScheme(vcsAuthType: string, url: string, scope: Scope): void {
  const scheme = schemeOf(url);
  const web = scheme === "http:" || scheme === "https:";
  if (vcsAuthType === "Username" && !web)
    scope.findings.add(
      "url",
      `found ${shownValue(url)}; expected an http(s) url with vcsAuthType Username`,
      "documented",
    );
  if (vcsAuthType === "PrivateKey" && (web || scheme === "file:"))
    scope.findings.add("url", `found ${shownValue(url)}; expected an ssh url with vcsAuthType PrivateKey`);
}

function readUsername(value: JsonValue | undefined, former: string | null | undefined, scope: Scope): string | null {
  const username = optionalText(value, former);
  if (username === null || username === "")
    scope.findings.add("username", "found none; expected one with vcsAuthType Username");
  return username;
}

/** DECISION (API 1, Repositories): a secret neither in the body nor stored is 400; only its digest is kept. */
function readSecrets(
  input: Input,
  { vcsAuthType, former }: { readonly vcsAuthType: string; readonly former: VcsRootRecord | undefined },
  scope: Scope,
): Digests {
  const name = { Username: "password", PrivateKey: "privateKey" }[vcsAuthType];
  if (name === undefined) return {};
  const value = input[name];
  if (typeof value === "string" && value !== "") {
    if (name === "privateKey") refuseBadKey(value, scope);
    return { [name]: scope.digest(value) };
  }
  const kept = value === undefined ? former?.secrets[name] : undefined;
  if (kept === undefined) scope.findings.add(name, `found none; expected ${name}: vcsAuthType ${vcsAuthType} needs it`);
  return kept === undefined ? {} : { [name]: kept };
}

/** API 1, Repositories: the private key is the base64 of its file. */
function refuseBadKey(value: string, scope: Scope): void {
  const text = value.replace(/\s+/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    scope.findings.add("privateKey", "found text that is no base64; expected the base64 of the private key file");
}

import type { DocumentPath } from "../model/diagnostic.ts";
import { nearest } from "../model/did-you-mean.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Report } from "./collect-problems.ts";
import { either } from "./describe-value.ts";
import type { Scope } from "./expand.ts";
import { expandField } from "./expand.ts";
import { withoutVariables } from "./variables.ts";

/** Where the service is and how the key is presented. */
export interface ServiceSettings {
  readonly url: string;
  readonly organization?: string | number;
  readonly auth: { readonly header: string } | { readonly query: string };
}

/** Where the state is stored. */
export type StateSettings =
  | { readonly backend: "memory" }
  | { readonly backend: "local"; readonly path: string }
  | {
      readonly backend: "http";
      readonly address: string;
      readonly lockAddress?: string;
      readonly unlockAddress?: string;
      readonly lockMethod?: string;
      readonly unlockMethod?: string;
      readonly username?: string;
      readonly source?: JsonObject;
    }
  | {
      readonly backend: "postgres";
      readonly url: string;
      readonly schema?: string;
      /** As declared, when a value is from `${env:…}`: a saved plan holds this instead. */
      readonly source?: JsonObject;
    };

/** What settings are read with. */
export interface SettingsContext {
  readonly scope: Scope;
  readonly report: Report;
  readonly environment?: string;
}

/** Whether a service is a live one: anything but the bundled service. */
export function isLive(url: string): boolean {
  return !url.startsWith("memory:");
}

/** The name of the project, "" when it has none. */
export function readName(document: JsonObject, report: Report): string {
  const { project } = document;
  if (typeof project === "string" && project.trim() !== "") return project.trim();
  const isMisspelt = Object.keys(document).some((key) => nearest(key, ["project"]) !== undefined);
  if ((project !== undefined && project !== null) || isMisspelt) return "";
  const detail = "found no project; expected a name for the stack in state and output, e.g. project: webshop";
  report({ severity: "error", code: "LF1103", summary: "project is missing", detail, place: { path: [], at: "key" } });
  return "";
}

/** The service of the document; $LOADFORM_URL wins over its url. */
export function readService(document: JsonObject, context: SettingsContext): ServiceSettings {
  const { scope, report } = context;
  const raw = isObject(document.service) ? document.service : {};
  const settings = expandField(undefined, raw, { scope, report, path: ["service"] }).value as JsonObject;
  const override = scope.env.LOADFORM_URL;
  const url = override !== undefined && override !== "" ? override : settings.url;
  const isGiven = typeof url === "string" && url !== "";
  if (!isGiven) report(missingUrl(document.service === undefined));
  else if (!isUsable(url)) report(badUrl(url === override));
  const { organization } = settings;
  const isKnown = typeof organization === "number" || (typeof organization === "string" && organization !== "");
  return {
    url: isGiven ? url : "memory:",
    ...(isKnown ? { organization } : {}),
    auth: readAuth(settings.auth, report),
  };
}

/** A key belongs in $LOADFORM_API_KEY: an address is written into state, plans and outputs (docs/engine.md, Secrets). */
function isUsable(url: string): boolean {
  if (url.startsWith("memory:")) return true;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return false;
  const { username, password, search, hash } = new URL(url);
  return `${username}${password}${search}${hash}` === "";
}

function missingUrl(hasNoService: boolean) {
  const detail = "found no service.url; expected one, e.g. memory:.loadform/service.json, or $LOADFORM_URL";
  const place = { path: hasNoService ? [] : ["service"], at: "key" } as const;
  return { severity: "error", code: "LF1103", summary: "service.url is missing", detail, place } as const;
}

function badUrl(isOverride: boolean) {
  const where = isOverride ? "$LOADFORM_URL" : "service.url";
  const detail = `found an address of another form in ${where} (not shown); expected memory:, memory:FILE, http://… or https://… without credentials or a query; the key is $LOADFORM_API_KEY`;
  const place = { path: ["service", "url"], at: "value" } as const;
  return { severity: "error", code: "LF1104", summary: `${where} is no address of a service`, detail, place } as const;
}

function readAuth(auth: Json | undefined, report: Report): ServiceSettings["auth"] {
  const { header, query } = isObject(auth) ? auth : {};
  if (typeof header === "string" && typeof query === "string") {
    const detail = "found header and query; expected one of them: remove the other";
    const place = { path: ["service", "auth"], at: "key" } as const;
    report({ severity: "error", code: "LF1104", summary: "the key is presented in two ways", detail, place });
  }
  if (typeof query === "string") return { query };
  return { header: typeof header === "string" && header !== "" ? header : "X-Api-Key" };
}

const keysOf: Readonly<Record<string, { readonly needs: string; readonly takes: readonly string[] }>> = {
  local: { needs: "path", takes: ["path"] },
  http: {
    needs: "address",
    takes: ["address", "lockAddress", "unlockAddress", "lockMethod", "unlockMethod", "username"],
  },
  postgres: { needs: "url", takes: ["url", "schema"] },
};

/** Where the state is stored; by default a file of the environment, or memory when the service stores nothing. */
export function readState(document: JsonObject, service: ServiceSettings, context: SettingsContext): StateSettings {
  const { scope, report, environment } = context;
  const declared = document.state;
  if (declared === undefined || declared === null) return standardState(service, environment);
  const { value: state, secrets } = expandField(undefined, declared, { scope, report, path: ["state"] });
  if (typeof state === "string") return localState(state, ["state"], report);
  if (!isObject(state)) return standardState(service, environment);
  if (state.backend === "s3") {
    const detail = "found backend s3; expected local, http or postgres: s3 comes with a later version";
    const place = { path: ["state", "backend"], at: "value" } as const;
    report({ severity: "error", code: "LF9003", summary: "the s3 state store is not built yet", detail, place });
  }
  const keys = keysOf[String(state.backend)];
  if (keys) reportKeys(state, keys, report);
  reportPasswords(withoutVariables(declared, { get: scope.variable }), report);
  const { backend, ...rest } = state;
  if (backend === "local") return localState(String(rest.path ?? ".loadform/state.json"), ["state", "path"], report);
  if (!keys) return standardState(service, environment);
  const source = secrets.length === 0 ? {} : { source: withoutVariables(declared, { get: scope.variable }) };
  return { backend, ...rest, ...source } as unknown as StateSettings;
}

function reportKeys(
  state: JsonObject,
  keys: { readonly needs: string; readonly takes: readonly string[] },
  report: Report,
) {
  const backend = String(state.backend);
  if (state[keys.needs] === undefined && backend !== "local") {
    const detail = `found no ${keys.needs}; expected one beside backend ${backend}`;
    const place = { path: ["state"], at: "key" } as const;
    report({ severity: "error", code: "LF1103", summary: `state.${keys.needs} is missing`, detail, place });
  }
  for (const name of Object.keys(state)) {
    if (name === "backend" || keys.takes.includes(name)) continue;
    const detail = `found ${name} with backend ${backend}; expected ${either(keys.takes)}: remove it`;
    const place = { path: ["state", name], at: "key" } as const;
    report({ severity: "error", code: "LF1104", summary: `${name} has no effect`, detail, place });
  }
}

/** Where an address has a password: before its @, or among the parameters of a connection. */
const passwordInAddress = /:\/\/[^/?#\s]*:[^/?#\s]+@|[?&](?:ssl)?password=[^&\s]/i;

/** Addresses with a password that is written out; an `${env:…}` or `${file:…}` is none. */
function reportPasswords(state: Json, report: Report): void {
  for (const [name, value] of Object.entries(isObject(state) ? state : {})) {
    if (typeof value !== "string" || !passwordInAddress.test(value.replace(/\$\{(env|file):[^}]*\}/g, ""))) continue;
    const detail = `found a password written out in state.${name} (not shown); expected \${env:NAME} in its place, or for the whole address. Replace it at its source if it was ever committed`;
    const place = { path: ["state", name], at: "value" } as const;
    report({ severity: "error", code: "LF1203", summary: `state.${name} holds a secret`, detail, place });
  }
}

function standardState(service: ServiceSettings, environment: string | undefined): StateSettings {
  if (service.url === "memory:") return { backend: "memory" };
  return { backend: "local", path: standardStatePath(environment) };
}

/** The path of the state when none is declared, in the project's folder. */
export function standardStatePath(environment: string | undefined): string {
  return `.loadform/state${environment === undefined ? "" : `.${environment}`}.json`;
}

function localState(path: string, at: DocumentPath, report: Report): StateSettings {
  if (path.trim() === "") {
    const detail = "found an empty path; expected a file, e.g. .loadform/state.json";
    report({
      severity: "error",
      code: "LF1104",
      summary: "the state has no path",
      detail,
      place: { path: at, at: "value" },
    });
  }
  return { backend: "local", path };
}

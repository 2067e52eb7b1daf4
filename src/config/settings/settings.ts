import { warningOf } from "../../model/diagnostic.ts";
import { nearest } from "../../model/did-you-mean.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../../model/json.ts";
import type { Limits } from "../../model/limits.ts";
import type { StateSettings } from "../../model/state-settings.ts";
import { isBareAddress } from "../../model/target.ts";
import { projectFields } from "../../schema/project-fields.ts";
import { checkShape } from "../check-shape.ts";
import type { Report } from "../collect-problems.ts";
import { expandField, needsExpansion, type Scope } from "../expand.ts";
import { limitsOf, withoutNulls } from "./limit-settings.ts";

export interface ProjectSettings {
  readonly name: string;
  readonly environment?: string;
  readonly service: ServiceSettings;
  readonly state: StateSettings;
  /** The service is not the bundled one. */
  readonly live: boolean;
  /** Bounds of its load; absent where it declares none. */
  readonly limits?: Limits;
}

/** Where the service is and how the key is presented. */
export interface ServiceSettings {
  readonly url: string;
  /** The service that the files name, where $LOADFORM_URL names another one. */
  readonly declared?: string;
  readonly organization?: string | number;
  readonly auth: { readonly header: string } | { readonly query: string };
  /** `${env:NAME}` of the environment variable with the key, as it is written; $LOADFORM_API_KEY where absent. */
  readonly apiKey?: string;
  /** Answers to requests that the bundled service simulates; absent where the project does not say it, and for any other service. */
  readonly targets?: readonly JsonObject[];
}

export interface SettingsContext {
  readonly scope: Scope;
  readonly report: Report;
  readonly environment?: string;
  /** No service is asked, so that none need be named. */
  readonly isOffline?: boolean;
}

/** The bounds of the load; undefined where none are declared. */
export function readLimits(document: JsonObject, context: SettingsContext): Limits | undefined {
  return limitsOf(document.limits, context);
}

/** True for any service but the bundled one. */
export function isLive(url: string): boolean {
  return !url.startsWith("memory:");
}

/** The name of the project; "" where it has none, or one that is refused where all values are checked. */
export function readName(document: JsonObject, context: SettingsContext): string {
  const { value: project } = expandField(undefined, document.project ?? null, { ...context, path: ["project"] });
  warnOfShown(["project"], document.project, context);
  const name = typeof project === "object" ? "" : String(project).trim();
  const isMisspelt = Object.keys(document).some((key) => key !== "project" && nearest(key, ["project"]) !== undefined);
  if (name !== "" || isMisspelt || isObject(project) || (project !== null && project === document.project)) return name;
  const detail = "Give the project a name, which the state and all output show, e.g. project: webshop";
  const place = { path: [], at: "key" } as const;
  context.report({ severity: "error", code: "LF1103", summary: "project is missing", detail, place });
  return "";
}

/** The service of the document; $LOADFORM_URL wins over its url. */
export function readService(document: JsonObject, context: SettingsContext): ServiceSettings {
  const { scope, report, isOffline = false } = context;
  const { apiKey, targets, ...raw } = objectOf(document.service);
  const settings = expandField(undefined, raw, { scope, report, path: ["service"] }).value as JsonObject;
  warnOfShown(["service", "url"], raw.url, context);
  const override = scope.env.LOADFORM_URL;
  const url = override !== undefined && override !== "" ? override : settings.url;
  const isGiven = typeof url === "string" && url !== "";
  if (!isGiven && !isOffline) report(missingUrl(document.service === undefined));
  else if (isGiven && !isUsable(url)) report(badUrl(url, url === override));
  // Without a name a service is taken for a live one offline, where fewer values are refused.
  const unnamed = isOffline ? "" : "memory:";
  const { organization, url: declared } = settings;
  const isOther = typeof declared === "string" && declared !== url && isUsable(declared);
  const isKnown = typeof organization === "number" || (typeof organization === "string" && organization !== "");
  return {
    url: isGiven ? url : unnamed,
    ...(isOther ? { declared } : {}),
    ...(isKnown ? { organization } : {}),
    auth: readAuth(settings.auth, report),
    // It is read where it is needed: offline checks need no key.
    ...(typeof apiKey === "string" && /^\$\{env:[^}]+\}$/.test(apiKey) && { apiKey }),
    ...readTargets(targets, { ...context, declaredUrl: settings.url, url: String(url) }),
  };
}

/** The name and the address are compared with those of the last apply, so they are written into the state. */
function warnOfShown(path: readonly string[], value: Json = null, { scope, report }: SettingsContext): void {
  const { secrets } = expandField(undefined, value, { scope, report: () => undefined, path });
  if (secrets.length === 0) return;
  const detail = `It is written into the state and into plans, so it must not contain a secret. Take it from a variable: \${var:NAME} with $LOADFORM_VAR_NAME. A key belongs in $LOADFORM_API_KEY`;
  const summary = `${path.join(".")} is shown, although it is from the environment`;
  report({ ...warningOf("LF1203", summary, detail), place: { path, at: "value" } });
}

/** Targets of the service that the files name; where $LOADFORM_URL names a live one they mean nothing. */
function readTargets(
  targets: Json | undefined,
  at: SettingsContext & { readonly declaredUrl: Json | undefined; readonly url: string },
): Pick<ServiceSettings, "targets"> {
  const { scope, report, declaredUrl, url } = at;
  if (targets === undefined || targets === null) return {};
  const path = ["service", "targets"];
  if (typeof declaredUrl === "string" && isLive(declaredUrl)) {
    const detail =
      "Only the bundled service simulates what it is told: set service.url to memory:FILE, or remove targets";
    const summary = "targets has no effect at this service";
    report({ severity: "error", code: "LF1309", summary, detail, place: { path, at: "key" } });
  }
  const field = projectFields.service.fields?.targets;
  const { value } = expandField(field, targets, { scope, report, path });
  if (field && needsExpansion(targets))
    checkShape(field, value, path, { report, live: false, names: new Map(), expanded: true });
  if (isLive(url) || !Array.isArray(value)) return {};
  return { targets: value.filter(isObject).map((each) => withoutNulls(each) as JsonObject) };
}

/** A key belongs in $LOADFORM_API_KEY: an address is written into state, plans and outputs (docs/engine.md, Secrets). */
function isUsable(url: string): boolean {
  return url.startsWith("memory:") || (/^https?:\/\//.test(url) && URL.canParse(url) && isBareAddress(url));
}

function missingUrl(hasNoService: boolean) {
  const detail = "Say where the service is: set service.url, e.g. to memory:.loadform/service.json, or $LOADFORM_URL";
  const place = { path: hasNoService ? [] : ["service"], at: "key" } as const;
  return { severity: "error", code: "LF1103", summary: "service.url is missing", detail, place } as const;
}

/** A value from the environment has no place in the files. */
function badUrl(url: string, isOverride: boolean) {
  const where = isOverride ? "$LOADFORM_URL" : "service.url";
  const place = isOverride ? {} : { place: { path: ["service", "url"], at: "value" } as const };
  const summary = `${where} is not the address of a service`;
  return { severity: "error", code: "LF1104", summary, detail: whatIsWrong(url, where), ...place } as const;
}

/** An address may hold a key, so it is shown only where nothing in it looks like one. */
function whatIsWrong(url: string, where: string): string {
  const forms = "It takes memory:, memory:FILE, http://… or https://…";
  const isHost =
    /^(localhost|[a-z\d-]{1,30}(\.[a-z\d-]{1,30}){1,4}|[a-z\d-]{1,30}(?=:))(:\d{1,5})?(\/[a-z\d]{0,10})*$/.test(url);
  if (isHost) return `${url} has no scheme: set ${where} to https://${url} or http://${url}. ${forms}`;
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(url) ?? [];
  if (scheme !== undefined && !/^https?$/.test(scheme)) return `${scheme}: is not a scheme for a service. ${forms}`;
  return `The address in ${where} is not shown, because it may contain a key. ${forms}, without credentials, query and fragment; the key is $LOADFORM_API_KEY`;
}

function readAuth(auth: Json | undefined, report: Report): ServiceSettings["auth"] {
  const { header, query } = isObject(auth) ? auth : {};
  if (typeof header === "string" && typeof query === "string") {
    const detail = "service.auth takes either header or query: remove one of them";
    const place = { path: ["service", "auth"], at: "key" } as const;
    report({ severity: "error", code: "LF1104", summary: "the key would be sent in two ways", detail, place });
  }
  if (typeof query === "string") return { query };
  return { header: typeof header === "string" && header !== "" ? header : "X-Api-Key" };
}

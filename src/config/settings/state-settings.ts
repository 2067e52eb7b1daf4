import { type DocumentPath, errorOf } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../../model/json.ts";
import type { StateSettings } from "../../model/state-settings.ts";
import type { Report } from "../collect-problems.ts";
import { either } from "../describe-value.ts";
import { expandField } from "../expand.ts";
import { withoutVariables } from "../variables.ts";
import type { ServiceSettings, SettingsContext } from "./settings.ts";

type BackendKeys = { readonly needs: readonly string[]; readonly takes: readonly string[] };

const keysOf: Readonly<Record<string, BackendKeys>> = {
  local: { needs: [], takes: ["path"] },
  http: {
    needs: ["address"],
    takes: ["address", "lockAddress", "unlockAddress", "lockMethod", "unlockMethod", "username"],
  },
  postgres: { needs: ["url"], takes: ["url", "schema"] },
  git: { needs: [], takes: ["remote", "branch", "path"] },
  s3: { needs: ["bucket", "key"], takes: ["bucket", "key", "region", "endpoint"] },
};

/** Where the state is stored; by default a file of the environment, or memory when the service stores nothing. */
export function readState(document: JsonObject, service: ServiceSettings, context: SettingsContext): StateSettings {
  const { scope, report, environment } = context;
  const declared = document.state;
  if (declared === undefined || declared === null) return standardState(service, environment);
  const { value: state, secrets } = expandField(undefined, declared, { scope, report, path: ["state"] });
  if (typeof state === "string") return localState(state, ["state"], report);
  if (!isObject(state)) return standardState(service, environment);
  const keys = keysOf[String(state.backend)];
  if (keys) reportKeys(state, keys, report);
  if (state.backend === "git") reportGitPlace(state, report);
  reportPasswords(withoutVariables(declared, { get: scope.variable }), report);
  const { backend, ...rest } = state;
  if (backend === "local") return localState(String(rest.path ?? ".loadform/state.json"), ["state", "path"], report);
  if (!keys) return standardState(service, environment);
  const source = secrets.length === 0 ? {} : { source: withoutVariables(declared, { get: scope.variable }) };
  return { backend, ...rest, ...source } as unknown as StateSettings;
}

function reportKeys(state: JsonObject, keys: BackendKeys, report: Report) {
  const backend = String(state.backend);
  for (const name of keys.needs) {
    if (state[name] !== undefined && state[name] !== null) continue;
    const place = { path: ["state"], at: "key" } as const;
    report({ ...errorOf("LF1103", `state.${name} is missing`, `The backend ${backend} needs ${name}`), place });
  }
  // A key that no backend takes is reported as unknown already.
  const known = Object.values(keysOf).flatMap(({ takes }) => takes);
  for (const name of Object.keys(state)) {
    if (!known.includes(name) || keys.takes.includes(name)) continue;
    const detail = `The backend ${backend} takes ${either(keys.takes)} only: remove ${name}`;
    const place = { path: ["state", name], at: "key" } as const;
    report({ severity: "error", code: "LF1104", summary: `${name} has no effect`, detail, place });
  }
}

/** Branch names that git refuses, and those below `loadform-lock/`, where the lock of a state is. */
const badBranch = /^$|^[-/]|[/.]$|\.lock(\/|$)|[\s~^:?*[\\]|\.\.|\/\/|\/\.|^\.|@\{|^loadform-lock(\/|$)/;
/** Texts that are no path of a file in a commit. */
const badPath = /^$|[\n\r\0]|(^|\/)(\.{0,2}|\.git)(\/|$)/i;

function reportGitPlace({ branch, path }: JsonObject, report: Report): void {
  const refuse = (name: string, detail: string) => {
    const place = { path: ["state", name], at: "value" } as const;
    report({ severity: "error", code: "LF1104", summary: `state.${name} cannot be used`, detail, place });
  };
  if (typeof branch === "string" && badBranch.test(branch))
    refuse("branch", `"${branch}" is not the name of a branch, or is below loadform-lock/. Write e.g. loadform-state`);
  if (typeof path === "string" && badPath.test(path))
    refuse("path", `"${path}" is not the path of a file on that branch. Write e.g. teams/load/webshop.json`);
}

/** Where an address has a password: before its @, or among the parameters of a connection. */
const passwordInAddress = /:\/\/[^/?#\s]*:[^/?#\s]+@|[?&](?:ssl)?password=[^&\s]/i;

/** Addresses with a password that is written out; an `${env:…}` or `${file:…}` is none. */
function reportPasswords(state: Json, report: Report): void {
  for (const [name, value] of Object.entries(objectOf(state))) {
    if (typeof value !== "string" || !passwordInAddress.test(value.replace(/\$\{(env|file):[^}]*\}/g, ""))) continue;
    const detail = `Its password (not shown) is written out. Write \${env:NAME} in its place, or for the whole address, and change the password if it was ever committed`;
    const place = { path: ["state", name], at: "value" } as const;
    report({ severity: "error", code: "LF1203", summary: `state.${name} contains a secret`, detail, place });
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
    const place = { path: at, at: "value" } as const;
    report({ ...errorOf("LF1104", "the state has no path", "Name a file, e.g. .loadform/state.json"), place });
  }
  return { backend: "local", path };
}

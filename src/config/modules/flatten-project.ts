import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Field } from "../../model/field.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import type { StateSettings } from "../../model/state-settings.ts";
import { projectFields } from "../../schema/project-fields.ts";
import { leadsOut } from "../../workspace/work-tree.ts";
import { type DeclaredObject, declaredObjects } from "../declared-object.ts";
import { expandField, expandText, type Scope, type VariableValue } from "../expand.ts";
import type { ProjectParts } from "../load-project.ts";

/** A project as one document without modules, defaults, variables and environments. */
export interface FlatProject {
  readonly document: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settings that remain as they are written; others but these and the objects have their variables replaced. */
const asWritten = ["moved", "removed"];
const replacedIn = ["limits", "gates"] as const;

/** The one document that gives the same tree; `${env:…}` and `${file:…}` remain, but for texts from outside the project's folder. */
export function flattenProject(
  parts: ProjectParts,
  context: {
    readonly kinds: readonly AnyKind[];
    readonly name: string;
    readonly state: StateSettings;
    readonly environment?: string;
  },
): FlatProject {
  const { document } = parts;
  const { kinds } = context;
  const diagnostics: Diagnostic[] = [];
  const scope = markingScope(parts);
  const replaced = (field: Field | undefined, value: Json, address?: string): Json => {
    const report = () => undefined;
    const expanded = expandField(field, value, { scope, report, path: [] });
    const isShown = expanded.secrets.some((secret) => typeof secret === "string" && !secret.includes(mark));
    if (isShown) diagnostics.push(secretOutside(address));
    return isShown ? null : asSource(expanded.value);
  };
  const flat: Record<string, Json> = {};
  if (document.project !== undefined) flat["project"] = String(replaced(undefined, document.project));
  for (const name of asWritten) if (document[name] !== undefined) flat[name] = document[name] ?? null;
  if (isObject(document.service))
    flat["service"] = flatService(document.service, (value) => replaced(undefined, value));
  const state = flatState(document.state, { ...context, replaced: (value) => replaced(undefined, value) });
  if (state !== undefined) flat["state"] = state;
  for (const name of replacedIn)
    if (document[name] !== undefined)
      flat[name] = replaced(name === "limits" ? projectFields.limits : undefined, document[name] ?? null);
  const below = byParentOf(declaredObjects(document, kinds));
  return { document: { ...flat, ...flatBelow(undefined, { below, kinds, replaced }) }, diagnostics };
}

/** Around what is not to be replaced; no text of a file has this character. */
const mark = "\u0000";

/** Replaces variables; what comes from the environment and from the project's files is only marked. */
function markingScope({ document, variables, files }: ProjectParts): Scope {
  const text =
    JSON.stringify(document) + variables.names.map((name) => JSON.stringify(variables.get(name)?.source)).join();
  const named = [...text.matchAll(/\$\{env:([^}"\\]*)\}/g)].map(([, name = ""]) => [name, inMarks("env", name)]);
  const marks = [...files].map(([path, content]) => {
    const shown = leadsOut(path) ? content : { bytes: new Uint8Array(), text: () => inMarks("file", path) };
    return [path, shown] as const;
  });
  const scope: Omit<Scope, "variable"> = {
    env: Object.fromEntries(named) as Record<string, string>,
    files: new Map(marks),
    variableNames: variables.names,
    unsetEnv: "warning",
  };
  const variable = (name: string): VariableValue | undefined => {
    const found = variables.get(name);
    if (found === undefined || typeof found.source !== "string") return found;
    const { value } = expandText(found.source, { ...scope, variable: () => undefined });
    return typeof value === "string" && value.includes(mark) ? { ...found, value } : found;
  };
  return { ...scope, variable };
}

function inMarks(source: "env" | "file", name: string): string {
  return `${mark}${source}:${name}${mark}`;
}

/** A value with everything replaced as the text that expands to it. */
function asSource(value: Json): Json {
  if (typeof value === "string")
    return value
      .replaceAll(/\$\{(?=(?:env|file|var):)|(?<=\$)\$\{/g, () => "$${")
      .replaceAll(markedText, (_, source: string, name: string) => `\${${source}:${name}}`);
  if (Array.isArray(value)) return value.map(asSource);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSource(member)]));
}

const markedText = new RegExp(`${mark}(env|file):([^${mark}]*)${mark}`, "g");

/** The variable of the key remains as it is written. */
function flatService({ apiKey, ...service }: JsonObject, replaced: (value: Json) => Json): Json {
  return { ...(replaced(service) as JsonObject), ...(apiKey === undefined ? {} : { apiKey }) };
}

/** The place of the state is written out: without it, it follows from the environment's name. */
function flatState(
  declared: Json | undefined,
  {
    name,
    state,
    environment,
    replaced,
  }: {
    readonly name: string;
    readonly state: StateSettings;
    readonly environment?: string;
    readonly replaced: (value: Json) => Json;
  },
): Json | undefined {
  if (state.backend === "memory") return undefined;
  if (state.backend === "local") return state.path;
  const written = declared === undefined ? undefined : replaced(declared);
  const suffix = environment === undefined ? "" : `.${environment}`;
  const hasPath = state.backend !== "git" || state.path !== undefined;
  return hasPath || !isObject(written) ? written : { ...written, path: `${encodeURIComponent(name)}${suffix}.json` };
}

interface Nesting {
  /** Objects by their parent. */
  readonly below: ReadonlyMap<DeclaredObject | undefined, readonly DeclaredObject[]>;
  readonly kinds: readonly AnyKind[];
  readonly replaced: (field: Field | undefined, value: Json, address?: string) => Json;
}

/** The collections below an object, or of the document. */
function flatBelow(parent: DeclaredObject | undefined, nesting: Nesting): JsonObject {
  const children = nesting.below.get(parent) ?? [];
  return Object.fromEntries(
    nesting.kinds.flatMap((kind): [string, Json][] => {
      const own = children.filter((object) => object.kind === kind);
      return own.length === 0
        ? []
        : [[kind.plural, Object.fromEntries(own.map((each) => [each.key, flatObject(each, nesting)]))]];
    }),
  );
}

function byParentOf(objects: readonly DeclaredObject[]): Nesting["below"] {
  const made = new Map<DeclaredObject | undefined, DeclaredObject[]>();
  for (const object of objects) {
    const all = made.get(object.parent) ?? [];
    made.set(object.parent, all);
    all.push(object);
  }
  return made;
}

function flatObject(object: DeclaredObject, nesting: Nesting): Json {
  const { kind, input, address } = object;
  const collections = new Set(nesting.kinds.filter(({ parent }) => parent === kind.name).map(({ plural }) => plural));
  const members = Object.entries(input)
    .filter(([name]) => !collections.has(name))
    .map(([name, value]): [string, Json] => [name, nesting.replaced(kind.fields[name], value, address)]);
  return { ...Object.fromEntries(members), ...flatBelow(object, nesting) };
}

function secretOutside(address: string | undefined): Diagnostic {
  const detail =
    "Its file is outside the project's folder, so its text would be written out here. Take it from ${env:…}, or move the file into the project";
  const at = address === undefined ? {} : { address };
  return { severity: "error", code: "LF1203", summary: "a secret would be written out", detail, ...at };
}

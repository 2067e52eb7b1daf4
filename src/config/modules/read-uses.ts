import { posix } from "node:path";
import { keyPattern } from "../../model/address.ts";
import { type DocumentPath, errorOf, wrongValue } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, objectOf, valueAt } from "../../model/json.ts";
import { describeValue } from "../describe-value.ts";
import type { ExpandProblem } from "../expand.ts";
import { moduleExpression } from "./substitute.ts";

/** One instance of a module, as a `use` asks for it. */
export interface Use {
  readonly instance: string;
  /** The module's file, from the project's folder. */
  readonly module: string;
  /** Values of parameters. */
  readonly given: JsonObject;
  /** Merge patch over the module's document. */
  readonly patch: JsonObject;
  /** The `use` in the document that it is written in. */
  readonly path: readonly string[];
  /** The key of the instance: the `use` itself, or its entry of `forEach`. */
  readonly at: readonly string[];
}

/** The instances that a document asks for; whatever has the wrong shape is reported elsewhere. */
export function readUses(document: JsonObject): readonly Use[] {
  return useMembers(document["use"]).flatMap(([name, use]): Use[] => {
    if (!isObject(use) || typeof use["module"] !== "string" || use["module"].trim() === "") return [];
    const path = ["use", name];
    const patch = objectOf(use["patch"]);
    const { module } = use;
    const shared = objectOf(use["with"]);
    const { forEach } = use;
    // With nothing below it, as when all its entries are comments, it asks for none.
    if (!isObject(forEach) && forEach !== null)
      return [{ instance: name, module, given: shared, patch, path, at: path }];
    return useMembers(forEach).map(([instance, entry]) => ({
      ...{ instance, module, patch, path },
      given: { ...shared, ...objectOf(entry) },
      at: [...path, "forEach", instance],
    }));
  });
}

/** The instances of a document with their modules; those of one use where its key is given. */
export function instancesOf(document: JsonObject, key?: string): ReadonlySet<string> {
  const uses = readUses(document).filter(({ path }) => key === undefined || path[1] === key);
  return new Set(uses.map(({ instance, module }) => `${instance} ${module}`));
}

/** Where the value of a parameter is given. */
export function givenPath({ path, at }: Use, parameter: string, document: JsonObject): DocumentPath {
  const own = [...at, parameter];
  const isShared = at === path || !hasPath(document, own);
  return isShared ? [...path, "with", parameter] : own;
}

function hasPath(value: Json | undefined, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  return isObject(value) && Object.hasOwn(value, step) && hasPath(value[step], rest);
}

/** A file's document with the modules that it names as paths from the project's folder, those in patches included. */
export function rebaseUses(document: JsonObject, folder: string): JsonObject {
  const made: Record<string, Json> = { ...document };
  if (isObject(document["use"])) made["use"] = rebasedAll(document["use"], folder);
  if (isObject(document["environments"]))
    made["environments"] = Object.fromEntries(
      useMembers(document["environments"]).map(([name, each]) => [
        name,
        isObject(each) ? rebaseUses(each, folder) : each,
      ]),
    );
  return made;
}

function rebasedAll(uses: JsonObject, folder: string): JsonObject {
  return Object.fromEntries(useMembers(uses).map(([name, use]) => [name, isObject(use) ? rebased(use, folder) : use]));
}

function rebased(use: JsonObject, folder: string): JsonObject {
  const { module, patch } = use;
  const isPath = typeof module === "string" && module !== "";
  return {
    ...use,
    ...(isPath && { module: module.startsWith("/") ? module : posix.join(folder, module) }),
    ...(isObject(patch) && { patch: rebaseUses(patch, folder) }),
  };
}

function useMembers(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** A use that cannot be expanded, and where that is said. */
interface RefusedUse {
  readonly use: Use;
  readonly problem: ExpandProblem;
  readonly path: DocumentPath;
  readonly at: "key" | "value";
}

/** The uses of one document that cannot be expanded; `modules` are those that led to the document. */
export function refusedUses(uses: readonly Use[], modules: readonly string[]): readonly RefusedUse[] {
  const seen = new Map<string, Use>();
  return uses.flatMap((use): RefusedUse[] => {
    const first = seen.get(use.instance);
    if (first === undefined) seen.set(use.instance, use);
    const atKey = first === undefined ? keyProblem(use.instance) : sameInstance(use.instance, first);
    if (atKey) return [{ use, problem: atKey, path: use.at, at: "key" }];
    const atModule = moduleProblem(use.module, modules);
    return atModule ? [{ use, problem: atModule, path: [...use.path, "module"], at: "value" }] : [];
  });
}

/** The refusal of a key that cannot be a part of an address; undefined for any other. */
export function keyProblem(key: string): ExpandProblem | undefined {
  if (keyPattern.test(key)) return undefined;
  const detail = `A key consists of letters, digits, ".", "_" and "-", and begins with a letter or digit. Give the parameter that it is made of another value`;
  return { severity: "error", code: "LF1105", summary: `${key} is not usable as a key`, detail };
}

/** The refusal of what is no test case; undefined for one, which may be empty. */
export function shapeProblem(key: string, value: Json): ExpandProblem | undefined {
  if (value === null || isObject(value)) return undefined;
  return errorOf("LF1102", `${key} has the wrong type`, wrongValue(describeValue(value), "a mapping"));
}

function sameInstance(instance: string, { path }: Use): ExpandProblem {
  const detail = `${path.join(".")} has an instance ${instance}, too. Instances are unique, since the keys of their test cases begin with them: rename one`;
  return { severity: "error", code: "LF1005", summary: `instance ${instance} is declared twice`, detail };
}

function moduleProblem(module: string, modules: readonly string[]): ExpandProblem | undefined {
  if (modules.includes(module)) {
    const circle = [...modules.slice(modules.indexOf(module)), module].join(" uses ");
    const detail = `${circle}. A module cannot contain itself: remove one of these uses`;
    return { severity: "error", code: "LF1310", summary: `module ${module} uses itself`, detail };
  }
  if (module.search(moduleExpression) < 0 && !/\$\{/.test(module)) return undefined;
  const detail = `The path is ${module}. Modules are read before anything is replaced: write the path out`;
  return { severity: "error", code: "LF1310", summary: "the path of a module is not fixed", detail };
}

/** More is no project, and would have no end. */
const mostInstances = 50_000;
const deepest = 16;

/** The refusal of a use that is too deep within others, or of one too many; undefined for any other. */
export function tooManyModules({ module }: Use, depth: number, instances: number): ExpandProblem | undefined {
  if (depth < deepest && instances <= mostInstances) return undefined;
  const found =
    depth < deepest
      ? `With ${module} there are more than ${mostInstances} instances`
      : `${module} is used below ${deepest} other modules`;
  const detail = `${found}. Modules that use others twice double with each level, and a link to a folder around a module has no end`;
  return errorOf("LF1310", "too many modules within each other", detail);
}

/** A document with a merge patch in it. The `patch` of a use is one itself, which removes something later: its nulls remain. */
export function patchDocument(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = mergePatch(document, patch) as JsonObject;
  const uses = Object.entries(objectOf(patch["use"])).flatMap(([name, use]): [string, Json][] => {
    const [before, more] = [valueAt(document, ["use", name, "patch"]), objectOf(use)["patch"]];
    return isObject(more)
      ? [[name, { ...objectOf(valueAt(merged, ["use", name])), patch: mergePatch(before, more, null) }]]
      : [];
  });
  return uses.length === 0 ? merged : { ...merged, use: { ...objectOf(merged["use"]), ...Object.fromEntries(uses) } };
}

/** JSON merge patch (RFC 7396): objects merge, null removes, or with `removed` remains for what the result patches; anything else replaces. */
function mergePatch(target: Json | undefined, patch: Json, removed?: null): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null && removed === undefined) delete merged[name];
    else merged[name] = mergePatch(merged[name], value, removed);
  }
  return merged;
}

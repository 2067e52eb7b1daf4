import { posix } from "node:path";
import type { DocumentPath } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";

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
    if (!isObject(use) || typeof use["module"] !== "string" || use["module"] === "") return [];
    const path = ["use", name];
    const patch = objectOf(use["patch"]);
    const { module } = use;
    const shared = objectOf(use["with"]);
    if (!isObject(use["forEach"])) return [{ instance: name, module, given: shared, patch, path, at: path }];
    return useMembers(use["forEach"]).map(([instance, entry]) => ({
      ...{ instance, module, patch, path },
      given: { ...shared, ...objectOf(entry) },
      at: [...path, "forEach", instance],
    }));
  });
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

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

import { posix } from "node:path";
import type { SourceDocument } from "../config/merge-documents.ts";
import { type ExpandedUses, expandUses } from "../config/modules/expand-uses.ts";
import type { Find } from "../config/modules/module-places.ts";
import { rebaseUses } from "../config/modules/read-uses.ts";
import type { DocumentPath } from "../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, objectOf, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { needsValue, parameterType } from "../schema/module-fields.ts";

/** A word that leads to a parameter of a module. */
interface ParameterUse {
  readonly file: string;
  readonly path: DocumentPath;
  readonly at: "key" | "value";
  /** The module's file and the parameter's name. */
  readonly module: string;
  readonly parameter: string;
  /** The text of the key or value. */
  readonly text: string;
}

/** A patch over a module's document, and the path that it is at. */
export interface ModulePatch {
  readonly file: string;
  readonly path: DocumentPath;
  readonly value: JsonObject;
}

/** The modules of a project, for questions that an editor asks. */
export interface ModuleIndex {
  /** The modules' files by path from the project's folder. */
  readonly sources: ReadonlyMap<string, SourceDocument>;
  /** The declared parameters of a module. */
  readonly parametersOf: (module: string) => JsonObject;
  /** The file of the module whose `use` a path of a file is in; undefined outside of uses, and where there is none. */
  readonly usedAt: (file: string, path: DocumentPath) => string | undefined;
  /** Every use of a parameter, in the modules themselves and in what uses them. */
  readonly parameterUses: () => readonly ParameterUse[];
  readonly patchesOf: (module: string) => readonly ModulePatch[];
  /** The keys that the instances of the project have for a test case of a module. */
  readonly expandedKeys: (module: string, testCase: string) => readonly string[];
  /** The test cases of all instances, their instances by key, and where they are written. */
  readonly expanded: () => Pick<ExpandedUses, "testCases" | "instances" | "find">;
}

/** Indexes the modules that files of a project use. */
export function indexModules(
  own: readonly SourceDocument[],
  modules: readonly SourceDocument[],
  {
    kinds,
    merged,
  }: { readonly kinds: readonly AnyKind[]; readonly merged: (own: readonly SourceDocument[]) => JsonObject },
): ModuleIndex {
  const sources = new Map(modules.map((source) => [source.file, source]));
  const ownSources = own.map(fromProject);
  const all = [...ownSources, ...modules];
  const parametersOf = (module: string) => objectOf(sources.get(module)?.value["parameters"]);
  const usedAt = (file: string, path: DocumentPath) => {
    const at = path.indexOf("use");
    const name = path[at + 1];
    if (at < 0 || (at > 0 && path[0] !== "environments") || name === undefined) return undefined;
    const value = all.find((each) => each.file === file)?.value;
    const candidates = [value, ...ownSources.map((each) => each.value)].map((each, index) =>
      valueAt(each ?? {}, [...(index === 0 ? path.slice(0, at) : []), "use", name, "module"].map(String)),
    );
    const module = candidates.find((each) => typeof each === "string");
    return typeof module === "string" && sources.has(module) ? module : undefined;
  };
  const find: Find = (place) => own.map(({ locate }) => locate(place)).find((each) => each !== undefined);
  let found: ExpandedUses | undefined;
  const expanded = () => {
    found ??= expandUses(merged(ownSources), { files: sources, kinds, find });
    return found;
  };
  const uses = all.flatMap((source) => usesIn(source, usedAt).map((use) => ({ ...use, file: source.file })));
  const patchesOf = (module: string) =>
    uses.flatMap((each): ModulePatch[] => {
      const value = each.module === module ? each.use["patch"] : undefined;
      return isObject(value) ? [{ file: each.file, path: [...each.path, "patch"], value }] : [];
    });
  return {
    sources,
    parametersOf,
    usedAt,
    parameterUses: () => [
      ...all.flatMap((source) => givenIn(source, usedAt)),
      ...modules.flatMap(({ file, value }) => takenIn(file, { file, path: [], value })),
      ...modules.flatMap(({ file }) => patchesOf(file).flatMap((patch) => takenIn(file, patch))),
    ],
    patchesOf,
    expandedKeys(module, testCase) {
      const { instances, madeOf } = expanded();
      return [...instances.keys()].filter((key) => {
        const made = madeOf(key);
        return made?.module === module && made.key === testCase;
      });
    },
    expanded,
  };
}

function fromProject(source: SourceDocument): SourceDocument {
  return { ...source, value: rebaseUses(source.value, posix.dirname(source.file)) };
}

/** True for the mapping of a `use` whose keys are parameters. */
export function givesParameters(path: DocumentPath): boolean {
  const below = path.slice(path.indexOf("use") + 2);
  return path.includes("use") && (below.join() === "with" || (below.length === 2 && below[0] === "forEach"));
}

interface KnownUse {
  readonly path: readonly string[];
  readonly module: string;
  readonly use: JsonObject;
}

/** The uses of a file whose modules are known, those in patches of environments included. */
function usesIn({ file, value }: SourceDocument, usedAt: ModuleIndex["usedAt"]): readonly KnownUse[] {
  const patches = Object.keys(objectOf(value["environments"])).map((name) => ["environments", name]);
  return [[], ...patches].flatMap((prefix) =>
    Object.entries(objectOf(valueAt(value, [...prefix, "use"]))).flatMap(([name, use]) => {
      const path = [...prefix, "use", name];
      const module = usedAt(file, path);
      return module === undefined || !isObject(use) ? [] : [{ path, module, use }];
    }),
  );
}

function givenIn(source: SourceDocument, usedAt: ModuleIndex["usedAt"]): readonly ParameterUse[] {
  return usesIn(source, usedAt).flatMap(({ path, module, use }) => {
    const places = [["with"], ...Object.keys(objectOf(use["forEach"])).map((entry) => ["forEach", entry])];
    return places.flatMap((place) =>
      Object.keys(objectOf(valueAt(use, place))).map(
        (parameter): ParameterUse => ({
          ...{ file: source.file, module, parameter, text: parameter },
          ...{ path: [...path, ...place, parameter], at: "key" },
        }),
      ),
    );
  });
}

/** The expressions of a document or patch that take parameters of a module. */
function takenIn(module: string, { file, path: above, value }: ModulePatch): readonly ParameterUse[] {
  const found: ParameterUse[] = [];
  const visit = (each: Json, path: DocumentPath): void => {
    if (typeof each === "string")
      for (const [, parameter = ""] of each.matchAll(parameterExpression))
        found.push({ file, module, parameter, text: each, path, at: "value" });
    const members = Array.isArray(each) ? [...each.entries()] : isObject(each) ? Object.entries(each) : [];
    for (const [step, member] of members) visit(member as Json, [...path, step]);
  };
  visit(value, above);
  return found;
}

/** A parameter within a module's text. */
const parameterExpression = /(?<!\$)\$\{param:([\w-]+)\}/g;

/** Type, default and text of a parameter, as an editor shows them. */
export function parameterWords(declared: JsonObject): { readonly detail: string; readonly about: string } {
  const { default: fallback = null, description } = declared;
  const isNeeded = needsValue(declared);
  const words = typeof description === "string" ? [description] : [];
  const need = isNeeded
    ? "Required."
    : fallback === null
      ? "May be left out."
      : `Default: ${JSON.stringify(fallback)}.`;
  return {
    detail: `${parameterType(declared)}${isNeeded ? ", required" : ""}`,
    about: [...words, need].join("\n\n"),
  };
}

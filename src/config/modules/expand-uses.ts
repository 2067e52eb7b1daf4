import { type Diagnostic, type DocumentPlace, errorOf } from "../../model/diagnostic.ts";
import { meaning } from "../../model/did-you-mean.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { moduleShape } from "../../schema/module-shape.ts";
import { checkShape } from "../check-shape.ts";
import type { DocumentProblem } from "../collect-problems.ts";
import type { ExpandProblem } from "../expand.ts";
import type { SourceDocument } from "../merge-documents.ts";
import type { ReferenceContext } from "../object-references.ts";
import { asWrittenIn } from "../read-files.ts";
import { filesOutside, type ModuleFile, pathOfText } from "./module-files.ts";
import {
  type Find,
  type Holder,
  instanceOf,
  type Origin,
  originFinder,
  ownWords,
  pathKey,
  placeIn,
  withChain,
} from "./module-places.ts";
import { testCaseReferences, withOwnReferences } from "./own-references.ts";
import { resolveParameters } from "./parameters.ts";
import {
  givenPath,
  keyProblem,
  patchDocument,
  readUses,
  refusedUses,
  shapeProblem,
  tooManyModules,
  type Use,
} from "./read-uses.ts";
import { moduleExpression, type Substitution, substitute, substituteKey } from "./substitute.ts";
import { type FindOrigin, originsOf } from "./value-origin.ts";

/** The test cases that modules declare, and where they are written. */
export interface ExpandedUses {
  readonly testCases: JsonObject;
  /** The project's instances by keys of these. */
  readonly instances: ReadonlyMap<string, string>;
  /** The module's file that declares one of them, and its key there. */
  readonly madeOf: (key: string) => { readonly module: string; readonly key: string } | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The exact position of a place in them. */
  readonly find: Find;
  readonly findOrigin: FindOrigin;
  readonly inModule: NonNullable<ReferenceContext["inModule"]>;
}

/** The modules of a project as one document. */
export interface ModuleDocument extends Omit<ExpandedUses, "diagnostics"> {
  /** The test cases as JSON text, to look for files that they name. */
  readonly text: string;
  /** Hashes of the modules' files by path. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** A test case of an instance, by its key in the document around the `use`. */
interface Made {
  readonly key: string;
  readonly value: Json;
  /** The instance of that document. */
  readonly instance: string;
  readonly origin: Origin;
}

interface Expanding {
  readonly files: ReadonlyMap<string, ModuleFile>;
  readonly references: ReturnType<typeof testCaseReferences>;
  readonly diagnostics: Diagnostic[];
  /** Modules of which nothing has to be said any more, by their document. */
  readonly checked: Set<JsonObject>;
  /** Instances so far; infinite once it was said that there are too many. */
  instances: number;
}

/** Where a use is: the document around it, the keys and the modules that led there. */
interface Around {
  readonly document: JsonObject;
  readonly holder: Holder;
  readonly prefix: string;
  readonly modules: readonly string[];
}

/** The uses of a document, expanded; `find` finds a place of the document itself. */
export function expandUses(
  document: JsonObject,
  context: { readonly files: ReadonlyMap<string, ModuleFile>; readonly kinds: readonly AnyKind[]; readonly find: Find },
): ExpandedUses {
  const { files, kinds, find } = context;
  const diagnostics: Diagnostic[] = [];
  const expanding = {
    files,
    references: testCaseReferences(kinds),
    diagnostics,
    checked: new Set<JsonObject>(),
    instances: 0,
  };
  const around: Around = { document, holder: { document, find, chain: () => [] }, prefix: "", modules: [] };
  const testCases: Record<string, Json> = {};
  const origins = new Map<string, Origin>();
  const instances = new Map<string, string>();
  const own = isObject(document.testCases) ? document.testCases : {};
  for (const { key, value, instance, origin } of expandAll(around, expanding)) {
    const other = origins.get(key) ?? (Object.hasOwn(own, key) ? "the project itself" : undefined);
    if (other === undefined) {
      testCases[key] = value;
      origins.set(key, origin);
      instances.set(key, instance);
    } else diagnostics.push(declaredAgain(key, origin, other));
  }
  const madeOf: ExpandedUses["madeOf"] = (made) => {
    const { instance, key = "" } = origins.get(made) ?? {};
    return instance?.within && { module: instance.within.use.module, key };
  };
  const found = { find: originFinder(origins), findOrigin: originsOf(origins), inModule: ownWords(origins) };
  return { testCases, instances, madeOf, diagnostics, ...found };
}

function declaredAgain(key: string, { instance, key: written }: Origin, other: Origin | string): Diagnostic {
  const at = typeof other === "string" ? undefined : other.instance.chain()[0];
  const first = at === undefined ? "the project itself" : `the use at ${at.file}:${at.line}`;
  const detail = `${first} declares a test case ${key}, too. Give the instance or the test case another key`;
  const position = placeIn(instance, { path: ["testCases", written], at: "key" });
  return { severity: "error", code: "LF1005", summary: `test case ${key} is declared twice`, detail, ...position };
}

function expandAll(around: Around, expanding: Expanding): readonly Made[] {
  const uses = readUses(around.document);
  const refused = refusedUses(uses, around.modules);
  for (const { problem, path, at } of refused) say(expanding, around.holder, problem, { path, at });
  const sound = uses.filter((use) => !refused.some((each) => each.use === use));
  return sound.flatMap((use) => expandUse(use, around, expanding));
}

function say(
  { diagnostics }: Pick<Expanding, "diagnostics">,
  at: Holder,
  problem: ExpandProblem,
  place: DocumentPlace,
): void {
  diagnostics.push({ ...problem, ...placeIn(at, place) });
}

function expandUse(use: Use, around: Around, expanding: Expanding): readonly Made[] {
  const file = expanding.files.get(use.module);
  if (file === undefined || "failures" in file) {
    reportFailures(use, file?.failures ?? [], { holder: around.holder, expanding });
    return [];
  }
  expanding.instances++;
  const tooMuch = tooManyModules(use, around.modules.length, expanding.instances);
  if (tooMuch) {
    if (Number.isFinite(expanding.instances)) say(expanding, around.holder, tooMuch, { path: use.path, at: "key" });
    expanding.instances = Number.POSITIVE_INFINITY;
    return [];
  }
  const written = new Map<string, string>();
  const module = instanceOf(use, around.holder, { ...file, written });
  const document = Object.keys(use.patch).length === 0 ? file.value : patchDocument(file.value, use.patch);
  checkModule(document, file, { module, expanding });
  const filling: Substitution = {
    parameters: resolveParameters(document["parameters"], use.given, (problem, name, at) => {
      if (at === "declared") say(expanding, module, problem, { path: ["parameters", name, "default"], at: "value" });
      else if (at === "use") say(expanding, around.holder, problem, { path: use.at, at: "key" });
      else say(expanding, around.holder, problem, { path: givenPath(use, name, around.document), at: "key" });
    }),
    instance: use.instance,
    say: (problem, path, at) => say(expanding, module, problem, { path, at }),
    renamed: (path, key) => void written.set(pathKey(path), key),
  };
  const inner = { ...document, use: filledUses(document["use"], filling) };
  const prefix = `${around.prefix}${use.instance}-`;
  const nested = expandAll(
    { document: inner, holder: module, prefix, modules: [...around.modules, use.module] },
    expanding,
  );
  const own = ownTestCases(document, { filling, written, module, prefix, expanding });
  return withPrefix([...own, ...nested], { use, prefix, own: own.length, expanding });
}

/** The uses of a module with its parameters in them; a patch belongs to the module that it patches. */
function filledUses(uses: Json | undefined, filling: Substitution): Json {
  if (!isObject(uses)) return {};
  return Object.fromEntries(
    Object.entries(uses).map(([name, use]): [string, Json] => {
      if (!isObject(use)) return [name, use];
      const { patch, ...rest } = use;
      const key = substituteKey(name, ["use"], filling);
      const filled = substitute(rest, ["use", key], filling) as JsonObject;
      return [key, patch === undefined ? filled : { ...filled, patch }];
    }),
  );
}

function ownTestCases(
  document: JsonObject,
  context: {
    readonly filling: Substitution;
    readonly written: ReadonlyMap<string, string>;
    readonly module: Holder;
    readonly prefix: string;
    readonly expanding: Expanding;
  },
): readonly Omit<Made, "instance">[] {
  const { filling, written, module, prefix, expanding } = context;
  const declared = isObject(document["testCases"]) ? document["testCases"] : {};
  return Object.entries(declared).flatMap(([key, each]): Omit<Made, "instance">[] => {
    const name = substituteKey(key, ["testCases"], filling);
    const problem = keyProblem(name);
    if (problem) {
      say(expanding, module, problem, { path: ["testCases", key], at: "key" });
      return [];
    }
    const wrong = shapeProblem(key, each);
    if (wrong) {
      say(expanding, module, wrong, { path: ["testCases", key], at: "value" });
      return [];
    }
    const value = substitute(each, ["testCases", key], filling);
    return [{ key: name, value, origin: { instance: module, key, written, prefix } }];
  });
}

/** The test cases by their keys around the use; those of the module itself refer to its own ones first. */
function withPrefix(
  made: readonly Omit<Made, "instance">[],
  context: { readonly use: Use; readonly prefix: string; readonly own: number; readonly expanding: Expanding },
): readonly Made[] {
  const { use, prefix, own, expanding } = context;
  const keys = new Set(made.map(({ key }) => key));
  const expanded = (key: string) => (keys.has(key) ? prefix + key : undefined);
  return made.map((each, index) => ({
    ...each,
    instance: use.instance,
    key: `${use.instance}-${each.key}`,
    value: index < own ? withOwnReferences(each.value, expanding.references, expanded) : each.value,
  }));
}

function checkModule(
  document: JsonObject,
  file: SourceDocument,
  { module, expanding }: { readonly module: Holder; readonly expanding: Expanding },
): void {
  if (expanding.checked.has(document)) return;
  expanding.checked.add(document);
  const report = ({ place, ...problem }: DocumentProblem) => {
    // A key that is made of parameters is checked once they are replaced.
    const [first, last] = [place?.path[0], String(place?.path.at(-1))];
    if (problem.code === "LF1105" && first === "use" && last.search(moduleExpression) >= 0) return;
    expanding.diagnostics.push({ ...problem, ...(place && placeIn(module, place)) });
  };
  checkShape(moduleShape, document, [], { report, live: false, names: new Map([[moduleShape, "module"]]) });
  doubtDefaults(document["parameters"], (problem, path) => say(expanding, module, problem, { path, at: "value" }));
  for (const path of filesOutside(file.file, file.value)) {
    const detail = `\${file:…} leads to ${path}. The files of a module are in its own folder or below it: move the file there`;
    const place = { path: pathOfText(file.value, `\${file:${path}}`) ?? [], at: "value" } as const;
    say(expanding, module, errorOf("LF1002", "a module's file is outside its folder", detail), place);
  }
}

/** A default is what a parameter is replaced by, and nothing of the module is replaced in it. */
function doubtDefaults(
  parameters: Json | undefined,
  warn: (problem: ExpandProblem, path: DocumentPlace["path"]) => void,
): void {
  for (const [name, declared] of Object.entries(objectOf(parameters))) {
    const text = JSON.stringify(objectOf(declared)["default"] ?? null);
    const [found] = [...text.matchAll(moduleExpression)].find(([, source]) => source !== undefined) ?? [];
    const detail = `It is in the default of a parameter, where nothing of the module is replaced. Write it where \${param:${name}} is used`;
    const summary = `${found} is taken as the text itself`;
    if (found !== undefined)
      warn({ severity: "warning", code: "LF1204", summary, detail }, ["parameters", name, "default"]);
  }
}

/** A module that cannot be read is reported where it is used; mistakes within it have lines of their own. */
function reportFailures(
  use: Use,
  failures: readonly Diagnostic[],
  { holder, expanding }: { readonly holder: Holder; readonly expanding: Expanding },
): void {
  const at = holder.find({ path: use.at, at: "key" });
  const chain = [...(at ? [at] : []), ...holder.chain()];
  const place = placeIn(holder, { path: [...use.path, "module"], at: "value" });
  for (const failure of failures) {
    const { file: _, suggestion, ...problem } = failure;
    const meant = suggestion && place && meaning(failure.detail, asWrittenIn(place.file, suggestion));
    expanding.diagnostics.push(
      failure.line === undefined ? { ...problem, ...meant, ...place } : withChain(failure, chain),
    );
  }
}

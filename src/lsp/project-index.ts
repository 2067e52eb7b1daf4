import { posix } from "node:path";
import { addressOfPath, type DeclaredObject, declaredObjects, objectAt, pathOf } from "../config/declared-object.ts";
import { mergeDocuments, type SourceDocument } from "../config/merge-documents.ts";
import type { Find } from "../config/modules/module-places.ts";
import { indexObjects } from "../config/object-references.ts";
import { pathOfAddress } from "../model/address.ts";
import type { DocumentPath } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject, objectOf, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { ModuleIndex, ModulePatch } from "./module-index.ts";

/** The thing that a word of a project leads to. */
export interface Target {
  readonly kind: "object" | "variable" | "file" | "parameter" | "instance" | "environment";
  /** Address, path in the project folder, or name; of an instance the key of its `use`, with `forEach` also `/` and its own. */
  readonly name: string;
  /** The module's file: of a parameter, and of an object or instance that a module declares. */
  readonly module?: string;
}

/** A word of a file that leads to a target. */
export interface Use {
  readonly file: string;
  readonly path: DocumentPath;
  readonly target: Target;
  /** The text of the key or value that the word is in. */
  readonly text: string;
  readonly at: "key" | "value";
}

/** The declarations in the files of a project or in a module of it, for questions that an editor asks. */
export interface ProjectIndex {
  /** The files that declare what the index is of: those of the project, or the one of the module. */
  readonly sources: readonly SourceDocument[];
  readonly kinds: readonly AnyKind[];
  readonly document: Field;
  readonly addresses: ReadonlySet<string>;
  readonly variables: readonly string[];
  readonly environments: readonly string[];
  readonly modules: ModuleIndex;
  /** The file of the module that the index is of, whose references mean its own objects before those of the project. */
  readonly module?: string;
  /** The index of the project, or of one of its modules. */
  readonly of: (module?: string) => ProjectIndex;
  /** The place of a path of the document in a module, for objects of its instances. */
  readonly findInModules: Find;
  /** The targets of a value of a field at a path. */
  targetsOf(field: Field, text: string, at: { readonly file: string; readonly path: DocumentPath }): readonly Target[];
  /** Every text that leads to an object of a kind from a path. */
  candidates(kind: string, path: DocumentPath): readonly string[];
  /** The keys that are declared at a path, without those of instances. */
  keysAt(path: DocumentPath): readonly string[];
  /** Every use in its files, and in patches of the module; read when asked for. */
  uses(): readonly Use[];
}

/** Indexes the files of a project, or a module of it. */
export function indexProject(
  own: readonly SourceDocument[],
  {
    of,
    module,
    ...context
  }: Pick<ProjectIndex, "kinds" | "document" | "modules" | "of"> & { readonly module?: SourceDocument },
): ProjectIndex {
  const { kinds, document: shape, modules } = context;
  const { document: written } = mergeDocuments(module ? [module, ...own] : own, kinds);
  const hasInstances = written.use !== undefined && module === undefined;
  const { testCases, find: findInModules } = hasInstances
    ? modules.expanded()
    : { testCases: {}, find: () => undefined };
  const document: JsonObject = { ...written, testCases: { ...testCases, ...objectOf(written.testCases) } };
  const objects = declaredObjects(document, kinds);
  const byAddress = new Map(objects.map((object) => [object.address, object]));
  const names = indexObjects(objects, kinds, (address) => byAddress.get(address)?.input["name"]);
  const holderOf = (path: DocumentPath) => {
    const found = byAddress.get(addressOfPath(withoutPatch(path), kinds) ?? "");
    return found ?? placeholder(path, kinds, byAddress);
  };
  const objectTarget = (name: string): Target => {
    const isOwn = module && valueAt(module.value, pathOfAddress(name, kinds) ?? []) !== undefined;
    return { kind: "object", name, ...(isOwn && { module: module.file }) };
  };
  const referredTo = (field: Field, text: string, path: DocumentPath): string | undefined => {
    const { reference } = field;
    if (reference?.by === "name") return names.named(text.trim(), reference.kind)?.address;
    if (reference !== undefined) return names.addressOf(text, reference.kind, holderOf(path));
    return addressedBy(path) ? addressIn(text, byAddress) : undefined;
  };
  const targetsOf: ProjectIndex["targetsOf"] = (field, text, { file, path }) => {
    if (path.length === 1 && path[0] === "defaultEnvironment") return [{ kind: "environment", name: text }];
    const address = referredTo(field, text, path);
    return [...(address === undefined ? [] : [objectTarget(address)]), ...expressionTargets(text, file)];
  };
  const keysAt = (path: DocumentPath) => {
    const found = valueAt(module ? module.value : written, path.map(String));
    return isObject(found) ? Object.keys(found) : [];
  };
  const sources = module ? [module] : own;
  const visited = { shape, targetsOf };
  return {
    ...{ ...context, sources, of, findInModules, targetsOf, keysAt },
    ...(module && { module: module.file }),
    addresses: new Set(byAddress.keys()),
    variables: Object.keys(objectOf(document["variables"])),
    environments: Object.keys(objectOf(document["environments"])),
    candidates: (kind, path) => names.candidates(kind, holderOf(path)),
    uses: () => [
      ...sources.flatMap((source) => usesIn(source, visited)),
      ...(module
        ? modules.patchesOf(module.file).flatMap((patch) => usesInPatch(patch, { kinds, visited, module }))
        : []),
    ],
  };
}

interface Visited {
  readonly shape: Field;
  readonly targetsOf: ProjectIndex["targetsOf"];
}

function usesIn(
  { file, value }: Pick<SourceDocument, "file" | "value">,
  { shape, targetsOf }: Visited,
): readonly Use[] {
  const uses: Use[] = [];
  visitFields(shape, value, (field, text, path) => {
    // Paths in a loaded document are relative to the project already.
    for (const target of targetsOf(field, text, { file: "", path }))
      uses.push({ file, path, target, text, at: "value" });
  });
  return uses;
}

/** The objects of a module that a patch names by their keys, and what its values refer to. */
function usesInPatch(
  { file, path, value }: ModulePatch,
  {
    kinds,
    visited,
    module,
  }: { readonly kinds: readonly AnyKind[]; readonly visited: Visited; readonly module: SourceDocument },
): readonly Use[] {
  const keys = declaredObjects(value, kinds).map((object): Use => {
    const target: Target = { kind: "object", name: object.address, module: module.file };
    return { file, path: pathOf(object), target, text: object.key, at: "key" };
  });
  return [...keys, ...usesIn({ file, value }, visited)].map((use) => ({ ...use, path: [...path, ...use.path] }));
}

/** A path in an environment's patch as that of the document that it is merged over. */
export function withoutPatch(path: DocumentPath): DocumentPath {
  return path[0] === "environments" ? path.slice(2) : path;
}

/** An object that only an environment has refers as if it were beside the others. */
function placeholder(
  path: DocumentPath,
  kinds: readonly AnyKind[],
  known: ReadonlyMap<string, DeclaredObject>,
): DeclaredObject {
  const place = objectAt(withoutPatch(path), kinds);
  const address = addressOfPath(withoutPatch(path), kinds) ?? "";
  const parent = known.get(address.slice(0, Math.max(0, address.lastIndexOf("/"))));
  const kind = place?.kind ?? kinds[0];
  if (kind === undefined) throw new TypeError("found no kinds, expected at least one");
  return { kind, key: address.slice(address.lastIndexOf(".") + 1), address, parent, input: {} };
}

/** True for values that are addresses, or keys from the top: those of gates, moves and removals. */
function addressedBy(path: DocumentPath): boolean {
  const [first, , name, ...deeper] = withoutPatch(path);
  return (first === "moved" && name === "to") || (first === "gates" && name === "configuration" && deeper.length === 0);
}

function addressIn(text: string, known: ReadonlyMap<string, DeclaredObject>): string | undefined {
  if (known.has(text)) return text;
  const [testCase, configuration] = text.split("/");
  const address = `testCase.${testCase}/configuration.${configuration}`;
  return known.has(address) ? address : undefined;
}

function expressionTargets(text: string, file: string): readonly Target[] {
  if (!text.includes("${")) return [];
  return [...text.matchAll(/(?<!\$)\$\{(var|file):([^}]+)\}/g)].flatMap(([, source, name = ""]): Target[] => {
    if (source === "var") return [{ kind: "variable", name }];
    const folder = file.includes("/") ? `${file.slice(0, file.lastIndexOf("/"))}/` : "";
    return [{ kind: "file", name: posix.normalize(`${folder}${name}`) }];
  });
}

/** The path in a document at which a target is declared; undefined for a file. */
export function pathOfTarget({ kind, name }: Target, kinds: readonly AnyKind[]): DocumentPath | undefined {
  if (kind === "file") return undefined;
  if (kind === "object") return pathOfAddress(name, kinds);
  if (kind !== "instance") return [`${kind}s`, name];
  const [use = "", instance] = name.split("/");
  return ["use", use, ...(instance === undefined ? [] : ["forEach", instance])];
}

/** A path of a file, in the document that it is about: within a patch that is the module's. */
export function documentAround(
  path: DocumentPath,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): { readonly index: ProjectIndex; readonly path: DocumentPath; readonly isPatch: boolean } {
  const start = path[0] === "environments" ? 2 : 0;
  const isPatch = path[start] === "use" && path[start + 2] === "patch";
  const module = isPatch ? index.modules.usedAt(file, path) : undefined;
  if (module === undefined) return { index, path, isPatch: false };
  const inner = { index: index.of(module), file: module };
  return { ...documentAround(path.slice(start + 3), inner), isPatch: true };
}

/** The field that a path of a document leads to; undefined where there is none. */
export function fieldAt(document: Field, path: DocumentPath): Field | undefined {
  let field: Field | undefined = document;
  for (const step of path) field = field && fieldBelow(field, step);
  return field;
}

function fieldBelow(field: Field, step: string | number): Field | undefined {
  if (field.type === "list") return typeof step === "number" ? field.of : undefined;
  if (field.type === "map") return field.of;
  return Object.hasOwn(field.fields ?? {}, step) ? field.fields?.[step] : undefined;
}

/** Calls `visit` for every plain value of a document that a field is known for. */
function visitFields(
  field: Field,
  value: Json,
  visit: (field: Field, value: string, path: DocumentPath) => void,
  path: DocumentPath = [],
): void {
  if (typeof value === "string") visit(field, value, path);
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [step, member] of members) {
    const below = fieldBelow(field, step);
    if (below !== undefined) visitFields(below, member as Json, visit, [...path, step]);
  }
}

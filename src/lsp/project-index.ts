import type { DeclaredObject } from "../config/declared-object.ts";
import { addressOfPath, declaredObjects, objectAt, pathOfAddress } from "../config/declared-object.ts";
import type { SourceDocument } from "../config/merge-documents.ts";
import { mergeDocuments } from "../config/merge-documents.ts";
import type { Find } from "../config/modules/module-places.ts";
import { indexObjects } from "../config/object-references.ts";
import type { DocumentPath } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, objectOf } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { ModuleIndex, ParameterUse } from "./module-index.ts";

/** The thing that a word of a project leads to: an object by its address, a variable, a file, or a parameter of a module. */
export interface Target {
  readonly kind: "object" | "variable" | "file" | "parameter";
  /** Address, name, path in the project folder, or name of the parameter. */
  readonly name: string;
  /** The module's file, for a parameter. */
  readonly module?: string;
}

/** A word of a file that leads to a target. */
interface Use {
  readonly file: string;
  readonly path: DocumentPath;
  readonly target: Target;
  /** The text of the key or value that the word is in. */
  readonly text: string;
  readonly at: "key" | "value";
}

/** The declarations in the files of a project, for questions that an editor asks. */
export interface ProjectIndex {
  readonly sources: readonly SourceDocument[];
  readonly kinds: readonly AnyKind[];
  readonly document: Field;
  readonly addresses: ReadonlySet<string>;
  readonly variables: readonly string[];
  readonly environments: readonly string[];
  readonly modules: ModuleIndex;
  /** The file of the module that the index is of, with its own objects before those of the project. */
  readonly module?: string;
  /** The place of a path of the document in a module, for objects of its instances. */
  readonly findInModules: Find;
  /** The targets of a value of a field at a path. */
  targetsOf(field: Field, text: string, at: { readonly file: string; readonly path: DocumentPath }): readonly Target[];
  /** Every text that leads to an object of a kind from a path. */
  candidates(kind: string, path: DocumentPath): readonly string[];
  /** Every use in the files, read when asked for. */
  uses(): readonly Use[];
}

/** Indexes the files of a project. */
export function indexProject(
  sources: readonly SourceDocument[],
  { kinds, document: shape, modules, module }: Pick<ProjectIndex, "kinds" | "document" | "modules" | "module">,
): ProjectIndex {
  const { document: written } = mergeDocuments(sources, kinds);
  const { testCases, find: findInModules } =
    written.use === undefined ? { testCases: {}, find: () => undefined } : modules.expanded();
  const document: JsonObject = { ...written, testCases: { ...testCases, ...objectOf(written.testCases) } };
  const objects = declaredObjects(document, kinds);
  const byAddress = new Map(objects.map((object) => [object.address, object]));
  const names = indexObjects(objects, kinds, (address) => byAddress.get(address)?.input["name"]);
  const holderOf = (path: DocumentPath) => {
    const found = byAddress.get(addressOfPath(withoutPatch(path), kinds) ?? "");
    return found ?? placeholder(path, kinds, byAddress);
  };
  const referredTo = (field: Field, text: string, path: DocumentPath): string | undefined => {
    const { reference } = field;
    if (reference?.by === "name") return names.named(text.trim(), reference.kind)?.address;
    if (reference !== undefined) return names.addressOf(text, reference.kind, holderOf(path));
    return addressedBy(path) ? addressIn(text, byAddress) : undefined;
  };
  const targetsOf: ProjectIndex["targetsOf"] = (field, text, { file, path }) => {
    const address = referredTo(field, text, path);
    const object: readonly Target[] = address === undefined ? [] : [{ kind: "object", name: address }];
    return [...object, ...expressionTargets(text, file)];
  };
  const keysOf = (name: string) => Object.keys(isObject(document[name]) ? document[name] : {});
  return {
    sources,
    kinds,
    modules,
    ...(module !== undefined && { module }),
    findInModules,
    document: shape,
    addresses: new Set(byAddress.keys()),
    variables: keysOf("variables"),
    environments: keysOf("environments"),
    targetsOf,
    candidates: (kind, path) => names.candidates(kind, holderOf(path)),
    uses: () => [...usesIn(sources, shape, targetsOf), ...modules.parameterUses().map(parameterUse)],
  };
}

function usesIn(
  sources: readonly SourceDocument[],
  shape: Field,
  targetsOf: ProjectIndex["targetsOf"],
): readonly Use[] {
  const uses: Use[] = [];
  for (const { file, value } of sources)
    visitFields(shape, value, (field, text, path) => {
      // Paths in a loaded document are relative to the project already.
      for (const target of targetsOf(field, text, { file: "", path }))
        uses.push({ file, path, target, text, at: "value" });
    });
  return uses;
}

function parameterUse({ module, parameter, ...use }: ParameterUse): Use {
  return { ...use, target: { kind: "parameter", name: parameter, module } };
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
  const [first, , name] = path;
  return (first === "moved" && name === "to") || (first === "gates" && name === "configuration" && path.length === 3);
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
    return [{ kind: "file", name: `${folder}${name}` }];
  });
}

/** The path in a document at which an address or a variable is declared. */
export function pathOfTarget({ kind, name }: Target, kinds: readonly AnyKind[]): DocumentPath | undefined {
  return kind === "object" ? pathOfAddress(name, kinds) : kind === "variable" ? ["variables", name] : undefined;
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

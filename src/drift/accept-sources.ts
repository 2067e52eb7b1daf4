import { type DeclaredObject, declaredObjects } from "../config/declared-object.ts";
import { allIncludes, includesIn, loadDocuments } from "../config/load-documents.ts";
import type { Project } from "../config/load-project.ts";
import {
  environmentsOf,
  filesWith,
  mergeDocuments,
  otherEnvironments,
  patchOf,
  withEnvironment,
} from "../config/merge-documents.ts";
import { furtherInstances, moduleSources } from "../config/modules/module-files.ts";
import { pathOfAddress } from "../model/address.ts";
import type { DocumentPath } from "../model/diagnostic.ts";
import { isObject, type Json } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { redactor } from "../model/redact.ts";
import { secretsIn } from "../model/secret-texts.ts";
import { sha256 } from "../workspace/hash.ts";
import { mainFile, type Workspace } from "../workspace/workspace.ts";
import { NotWritable } from "../yaml/yaml-places.ts";

/** Where the value of a field is written, or would be. */
export interface FieldPlace {
  readonly file: string;
  /** The mapping in the file that has the value. */
  readonly path: DocumentPath;
  readonly name: string;
  /** The value with nothing replaced. */
  readonly raw?: Json;
  /** Names of the mapping in their usual order. */
  readonly order: readonly string[];
  /** Defaults outside the mapping have a value for it. */
  readonly isDefaulted: boolean;
}

/** A project's files as they are written. */
export interface AcceptSources {
  readonly workspace: Workspace;
  readonly kinds: readonly AnyKind[];
  /** Texts by path, those of modules in the project's folder included. */
  readonly texts: ReadonlyMap<string, string>;
  /** Texts that other environments alone read, by path. */
  readonly otherTexts: ReadonlyMap<string, string>;
  /** Objects as declared in one environment, with nothing replaced. */
  readonly objects: ReadonlyMap<string, DeclaredObject>;
  /** The files that declare an object, first the one with the object itself. */
  readonly filesOf: (address: string) => readonly string[];
  /** The field of an object with nothing replaced, a module's included. */
  readonly rawOf: (address: string, field: string) => Json | undefined;
  /** The place of a field; throws {@link NotWritable} where it cannot be changed. */
  readonly placeOf: (address: string, kind: AnyKind, field: string) => FieldPlace;
  /** True for a text with a secret of the project in it. */
  readonly holdsSecret: (text: string) => boolean;
  /** True where the environment's patch sets a part of an object. */
  readonly isPatched: (address: string) => boolean;
  /** True where the project or one of its environments uses modules, which may name files of their own. */
  readonly hasModules: boolean;
  /** The project's other environments, which are made from the same values; "" is the project without one. */
  readonly otherEnvironments: readonly string[];
}

/** Reads a YAML project's files for changing them. */
export async function openSources(
  workspace: Workspace,
  kinds: readonly AnyKind[],
  project: Pick<Project, "environment" | "findOrigin" | "written" | "secrets" | "tree">,
): Promise<AcceptSources> {
  const { environment } = project;
  const reading = { workspace, hash: sha256 };
  const { sources } = await loadDocuments(mainFile, reading, includesIn(environment ?? ""));
  const texts = await readTexts(sources, workspace);
  const { document } = mergeDocuments(sources, kinds);
  const patches = environmentsOf(document).map((name) => patchOf(document, name));
  const hasOwnFiles = patches.some(({ include }) => include !== undefined);
  const all = hasOwnFiles ? (await loadDocuments(mainFile, reading, allIncludes)).sources : sources;
  const others = all.filter(({ file }) => !texts.has(file));
  const effective = withEnvironment(document, environment);
  const patch = environment === undefined ? {} : patchOf(document, environment);
  const objects = new Map(declaredObjects(effective, kinds).map((object) => [object.address, object]));
  const filesOf = (address: string) => filesWith(sources, pathOfAddress(address, kinds) ?? [], kinds);
  const rawOf = (address: string, field: string) =>
    (objects.get(address)?.input ?? project.written?.(address))?.[field];
  const redact = redactor([...project.secrets, ...secretsIn(project.tree.nodes.values())]);
  const ownFiles = new Set(sources.map(({ file }) => file));
  const hasMore = await furtherInstances(document, { workspace, hash: sha256, kinds, environment });
  const inModule = (path: readonly string[], field: string) => {
    const origin = project.findOrigin?.(path, field);
    if (origin === undefined || "why" in origin) throw new NotWritable(origin?.why ?? notFound);
    const { parameters, ...found } = origin;
    const isOwn = ownFiles.has(found.file);
    if (isOwn && reaches(patch, [...found.path, found.name])) throw new NotWritable(patched);
    if (!isOwn && hasMore())
      throw new NotWritable(`another environment has further instances, and ${found.file} may declare it for them`);
    const [, use, member] = found.path;
    if (isOwn && member !== "forEach" && hasMore(use))
      throw new NotWritable(`another environment has further instances of ${use}, which share it`);
    return { ...found, ...(parameters && { order: parameters, isDefaulted: false }) };
  };
  return {
    workspace,
    kinds,
    texts,
    otherTexts: new Map([...(await readTexts(others, workspace))].filter(([file]) => !texts.has(file))),
    objects,
    filesOf,
    rawOf,
    placeOf: (address, kind, field) => {
      const path = pathOfAddress(address, kinds) ?? [];
      const defaults = ["defaults", kind.name, field];
      const usual = { order: Object.keys(kind.fields), isDefaulted: reaches(effective, defaults) };
      if (!objects.has(address)) return { ...usual, ...inModule(path, field) };
      const [file] = filesOf(address);
      if (file === undefined) throw new NotWritable(notFound);
      if (reaches(patch, [...path, field]) || reaches(patch, defaults)) throw new NotWritable(patched);
      const raw = rawOf(address, field);
      return { ...usual, file, path, name: field, ...(raw !== undefined && { raw }) };
    },
    holdsSecret: (text) => redact(text) !== text,
    isPatched: (address) => reaches(patch, pathOfAddress(address, kinds) ?? []),
    hasModules: [...all.map(({ value }) => value), ...patches].some(({ use }) => use !== undefined),
    otherEnvironments: otherEnvironments(document, environment),
  };
}

/** Texts by path, those of modules in the project's folder included. */
async function readTexts(sources: Parameters<typeof moduleSources>[0], workspace: Workspace) {
  const modules = await moduleSources(sources, { workspace, hash: sha256 });
  const texts = [...sources, ...modules].map(async ({ file }) => [file, await workspace.readText(file)] as const);
  return new Map(await Promise.all(texts));
}

const notFound = "it is not found in the project's files";
const patched = "its value comes from the patch of the environment";

/** True for a patch that sets a value at a path, or replaces a part of the path. */
function reaches(patch: Json, path: DocumentPath): boolean {
  let node: Json | undefined = patch;
  for (const step of path) {
    if (!isObject(node)) return true;
    if (!Object.hasOwn(node, String(step))) return false;
    node = node[String(step)];
  }
  return true;
}

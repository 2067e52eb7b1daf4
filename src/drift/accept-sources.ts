import type { DeclaredObject } from "../config/declared-object.ts";
import { declaredObjects, pathOfAddress } from "../config/declared-object.ts";
import { loadDocuments } from "../config/load-documents.ts";
import { filesWith, mergeDocuments, withEnvironment } from "../config/merge-documents.ts";
import type { DocumentPath } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { sha256 } from "../workspace/hash.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { mainFile } from "../workspace/workspace.ts";

/** A project's files as they are written. */
export interface AcceptSources {
  readonly workspace: Workspace;
  readonly kinds: readonly AnyKind[];
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Objects as declared in one environment, with nothing replaced. */
  readonly objects: ReadonlyMap<string, DeclaredObject>;
  /** The files that declare an object, first the one with the object itself. */
  readonly filesOf: (address: string) => readonly string[];
  /** True where the defaults of a kind have a value for a field. */
  readonly isDefaulted: (kind: string, field: string) => boolean;
  /** True where the environment's patch sets a field, or a part of an object. */
  readonly isPatched: (address: string, field?: string) => boolean;
  /** True where the project or one of its environments uses modules, whose files are not among these. */
  readonly hasModules: boolean;
  /** The project's other environments, which are made from the same values. */
  readonly otherEnvironments: readonly string[];
}

/** Reads a YAML project's files for changing them. */
export async function openSources(
  workspace: Workspace,
  kinds: readonly AnyKind[],
  environment: string | undefined,
): Promise<AcceptSources> {
  const { sources } = await loadDocuments(mainFile, { workspace, hash: sha256 });
  const texts = await Promise.all(
    sources.map(async ({ file }): Promise<[string, string]> => [file, await workspace.readText(file)]),
  );
  const { document } = mergeDocuments(sources, kinds);
  const effective = environment === undefined ? document : withEnvironment(document, environment);
  const patch = environment === undefined ? {} : patchOf(document, environment);
  return {
    workspace,
    kinds,
    texts: new Map(texts),
    objects: new Map(declaredObjects(effective, kinds).map((object) => [object.address, object])),
    filesOf: (address) => filesWith(sources, (pathOfAddress(address, kinds) ?? []).map(String), kinds),
    isDefaulted: (kind, field) => reaches(effective, ["defaults", kind, field]),
    isPatched: (address, field) => isPatched(patch, kinds, { address, field }),
    hasModules: [document, ...environmentsOf(document).map((name) => patchOf(document, name))].some(
      ({ use }) => use !== undefined,
    ),
    otherEnvironments: environmentsOf(document).filter((name) => name !== environment),
  };
}

function environmentsOf({ environments }: JsonObject): readonly string[] {
  return isObject(environments) ? Object.keys(environments).sort() : [];
}

function patchOf(document: JsonObject, environment: string): JsonObject {
  const { environments } = document;
  const patch = isObject(environments) ? environments[environment] : undefined;
  return isObject(patch) ? patch : {};
}

function isPatched(
  patch: JsonObject,
  kinds: readonly AnyKind[],
  { address, field }: { readonly address: string; readonly field: string | undefined },
): boolean {
  const path = pathOfAddress(address, kinds) ?? [];
  if (field === undefined) return reaches(patch, path);
  const kind = kinds.find(({ plural }) => plural === path.at(-2))?.name ?? "";
  return reaches(patch, [...path, field]) || reaches(patch, ["defaults", kind, field]);
}

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

import type { DeclaredObject } from "../config/declared-object.ts";
import { declaredObjects, pathOfAddress } from "../config/declared-object.ts";
import { mainFile } from "../config/entry-files.ts";
import { loadDocuments } from "../config/load-documents.ts";
import { filesWith, mergeDocuments } from "../config/merge-documents.ts";
import { withEnvironment } from "../config/merge-patch.ts";
import type { DocumentPath } from "../config/place.ts";
import { kinds } from "../kinds/index.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A project's files as they are written. */
export interface AcceptSources {
  readonly workspace: Workspace;
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Objects as declared in one environment, with nothing replaced. */
  readonly objects: ReadonlyMap<string, DeclaredObject>;
  /** The files in which an object stands, first the one that says something about the object itself. */
  readonly filesOf: (address: string) => readonly string[];
  /** Whether the defaults of a kind have a value for a field. */
  readonly isDefaulted: (kind: string, field: string) => boolean;
  /** Whether the environment's patch has a say in a field, or in an object as a whole. */
  readonly isPatched: (address: string, field?: string) => boolean;
  /** The project's other environments, which are made from the same values. */
  readonly otherEnvironments: readonly string[];
}

/** Reads a YAML project's files for changing them. */
export async function openSources(workspace: Workspace, environment: string | undefined): Promise<AcceptSources> {
  const { sources } = await loadDocuments(mainFile, { workspace, hash: sha256 });
  const texts = await Promise.all(
    sources.map(async ({ file }): Promise<[string, string]> => [file, await workspace.readText(file)]),
  );
  const { document } = mergeDocuments(sources, kinds);
  const effective = environment === undefined ? document : withEnvironment(document, environment);
  const patch = environment === undefined ? {} : patchOf(document, environment);
  return {
    workspace,
    texts: new Map(texts),
    objects: new Map(declaredObjects(effective, kinds).map((object) => [object.address, object])),
    filesOf: (address) => filesWith(sources, (pathOfAddress(address, kinds) ?? []).map(String), kinds),
    isDefaulted: (kind, field) => reaches(effective, ["defaults", kind, field]),
    isPatched: (address, field) => isPatched(patch, address, field),
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

function isPatched(patch: JsonObject, address: string, field: string | undefined): boolean {
  const path = pathOfAddress(address, kinds) ?? [];
  if (field === undefined) return reaches(patch, path);
  const kind = kinds.find(({ plural }) => plural === path.at(-2))?.name ?? "";
  return reaches(patch, [...path, field]) || reaches(patch, ["defaults", kind, field]);
}

/** Whether a patch says something at a path, or puts something else in the place of what leads there. */
function reaches(patch: Json, path: DocumentPath): boolean {
  let node: Json | undefined = patch;
  for (const step of path) {
    if (!isObject(node)) return true;
    if (!Object.hasOwn(node, String(step))) return false;
    node = node[String(step)];
  }
  return true;
}

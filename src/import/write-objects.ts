import { keysOfNames, type ValueContext, writeValue } from "../authoring/write-value.ts";
import { firstFree, parseAddress } from "../model/address.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import type { Json } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import { type Written, type WrittenMember, type WrittenObject, writtenPlain } from "../model/written.ts";
import { contentFolder, contentPath } from "./choose-names.ts";
import type { ObjectDraft } from "./draft-object.ts";
import { takePath } from "./import-folder.ts";

/** One value that has to be set in the environment. */
export interface EnvironmentValue {
  readonly name: string;
  readonly address: string;
  /** Dotted path of the field. */
  readonly path: string;
}

/** Objects as they are written into files, with their scripts, data and variables. */
export interface WrittenObjects {
  /** New objects whose parent is not new; those below the top name an address of the project. */
  readonly objects: readonly WrittenObject[];
  /** Scripts and data files by path. */
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
  readonly environment: readonly EnvironmentValue[];
}

interface WriteRequest {
  readonly live: Tree;
  readonly declared: Tree;
  /** True where the project needs the file at a path, so that it may not be written. */
  readonly isTaken: (path: string, data?: string | Uint8Array) => boolean;
  readonly drafts: readonly ObjectDraft[];
  readonly addressOf: ReadonlyMap<string, string>;
  /** With Terraform's, an undeclared object is referred to by its id, a named one by its name. Default: that of project files. */
  readonly language?: "terraform";
}

interface Writing extends WriteRequest {
  readonly contents: Map<string, string | Uint8Array>;
  /** Paths of the contents and of their folders, as {@link takePath} notes them. */
  readonly paths: Set<string>;
  readonly environment: EnvironmentValue[];
  /** Addresses that the files will declare. */
  readonly present: ReadonlySet<string>;
  readonly keyOf: ValueContext["named"];
  /** Live objects by kind and name. */
  readonly namesakes: ReadonlyMap<string, readonly TreeNode[]>;
}

/** Turns drafts into objects of files: references by key, secrets from the environment, texts as files. */
export function writeObjects(kinds: readonly AnyKind[], request: WriteRequest): WrittenObjects {
  const { drafts, declared } = request;
  // Folders first: a script must not be called as the folder of another one's data.
  const paths = new Set<string>();
  for (const each of drafts) if (Object.values(each.fields).some(isContentMark)) takePath(paths, contentFolder(each));
  const writing: Writing = {
    ...request,
    contents: new Map(),
    paths,
    environment: [],
    present: new Set([...declared.nodes.keys(), ...drafts.map(({ address }) => address)]),
    keyOf: keysOfNames([...declared.nodes.values(), ...drafts.map(({ node, key }) => ({ ...node, key }))]),
    namesakes: groupBy(request.live.nodes.values(), (node) => named(node.kind, nodeName(node))),
  };
  const members = new Map(drafts.map((draft) => [draft.address, writeMembers(writing, draft)]));
  const inKindOrder = kinds.flatMap((kind) => drafts.filter((draft) => draft.kind === kind));
  const below = groupBy(inKindOrder, ({ parent }) => parent);
  const write = (draft: ObjectDraft): WrittenObject => ({
    kind: draft.kind.name,
    key: draft.key,
    address: draft.address,
    ...(draft.parent === undefined ? {} : { parent: draft.parent }),
    members: members.get(draft.address) ?? [],
    unmanaged: draft.unmanaged,
    notes: draft.notes,
    children: (below.get(draft.address) ?? []).map(write),
  });
  const isNew = new Set(drafts.map(({ address }) => address));
  const tops = drafts.filter(({ parent }) => parent === undefined || !isNew.has(parent));
  return { objects: tops.map(write), contents: writing.contents, environment: writing.environment };
}

const named = (kind: string, name: string) => `${kind} ${name}`;

function writeMembers(writing: Writing, draft: ObjectDraft): readonly WrittenMember[] {
  const { kind, fields } = draft;
  const context = valueContext(writing, draft);
  return Object.keys(kind.fields).flatMap((name): WrittenMember[] => {
    const value = fields[name];
    if (value === undefined) return [];
    const member = isContentMark(value)
      ? { value: writeContent(writing, draft, { name, mark: value }) }
      : writeValue(kind.fields[name], value, { path: name, context });
    return [{ name, ...member }];
  });
}

function writeContent(
  { live, contents, paths, isTaken }: Writing,
  draft: ObjectDraft,
  { name, mark }: { readonly name: string; readonly mark: Json & { readonly $content: string } },
): Written {
  const data = live.contents.get(mark.$content) ?? "";
  const path = contentPath(draft, name, (each) => paths.has(each.toLowerCase()) || isTaken(each, data));
  takePath(paths, path);
  contents.set(path, data);
  return { is: "file", path };
}

function valueContext(writing: Writing, draft: ObjectDraft): ValueContext {
  const { environment } = writing;
  return {
    reference: (kind, id) => writeReference(writing, kind, id),
    // Of several of a name the one that is meant may be another than the one with the key.
    named: (kind, name) =>
      writing.language === "terraform" || (writing.namesakes.get(named(kind, name)) ?? []).length > 1
        ? name
        : writing.keyOf(kind, name),
    secret(path) {
      if (!draft.secrets.includes(path)) return undefined;
      const name = environmentName(draft, path, (each) => environment.some((known) => known.name === each));
      environment.push({ name, address: draft.address, path });
      return { is: "environment", name };
    },
  };
}

/**
 * `GRID_CLOUD_ACCESS_KEY_ID` for `metadata.cloudAccessKeyId` of `provider.grid`, `CHECKOUT_SMOKE_TOKEN` for a parameter of a
 * configuration of a test case; a repeated word is written once.
 */
function environmentName({ kind, address }: ObjectDraft, path: string, isTaken: (name: string) => boolean): string {
  const keys = (parseAddress(address) ?? []).map(({ key }) => key);
  const words = [...keys, path.slice(path.lastIndexOf(".") + 1)].flatMap(variableWords);
  const name = words.filter((word, index) => word !== words[index - 1]).join("_");
  const usable = /^[A-Z]/.test(name) ? name : `${kind.name.toUpperCase()}_${name}`;
  return firstFree(usable, (each) => isTaken(each.replaceAll("-", "_"))).replaceAll("-", "_");
}

function variableWords(text: string): readonly string[] {
  const words = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toUpperCase();
  return words.match(/[A-Z0-9]+/g) ?? [];
}

/** By key where the project declares it; else by name where only one object has it; else by id, with the name as a note. */
function writeReference(
  { live, addressOf, present, namesakes, language }: Writing,
  kind: string,
  id: number,
): { readonly value: Written; readonly note?: string } {
  const handle = liveHandle(kind, id);
  const address = addressOf.get(handle);
  if (address !== undefined && present.has(address)) return { value: { is: "reference", address } };
  const node = live.nodes.get(handle);
  if (node === undefined) return { value: only("id", id) };
  const name = nodeName(node);
  if (language === "terraform") return { value: only("id", id), note: name };
  const isUnique = namesakes.get(named(kind, name))?.length === 1;
  if (isUnique && node.fields["name"] !== undefined) return { value: only("name", name) };
  return { value: only("id", id), note: name };
}

function only(name: string, value: string | number): Written {
  return { is: "map", members: [{ name, value: writtenPlain(value) }] };
}

import { firstFree, keyPattern, parseAddress } from "../model/address.ts";
import type { Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import type { ObjectDraft } from "./draft-object.ts";
import { importFolder } from "./import-folder.ts";

/** Longer keys help nobody. */
const longest = 60;

/**
 * The key that an object's name suggests, in kebab-case: `Browse & buy` is `browse-buy`. A name without Latin letters tells
 * nothing once its own letters are gone: such an object is called by its kind and id, `test-case-41`. A file keeps its name.
 */
export function keyFromName(kind: AnyKind, node: TreeNode): string {
  const name = nodeName(node);
  const isFile = Object.values(kind.fields).some(({ content }) => content === "bytes");
  if (isFile && keyPattern.test(name) && name.length <= longest) return name;
  const key = kebab(name);
  const isLost = !/[a-z]/.test(key) && /\p{L}/u.test(name);
  if (key === "" || isLost) return `${kebab(kind.name)}-${node.key}`;
  return device.test(key) ? `${kebab(kind.name)}-${key}` : key;
}

/** Names that Windows takes for devices, with any ending: a repository with such a file cannot be checked out there. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Words in small letters with hyphens between them; a name in camelCase is taken apart, `GitHub` is one word. */
function kebab(name: string): string {
  return (/^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(name) ? name.replace(/([A-Z])/g, "-$1") : name)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, longest)
    .replace(/[-.]+$/, "");
}

/** The key of an object without a name: the words that its choices make, such as `recurring-day`. */
export function keyFromChoices(kind: AnyKind, fields: JsonObject): string {
  const words = Object.entries(kind.fields).flatMap(([name, field]) => {
    const value = fields[name];
    return field.type === "choice" && typeof value === "string" ? [value.toLowerCase()] : [];
  });
  return kebab(words.join("-")) || kebab(kind.name);
}

/** A file name made of text from the service: no folders, nothing hidden, nothing that a file system refuses. */
function fileName(text: string): string {
  const name = text
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}_. -]+/gu, "-")
    .replace(/^[. -]+|[. -]+$/g, "")
    .slice(0, 120);
  return name === "" ? "file" : device.test(name) ? `file-${name}` : name;
}

/**
 * The names in use by kind: those of objects, and those by which others refer to them. A key wins over a name where
 * both are possible, so no key may be the name of another object.
 */
export function reservedNames(kinds: readonly AnyKind[], live: Tree): ReadonlyMap<string, ReadonlySet<string>> {
  const reserved = new Map<string, Set<string>>(kinds.map(({ name }) => [name, new Set()]));
  const byKind = new Map(kinds.map((kind) => [kind.name, kind]));
  for (const node of live.nodes.values()) {
    if (node.parent === undefined) reserved.get(node.kind)?.add(nodeName(node));
    for (const [name, field] of Object.entries(byKind.get(node.kind)?.fields ?? {}))
      collect(field, node.fields[name], reserved);
  }
  return reserved;
}

function collect(field: Field, value: Json | undefined, reserved: ReadonlyMap<string, Set<string>>): void {
  const { reference, of, fields } = field;
  if (reference?.by === "name") reserved.get(reference.kind)?.add(referredName(value));
  else if (of && Array.isArray(value)) for (const item of value) collect(of, item as Json, reserved);
  else if (fields && isObject(value))
    for (const [name, member] of Object.entries(fields)) collect(member, value[name], reserved);
}

/** A normal form may have more than the name. */
function referredName(value: Json | undefined): string {
  const name = isObject(value) ? value["name"] : value;
  return typeof name === "string" ? name : "";
}

/**
 * The path of a text or file of an object: `load/checkout/browse.js`, `load/checkout/browse.init.js`,
 * `load/checkout/browse/users.csv`; numbered where that is taken.
 */
export function contentPath(draft: ObjectDraft, field: string, isTaken: (path: string) => boolean): string {
  const [stem, ending] = draft.kind.fields[field]?.content === "bytes" ? ownName(draft) : scriptName(draft, field);
  const pathOf = (name: string) => `${contentFolder(draft)}/${name}${ending}`;
  return pathOf(firstFree(stem, (name) => isTaken(pathOf(name))));
}

/** The folder of an object's texts and files. */
export function contentFolder({ address }: Pick<ObjectDraft, "address">): string {
  const keys = (parseAddress(address) ?? []).map(({ key }) => key);
  return [importFolder, ...keys.slice(0, -1)].join("/");
}

/** A file in YAML would look like a part of the project. */
function ownName({ node }: ObjectDraft): readonly [stem: string, ending: string] {
  const own = fileName(nodeName(node));
  const name = /\.ya?ml$/i.test(own) ? `${own}.data` : own;
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

/** The text that an object cannot do without carries its key alone. */
function scriptName({ kind, key, fields }: ObjectDraft, field: string): readonly [stem: string, ending: string] {
  const ending = fields["language"] === "typescript" ? ".ts" : ".js";
  return [key, kind.fields[field]?.required ? ending : `.${field}${ending}`];
}

import { posix } from "node:path";
import type { ValueContext } from "../authoring/write-value.ts";
import { yamlFieldWrite } from "../authoring/write-yaml-value.ts";
import { expression } from "../config/expand.ts";
import { isWithin, pathOfAddress } from "../model/address.ts";
import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import { getOrMake } from "../model/group-by.ts";
import { isObject, type Json } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { liveHandle, type Tree, utf8Text } from "../model/tree.ts";
import { type Written, writtenPlain } from "../model/written.ts";
import { leadsOut } from "../workspace/work-tree.ts";
import { type YamlEditor, yamlEditor } from "../yaml/yaml-editor.ts";
import { NotWritable } from "../yaml/yaml-places.ts";
import { type AcceptedField, acceptContext, fieldsToAccept, writtenValue } from "./accept-fields.ts";
import type { Refused } from "./accept-problems.ts";
import type { AcceptSources, FieldPlace } from "./accept-sources.ts";
import type { DriftedObject } from "./find-drift.ts";

/** The drift to accept, and the sources it is written into. */
export interface AcceptRequest {
  readonly sources: AcceptSources;
  readonly chosen: readonly DriftedObject[];
  readonly live: Tree;
  readonly declared: Tree;
  /** Fields, as `address field`, that are written as a whole. */
  readonly whole: ReadonlySet<string>;
  /** Addresses of objects of which every value that is set at the service is accepted. */
  readonly wide: ReadonlySet<string>;
  /** Fields, as `address field`, of other objects that share an accepted value: theirs remains. */
  readonly shared: ReadonlySet<string>;
}

type WrittenField = { readonly address: string; readonly field: string; readonly file: string };

/** The project's files as they would be. */
export interface AcceptWrites {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Files without content or use now: they are deleted. */
  readonly deleted: readonly string[];
  /** Files without use that differ from the applied ones: they remain. */
  readonly remaining: readonly string[];
  readonly fields: readonly WrittenField[];
  /** Objects that were deleted at the service, with everything that was declared below them. */
  readonly removed: readonly { readonly address: string; readonly file: string }[];
  /** Values that others shared with an accepted one, written out in them. */
  readonly kept: readonly WrittenField[];
  readonly refused: readonly Refused[];
}

interface Editing extends AcceptRequest {
  readonly contents: Map<string, string | Uint8Array>;
  readonly editorOf: (file: string) => YamlEditor;
  readonly fields: WrittenField[];
  readonly removed: { address: string; file: string }[];
  readonly refused: Refused[];
  readonly values: ValueContext;
}

/** Writes live values into the texts of a project's files. Nothing is written to disk; what cannot be written is refused. */
export function writeAccepted(request: AcceptRequest): AcceptWrites {
  const values = acceptContext(request.declared.nodes.values());
  const editors = new Map<string, YamlEditor>();
  const editorOf = (file: string) => getOrMake(editors, file, () => yamlEditor(request.sources.texts.get(file) ?? ""));
  const contents = new Map<string, string | Uint8Array>();
  const editing: Editing = { ...request, contents, editorOf, fields: [], removed: [], refused: [], values };
  const gone = request.chosen.filter(({ action }) => action === "delete").map(({ address }) => address);
  for (const object of request.chosen) {
    if (object.action === "update") acceptObject(editing, object);
    else if (!gone.some((other) => other !== object.address && isWithin(object.address, other)))
      removeFromFiles(editing, object.address);
  }
  const kept = keepShared(request.shared, editorOf, request.sources);
  const texts = [...editors].map(([file, editor]): [string, string] => [file, editor.text()]);
  const { fields, removed, refused } = editing;
  return {
    files: new Map<string, string | Uint8Array>([...contents, ...texts]),
    deleted: [],
    remaining: [],
    fields,
    removed,
    kept,
    refused,
  };
}

function acceptObject(editing: Editing, object: DriftedObject): void {
  const kind = kindsByName(editing.sources.kinds).get(object.kind);
  if (kind === undefined) return;
  const live = editing.live.nodes.get(liveHandle(object.kind, object.id ?? 0));
  const declared = editing.declared.nodes.get(object.address);
  for (const field of fieldsToAccept(object, kind, { live, declared, isWide: editing.wide.has(object.address) }))
    attempt(editing, object.address, field.field, () => acceptField(editing, { address: object.address, kind, field }));
}

function attempt({ refused }: Editing, address: string, field: string | undefined, write: () => void): void {
  try {
    write();
  } catch (thrown) {
    if (!(thrown instanceof NotWritable)) throw thrown;
    refused.push({ address, ...(field === undefined ? {} : { field }), why: thrown.message });
  }
}

interface FieldToWrite {
  readonly address: string;
  readonly kind: AnyKind;
  readonly field: AcceptedField;
}

function acceptField(editing: Editing, target: FieldToWrite): void {
  const { address, field } = target;
  const { sources } = editing;
  if (field.foreign && sources.rawOf(address, field.field) === undefined) return;
  if (isSecretMark(field.live) || isSecretMark(field.declared))
    throw new NotWritable("it is a secret, which is never written into a file");
  const content = isContentMark(field.live) ? editing.live.contents.get(field.live.$content) : field.live;
  if (sources.holdsSecret(content instanceof Uint8Array ? (utf8Text(content) ?? "") : JSON.stringify(content ?? "")))
    throw new NotWritable("it contains a secret of the project, which is never written into a file");
  const place = sources.placeOf(address, target.kind, field.field);
  const path = contentPath(place.raw);
  if (path === undefined || field.live === undefined) writeField(editing, target, place);
  else writeContent(editing, target, path);
}

/** The path of a value that is one whole file. */
function contentPath(raw: Json | undefined): string | undefined {
  const [path, ...more] = typeof raw === "string" && /^\$\{file:[^}]*\}$/.test(raw) ? filesIn(raw) : [];
  return more.length === 0 ? path : undefined;
}

/** Paths of the files that a value refers to, each in its one spelling. */
export function filesIn(value: Json): readonly string[] {
  if (typeof value === "string")
    return [...value.matchAll(expression)].flatMap(([, from, path = ""]) =>
      from === "file" ? [posix.normalize(path)] : [],
    );
  if (Array.isArray(value)) return value.flatMap((item: Json) => filesIn(item));
  return isObject(value) ? Object.values(value).flatMap(filesIn) : [];
}

/** Paths that the text of a file names, as those of the project. */
export function filesNamed([file, text]: readonly [file: string, text: string]): readonly string[] {
  return filesIn(text).map((path) => posix.join(posix.dirname(file), path));
}

function writeContent(editing: Editing, { address, field }: FieldToWrite, path: string): void {
  const { sources, contents, fields, live, declared } = editing;
  if (leadsOut(path)) throw new NotWritable(`${path} is outside the project's folder`);
  const kinds = kindsByName(sources.kinds);
  const users = [...declared.nodes.values()].flatMap((node) =>
    Object.keys(kinds.get(node.kind)?.fields ?? {})
      .filter((name) => filesIn(sources.rawOf(node.handle, name) ?? null).includes(path))
      .map((name) => `${node.handle} ${name}`),
  );
  const elsewhere = [...sources.otherTexts].filter((each) => filesNamed(each).includes(path)).map(([file]) => file);
  const others = [...users.filter((user) => user !== `${address} ${field.field}`), ...elsewhere];
  if (others.length > 0) throw new NotWritable(`${path} is used by ${others.slice(0, 3).join(", ")} as well`);
  const value = field.live;
  const content = isContentMark(value) ? live.contents.get(value.$content) : value;
  if (typeof content !== "string" && !(content instanceof Uint8Array))
    throw new NotWritable("the value at the service was not read");
  contents.set(path, content);
  fields.push({ address, field: field.field, file: path });
}

function writeField(editing: Editing, target: FieldToWrite, place: FieldPlace): void {
  const { address, kind, field } = target;
  const { sources, editorOf, fields, values, whole } = editing;
  const { file, name, ...at } = place;
  const { declared } = field;
  const isKnown = declared !== undefined && !isContentMark(declared);
  const write = {
    ...at,
    field: name,
    ...nextOf(editing, target, at.raw),
    ...(isKnown && { old: writtenValue(kind, field.field, declared, values) }),
    whole: whole.has(`${address} ${field.field}`),
    mayDrop: field.foreign || (field.live === undefined && contentPath(at.raw) !== undefined),
  };
  editorOf(file).write(yamlFieldWrite(write, { file, kinds: sources.kinds, address }));
  fields.push({ address, field: field.field, file });
}

function nextOf(
  { live, values }: Editing,
  { kind, field }: FieldToWrite,
  raw: Json | undefined,
): { readonly next?: Written } {
  if (field.foreign) return {};
  if (!isContentMark(field.live)) return { next: writtenValue(kind, field.field, field.live, values) };
  const [made] = (typeof raw === "string" && /(?<!\$)\$\{(?:env|var|file):[^}]*\}/.exec(raw)) || [];
  if (made !== undefined) throw new NotWritable(`a part of it comes from ${made}`);
  return { next: writtenPlain(writableText(live.contents.get(field.live.$content))) };
}

function writableText(content: string | Uint8Array | undefined): string {
  if (typeof content === "string") return content;
  if (content === undefined) throw new NotWritable("the value at the service was not read");
  const text = utf8Text(content);
  if (text === undefined)
    throw new NotWritable("it has bytes that are not text: store them in a file, as in ${file:data.bin}");
  return text;
}

function removeFromFiles(editing: Editing, address: string): void {
  attempt(editing, address, undefined, () => {
    const { sources, editorOf, removed, declared } = editing;
    if (!sources.objects.has(address)) throw new NotWritable("a module declares it, and its objects are not deleted");
    const files = sources.filesOf(address);
    const path = pathOfAddress(address, sources.kinds);
    const [file] = files;
    if (file === undefined || path === undefined) throw new NotWritable("it is not found in the project's files");
    if (sources.isPatched(address)) throw new NotWritable("a part of it comes from the patch of the environment");
    for (const each of files) editorOf(each).remove(path);
    for (const each of declared.nodes.keys()) {
      const [own = file] = sources.filesOf(each);
      if (isWithin(each, address)) removed.push({ address: each, file: own });
    }
  });
}

/**
 * Writes out in an object the values that it had from another one, through an anchor or a merge key, so that they
 * remain when the other one changes. `shared` are fields as `address field`; answers where they were written.
 */
function keepShared(shared: Iterable<string>, editorOf: (file: string) => YamlEditor, sources: AcceptSources) {
  return [...shared].flatMap((each): readonly WrittenField[] => {
    const [address = "", field = ""] = each.split(" ", 2);
    const object = sources.objects.get(address);
    const [file] = sources.filesOf(address);
    const path = pathOfAddress(address, sources.kinds);
    const raw = object?.input[field];
    // A value that is made of others cannot be written out; the proof will say that it would change.
    const isMade = raw !== undefined && /\$\{(?:env|var|file):|\$\$\{/.test(JSON.stringify(raw));
    if (object === undefined || file === undefined || path === undefined || isMade) return [];
    const order = Object.keys(object.kind.fields);
    const write = { path, field, order, whole: true, mayDrop: false, isDefaulted: false, next: asWritten(raw ?? null) };
    try {
      editorOf(file).write(yamlFieldWrite(write, { file, kinds: sources.kinds, address }));
      return [{ address, field, file }];
    } catch (thrown) {
      if (thrown instanceof NotWritable) return [];
      throw thrown;
    }
  });
}

function asWritten(value: Json): Written {
  if (Array.isArray(value)) return { is: "list", items: value.map((item: Json) => asWritten(item)) };
  if (!isObject(value)) return writtenPlain(value as string | number | boolean | null);
  return { is: "map", members: Object.entries(value).map(([name, member]) => ({ name, value: asWritten(member) })) };
}

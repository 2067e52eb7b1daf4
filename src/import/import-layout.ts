import { posix } from "node:path";
import { projectKeyOrder } from "../authoring/project-key-order.ts";
import { withObjects, writeYaml, yamlAddition } from "../authoring/write-yaml.ts";
import { withInclude } from "../authoring/write-yaml-include.ts";
import { firstFree, topAddress } from "../model/address.ts";
import { problem } from "../model/diagnostic.ts";
import { groupBy, grouped } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import { type AnyKind, hasChildKinds } from "../model/kind.ts";
import type { WrittenObject } from "../model/written.ts";
import { mainFile } from "../workspace/workspace.ts";
import { formatYaml } from "../yaml/format-yaml.ts";
import { yamlEditor } from "../yaml/yaml-editor.ts";
import { NotWritable } from "../yaml/yaml-places.ts";
import {
  type ExistingFiles,
  importFolder,
  includeMatcher,
  includeOf,
  isSealed,
  type NewFiles,
  sealed,
  takePath,
} from "./import-folder.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Imported } from "./import-tree.ts";

/** An object that only a person can add to an existing file, and the lines that do it. */
interface ByHand {
  readonly object: WrittenObject;
  readonly file: string;
  readonly lines: string;
  /** The preconditions of the lines in the rest of the file, in words. */
  readonly needs?: string;
}

/** The files of an import, and what has to be added by hand. */
export interface Layout extends NewFiles {
  readonly byHand: readonly ByHand[];
}

interface Laying {
  readonly kinds: readonly AnyKind[];
  readonly target: ImportTarget;
  readonly existing: ExistingFiles;
  readonly files: Map<string, string | Uint8Array>;
  readonly changed: Map<string, string>;
  /** Files and folders that this import makes, in small letters. */
  readonly used: Set<string>;
  /** One object is imported, into the file that declares its parent, edited or not. */
  readonly isOne: boolean;
  /** The first line of a new file, which leads editors to the schema. */
  readonly editorLine: (file: string) => string;
}

const pattern = `${importFolder}/**/*.yaml`;

/** A file for each object that can have children, one for all the rest; new objects below declared ones are added to their files. */
export async function layOutYaml(
  imported: Imported,
  given: Pick<Laying, "kinds" | "target" | "existing" | "isOne"> & { readonly schemaFile: string | undefined },
): Promise<Layout> {
  const { kinds, target, isOne, schemaFile } = given;
  const laying: Laying = {
    ...given,
    files: new Map(),
    changed: new Map(),
    used: new Set(),
    editorLine: await editorLines(target, schemaFile),
  };
  for (const path of imported.contents.keys()) takePath(laying.used, path);
  const parts: string[] = [];
  for (const [file, objects] of byFile(imported, target)) {
    if (await addTo(laying, file, objects)) continue;
    if (isOne) await addWithin(laying, file, objects);
    else parts.push(...(await addBeside(laying, objects)));
  }
  const tops = imported.objects.filter(({ parent }) => parent === undefined);
  const isBranch = ({ kind }: WrittenObject) => hasChildKinds(kind, kinds);
  const written = tops.filter(isBranch).map((object) => addFile(laying, object.key, [object]));
  const shared = tops.filter((object) => !isBranch(object));
  const main = await addShared(laying, shared);
  await include(laying, [...parts, ...written, ...main.files], main.objects);
  return { ...laying, byHand: [] };
}

/** New objects below declared ones, by the file of these. */
function byFile(imported: Imported, { project }: ImportTarget): ReadonlyMap<string, readonly WrittenObject[]> {
  return grouped(
    imported.objects.flatMap((object) =>
      object.parent === undefined ? [] : [[project.locate(object.parent)?.file ?? mainFile, object] as const],
    ),
  );
}

/** Adds to a file that was not edited since an import wrote it; answers whether it could. */
async function addTo(laying: Laying, file: string, objects: readonly WrittenObject[]): Promise<boolean> {
  const text = await standing(laying, file);
  const added = isSealed(text) ? withObjects(text, objects, { file, kinds: laying.kinds }) : undefined;
  if (added === undefined) return false;
  await change(laying, file, added);
  return true;
}

/** Adds to a file that somebody edits, with every other character as it is. */
async function addWithin(laying: Laying, file: string, objects: readonly WrittenObject[]): Promise<void> {
  const { kinds, files, changed } = laying;
  const text = await standing(laying, file);
  const editor = yamlEditor(text);
  for (const object of objects)
    try {
      editor.add(yamlAddition(object, { file, kinds }));
    } catch (thrown) {
      if (!(thrown instanceof NotWritable)) throw thrown;
      throw cannotAdd(object, { file, kinds, why: thrown.message });
    }
  changed.set(file, text);
  files.set(file, editor.text());
}

/** New objects below those of edited files: into files that continue these objects. */
async function addBeside(laying: Laying, objects: readonly WrittenObject[]): Promise<readonly string[]> {
  const byTop = groupBy(objects, ({ address }) => topAddress(address));
  const files: string[] = [];
  for (const [top, own] of byTop) files.push(await addPart(laying, top.slice(top.indexOf(".") + 1), own));
  return files;
}

/** `load/checkout_added.yaml`, or the next one when it was edited. It sorts behind `load/checkout.yaml`. */
async function addPart(laying: Laying, key: string, objects: readonly WrittenObject[]): Promise<string> {
  for (let number = 1; ; number++) {
    const file = `${importFolder}/${key}_added${number === 1 ? "" : `-${number}`}.yaml`;
    const before = await partText(laying, file);
    const added =
      before === undefined ? undefined : withObjects(before, objects, { file, kinds: laying.kinds, isPart: true });
    if (added === undefined) continue;
    await change(laying, file, before === "" ? laying.editorLine(file) + added : added);
    return file;
  }
}

/** The text of such a file when it may be added to, "" when there is none. */
async function partText(laying: Laying, file: string): Promise<string | undefined> {
  if (laying.existing.leftovers.has(file) && !laying.files.has(file)) return "";
  if (!laying.files.has(file) && !(await laying.target.workspace.exists(file)))
    return laying.existing.isThere(file) ? undefined : "";
  const text = await standing(laying, file);
  return isSealed(text) ? text : undefined;
}

async function standing({ files, target }: Laying, file: string): Promise<string> {
  const text = files.get(file);
  return typeof text === "string" ? text : target.workspace.readText(file);
}

async function change({ files, changed, target }: Laying, file: string, text: string): Promise<void> {
  const isThere = !files.has(file) && (await target.workspace.exists(file));
  if (isThere) changed.set(file, await target.workspace.readText(file));
  files.set(file, sealed(text));
}

function addFile(laying: Laying, name: string, objects: readonly WrittenObject[]): string {
  const file = freeFile(laying, name);
  laying.files.set(file, sealed(laying.editorLine(file) + writeYaml(objects, { file, kinds: laying.kinds })));
  const leftover = laying.existing.leftovers.get(file);
  if (leftover !== undefined) laying.changed.set(file, leftover);
  takePath(laying.used, file);
  return file;
}

/** Neither a file nor, because of its scripts, a folder of this name may exist. */
function freeFile({ used, existing }: Laying, name: string): string {
  const fileOf = (word: string) => `${importFolder}/${word}.yaml`;
  const isTaken = (file: string) =>
    used.has(file.toLowerCase()) || (existing.isThere(file) && !existing.leftovers.has(file));
  return fileOf(firstFree(name, (word) => isTaken(fileOf(word))));
}

/** Objects that cannot have children: into the main file when an import wrote it, else into one beside it. */
async function addShared(laying: Laying, objects: readonly WrittenObject[]) {
  if (laying.target.entry === "none") return { files: [], objects };
  if (objects.length === 0) return { files: [], objects: [] };
  const { workspace } = laying.target;
  const own = `${importFolder}/shared.yaml`;
  for (const file of [mainFile, own]) {
    const isOurs = (await workspace.exists(file)) && isSealed(await workspace.readText(file));
    if (isOurs && (await addTo(laying, file, objects))) return { files: file === own ? [own] : [], objects: [] };
  }
  return { files: [addFile(laying, "shared", objects)], objects: [] };
}

/** Creates the main file, or lets it include further files. */
async function include(laying: Laying, written: readonly string[], objects: readonly WrittenObject[]): Promise<void> {
  const { kinds, target, files, changed } = laying;
  if (target.entry === "none") {
    const head: JsonObject = { ...target.head, ...(written.length > 0 && { include: [pattern] }) };
    files.set(mainFile, sealed(laying.editorLine(mainFile) + writeYaml(objects, { file: mainFile, kinds, head })));
    return;
  }
  const { within, patterns } = includeOf(target);
  if (written.every(includeMatcher(patterns))) return;
  const before = await target.workspace.readText(mainFile);
  const current = files.get(mainFile);
  const text = typeof current === "string" ? current : before;
  const added = withInclude(text, pattern, within);
  if (added === undefined) {
    const detail = `The include of ${mainFile} is not a list that can be extended without changing other lines. Add "${pattern}" to it by hand (make the folder's first file, or leave the glob out until then) and import again`;
    throw problem("LF3012", "the import cannot be added to include", detail);
  }
  // A file as `fmt` writes it remains one.
  const order = projectKeyOrder(kinds);
  const next = formatYaml(text, order) === text ? (formatYaml(added, order) ?? added) : added;
  files.delete(mainFile);
  files.set(mainFile, isSealed(text) ? sealed(next) : next);
  changed.set(mainFile, before);
}

function cannotAdd(
  object: WrittenObject,
  { file, kinds, why }: { readonly file: string; readonly kinds: readonly AnyKind[]; readonly why: string },
) {
  const lines = writeYaml([object], { file, kinds }).replaceAll(/^(?=.)/gm, "  ");
  const detail = `It cannot be written there: ${why}, and ${object.parent ?? "the file"} must be a mapping of ${file}. Nothing was written. Add this there by hand, and import it again to bind it:\n${lines}`;
  return problem("LF3012", `${object.address} cannot be added to ${file}`, detail);
}

/** The line by which editors find the schema of a file: where the main file says it is, else as given. Empty when neither is known. */
async function editorLines(
  { entry, workspace }: ImportTarget,
  schemaFile: string | undefined,
): Promise<(file: string) => string> {
  const main = entry === "yaml" ? await workspace.readText(mainFile) : "";
  const own = /^#\s*yaml-language-server:\s*\$schema=(\S+)/m.exec(main)?.[1];
  const schema = own ?? schemaFile;
  if (schema === undefined) return () => "";
  const isFixed = /^[a-z][a-z0-9+.-]*:/i.test(schema) || schema.startsWith("/");
  return (file) =>
    `# yaml-language-server: $schema=${isFixed ? schema : posix.relative(posix.dirname(file), schema)}\n`;
}

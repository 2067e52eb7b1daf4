import { mainFile } from "../config/entry-files.ts";
import { writeYaml } from "../config/write-yaml.ts";
import { withInclude } from "../config/write-yaml-include.ts";
import { withObjects, withParts } from "../config/write-yaml-objects.ts";
import { importFolder } from "../import/content-path.ts";
import type { Imported } from "../import/import-tree.ts";
import { kinds } from "../kinds/index.ts";
import { topAddress } from "../model/address.ts";
import { groupBy, grouped } from "../model/group-by.ts";
import type { JsonObject } from "../model/json.ts";
import type { WrittenObject } from "../model/written.ts";
import type { ImportBase } from "./import-base.ts";
import { isSealed, sealed } from "./import-seal.ts";
import { problem } from "./problem.ts";
import type { TakenPaths } from "./taken-paths.ts";
import { includeMatcher } from "./taken-paths.ts";

/** An object that only a person can put into a file that is there, and the lines that do it. */
interface ByHand {
  readonly object: WrittenObject;
  readonly file: string;
  readonly lines: string;
  /** What the lines ask of the rest of the file, in words. */
  readonly needs?: string;
}

/** The files of an import, and what is left to a person. */
export interface Layout {
  /** By path, in the order in which they are to be moved into place. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Files that stand there already, with the text that was added to. */
  readonly changed: ReadonlyMap<string, string>;
  readonly byHand: readonly ByHand[];
}

interface Laying {
  readonly base: ImportBase;
  readonly taken: TakenPaths;
  readonly files: Map<string, string | Uint8Array>;
  readonly changed: Map<string, string>;
  /** Files and folders that this import makes, in small letters. */
  readonly used: Set<string>;
  readonly byHand: readonly [];
}

const pattern = `${importFolder}/*.yaml`;

/** A file for each object that holds others, one for all the rest; what is new below old objects goes to their files. */
export async function layOutYaml(imported: Imported, base: ImportBase, taken: TakenPaths): Promise<Layout> {
  const laying: Laying = {
    base,
    taken,
    files: new Map(imported.contents),
    changed: new Map(),
    used: new Set(),
    byHand: [],
  };
  for (const path of imported.contents.keys()) use(laying, path);
  const parts: string[] = [];
  for (const [file, objects] of byFile(imported, base))
    if (!(await addTo(laying, file, objects))) parts.push(...(await addBeside(laying, objects)));
  const tops = imported.objects.filter(({ parent }) => parent === undefined);
  const written = tops.filter(holdsOthers).map((object) => addFile(laying, object.key, [object]));
  const shared = tops.filter((object) => !holdsOthers(object));
  const main = await addShared(laying, shared);
  await includeAll(laying, [...parts, ...written, ...main.files], main.objects);
  return laying;
}

function holdsOthers({ kind }: WrittenObject): boolean {
  return kinds.some(({ parent }) => parent === kind);
}

/** What is new below old objects, by the file that these stand in. */
function byFile(imported: Imported, { project }: ImportBase): ReadonlyMap<string, readonly WrittenObject[]> {
  return grouped(
    imported.objects.flatMap((object) =>
      object.parent === undefined ? [] : [[project.locate(object.parent)?.file ?? mainFile, object] as const],
    ),
  );
}

/** Adds to a file that nobody edited since an import wrote it; tells whether it could. */
async function addTo(laying: Laying, file: string, objects: readonly WrittenObject[]): Promise<boolean> {
  const text = await standing(laying, file);
  const added = isSealed(text) ? withObjects(text, objects, { file, kinds }) : undefined;
  if (added === undefined) return false;
  await change(laying, file, added);
  return true;
}

/** What is new below objects of files that somebody wrote or edited: into files that carry on with these objects. */
async function addBeside(laying: Laying, objects: readonly WrittenObject[]): Promise<readonly string[]> {
  const byTop = groupBy(objects, ({ address }) => topAddress(address));
  const files: string[] = [];
  for (const [top, own] of byTop) files.push(await addPart(laying, top.slice(top.indexOf(".") + 1), own));
  return files;
}

/** `load/checkout_added.yaml`, as long as nobody edits it: then the next one. It sorts behind `load/checkout.yaml`. */
async function addPart(laying: Laying, key: string, objects: readonly WrittenObject[]): Promise<string> {
  for (let number = 1; ; number++) {
    const file = `${importFolder}/${key}_added${number === 1 ? "" : `-${number}`}.yaml`;
    const before = await partText(laying, file);
    const added = before === undefined ? undefined : withParts(before, objects, { file, kinds });
    if (added === undefined) continue;
    await change(laying, file, added);
    return file;
  }
}

/** What such a file holds when it may be added to, "" when there is none. */
async function partText(laying: Laying, file: string): Promise<string | undefined> {
  if (laying.taken.leftovers.has(file) && !laying.files.has(file)) return "";
  if (!laying.files.has(file) && !(await laying.base.workspace.exists(file)))
    return laying.taken.isThere(file) ? undefined : "";
  const text = await standing(laying, file);
  return isSealed(text) ? text : undefined;
}

/** The text of a file as this import leaves it so far. */
async function standing({ files, base }: Laying, file: string): Promise<string> {
  const text = files.get(file);
  return typeof text === "string" ? text : base.workspace.readText(file);
}

async function change({ files, changed, base }: Laying, file: string, text: string): Promise<void> {
  const isThere = !files.has(file) && (await base.workspace.exists(file));
  if (isThere) changed.set(file, await base.workspace.readText(file));
  files.set(file, sealed(text));
}

function addFile(laying: Laying, name: string, objects: readonly WrittenObject[]): string {
  const file = freeFile(laying, name);
  laying.files.set(file, sealed(writeYaml(objects, { file, kinds })));
  const leftover = laying.taken.leftovers.get(file);
  if (leftover !== undefined) laying.changed.set(file, leftover);
  use(laying, file);
  return file;
}

/** Neither a file nor, for the sake of its scripts, a folder may stand there. */
function freeFile({ used, taken }: Laying, name: string): string {
  for (let number = 1; ; number++) {
    const file = `${importFolder}/${name}${number === 1 ? "" : `-${number}`}.yaml`;
    const isFree = !taken.isThere(file) || taken.leftovers.has(file);
    if (isFree && !used.has(file.toLowerCase())) return file;
  }
}

/** A path is used, and every folder above it. */
function use({ used }: Pick<Laying, "used">, path: string): void {
  const small = path.toLowerCase();
  for (let end = small.length; end > 0; end = small.lastIndexOf("/", end - 1)) {
    const each = small.slice(0, end);
    if (used.has(each)) return;
    used.add(each);
  }
}

/** Objects that hold no others go to a main file of ours, else to one beside it. */
async function addShared(
  laying: Laying,
  objects: readonly WrittenObject[],
): Promise<{ readonly files: readonly string[]; readonly objects: readonly WrittenObject[] }> {
  if (laying.base.entry === "none") return { files: [], objects };
  if (objects.length === 0) return { files: [], objects: [] };
  const { workspace } = laying.base;
  const own = `${importFolder}/shared.yaml`;
  for (const file of [mainFile, own]) {
    const isOurs = (await workspace.exists(file)) && isSealed(await workspace.readText(file));
    if (isOurs && (await addTo(laying, file, objects))) return { files: file === own ? [own] : [], objects: [] };
  }
  return { files: [addFile(laying, "shared", objects)], objects: [] };
}

/** Makes the main file, or lets it include what it does not include yet. */
async function includeAll(
  laying: Laying,
  written: readonly string[],
  objects: readonly WrittenObject[],
): Promise<void> {
  const { base, files, changed } = laying;
  if (base.entry === "none") {
    const head: JsonObject = { ...base.head, ...(written.length > 0 && { include: [pattern] }) };
    files.set(mainFile, sealed(writeYaml(objects, { file: mainFile, kinds, head })));
    return;
  }
  if (written.every(includeMatcher(base.document["include"]))) return;
  const before = await base.workspace.readText(mainFile);
  const current = files.get(mainFile);
  const text = typeof current === "string" ? current : before;
  const added = withInclude(text, pattern);
  if (added === undefined) throw cannotInclude();
  files.delete(mainFile);
  files.set(mainFile, isSealed(text) ? sealed(added) : added);
  changed.set(mainFile, before);
}

function cannotInclude() {
  const detail = `found an include in ${mainFile} that cannot be added to without touching more; expected a list. Add "${pattern}" to it by hand (make the folder's first file, or leave the glob out until then) and import again`;
  return problem("LF3012", "the main file cannot include what was imported", detail);
}

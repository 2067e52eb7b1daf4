import { typescriptStatements, wordFor, writeTypeScript } from "../authoring/write-typescript.ts";
import { namesIn, withStatements } from "../authoring/write-typescript-additions.ts";
import { declaredObjects } from "../config/declared-object.ts";
import { problem } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { mainFile, programFile } from "../workspace/workspace.ts";
import { isSealed, sealed } from "./import-folder.ts";
import type { Layout } from "./import-layout.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Imported } from "./import-tree.ts";

/**
 * The program of an import. One that was not edited since an import wrote it is added to; any other is never touched,
 * and its author adds the new objects.
 */
export async function layOutProgram(made: Imported, target: ImportTarget, kinds: readonly AnyKind[]): Promise<Layout> {
  const { objects } = made;
  if (objects.length === 0) return { files: new Map(), changed: new Map(), byHand: [] };
  if (target.entry === "typescript") return addToProgram(made, await target.workspace.readText(programFile), kinds);
  if (declaredObjects(target.document, kinds).length > 0) {
    const detail = `${mainFile} declares objects, which would be ignored, because ${programFile} is loaded instead. Import with --format yaml, or into another folder`;
    throw problem("LF3012", `${programFile} would hide ${mainFile}`, detail);
  }
  const text = sealed(writeTypeScript(objects, { kinds, settings: settingsOf(target, kinds) }), "//");
  return { files: new Map([[programFile, text]]), changed: new Map(), byHand: [] };
}

function addToProgram({ objects }: Imported, text: string, kinds: readonly AnyKind[]): Layout {
  const added = isSealed(text) ? withStatements(text, objects, kinds) : undefined;
  if (added === undefined) return { files: new Map(), changed: new Map(), byHand: byHandIn(objects, text, kinds) };
  const files = new Map([[programFile, sealed(added, "//")]]);
  return { files, changed: new Map([[programFile, text]]), byHand: [] };
}

/** The lines to add to a program, in its own names as far as they can be seen. */
function byHandIn(objects: Imported["objects"], text: string, kinds: readonly AnyKind[]): Layout["byHand"] {
  const names = new Map(namesIn(text, kinds));
  const taken = new Set(names.values());
  return objects.map((object) => {
    const parent = nameless(object.parent, names, taken);
    const { statements, imports } = typescriptStatements([object], kinds, names);
    const missing = imports.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    const needs = [
      ...(missing.length === 0 ? [] : [`import ${missing.join(", ")} from "loadform"`]),
      ...(parent === undefined ? [] : [`call what makes ${object.parent} ${parent}`]),
    ].join(", and ");
    return { object, file: programFile, lines: statements.join("\n"), ...(needs !== "" && { needs }) };
  });
}

/** A word for a parent that the program has none for, as far as can be seen. */
function nameless(parent: string | undefined, names: Map<string, string>, taken: Set<string>): string | undefined {
  if (parent === undefined || names.has(parent)) return undefined;
  const word = wordFor(parent, taken);
  taken.add(word);
  names.set(parent, word);
  return word;
}

/** The settings of a YAML file without objects go over into the program that is loaded instead of it. */
function settingsOf({ entry, head, document }: ImportTarget, kinds: readonly AnyKind[]): JsonObject {
  if (entry === "none") return head;
  const collections = new Set(["include", ...kinds.map(({ plural }) => plural)]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !collections.has(name)));
}

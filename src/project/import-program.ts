import { mainFile, programFile } from "../config/entry-files.ts";
import { typescriptStatements, writeTypeScript } from "../config/write-typescript.ts";
import { namesIn, withStatements } from "../config/write-typescript-additions.ts";
import type { Imported } from "../import/import-tree.ts";
import { kinds } from "../kinds/index.ts";
import type { JsonObject } from "../model/json.ts";
import type { ImportBase } from "./import-base.ts";
import { declaresObjects } from "./import-base.ts";
import type { Layout } from "./import-layout.ts";
import { isSealed, sealed } from "./import-seal.ts";
import { problem } from "./problem.ts";

/**
 * The program of an import. One that nobody edited since an import wrote it is added to; any other is never touched,
 * and what is new is for its author to add.
 */
export async function layOutProgram(imported: Imported, base: ImportBase): Promise<Layout> {
  const { objects, contents } = imported;
  if (objects.length === 0) return { files: new Map(), changed: new Map(), byHand: [] };
  if (base.entry === "typescript") return addToProgram(imported, await base.workspace.readText(programFile));
  if (declaresObjects(base)) throw wouldHide();
  const text = sealed(writeTypeScript(objects, { kinds, settings: settingsOf(base) }), "//");
  return { files: new Map([...contents, [programFile, text]]), changed: new Map(), byHand: [] };
}

function addToProgram({ objects, contents }: Imported, text: string): Layout {
  const added = isSealed(text) ? withStatements(text, objects, kinds) : undefined;
  if (added === undefined) return { files: contents, changed: new Map(), byHand: byHandIn(objects, text) };
  const files = new Map([...contents, [programFile, sealed(added, "//")]]);
  return { files, changed: new Map([[programFile, text]]), byHand: [] };
}

/** What to add to a program, in its own words as far as they can be seen. */
function byHandIn(objects: Imported["objects"], text: string): Layout["byHand"] {
  const names = namesIn(text, kinds);
  return objects.map((object) => {
    const { statements } = typescriptStatements([object], kinds, names);
    return { object, file: programFile, lines: statements.join("\n") };
  });
}

/** The settings of a YAML file without objects go over into the program that is loaded instead of it. */
function settingsOf({ entry, head, document }: ImportBase): JsonObject {
  if (entry === "none") return head;
  const collections = new Set(["include", ...kinds.map(({ plural }) => plural)]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !collections.has(name)));
}

function wouldHide() {
  const detail = `found objects in ${mainFile}; expected none, for ${programFile} is loaded instead of it and they would be gone. Import with --format yaml, or into another folder`;
  return problem("LF3012", `${programFile} would hide ${mainFile}`, detail);
}

import { writeTypeScript } from "../config/write-typescript.ts";
import type { Imported } from "../import/import-tree.ts";
import { kinds } from "../kinds/index.ts";
import type { JsonObject } from "../model/json.ts";
import type { ImportBase } from "./import-base.ts";
import { declaresObjects, mainFile, programFile } from "./import-base.ts";
import type { Layout } from "./import-layout.ts";
import { problem } from "./problem.ts";

/** The program of an import. One that is there is never touched: what is new is for its author to add. */
export function layOutProgram(imported: Imported, base: ImportBase): Layout {
  const { objects, contents } = imported;
  if (objects.length === 0) return { files: new Map(), changed: new Map(), byHand: [] };
  if (base.entry === "typescript")
    return { files: new Map(), changed: new Map(), byHand: objects.map((object) => ({ object, file: programFile })) };
  if (declaresObjects(base)) throw wouldHide();
  const text = writeTypeScript(objects, { kinds, settings: settingsOf(base) });
  return { files: new Map([...contents, [programFile, text]]), changed: new Map(), byHand: [] };
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

import { parseAddress } from "../model/address.ts";
import { nodeName } from "../model/tree.ts";
import { fileName } from "./choose-key.ts";
import type { ObjectDraft } from "./draft-object.ts";

/** The folder of the files that an import writes. */
export const importFolder = "load";

/**
 * Where a text or file of an object stands: `load/checkout/browse.js`, `load/checkout/browse.init.js`,
 * `load/checkout/browse/users.csv`; numbered where that is taken.
 */
export function contentPath(draft: ObjectDraft, field: string, isTaken: (path: string) => boolean): string {
  const keys = (parseAddress(draft.address) ?? []).map(({ key }) => key);
  const folder = [importFolder, ...keys.slice(0, -1)].join("/");
  const { stem, ending } = isBytes(draft, field) ? ownName(draft) : scriptName(draft, field);
  for (let number = 1; ; number++) {
    const path = `${folder}/${stem}${number === 1 ? "" : `-${number}`}${ending}`;
    if (!isTaken(path)) return path;
  }
}

function isBytes({ kind }: ObjectDraft, field: string): boolean {
  return kind.fields[field]?.content === "bytes";
}

function ownName({ node }: ObjectDraft): { readonly stem: string; readonly ending: string } {
  const name = fileName(nodeName(node));
  const dot = name.lastIndexOf(".");
  return dot > 0 ? { stem: name.slice(0, dot), ending: name.slice(dot) } : { stem: name, ending: "" };
}

/** The text that an object cannot do without carries its key alone. */
function scriptName(
  { kind, key, fields }: ObjectDraft,
  field: string,
): { readonly stem: string; readonly ending: string } {
  const ending = fields["language"] === "typescript" ? ".ts" : ".js";
  return { stem: key, ending: kind.fields[field]?.required ? ending : `.${field}${ending}` };
}

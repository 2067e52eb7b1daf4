import { objectOf } from "../model/json.ts";
import { fieldRows } from "../schema/reference-table.ts";
import { cursorAt } from "./cursor.ts";
import { targetAt } from "./find-target.ts";
import { parameterWords } from "./module-index.ts";
import type { ProjectIndex, Target } from "./project-index.ts";
import { fieldAt } from "./project-index.ts";

/** The text that an editor shows about a word, in Markdown, with the offsets of the word. */
export interface Hover {
  readonly markdown: string;
  readonly from: number;
  readonly to: number;
}

/** The text about the field, the object or the variable at an offset; undefined where there is none. */
export function hover(
  text: string,
  offset: number,
  place: { readonly index: ProjectIndex; readonly file: string },
): Hover | undefined {
  const cursor = cursorAt(text, offset);
  if (cursor === undefined || cursor.word === "") return undefined;
  const { from, to, word } = cursor;
  const target = targetAt(text, offset, place);
  if (target?.kind === "parameter") return parameterHover(target, { from, to }, place.index);
  const path = cursor.isKey ? [...cursor.path, word] : cursor.path;
  const field = fieldAt(place.index.document, path);
  const name = String(path.findLast((step) => typeof step === "string") ?? word);
  const [row] = field ? fieldRows({ [name]: field }) : [];
  const parts = [
    ...(target ? [`\`${target.name}\` (${target.kind})`] : []),
    ...(row ? [`**${name}**: ${row.type}`, row.about] : []),
    ...(row && row.fallback !== "" ? [row.fallback === "required" ? "Required." : `Default: ${row.fallback}.`] : []),
  ];
  return parts.length === 0 ? undefined : { markdown: parts.join("\n\n"), from, to };
}

function parameterHover(
  { name, module = "" }: Target,
  range: { readonly from: number; readonly to: number },
  { modules }: ProjectIndex,
): Hover | undefined {
  const declared = modules.parametersOf(module)[name];
  if (declared === undefined) return undefined;
  const { detail, about } = parameterWords(objectOf(declared));
  return { markdown: `**${name}**: ${detail}, a parameter of ${module}\n\n${about}`, ...range };
}

import type { DocumentPath } from "../model/diagnostic.ts";
import { objectOf } from "../model/json.ts";
import { fieldRows } from "../schema/reference-table.ts";
import { cursorAt } from "./cursor.ts";
import { expressionAt, namesOutside, targetAt } from "./find-target.ts";
import { parameterWords } from "./module-index.ts";
import { documentAround, fieldAt, type ProjectIndex, type Target } from "./project-index.ts";

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
  if (expressionAt(text, offset) === "${each:key}")
    return { markdown: "`${each:key}`: the key of the instance, of its `use` or its entry of `forEach`", from, to };
  const { index, path: above } = documentAround(cursor.path, place);
  const path = cursor.isKey ? [...above, word] : above;
  const field = fieldAt(index.document, path);
  const name = String(path.findLast((step) => typeof step === "string") ?? word);
  const [row] = field ? fieldRows({ [name]: field }) : [];
  const parts = [
    ...(target ? [`\`${target.name}\` (${target.kind})`] : []),
    ...(target?.kind === "instance" ? instanceWords(target, cursor.path, place) : []),
    ...(row ? [`**${name}**: ${row.type}`, row.about] : []),
    ...(row && row.fallback !== "" ? [row.fallback === "required" ? "Required." : `Default: ${row.fallback}.`] : []),
  ];
  return parts.length === 0 ? undefined : { markdown: parts.join("\n\n"), from, to };
}

/** The module of an instance, and the test cases that it makes. */
function instanceWords(
  target: Target,
  path: DocumentPath,
  { index, file }: { readonly index: ProjectIndex; readonly file: string },
): readonly string[] {
  const module = index.modules.usedAt(file, path.length % 2 === 0 ? path : [...path, target.name]);
  const names = namesOutside(target, index).map((name) => `\`${name.slice("testCase.".length)}\``);
  const made = names.length === 0 ? [] : [`Test cases: ${names.join(", ")}`];
  return [...(module === undefined ? [] : [`Uses ${module}`]), ...made];
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

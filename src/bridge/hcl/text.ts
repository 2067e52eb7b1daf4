import { commentText } from "../../authoring/write-text.ts";

/** An argument of a block or a member of an object, with a note about it. */
export interface HclArgument {
  readonly name: string;
  readonly value: HclValue;
  readonly note?: string;
}

export type HclValue =
  /** An expression as it is: a reference, a call. */
  | { readonly is: "expression"; readonly text: string }
  | { readonly is: "plain"; readonly value: string | number | boolean | null }
  | { readonly is: "list"; readonly items: readonly HclValue[] }
  | { readonly is: "object"; readonly members: readonly HclArgument[] }
  | { readonly is: "call"; readonly name: string; readonly argument: HclValue };

/** An expression as a value. */
export const expression = (text: string) => ({ is: "expression", text }) as const;

/** A block at the top of a file. */
export interface HclBlock {
  /** `resource "loadform_tag" "nightly"`. */
  readonly head: string;
  readonly notes?: readonly string[];
  readonly body: readonly HclArgument[];
  readonly blocks?: readonly HclBlock[];
}

/** Blocks as `terraform fmt` writes them. */
export function writeHcl(blocks: readonly HclBlock[]): string {
  return blocks.map((block) => blockText(block, "")).join("\n");
}

function blockText({ head, notes = [], body, blocks = [] }: HclBlock, indent: string): string {
  const comments = notes.map((note) => `${indent}# ${commentText(note)}\n`).join("");
  const inner = `${indent}  `;
  const parts = [argumentsText(body, inner), ...blocks.map((block) => blockText(block, inner))];
  const text = parts.filter((part) => part !== "").join("\n");
  return text === "" ? `${comments}${indent}${head} {}\n` : `${comments}${indent}${head} {\n${text}${indent}}\n`;
}

/** A line or more for each argument; neighbours of one line have their signs below each other. */
function argumentsText(list: readonly HclArgument[], indent: string): string {
  const lines = list.map(({ name, value, note }) => ({ name: memberName(name), text: valueText(value, indent), note }));
  return lines
    .map((each, at) => {
      const comment = each.note === undefined ? "" : `${indent}# ${commentText(each.note)}\n`;
      return `${comment}${indent}${each.name}${" ".repeat(widthAt(lines, at) - widthOf(each.name))} = ${each.text}\n`;
    })
    .join("");
}

interface WrittenArgument {
  readonly name: string;
  readonly text: string;
  readonly note: string | undefined;
}

/** The width of the name among the neighbours that it is aligned with: a comment or a value of several lines ends them. */
function widthAt(list: readonly WrittenArgument[], at: number): number {
  const isOneLine = (each: WrittenArgument | undefined) => each !== undefined && !each.text.includes("\n");
  if (!isOneLine(list[at])) return widthOf(list[at]?.name ?? "");
  let [first, last] = [at, at];
  while (first > 0 && isOneLine(list[first - 1]) && list[first]?.note === undefined) first--;
  while (isOneLine(list[last + 1]) && list[last + 1]?.note === undefined) last++;
  return Math.max(...list.slice(first, last + 1).map(({ name }) => widthOf(name)));
}

/** Columns as `terraform fmt` counts them: letters as people see them. */
function widthOf(name: string): number {
  return /^[ -~]*$/.test(name) ? name.length : [...new Intl.Segmenter("en").segment(name)].length;
}

/** The longest value of several parts that is written on one line. */
const longest = 80;

function valueText(value: HclValue, indent: string): string {
  const inline = inlineText(value);
  const isShort = value.is === "expression" || value.is === "plain" || inline.length <= longest;
  if (isShort && !holdsNotes(value)) return inline;
  if (value.is === "call") return `${value.name}(${valueText(value.argument, indent)})`;
  const inner = `${indent}  `;
  if (value.is === "list") {
    const items = value.items.map((item) => `${inner}${valueText(item, inner)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  return value.is === "object" ? `{\n${argumentsText(value.members, inner)}${indent}}` : inline;
}

function inlineText(value: HclValue): string {
  switch (value.is) {
    case "expression":
      return value.text;
    case "plain":
      return typeof value.value === "string" ? quoted(value.value) : JSON.stringify(value.value);
    case "list":
      return `[${value.items.map(inlineText).join(", ")}]`;
    case "object": {
      const members = value.members.map((member) => `${memberName(member.name)} = ${inlineText(member.value)}`);
      return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
    }
    case "call":
      return `${value.name}(${inlineText(value.argument)})`;
  }
}

function holdsNotes(value: HclValue): boolean {
  if (value.is === "call") return holdsNotes(value.argument);
  if (value.is === "list") return value.items.some(holdsNotes);
  return value.is === "object" && value.members.some(({ note, value: held }) => note !== undefined || holdsNotes(held));
}

/** `for` would begin another expression. */
function memberName(name: string): string {
  return /^(?!(?:for|null|true|false)$)[A-Za-z_][\w-]*$/.test(name) ? name : quoted(name);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

function quoted(text: string): string {
  return `"${withinQuotes(text)}"`;
}

/** A text that Terraform reads as itself between quotes: signs before a brace are one more, so that nothing is interpolated. */
export function withinQuotes(text: string): string {
  return text
    .replace(/["\\\n\r\t]/g, (sign) => escapes[sign] ?? sign)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
      const hex = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
    })
    .replace(/(\$+|%+)\{/g, (_, signs: string) => `${signs[0]}${signs}{`);
}

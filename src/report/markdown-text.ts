import { cleanLine, cleanText, counted } from "./terminal-text.ts";

/** Most characters of a comment: GitHub's comments and issues, GitLab's notes and issues. */
export const markdownLimits = { github: 65_536, gitlab: 1_000_000 } as const;

/** Characters that mean something in Markdown, HTML or a table. */
const markup = /[&<>`*_[\]\\|~#@!$%^{}]/g;

/** Text that both forges take for the mention of a user, an issue or a label; a character of no width prevents that. */
const mention = /([@#!~$%^&])(?=[\w"])/g;

const zeroWidth = "\u200b";

/** Text from outside as plain text within a line or table cell: no markup, no mention, no link, no further line. */
export function asMarkdown(text: string, width?: number): string {
  const words = cleanLine(text, width).replace(mention, `$1${zeroWidth}`).replace(markup, entity);
  return words.replaceAll("://", "&#58;//").replaceAll(/www\./gi, (found) => found.replace(".", "&#46;"));
}

/** A name or value in the typeface of code, within a line or table cell. */
export function inlineCode(text: string, width?: number): string {
  const line = cleanLine(text, width);
  const isPlain = /^[^`|\\\s](?:[^`|\\]*[^`|\\\s])?$/.test(line);
  return isPlain ? `\`${line}\`` : `<code>${codeEntities(line)}</code>`;
}

function codeEntities(line: string): string {
  return line
    .replace(markup, entity)
    .replaceAll(":", "&#58;")
    .replaceAll(/www\./gi, (found) => found.replace(".", "&#46;"));
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** Lines as a code block. Its fence is longer than any in the text, so that no line of it ends the block. */
export function fencedCode(language: "diff" | "text" | "sh" | "mermaid", text: string): string {
  const fence = "`".repeat(1 + Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length)));
  // GitLab and many bots take a line that begins with a slash for an order, in code too.
  const lines = cleanText(text).trimEnd().replaceAll(/^\//gm, " /");
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** A part that is folded away; the summary is one line of Markdown without block structure, as HTML shows it. */
export function foldedPart(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A name within HTML, where Markdown's own code marks are not read. */
export function htmlCode(text: string): string {
  return `<code>${codeEntities(cleanLine(text))}</code>`;
}

/** A table with as many rows as there is room for, and a last one on how many there are beyond; cells are Markdown already. */
export function cutTable(head: readonly string[], rows: readonly (readonly string[])[], characters: number): string {
  let budget = characters;
  const shown = rows.filter((cells) => {
    budget -= cells.join(" | ").length + 5;
    return budget >= 0;
  });
  const more = rows.length - shown.length;
  const rest = more === 0 ? [] : [[`… and ${more} more`, ...head.slice(1).map(() => "")]];
  const lines = [head, head.map(() => "---"), ...shown, ...rest];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** An invisible line by which a pipeline finds its comment again. */
export function hiddenMarker(words: readonly string[]): string {
  return `<!-- ${words.map((word) => encodeURIComponent(word).replaceAll("--", "-%2D")).join(" ")} -->`;
}

export interface TextPart {
  readonly text: string;
  /** Its name as Markdown, for the note when it is omitted for want of room. Parts without it always remain. */
  readonly optional?: string;
}

/** A part that always remains. */
export function fixedPart(text: string): TextPart {
  return { text };
}

/** The most omitted parts that the note names, the length of these names together, and the room reserved for the note. */
const note = { names: 10, words: 2_000, room: 4_000 };

/** Parts as one document within a limit; where the first part is omitted for want of room, a note names all that are. */
export function fitMarkdown(parts: readonly TextPart[], limit: number): string {
  const whole = paragraphs(parts.map(({ text }) => text));
  if (whole.length <= limit) return whole;
  const { included, missing } = chooseParts(parts, limit);
  const first = parts.findIndex((part) => !included.has(part));
  const texts = parts.flatMap((part, index) => {
    if (included.has(part)) return [part.text];
    return index === first ? [leftOutNote(missing)] : [];
  });
  return paragraphs(texts);
}

function chooseParts(parts: readonly TextPart[], limit: number) {
  const fixed = parts.filter(({ optional }) => optional === undefined);
  let room = limit - note.room - paragraphs(fixed.map(({ text }) => text)).length;
  const included = new Set(fixed);
  const missing: string[] = [];
  for (const part of parts) {
    if (part.optional === undefined) continue;
    const size = part.text.length + 2;
    if (size > room) missing.push(part.optional);
    else included.add(part);
    room -= size > room ? 0 : size;
  }
  return { included, missing };
}

function leftOutNote(missing: readonly string[]): string {
  const named = missing.slice(0, note.names).filter(({ length }) => length <= note.words / note.names);
  const more = missing.length - named.length;
  const rest = more === 0 ? [] : [named.length === 0 ? counted(more, "part") : `${more} more`];
  return `> **Left out for length:** ${[...named, ...rest].join(", ")}.`;
}

function paragraphs(texts: readonly string[]): string {
  return `${texts.join("\n\n")}\n`;
}

import { type StructuredPatchHunk, structuredPatch } from "diff";
import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import { isObject, type Json } from "../model/json.ts";
import { utf8Text } from "../model/tree.ts";
import type { FieldChange } from "../plan/plan.ts";
import { inlineValue, referredAddress, valueLines } from "./readable-value.ts";
import { cleanLine, type Palette } from "./terminal-text.ts";

export interface FieldStyle {
  readonly palette: Palette;
  /** Text or bytes by hash; a missing one is shown by its hash. */
  readonly contents: (hash: string) => string | Uint8Array | undefined;
  /** The most lines of one text diff; default 120. */
  readonly diffLines?: number;
}

interface FieldText {
  readonly symbol: "+" | "~" | "-";
  readonly head: string;
  readonly below: readonly string[];
  /** The words in the head for each side, when it is no more than one value becoming another. */
  readonly sides?: { readonly before: string; readonly after: string };
}

/** Values longer than this together are shown line by line. */
const inlineWidth = 100;

const unknownText = "(known after apply)";

/** One field of a change as text; `isNew` for a field of an object that is to be made. */
export function fieldText(change: FieldChange, style: FieldStyle, isNew: boolean): FieldText {
  const { before, after } = change;
  if (before === undefined) return { symbol: "+", ...newValue(change, isNew) };
  if (isSecretMark(before) && isSecretMark(after)) return changed("(secret changed)");
  if (change.unknown) return changed(unknownWords(before, after));
  const texts = bothTexts(before, after, style);
  if (texts) return changed(texts.head, diffLines(texts, style));
  if (after === undefined) return { symbol: "-", head: `${inlineValue(before)} → (none)`, below: [] };
  const sides = { before: inlineValue(before, after), after: inlineValue(after, before) };
  return { ...changed(`${sides.before} → ${sides.after}`), sides };
}

function changed(head: string, below: readonly string[] = []): FieldText {
  return { symbol: "~", head, below };
}

function newValue({ after, unknown }: FieldChange, isNew: boolean): Omit<FieldText, "symbol"> {
  if (unknown) return { head: unknownText, below: [] };
  const inline = inlineValue(after);
  const isLong =
    isNew && typeof after === "object" && after !== null && !isContentMark(after) && inline.length > inlineWidth;
  if (!isLong) return { head: inline, below: [] };
  return { head: "", below: after === undefined ? [] : valueLines(after) };
}

/** A reference to something that is made anew keeps its address; the id behind it is known once it is applied. */
function unknownWords(before: Json, after: Json | undefined): string {
  const address = isObject(after) ? referredAddress(after) : undefined;
  if (address !== undefined && address === (isObject(before) ? referredAddress(before) : undefined))
    return `${address} ${unknownText}`;
  return `${inlineValue(before)} → ${address === undefined ? unknownText : `${address} ${unknownText}`}`;
}

/** Both sides of a field as texts, and the words above their comparison. */
export interface BothTexts {
  readonly head: string;
  readonly before: string;
  readonly after: string;
}

/** Both sides as texts, for values that are best read line by line. */
export function bothTexts(
  before: Json,
  after: Json | undefined,
  style: Pick<FieldStyle, "contents">,
): BothTexts | undefined {
  if (isContentMark(before) && isContentMark(after)) {
    const old = shownText(style.contents(before.$content));
    const next = shownText(style.contents(after.$content));
    const isKnown = old !== undefined && next !== undefined;
    return isKnown ? { head: `${byteLength(old)} → ${byteLength(next)} bytes`, before: old, after: next } : undefined;
  }
  if (typeof before === "string" && typeof after === "string" && `${before}${after}`.includes("\n"))
    return { head: "", before, after };
  if (!isStructure(before) || !isStructure(after)) return undefined;
  const isWide = inlineValue(before).length + inlineValue(after).length > inlineWidth;
  const isMap = !Array.isArray(before) && !Array.isArray(after);
  return isWide || isMap ? { head: "", before: linesOf(before), after: linesOf(after, before) } : undefined;
}

/** With a blank in front, since an item's dash beside the mark of a diff would be one of two. */
function linesOf(value: Json, other?: Json): string {
  return valueLines(value, other)
    .map((line) => ` ${line}\n`)
    .join("");
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A list, or an object that is neither a reference nor a mark. */
function isStructure(value: Json | undefined): value is Json {
  if (!isObject(value)) return Array.isArray(value);
  const [only = "", ...more] = Object.keys(value);
  const isReference = more.length === 0 && ["ref", "id", "name"].includes(only);
  return !isSecretMark(value) && !isContentMark(value) && !isReference;
}

function diffLines({ before, after }: BothTexts, { palette, diffLines: longest = limits.lines }: FieldStyle) {
  const lines = textDiff(before, after, longest);
  return lines?.map((line) => paintLine(line, palette)) ?? [palette.dim(diffSummary(before, after))];
}

function paintLine({ mark, text }: DiffLine, palette: Palette): string {
  if (mark === "@") return palette.cyan(text);
  if (mark === "\\") return palette.dim(`\\${text}`);
  const line = `${mark}${text}`;
  if (mark === "+") return palette.green(line);
  return mark === "-" ? palette.red(line) : line;
}

/** One line of a unified diff; `mark` is the character in front of it, "@" for a hunk's head. */
interface DiffLine {
  readonly mark: "+" | "-" | " " | "@" | "\\";
  readonly text: string;
}

/**
 * Lines shown of one diff, and how far two texts may be apart: a rewritten file of a million lines must not hold up a
 * plan. No clock decides: the same plan is the same text on a busy machine.
 */
const limits = { lines: 120, edits: 2_000, context: 3, characters: 4_000_000 };

/** The places at which two texts differ, or undefined when they are too large or too far apart. */
export function textHunks(before: string, after: string): readonly StructuredPatchHunk[] | undefined {
  if (before.length + after.length > limits.characters) return undefined;
  const options = { context: limits.context, maxEditLength: limits.edits };
  return structuredPatch("", "", before, after, undefined, undefined, options)?.hunks;
}

/** The unified diff of two texts, or undefined when they cannot be compared line by line. */
function textDiff(before: string, after: string, longest: number): readonly DiffLine[] | undefined {
  const hunks = textHunks(before, after);
  if (hunks === undefined) return undefined;
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }): readonly DiffLine[] => [
    { mark: "@", text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` },
    ...own.map(diffLine),
  ]);
  const hidden = lines.length - longest;
  return hidden <= 0 ? lines : [...lines.slice(0, longest), { mark: "@", text: `… ${hidden} more lines` }];
}

function diffLine(line: string): DiffLine {
  const [mark = " "] = line;
  const text = line.slice(1).replace(/\r$/, "\\r");
  return { mark: mark === "+" || mark === "-" || mark === "\\" ? mark : " ", text: cleanLine(text, 200) };
}

/** The words for two texts whose diff is not shown. */
export function diffSummary(before: string, after: string): string {
  return `too large to compare line by line: ${countLines(before)} lines → ${countLines(after)} lines`;
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Content as text, or undefined for bytes that are none. */
export function shownText(content: string | Uint8Array | undefined): string | undefined {
  if (content === undefined || typeof content === "string") return content;
  const text = utf8Text(content);
  return text?.includes("\u0000") ? undefined : text;
}

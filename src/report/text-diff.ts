import { structuredPatch } from "diff";
import { utf8Text } from "../model/utf8-text.ts";
import { cleanLine } from "./clean-text.ts";

/** One line of a unified diff; `mark` is the character in front of it, "@" for a hunk's head. */
export interface DiffLine {
  readonly mark: "+" | "-" | " " | "@" | "\\";
  readonly text: string;
}

/**
 * Lines shown of one diff, and how far two texts may be apart: a rewritten file of a million lines must not hold up a
 * plan. No clock decides: the same plan is the same text on a busy machine.
 */
const limits = { lines: 120, edits: 2_000, context: 3, characters: 4_000_000 };

/** The unified diff of two texts, or undefined when they are too large or too far apart. */
export function textDiff(before: string, after: string): readonly DiffLine[] | undefined {
  if (before.length + after.length > limits.characters) return undefined;
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: limits.context,
    maxEditLength: limits.edits,
  });
  if (patch === undefined) return undefined;
  const lines = patch.hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines.map(lineOf)]);
  const hidden = lines.length - limits.lines;
  return hidden <= 0 ? lines : [...lines.slice(0, limits.lines), { mark: "@", text: `… ${hidden} more lines` }];
}

function headOf(hunk: { oldStart: number; oldLines: number; newStart: number; newLines: number }): DiffLine {
  return { mark: "@", text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` };
}

function lineOf(line: string): DiffLine {
  const [mark = " "] = line;
  const text = line.slice(1).replace(/\r$/, "\\r");
  return { mark: mark === "+" || mark === "-" || mark === "\\" ? mark : " ", text: cleanLine(text, 200) };
}

/** What can be said of two texts whose diff is not shown. */
export function diffSummary(before: string, after: string): string {
  return `too large to compare line by line: ${countLines(before)} lines → ${countLines(after)} lines`;
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Content as text, or undefined for bytes that are none. */
export function asText(content: string | Uint8Array | undefined): string | undefined {
  if (content === undefined || typeof content === "string") return content;
  const text = utf8Text(content);
  return text?.includes("\u0000") ? undefined : text;
}

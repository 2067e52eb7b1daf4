import { lastStep } from "../model/address.ts";
import type { Change } from "../plan/plan.ts";
import { causeNotes, notesOf } from "./change-text.ts";
import { type FieldStyle, fieldText } from "./field-text.ts";
import { asMarkdown, fencedCode, foldedPart, htmlCode, inlineCode, type TextPart } from "./markdown-text.ts";
import { shownName } from "./readable-value.ts";
import { cleanLine } from "./terminal-text.ts";

/** Field changes longer than this are only named in a table; the text below shows them whole. */
const inlineWidth = 60;

const namedFields = 6;

const lineWidth = 2_000;

/** The action on an object, in words for a table. */
export function actionWords({ action, createFirst, importing, previousAddress }: Change): string {
  const whatElse = [
    ...(importing ? ["import"] : []),
    ...(previousAddress === undefined ? [] : ["move"]),
    ...(action === "no-op" ? [] : [action === "replace" && createFirst ? "replace (new one first)" : action]),
  ];
  return whatElse.join(", ");
}

/** A row of the table of changes: action, address, what changes. */
export function changeRow(change: Change, style: FieldStyle): readonly string[] {
  return [`**${actionWords(change)}**`, inlineCode(change.address), whatChanges(change, style)];
}

/** The changes of one object, for a cell of a table. */
export function whatChanges(change: Change, style: FieldStyle): string {
  const shown = shownName(change);
  const name = shown === lastStep(change.address).key ? [] : [inlineCode(JSON.stringify(shown), 120)];
  const notes = notesOf(change).map((note) => asMarkdown(note));
  const fields = change.action === "delete" ? [] : fieldWords(change, style);
  return [...name, ...notes, ...fields].join("; ");
}

function fieldWords({ fields: all, action }: Change, style: FieldStyle): readonly string[] {
  const isNew = action === "create";
  const fields = isNew ? all.filter(({ field }) => field !== "name") : all;
  const named = fields.slice(0, namedFields).map((field) => {
    const { head, below } = fieldText(field, style, isNew);
    const isShort = below.length === 0 && head.length <= inlineWidth;
    return `${inlineCode(field.field)}${isShort ? ` ${inlineCode(head)}` : ""}${causeNotes[field.cause].replace(/^ +/, " ")}`;
  });
  return fields.length > namedFields ? [...named, `${fields.length - namedFields} more fields`] : named;
}

/** The fields of one object as a folded diff; undefined when it has none. */
export function changeFold(change: Change, words: string, style: FieldStyle): TextPart | undefined {
  if (change.fields.length === 0) return undefined;
  const diffs = change.fields.map((field) => fieldDiff(field, style, change.action === "create"));
  // Text after a diff of lines would look like one of its lines.
  const inOrder = [...diffs.filter((diff) => !isOfLines(diff)), ...diffs.filter(isOfLines)];
  const lines = inOrder
    .flat()
    .map((line) => cleanLine(line, lineWidth).trimEnd())
    .join("\n");
  const text = foldedPart(`${htmlCode(change.address)}: ${words}`, fencedCode("diff", lines));
  return { text, optional: inlineCode(change.address) };
}

function isOfLines([head = ""]: readonly string[]): boolean {
  return head.startsWith("@@");
}

function fieldDiff(change: Change["fields"][number], style: FieldStyle, isNew: boolean): readonly string[] {
  const { symbol, head, below, sides } = fieldText(change, style, isNew);
  const { field } = change;
  const cause = causeNotes[change.cause];
  if (sides) return [`- ${field}: ${sides.before}`, `+ ${field}: ${sides.after}${cause}`];
  const isDiff = symbol === "~";
  const title = `${field}:${head === "" ? "" : ` ${head}`}${cause}`;
  if (!isDiff) return [`${symbol} ${title}`, ...below.map((line) => `${symbol}   ${line}`)];
  return below.length === 0 ? [`! ${title}`] : [`@@ ${title} @@`, ...below];
}

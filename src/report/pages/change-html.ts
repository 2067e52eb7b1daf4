import { lastStep } from "../../model/address.ts";
import { isContentMark } from "../../model/fingerprint.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { formatCount, formatSeveral } from "../../pictures/figures.ts";
import type { Change, FieldChange } from "../../plan/plan.ts";
import { actionWords } from "../change-markdown.ts";
import { causeNotes, notesOf, signOf } from "../change-text.ts";
import { loadEffect, nextTimesLine } from "../effect-lines.ts";
import { bothTexts, type FieldStyle, fieldText, shownText } from "../field-text.ts";
import { markOf } from "../graph/plan-graph.ts";
import { shownName } from "../readable-value.ts";
import { cleanLine, cleanText, plainPalette } from "../terminal-text.ts";
import { textSides } from "./text-sides.ts";

/** The style of the changes of a page. */
export interface ChangeStyle extends Pick<FieldStyle, "contents"> {
  /** The most rows of one text. */
  readonly rows: number;
  /** The words above both sides of a comparison. */
  readonly heads: readonly [string, string];
  /** Changes are shown unfolded. */
  readonly isOpen: boolean;
  /** The note on a field beside its values; by default that it was changed outside. */
  readonly noteOf?: (address: string, field: string) => string;
}

/** Characters of one value. */
const valueWidth = 2_000;

/** One object of a plan: what happens to it, and below, folded, its fields, effects and losses. */
export function changeHtml(change: Change, style: ChangeStyle, words = actionWords(change)): string {
  const kind = markOf(change)?.change ?? "state";
  const { symbol } = signOf(change, plainPalette);
  const step = change.address.slice(change.address.lastIndexOf("/") + 1);
  const shown = shownName(change);
  const name =
    shown === lastStep(change.address).key ? "" : ` <span class="name">${asHtml(cleanLine(shown, 200))}</span>`;
  const notes = notesOf(change).join("; ");
  const note = notes === "" ? "" : `<small>${asHtml(cleanLine(notes))}</small>`;
  const head = `<i class="sign ${kind}" aria-hidden="true">${symbol}</i><span class="what"><code>${asHtml(step)}</code>${name}${note}</span><b class="${kind}">${asHtml(words || "no change")}</b>`;
  const body = [...effectsOf(change), ...shownFields(change).map((field) => fieldHtml(field, change, style))].join(
    "\n",
  );
  const attributes = `class="change" data-action="${kind}"`;
  if (body === "") return `<div ${attributes}>${head}</div>`;
  return `<details ${attributes}${style.isOpen ? " open" : ""}><summary>${head}</summary><div class="body">
${body}</div></details>`;
}

/** The fields of a change; of a delete those that are lost with the object. */
function shownFields({ action, fields, before = {} }: Change): readonly FieldChange[] {
  if (action !== "delete" || fields.length > 0) return fields;
  return Object.entries(before).flatMap(([field, value]): readonly FieldChange[] =>
    value === undefined ? [] : [{ field, before: value, cause: "change" }],
  );
}

/** The effects at the service, which a reader must not miss. */
function effectsOf(change: Change): readonly string[] {
  const load = loadEffect(change);
  const times = nextTimesLine(change);
  const { risks } = change;
  return [
    ...(risks.length === 0 ? [] : [effect("lost", `would be lost: ${risks.join(", ")}`)]),
    ...(load === undefined ? [] : [effect(load.rises ? "rises" : "plain", load.line.replace(longNumber, grouped))]),
    ...(times === undefined ? [] : [effect("plain", times)]),
  ];
}

/** A number of which the thousands are separated on a page; not the digits after a point. */
const longNumber = /(?<![.\d])\d{4,}/g;
const grouped = (digits: string) => formatCount(Number(digits));

function effect(tone: string, words: string): string {
  return `<p class="effect ${tone}">${asHtml(cleanLine(words, valueWidth))}</p>`;
}

function fieldHtml(field: FieldChange, change: Change, style: ChangeStyle): string {
  const note = style.noteOf?.(change.address, field.field) ?? causeNotes[field.cause];
  const told = note.trim() === "" ? "" : `<em>${asHtml(cleanLine(note.trim().replace(/^\((.*)\)$/, "$1")))}</em>`;
  return `<dl><dt>${asHtml(field.field)}${told}</dt>${valuesHtml(field, change, style)}</dl>`;
}

function valuesHtml(field: FieldChange, change: Change, style: ChangeStyle): string {
  const { before, after, unknown } = field;
  const texts = before === undefined || unknown ? undefined : bothTexts(before, after, style);
  if (texts !== undefined) {
    const label = `${field.field} of ${change.address}`;
    const sides = textSides(texts, { rows: style.rows, heads: style.heads, label });
    return `<dd class="long">${texts.head === "" ? "" : `<span>${asHtml(texts.head)}</span>`}${sides}</dd>`;
  }
  const { head, below, sides } = fieldText(
    field,
    { palette: plainPalette, contents: style.contents },
    before === undefined,
  );
  if (sides) return `<dd><del>${value(sides.before)}</del></dd><dd><ins>${value(sides.after)}</ins></dd>`;
  const isRemoved = after === undefined && before !== undefined;
  const words = isRemoved && head.endsWith(" → (none)") ? head.slice(0, -9) : head;
  const tag = isRemoved ? "del" : "ins";
  const isNew = before === undefined && words === "";
  const lines = below.length === 0 ? "" : `<pre${isNew ? ' class="new"' : ""}>${value(below.join("\n"))}</pre>`;
  return `<dd class="one">${words === "" ? "" : `<${tag}>${value(words)}</${tag}>`}${lines}${newText(field, style)}</dd>`;
}

function value(text: string): string {
  const shown = cleanText(text);
  return asHtml(
    shown.length > valueWidth
      ? `${shown.slice(0, valueWidth)}… (${formatSeveral(shown.length - valueWidth, "more character")})`
      : shown,
  );
}

/** The text of a new script or data file, folded. */
function newText({ before, after }: FieldChange, { contents, rows }: ChangeStyle): string {
  const text = before === undefined && isContentMark(after) ? shownText(contents(after.$content)) : undefined;
  if (text === undefined || text === "") return "";
  const lines = text.replace(/\n$/, "").split("\n");
  const rest = lines.length - rows;
  const shown = lines.slice(0, rows).map((line) => asHtml(cleanLine(line.replace(/\r$/, "\\r"), 400)));
  const more = rest > 0 ? `\n… and ${formatSeveral(rest, "more line")}` : "";
  return `<details class="text"><summary>${formatSeveral(lines.length, "line")}</summary><pre>${shown.join("\n")}${more}</pre></details>`;
}

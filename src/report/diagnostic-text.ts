import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { nearest } from "../model/did-you-mean.ts";
import { cleanText, counted, type Palette } from "./terminal-text.ts";

export interface DiagnosticStyle {
  readonly palette: Palette;
  /** A line of a file of the project, counted from 1; undefined when it cannot be read. */
  readonly lineOf: (file: string, line: number) => string | undefined;
  /** Columns of the terminal. */
  readonly width: number;
}

/** One problem as a person reads it: the summary, the place, the line with a caret, the advice. */
export function diagnosticText(diagnostic: Diagnostic, style: DiagnosticStyle): string {
  const { palette } = style;
  const { severity, code, summary, detail } = diagnostic;
  const paint = severity === "error" ? palette.red : palette.yellow;
  const place = placeText(diagnostic);
  return [
    `${paint(palette.bold(severity))} ${palette.bold(code)}: ${palette.bold(cleanText(summary))}`,
    ...(place === "" ? [] : [`  ${place}`]),
    ...(diagnostic.used ?? []).map((each) => `  used at ${each.file}:${each.line}:${each.column}`),
    ...codeFrame(diagnostic, style),
    ...wrapped(cleanText(detail), style.width - 2).map((line) => `  ${line}`.trimEnd()),
  ].join("\n");
}

/**
 * One problem as the line by which GitHub Actions shows it at its place in a pull request; `within` leads from the project's
 * folder into the checkout.
 */
export function annotationText(diagnostic: Diagnostic, within: (file: string) => string): string {
  const { code, summary } = diagnostic;
  return annotationLine({ ...diagnostic, title: `${code}: ${cleanText(summary)}` }, within);
}

/** Anything to say about a line of the project, as such a line. */
export function annotationLine(
  what: Pick<Diagnostic, "severity" | "detail" | "file" | "line" | "column"> & { readonly title: string },
  within: (file: string) => string,
): string {
  const { severity, title, detail, file, line, column } = what;
  const place = file === undefined ? {} : { file: cleanText(within(file)), line, col: column };
  const properties = Object.entries({ ...place, title: cleanText(title) }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapedData(`${value}`).replaceAll(":", "%3A").replaceAll(",", "%2C")}`],
  );
  return `::${severity} ${properties.join(",")}::${escapedData(cleanText(detail))}`;
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** "2 errors, 1 warning"; empty when there is none. */
export function problemCounts(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const parts = [errors > 0 ? counted(errors, "error") : "", warnings > 0 ? counted(warnings, "warning") : ""];
  return parts.filter((part) => part !== "").join(", ");
}

/** The place of a problem: file, line, column and object. */
export function placeText({ file, line, column, address }: Diagnostic): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  if (address === undefined) return place;
  return place === "" ? address : `${place} (${address})`;
}

/** A written-out secret is not repeated, not even as part of its line. */
const withoutFrame = "LF1203";
/** Files of our own whose lines nobody reads: states, saved plans, snapshots. */
const ownFiles: readonly Code[] = ["LF5002", "LF5007", "LF5011"];

/** Lines that may be shown: not those on which a problem found a written-out secret, or that may contain one under another key. */
export function withoutSecretLines(
  diagnostics: readonly Diagnostic[],
  lineOf: DiagnosticStyle["lineOf"],
): DiagnosticStyle["lineOf"] {
  const secret = diagnostics.filter(({ code }) => code === withoutFrame);
  const hidden = new Set(secret.map(({ file, line }) => `${file}:${line}`));
  const shownOf = (file: string, line: number) => {
    const text = hidden.has(`${file}:${line}`) ? undefined : lineOf(file, line);
    if (text === undefined || mayHoldSecret(text)) return undefined;
    const above = lineAbove(text, line, (each) => lineOf(file, each));
    return opensSecret(above) || mayHoldSecret(above) ? undefined : text;
  };
  // A line of thousands of characters may have as many problems; it is looked through once.
  const known = new Map<string, string | undefined>();
  return (file, line) => {
    const place = `${file}:${line}`;
    if (!known.has(place)) known.set(place, shownOf(file, line));
    return known.get(place);
  };
}

/** The line that a line belongs to: the nearest before it that is set in less. */
function lineAbove(text: string, line: number, textOf: (line: number) => string | undefined): string {
  const depth = text.search(/\S|$/);
  for (let each = line - 1; each > 0; each--) {
    const above = textOf(each) ?? "";
    if (above.trim() !== "" && above.search(/\S/) < depth) return above;
  }
  return "";
}

/** The line of a problem with a caret below it; nothing where it has none that may be shown. */
export function codeFrame(
  { code, file, line, column }: Diagnostic,
  { lineOf, palette, width }: DiagnosticStyle,
): readonly string[] {
  if (file === undefined || line === undefined || code === withoutFrame || ownFiles.includes(code)) return [];
  const text = lineOf(file, line);
  if (text === undefined) return [];
  const gutter = `${line}`.length + 4;
  // A place beside the line has no character to point at.
  const at = Math.max(0, Math.min((column ?? 1) - 1, text.length));
  const { shown, caret } = cut(text, at, Math.max(40, width - gutter - 3));
  const mark =
    column === undefined ? [] : [`${palette.dim(`${" ".repeat(gutter)} |`)} ${" ".repeat(caret)}${palette.red("^")}`];
  return [`${palette.dim(`${`${line}`.padStart(gutter)} |`)} ${shown}`, ...mark];
}

/** The part of a long line around a column; tabs count as one so that the caret remains under its character. */
function cut(text: string, at: number, width: number): { readonly shown: string; readonly caret: number } {
  // No more of a line is looked at than can be shown.
  const from = Math.max(0, at - width);
  const cleaned = (part: string) => cleanText(part.replaceAll("\t", " "));
  const before = cleaned(text.slice(from, at));
  const line = before + cleaned(text.slice(at, at + width));
  const isMoreAfter = text.length > at + width;
  if (line.length <= width && from === 0 && !isMoreAfter) return { shown: line, caret: before.length };
  const start = Math.max(0, Math.min(before.length - Math.floor(width / 2), line.length - width));
  const end = start + width;
  const [isCutBefore, isCutAfter] = [from + start > 0, isMoreAfter || end < line.length];
  const shown = `${isCutBefore ? "…" : ""}${line.slice(start + (isCutBefore ? 1 : 0), isCutAfter ? end - 1 : end)}${isCutAfter ? "…" : ""}`;
  return { shown, caret: before.length - start };
}

/** Lines of words that fit a width; line ends of the text remain, and so do indented lines: they are to be pasted. */
export function wrapped(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, Math.max(40, width)));
}

function wrapParagraph(paragraph: string, width: number): readonly string[] {
  if (paragraph.startsWith("  ")) return [paragraph];
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    const isFull = line !== "" && line.length + 1 + word.length > width;
    if (isFull) lines.push(line);
    line = line === "" || isFull ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Keys of secrets, as they are spelled and misspelt. */
const names = ["password", "privateKey", "cloudAccessKeyId", "cloudSecretAccessKey", "apiKey", "defaultValue"];
const telling = /pass?w|secret|private|credential|token|access.?key|api.?key|^key$/i;
const inAddress = /:\/\/[^/\s"']*:[^/\s"']*@/;
const keyed = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]+)["']?\s*[:=]\s*(\S?)/g;

/** True for a line that ends with a key of a secret whose value follows below: "password:". */
function opensSecret(line: string): boolean {
  const [, key = ""] = /([A-Za-z0-9_-]+)["']?\s*:\s*(?:[&!][^\s]*\s*)*(?:#.*)?$/.exec(line) ?? [];
  return key !== "" && isTelling(key);
}

/**
 * True for a line of the project that may contain a secret in plain text, under a misspelt key, too: it is not shown
 * beside a problem. A value from `${env:…}` or `${file:…}` is no secret yet.
 */
function mayHoldSecret(line: string): boolean {
  if (inAddress.test(line)) return true;
  const written = line.replace(/\$\{(env|file|var):[^}]*\}/g, "").replace(/(["'])\1/g, "");
  return [...written.matchAll(keyed)].some(([, key = "", value = ""]) => {
    const isEmpty = value === "" || value === "," || value === "}" || value === "#";
    // A private grid: an object's key, which is none of a secret.
    return !isEmpty && !(key === "private" && value === "{") && isTelling(key);
  });
}

function isTelling(key: string): boolean {
  return telling.test(key) || nearest(key, names) !== undefined;
}

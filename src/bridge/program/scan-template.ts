/** A piece of a Terraform template: text as it is meant, or what is between `${` and `}`, or a directive `%{…}`, or what has no end. */
export type TemplatePart =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "expression"; readonly code: string }
  | { readonly is: "directive"; readonly code: string }
  | { readonly is: "unclosed"; readonly code: string };

/** True for a text that may hold a template or an escape; most do not. */
export function mayBeTemplate(text: string): boolean {
  return text.includes("${") || text.includes("%{");
}

/** True for a text whose only templates are `$${`, which a document spells in the same way. */
export function isEscaped(text: string): boolean {
  for (let brace = text.indexOf("{"); brace >= 0; brace = text.indexOf("{", brace + 1)) {
    const signs = signsBefore(text, brace, 0);
    if (signs > 0 && (signs !== 2 || text[brace - 1] === "%")) return false;
  }
  return true;
}

/**
 * The pieces of a text as Terraform reads it, in one pass: `$${` is `${` and `%%{` is `%{`, a longer run of signs before a
 * brace loses one, `${"…"}` is its text. Neighbouring texts are one piece.
 */
export function scanTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let plain = "";
  let at = 0;
  // Most braces are those of a script, so the brace is looked for and not the sign before it.
  for (let brace = text.indexOf("{"); brace >= 0; brace = text.indexOf("{", Math.max(brace + 1, at))) {
    const signs = signsBefore(text, brace, at);
    if (signs === 0) continue;
    plain += text.slice(at, brace - signs);
    const { part, end } = signs > 1 ? escapeAt(text, brace, signs) : partAt(text, brace);
    at = end;
    if (part.is === "text") {
      plain += part.text;
      continue;
    }
    if (plain !== "") parts.push({ is: "text", text: plain });
    plain = "";
    parts.push(part);
  }
  plain += text.slice(at);
  if (plain !== "" || parts.length === 0) parts.push({ is: "text", text: plain });
  return parts;
}

/** The form of most references, which needs no scan. */
const plainReference = /^\$\{([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+)\}$/;

/** The code of a text that is one expression and nothing else; undefined for all else. */
export function wholeExpression(text: unknown): string | undefined {
  if (typeof text !== "string" || !text.startsWith("${")) return undefined;
  const plain = plainReference.exec(text)?.[1];
  if (plain !== undefined) return plain;
  const parts = scanTemplate(text);
  const [only] = parts;
  return parts.length === 1 && only?.is === "expression" ? only.code : undefined;
}

/** The number of equal signs, `$` or `%`, directly before a brace. */
function signsBefore(text: string, brace: number, from: number): number {
  const sign = text[brace - 1];
  if (sign !== "$" && sign !== "%") return 0;
  let first = brace;
  while (first > from && text[first - 1] === sign) first--;
  return brace - first;
}

interface Found {
  readonly part: TemplatePart;
  /** The place where the text continues. */
  readonly end: number;
}

function escapeAt(text: string, brace: number, signs: number): Found {
  const end = brace + 1;
  return { part: { is: "text", text: text.slice(end - signs, end) }, end };
}

function partAt(text: string, brace: number): Found {
  const close = endOfExpression(text, brace + 1);
  const code = text.slice(brace + 1, close).trim();
  const end = close + 1;
  if (close === text.length) return { part: { is: "unclosed", code }, end };
  if (text[brace - 1] === "%") return { part: { is: "directive", code }, end };
  const quoted = quotedText(code);
  return { part: quoted === undefined ? { is: "expression", code } : { is: "text", text: quoted }, end };
}

type Opener = "{" | '"';

/** The place of the brace that closes an expression which begins at `from`; the end of the text where none is. */
function endOfExpression(text: string, from: number): number {
  return endOf(text, from, "{");
}

/** The place of the sign that closes the one opened before `from`. Strings may hold expressions, and these strings again. */
function endOf(text: string, from: number, opener: Opener): number {
  const open: Opener[] = [opener];
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && open.at(-1) === '"') at++;
    else step(open, text, at);
    if (open.length === 0) return at;
  }
  return text.length;
}

/** One sign, which may open or close something. */
function step(open: Opener[], text: string, at: number): void {
  const sign = text[at];
  const isString = open.at(-1) === '"';
  if (sign === (isString ? '"' : "}")) open.pop();
  else if (isString && opensWithin(text, at)) open.push("{");
  else if (!isString && (sign === '"' || sign === "{")) open.push(sign);
}

/** True for the brace of something that is interpolated in a string. */
function opensWithin(text: string, at: number): boolean {
  const sign = text[at - 1];
  return text[at] === "{" && (sign === "$" || sign === "%") && text[at - 2] !== sign;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

/** The text of a quoted string without anything interpolated; undefined for all else. */
function quotedText(code: string): string | undefined {
  if (code.length < 2 || !code.startsWith('"') || endOf(code, 1, '"') !== code.length - 1) return undefined;
  const raw = code.slice(1, -1);
  if (/\\(?![nrt"\\]|u[0-9A-Fa-f]{4}|U00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})/.test(raw.replaceAll("\\\\", "")))
    return undefined;
  const parts = scanTemplate(raw);
  const [only] = parts;
  if (parts.length !== 1 || only?.is !== "text") return undefined;
  return only.text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gs, (_, short, long, sign: string) =>
    sign === undefined ? String.fromCodePoint(Number.parseInt(short ?? long, 16)) : (escapes[sign] ?? sign),
  );
}

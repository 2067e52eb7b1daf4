import { atFirstUse, groupBy } from "./group-by.ts";

/** The text that replaces a sensitive value. */
export const sensitiveText = "(sensitive)";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Shorter values are not looked for: they occur in too many other words. */
const shortest = 4;
/** From this many characters on, the beginning of a value gives it away. */
const telling = 8;
/** The beginning of the first and last line of a key. */
const frame = "-----";
/** Escapes that may lie in each other: URL-encoding of a JSON text in a JSON text. */
const depth = 3;

/**
 * Takes values out of texts, however they are spelled there: as they are or cut off at the end, with the escapes of JSON,
 * URLs and HTML, in hexadecimal, in base64, and as a part of a longer text that is encoded as a whole.
 */
export function redactor(values: Iterable<string>): Redact {
  return markingRedactor([...values].map((value) => [value, sensitiveText]));
}

/** Puts a mark in the place of each value, as {@link redactor} does; one pass for all, since the remains of one value could be guessed from a part of another. */
export function markingRedactor(values: Iterable<readonly [value: string, mark: string]>): Redact {
  const marks = new Map(values);
  const starts = atFirstUse(() => {
    const needles = [...marks].flatMap(([value, mark]) => hiddenParts(value).flatMap((part) => needlesOf(part, mark)));
    return groupBy(needles, ({ head }) => head.slice(0, shortest));
  });
  return (text) => {
    const byStart = starts();
    if (byStart.size === 0) return text;
    const ranges: Range[] = [];
    let view: ByteView | undefined = byteView(text);
    for (let level = 0; view !== undefined && level <= depth; level++) {
      ranges.push(...rangesIn(view, byStart));
      view = unescapedView(view);
    }
    return ranges.length === 0 ? text : withMarks(text, ranges);
  };
}

/** Where a value is in a text: from, and up to but not including. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly mark: string;
}

/** One spelling of one value, as bytes. */
interface Needle {
  /** The part of it that must be found. */
  readonly head: string;
  /** The text that is replaced, as much of it as is found. */
  readonly whole: string;
  /** An everyday word counts only where it is no part of another one. */
  readonly isWord: boolean;
  readonly mark: string;
}

/** The parts of a value that must not appear alone either: the lines of a key without their frame. */
function hiddenParts(value: string): readonly string[] {
  const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
  const own = lines.filter((line) => line.length >= telling && !line.startsWith(frame));
  return [...new Set([value, value.trim(), ...own])].filter(({ length }) => length >= shortest);
}

function needlesOf(value: string, mark: string): readonly Needle[] {
  // The least beginning that counts: more than what occurs in texts that have nothing to do with the value.
  const least = [...value].slice(0, Math.max(telling, commonLength(value) + 2)).join("");
  const isWord = value.length < telling && /^[A-Za-z]+$/.test(value);
  const spellings = [...plainly, ...(value.length < telling ? [] : withinOthers)];
  const needles = spellings.map((spell) => ({
    head: spell(least, true),
    whole: spell(value, false),
    isWord: isWord && spell(value, false) === value,
    mark,
  }));
  return needles.filter(({ head }) => head.length >= shortest);
}

/** Length of a beginning that other values share: the first word of `loadform-ci`, a host, a folder, a day. */
function commonLength(value: string): number {
  if (value.startsWith(frame) || /^\d+$/.test(value)) return value.length;
  const [address = "", scheme = "", host = ""] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)/i.exec(value) ?? [];
  if (address !== "") return host.includes("@") ? scheme.length + host.indexOf(":") + 1 : address.length;
  if (/^[.~]*\//.test(value)) return Math.floor((value.length * 3) / 4);
  const [shared = ""] = /^(?:\d{4}-\d\d-\d\dT\d\d|[A-Za-z]?[a-z]*)/.exec(value) ?? [];
  return shared.length;
}

/** A spelling of a value, or of its beginning: characters at the end that a continuation would change are omitted then. */
type Spell = (value: string, isBeginning: boolean) => string;

const asJson = (value: string) => JSON.stringify(value).slice(1, -1);
const hex = (value: string) =>
  [...utf8Bytes(value)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
const capitals = (value: string) => hex(value).toUpperCase();

/** Escapes are undone in the text; what remains is the value itself, `+` for blanks in forms, and what has no escapes. */
const plainly: readonly Spell[] = [
  utf8Bytes,
  (value) => utf8Bytes(value).replaceAll(" ", "+"),
  hex,
  capitals,
  ...base64Spellings(0),
];

/** The value as a part of something longer that was encoded as a whole, a JSON text for one. */
const withinOthers: readonly Spell[] = [
  (value) => hex(asJson(value)),
  (value) => capitals(asJson(value)),
  ...[1, 2].flatMap((lead) => base64Spellings(lead)),
  ...[0, 1, 2].flatMap((lead) =>
    base64Spellings(lead).map(
      (spell): Spell =>
        (value, isBeginning) =>
          spell(asJson(value), isBeginning),
    ),
  ),
];

/** Base64 in both alphabets of what starts so many bytes behind a group of three. */
function base64Spellings(lead: number): readonly Spell[] {
  const standard: Spell = (value, isBeginning) => {
    const bytes = "\0".repeat(lead) + utf8Bytes(value);
    const own = btoa(bytes).replace(/=+$/, "");
    return own.slice(lead === 0 ? 0 : lead + 1, isBeginning ? Math.floor((bytes.length * 8) / 6) : own.length);
  };
  return [standard, (value, of) => standard(value, of).replaceAll("+", "-").replaceAll("/", "_")];
}

/** Where the text of a view contains values: of those that begin at one place, the longest. */
function rangesIn({ bytes, from, to }: ByteView, byStart: ReadonlyMap<string, readonly Needle[]>): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at + shortest <= bytes.length; at++) {
    let longest = 0;
    let mark = "";
    for (const needle of byStart.get(bytes.slice(at, at + shortest)) ?? none) {
      const length = lengthAt(bytes, at, needle);
      if (length > longest) [longest, mark] = [length, needle.mark];
    }
    if (longest > 0) ranges.push({ from: from(at), to: to(at + longest - 1), mark });
  }
  return ranges;
}

const none: readonly Needle[] = [];

/** Length of a value's match at a place of the text; 0 when it does not begin there. */
function lengthAt(bytes: string, at: number, { head, whole, isWord }: Needle): number {
  if (!bytes.startsWith(head, at)) return 0;
  let length = head.length;
  while (length < whole.length && bytes[at + length] === whole[length]) length++;
  return isWord && (isLetter(bytes[at - 1]) || isLetter(bytes[at + length])) ? 0 : length;
}

function isLetter(byte: string | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9]/.test(byte);
}

function withMarks(text: string, ranges: readonly Range[]): string {
  const sorted = [...ranges].sort((left, right) => left.from - right.from || right.to - left.to);
  let [shown, done] = ["", 0];
  for (const { from, to, mark } of sorted) {
    if (from >= done) shown += text.slice(done, from) + mark;
    done = Math.max(done, to);
  }
  return shown + text.slice(done);
}

/** A text as UTF-8 bytes, one character each, every byte with the place in the text that it came from. */
interface ByteView {
  readonly bytes: string;
  /** Where the text of the byte at an index begins. */
  readonly from: (index: number) => number;
  readonly to: (index: number) => number;
}

/** A text's UTF-8 bytes, one character each. */
function utf8Bytes(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

function byteView(text: string): ByteView {
  const bytes = utf8Bytes(text);
  if (bytes.length === text.length) return { bytes, from: (index) => index, to: (index) => index + 1 };
  const [from, to]: [number[], number[]] = [[], []];
  let at = 0;
  for (const character of text) {
    for (let count = utf8Bytes(character).length; count > 0; count--) {
      from.push(at);
      to.push(at + character.length);
    }
    at += character.length;
  }
  return { bytes, from: (index) => from[index] ?? 0, to: (index) => to[index] ?? text.length };
}

/** The escapes of JSON, URLs and HTML; the units of one character are together. */
const escapes = /%[0-9a-f]{2}|(?:\\u[0-9a-f]{4})+|\\["\\/bfnrt]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6}\d{0,2});/gi;

/** The view with one layer of escapes undone; undefined when there is none. */
function unescapedView(view: ByteView): ByteView | undefined {
  let [bytes, done] = ["", 0];
  const [from, to]: [number[], number[]] = [[], []];
  const copy = (end: number) => {
    for (let index = done; index < end; index++) {
      from.push(view.from(index));
      to.push(view.to(index));
    }
    bytes += view.bytes.slice(done, end);
  };
  for (const { 0: found, index } of view.bytes.matchAll(escapes)) {
    const plain = unescaped(found);
    if (plain === undefined) continue;
    copy(index);
    done = index + found.length;
    for (let count = plain.length; count > 0; count--) {
      from.push(view.from(index));
      to.push(view.to(done - 1));
    }
    bytes += plain;
  }
  if (done === 0) return undefined;
  copy(view.bytes.length);
  return { bytes, from: (index) => from[index] ?? 0, to: (index) => to[index] ?? 0 };
}

function unescaped(found: string): string | undefined {
  if (found.startsWith("%")) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (found.startsWith("\\")) return utf8Bytes(JSON.parse(`"${found.toLowerCase()}"`) as string);
  const point = codePoint(found.slice(1, -1));
  return point === undefined || point > 0x10ffff ? undefined : utf8Bytes(String.fromCodePoint(point));
}

function codePoint(entity: string): number | undefined {
  if (/^#x/i.test(entity)) return Number.parseInt(entity.slice(2), 16);
  if (entity.startsWith("#")) return Number(entity.slice(1));
  return entities.get(entity) ?? entities.get(entity.toLowerCase());
}

/** HTML's names: of what it has to escape, and of the characters from U+00A0 on. */
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const entities: ReadonlyMap<string, number> = new Map([
  ...latin.split(" ").map((name, index) => [name, 0xa0 + index] as const),
  ...Object.entries({ amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, sol: 47, grave: 96, equals: 61, colon: 58 }),
]);

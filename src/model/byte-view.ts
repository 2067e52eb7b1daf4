/** A text as UTF-8 bytes, one character each, every byte with the place in the text that it came from. */
export interface ByteView {
  readonly bytes: string;
  /** Where the text of the byte at an index begins. */
  readonly from: (index: number) => number;
  /** Where it ends. */
  readonly to: (index: number) => number;
}

/** A text's UTF-8 bytes, one character each. */
export function utf8Bytes(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** The bytes of a text as it stands. */
export function byteView(text: string): ByteView {
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

/** What JSON, URLs and HTML escape; what belongs to one character of several units stands together. */
const escapes = /%[0-9a-f]{2}|(?:\\u[0-9a-f]{4})+|\\["\\/bfnrt]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6}\d{0,2});/gi;

/** The view with one layer of escapes undone; undefined when there is none. */
export function unescapedView(view: ByteView): ByteView | undefined {
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

/** The bytes that an escape stands for. */
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

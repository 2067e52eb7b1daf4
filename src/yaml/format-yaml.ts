import {
  type CollectionTag,
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  Scalar,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLMap,
} from "yaml";
import { sameJson } from "../model/json.ts";
import { isMergeKey, parseYaml, withoutMark } from "./parse-yaml.ts";
import { bindComments, raiseComments, reattachTokens, takeEnd } from "./reattach-comments.ts";
import { keyName } from "./yaml-places.ts";

/**
 * The canonical form of a project file: keys in their order, two blanks of indentation,
 * quotes only where they are needed, comments kept. It says the same as the text; undefined when there is no such form.
 */
export function formatYaml(text: string, order: KeyOrder): string | undefined {
  let last = text;
  // A comment behind the dash of a list in a list moves one level at a time, and blank lines behind one take several steps.
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = formattedOnce(last, order) ?? (pass === 0 ? undefined : last);
    if (next === undefined || next === last) return next;
    last = next;
  }
  return last;
}

const mostPasses = 8;

function formattedOnce(text: string, order: KeyOrder): string | undefined {
  const source = withoutMark(text).replace(/\r\n/g, "\n");
  for (const skipAnchored of [false, true]) {
    const formatted = rewritten(source, order, { skipAnchored });
    if (formatted !== undefined && saysTheSame(source, formatted)) return formatted;
  }
  return undefined;
}

function rewritten(source: string, order: KeyOrder, options: OrderOptions): string | undefined {
  const document = compose(source);
  if (document === undefined || document.errors.length > 0) return undefined;
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) return source;
  straightenKeys(document, source);
  bindComments(document, source);
  openWideFlow(document);
  orderKeys(document.contents, order, options);
  raiseComments(document);
  closeHeads(document);
  return printed(document);
}

/** The text of a document; undefined when the order puts an alias before its anchor. */
function printed(document: Document): string | undefined {
  const end = takeEnd(document);
  try {
    const body = document.toString({ lineWidth: 0, indent: 2, indentSeq: true, doubleQuotedAsJSON: true });
    return end === "" ? body : `${body}\n${end}\n`;
  } catch (thrown) {
    if (thrown instanceof ReferenceError || /alias/i.test(String(thrown))) return undefined;
    throw thrown;
  }
}

function compose(source: string): Document | undefined {
  const tokens = [...new Parser().parse(source)];
  reattachTokens(tokens);
  const rules = { version: "1.2", uniqueKeys: false, prettyErrors: false, customTags: canonicalTags(source) } as const;
  const [document, ...more] = new Composer(rules).compose(tokens, true, source.length);
  return more.length === 0 ? document : undefined;
}

/** The longest list or mapping on one line. */
const longest = 100;

/** Writes lists and mappings out that are too long for one line, or that have comments in them. */
function openWideFlow(document: Document): void {
  visit(document, {
    Collection(_, node) {
      if (node.flow && node.items.length > 0 && lengthOf(node) > longest) node.flow = false;
      return undefined;
    },
  });
}

/** Length of a value on one line without its quotes; infinite when a comment makes it several. */
function lengthOf(node: Node | null): number {
  if (isAlias(node)) return node.source.length + 1;
  if (isScalar(node)) return String(node.source ?? node.value).length;
  if (!isMap(node) && !isSeq(node)) return 0;
  const items = node.items as readonly (Node | Pair | null)[];
  const lengths = items.map((item) =>
    isPair(item) ? within(item.key as Node | null) + within(item.value as Node | null) + 2 : within(item),
  );
  return lengths.reduce((sum, length) => sum + length + 2, 2);
}

function within(node: Node | null): number {
  return node?.comment || node?.commentBefore ? Number.POSITIVE_INFINITY : lengthOf(node);
}

/** Keys are written on one line, whatever they were. */
function straightenKeys(document: Document, source: string): void {
  visit(document, {
    Pair(_, pair) {
      const { key } = pair;
      if (!isScalar(key) || !key.range || !source.slice(key.range[0], key.range[1]).includes("\n")) return;
      const { value, comment, commentBefore, spaceBefore, anchor } = key;
      pair.key = Object.assign(new Scalar(value), { type: Scalar.PLAIN, comment, commentBefore, spaceBefore, anchor });
    },
  });
}

/** A key and its value below have no blank line between them. */
function closeHeads(document: Document): void {
  visit(document, {
    Collection(_, node) {
      const [head] = node.items as readonly (Node | Pair | null)[];
      const first = isPair(head) ? head.key : head;
      if (isNode(first)) first.spaceBefore = false;
    },
    Pair(_, { value }) {
      if (isNode(value)) value.spaceBefore = false;
    },
  });
}

/** The same values, the same problems, the same comments: what formatting must not change. */
function saysTheSame(before: string, after: string): boolean {
  const [old, made] = [parseYaml(before, ""), parseYaml(after, "")];
  if (old.value === undefined || made.value === undefined) return false;
  const isSame = sameJson(old.value, made.value) && old.diagnostics.length === made.diagnostics.length;
  return isSame && commentsIn(before).join("\n") === commentsIn(after).join("\n");
}

function commentsIn(text: string): readonly string[] {
  const comments: string[] = [];
  let isContent = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isContent && CST.tokenType(lexeme) === "comment") comments.push(lexeme.trim());
    isContent = lexeme === CST.SCALAR;
  }
  return comments.sort();
}

/** Characters that are invisible outside of quotes, or that do not survive there. */
const special = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\S ]/u;

/** Words that readers of YAML 1.1 take for something else than text. */
const misread =
  /^(?:y|yes|n|no|on|off)$|^[-+]?(?:0[0-7_]+|0b[01_]+|[\d][\d_]*|[\d_]+(?::[0-5]?\d)+(?:\.[\d_]*)?)$|^\d{4}-\d\d?-\d\d?/i;

/**
 * The tags of the core schema with our own way of writing: numbers and the like as in `text`, quotes only
 * where a reader needs them, the line ends of long texts where their writer put them.
 */
function canonicalTags(text: string): (tags: Tags) => Tags {
  return (tags) =>
    tags.map((tag) => {
      if (typeof tag === "string") return tag;
      if (tag.collection !== undefined) return padded(tag);
      return tag.tag === "tag:yaml.org,2002:str" ? { ...tag, stringify: writeText(tag, text) } : writtenAsIs(tag);
    });
}

/** `{ a: 1 }`, but `[a, b]`. The library asks every tag for its `stringify`, and types it for scalars only. */
function padded(tag: CollectionTag): CollectionTag {
  const flowCollectionPadding = tag.collection === "map" ? " " : "";
  const print = (node: YAMLMap, ctx: Parameters<YAMLMap["toString"]>[0], ...rest: (() => void)[]) =>
    node.toString(Object.assign({}, ctx, { flowCollectionPadding }), ...rest);
  return Object.assign({}, tag, { stringify: print }) as unknown as CollectionTag;
}

type Write = NonNullable<ScalarTag["stringify"]>;

function writtenAsIs(tag: ScalarTag): ScalarTag {
  const write: Write = (node, ctx, ...rest) => node.source ?? tag.stringify?.(node, ctx, ...rest) ?? String(node.value);
  return { ...tag, stringify: write };
}

function writeText(tag: ScalarTag, text: string): Write {
  return (node, ctx, ...rest) => {
    const written = node.range ? text.slice(node.range[0], node.range[1]) : undefined;
    const standard = (as: Scalar = node) => tag.stringify?.(as, ctx, ...rest) ?? "";
    if (written === undefined) return standard();
    if (isEmptyBlock(node)) return '""';
    if (node.type === Scalar.BLOCK_FOLDED) return folded(written, ctx.indent) ?? standard();
    if (node.type === Scalar.BLOCK_LITERAL) return standard();
    const isQuoted = node.type !== Scalar.PLAIN;
    if (isQuoted && mayStandPlain(node, written))
      return standard(Object.assign(new Scalar(node.value), { type: Scalar.PLAIN }));
    const lines = written.split(/\r?\n/);
    // Other blanks than these are a part of the text.
    return lines.map((line) => line.replace(/^[ \t]+|[ \t]+$/g, "")).join(`\n${ctx.indent}`);
  };
}

/** `|` or `>` without a line below: no block is written for it, which would have no place for a comment either. */
function isEmptyBlock({ type, value }: Scalar): boolean {
  return value === "" && (type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL);
}

/** A quoted text on one line that says the same without its quotes; the library keeps them where YAML needs them. */
function mayStandPlain({ value }: Scalar, written: string): boolean {
  if (typeof value !== "string" || value === "<<") return false;
  return !written.includes("\n") && !special.test(value) && !misread.test(value);
}

/** A folded text with its own line ends; undefined when its head says how deep it is indented. */
function folded(written: string, indent: string): string | undefined {
  const [head = "", ...lines] = written.replace(/(?:\r?\n[ \t]*)+$/, "").split(/\r?\n/);
  if (!/^>-?$/.test(head) || lines.length === 0) return undefined;
  const depth = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/[^ ]/)));
  return [head, ...lines.map((line) => (line.trim() === "" ? "" : indent + line.slice(depth)))].join("\n");
}

/** The order of the keys of a mapping, or of each mapping of a list, and of those below it. */
export interface KeyOrder {
  /** Others follow as they are; without any the mapping remains as it is. */
  readonly keys?: readonly string[];
  readonly below: (key: string) => KeyOrder | undefined;
}

/** Mappings with an anchor or alias in them may remain as they are: an anchor is written before what repeats it. */
type OrderOptions = Readonly<{ skipAnchored: boolean }>;

function orderKeys(node: Node | null, order: KeyOrder | undefined, options: OrderOptions): void {
  if (isSeq(node)) for (const item of node.items) orderKeys(item as Node | null, order, options);
  if (!isMap(node)) return;
  if (order?.keys && !(options.skipAnchored && isAnchored(node))) orderMap(node, order.keys);
  for (const pair of node.items) orderKeys(pair.value as Node | null, order?.below(keyName(pair)), options);
}

function isAnchored(node: YAMLMap): boolean {
  let isFound = false;
  visit(node, (_, each) => {
    isFound ||= isAlias(each) || ((isMap(each) || isSeq(each) || isScalar(each)) && each.anchor !== undefined);
    return isFound ? visit.BREAK : undefined;
  });
  return isFound;
}

function orderMap(map: YAMLMap, keys: readonly string[]): void {
  const rank = (pair: Pair): number => {
    const at = keys.indexOf(keyName(pair));
    return isMergeKey(pair) ? -1 : at < 0 ? keys.length : at;
  };
  const ordered = [...map.items].sort((left, right) => rank(left) - rank(right));
  if (ordered.every((pair, index) => pair === map.items[index])) return;
  const [head] = ordered;
  if (isScalar(head?.key)) head.key.spaceBefore = false;
  map.items = ordered;
}

import type { Document, Node, Pair } from "yaml";
import { Composer, CST, isNode, isPair, isScalar, Lexer, Parser, Scalar, visit } from "yaml";
import type { Field } from "../model/field.ts";
import { sameJson } from "../model/json.ts";
import { parseYaml, withoutMark } from "./parse-yaml.ts";
import { moveComments, raiseComments, takeEnd } from "./place-comments.ts";
import { canonicalTags } from "./scalar-text.ts";
import { settleComments } from "./settle-comments.ts";
import type { SortOptions } from "./sort-keys.ts";
import { sortKeys } from "./sort-keys.ts";
import { openWideFlow } from "./wide-flow.ts";

/**
 * The canonical form of a project file: keys in the order in which `shape` declares them, two blanks of indentation,
 * quotes only where they are needed, comments kept. It says the same as the text; undefined when that cannot be had.
 */
export function formatYaml(text: string, shape: Field): string | undefined {
  const once = formattedOnce(text, shape);
  // A comment behind the dash of a list in a list settles one level at a time.
  return once === undefined || once === text ? once : (formattedOnce(once, shape) ?? once);
}

function formattedOnce(text: string, shape: Field): string | undefined {
  const source = withoutMark(text).replace(/\r\n/g, "\n");
  for (const skipAnchored of [false, true]) {
    const formatted = written(source, shape, { skipAnchored });
    if (formatted !== undefined && saysTheSame(source, formatted)) return formatted;
  }
  return undefined;
}

function written(source: string, shape: Field, options: SortOptions): string | undefined {
  const document = compose(source);
  if (document === undefined || document.errors.length > 0) return undefined;
  straightenKeys(document, source);
  moveComments(document, source);
  openWideFlow(document);
  sortKeys(document.contents, shape, options);
  raiseComments(document);
  closeHeads(document);
  return printed(document);
}

/** The text of a document; undefined when sorting has put an alias before its anchor. */
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
  settleComments(tokens);
  const options = {
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
    customTags: canonicalTags(source),
  } as const;
  const [document, ...more] = new Composer(options).compose(tokens, true, source.length);
  return more.length === 0 ? document : undefined;
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

/** No blank line stands between a key and what is below it. */
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

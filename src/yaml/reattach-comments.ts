import {
  type CST,
  type Document,
  isCollection,
  isMap,
  isScalar,
  type Node,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

type BlockToken = CST.BlockMap | CST.BlockSequence;
type BlockItem = BlockToken["items"][number];

/**
 * Gives comments to what follows them. The parser keeps all comments after a nested mapping together with it, also those
 * that are indented less and so belong to what follows.
 */
export function reattachTokens(tokens: readonly CST.Token[]): void {
  for (const token of tokens) {
    if (token.type !== "document" || !isBlock(token.value)) continue;
    const tail = reattachWithin(token.value);
    if (tail.length > 0) token.end = [...tail, ...(token.end ?? [])];
  }
}

/** Reattaches the comments within a collection and answers those that belong behind it. */
function reattachWithin(collection: BlockToken): CST.SourceToken[] {
  const items: BlockItem[] = collection.items;
  for (let index = 0; index < items.length; index++) {
    const value = items[index]?.value;
    const tail = isBlock(value) ? reattachWithin(value) : [];
    if (tail.length === 0) continue;
    const next = items[index + 1];
    if (next) next.start.unshift(...tail);
    else items.push({ start: tail });
  }
  return takeTail(collection);
}

/** Takes off, from the comments at a collection's end, those that are indented less than it. */
function takeTail({ items, indent }: BlockToken): CST.SourceToken[] {
  const last = items.at(-1);
  if (last === undefined || last.key || last.sep || last.value || last.start.some(({ type }) => indicators.has(type)))
    return [];
  const first = last.start.findIndex((token) => token.type === "comment" && token.indent < indent);
  if (first < 0) return [];
  const before = last.start.slice(0, first).findLastIndex(({ type }) => type === "comment");
  const tail = last.start.splice(before < 0 ? 0 : before + 2);
  if (last.start.length === 0) items.pop();
  return tail;
}

const indicators: ReadonlySet<string> = new Set(["seq-item-ind", "explicit-key-ind", "anchor", "tag"]);

function isBlock(token: CST.Token | undefined | null): token is BlockToken {
  return token?.type === "block-map" || token?.type === "block-seq";
}

/** Puts comments where they move with what they are about, and the line for editors where it does not. */
export function bindComments(document: Document, source: string): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isCollection(value) || value.flow) return;
      bindToKey(key, value, source);
      const head = isMap(value) ? value.items[0]?.key : undefined;
      if (!isScalar(head) || !value.commentBefore) return;
      head.commentBefore = [value.commentBefore, head.commentBefore].filter(Boolean).join("\n");
      value.commentBefore = null;
    },
  });
  if (isMap(document.contents)) keepModeline(document.contents);
}

/** A comment beside a key belongs to the key, not to the first line below. */
function bindToKey(key: Node, value: YAMLMap | YAMLSeq, source: string): void {
  const line = source.slice(key.range?.[1] ?? 0).split("\n", 1)[0] ?? "";
  if (!value.commentBefore || !/^\s*:\s+#/.test(line)) return;
  const [beside, ...rest] = value.commentBefore.split("\n");
  key.comment = beside ?? "";
  value.commentBefore = rest.length > 0 ? rest.join("\n") : null;
}

const modeline = /^ yaml-language-server:/;

function keepModeline(root: YAMLMap): void {
  const head = root.items[0]?.key;
  if (!isScalar(head) || !head.commentBefore) return;
  const lines = head.commentBefore.split("\n");
  const count = lines.findLastIndex((line) => modeline.test(line)) + 1;
  root.commentBefore = count > 0 ? lines.slice(0, count).join("\n") : null;
  head.commentBefore = count < lines.length ? lines.slice(count).join("\n") : null;
}

/** A comment above the first key of a list's item is written above its dash. */
export function raiseComments(document: Document): void {
  visit(document, {
    Seq(_, { items }) {
      for (const item of items) {
        const head = isMap(item) && !item.flow ? item.items[0]?.key : undefined;
        if (!isMap(item) || !isScalar(head) || !head.commentBefore) continue;
        item.commentBefore = [item.commentBefore, head.commentBefore].filter(Boolean).join("\n");
        head.commentBefore = null;
      }
    },
  });
}

/** Takes the comment at the end of a document off it, as lines: it is set apart, whatever it was below. */
export function takeEnd(document: Document): string {
  const { contents, comment } = document;
  const parts = [isCollection(contents) ? contents.comment : null, comment];
  document.comment = null;
  if (isCollection(contents)) contents.comment = null;
  const text = parts.filter((part) => typeof part === "string").join("\n");
  return text.replace(/^\n+|\n+$/g, "").replace(/^(?=.)/gm, "#");
}

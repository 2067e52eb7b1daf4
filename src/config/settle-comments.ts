import type { CST } from "yaml";

type Collection = CST.BlockMap | CST.BlockSequence;
type Item = Collection["items"][number];

/**
 * Gives comments back to what they stand above. The parser keeps all comments after a nested mapping together with it,
 * also those that are indented less and so belong to what comes next.
 */
export function settleComments(tokens: readonly CST.Token[]): void {
  for (const token of tokens) if (token.type === "document" && isCollection(token.value)) settleDocument(token);
}

function settleDocument(document: CST.Document): void {
  const tail = isCollection(document.value) ? settleWithin(document.value) : [];
  if (tail.length > 0) document.end = [...tail, ...(document.end ?? [])];
}

/** Settles what lies within a collection and answers what belongs behind it. */
function settleWithin(collection: Collection): CST.SourceToken[] {
  const items: Item[] = collection.items;
  for (let index = 0; index < items.length; index++) {
    const value = items[index]?.value;
    const tail = isCollection(value) ? settleWithin(value) : [];
    if (tail.length === 0) continue;
    const next = items[index + 1];
    if (next) next.start.unshift(...tail);
    else items.push({ start: tail });
  }
  return takeTail(collection);
}

/** Takes off, from the comments at a collection's end, those that are indented less than it. */
function takeTail({ items, indent }: Collection): CST.SourceToken[] {
  const last = items.at(-1);
  if (last === undefined || last.key || last.sep || last.value || last.start.some(isIndicator)) return [];
  const first = last.start.findIndex(({ type, indent: own }) => type === "comment" && own < indent);
  if (first < 0) return [];
  const before = last.start.slice(0, first).findLastIndex(({ type }) => type === "comment");
  const tail = last.start.splice(before < 0 ? 0 : before + 2);
  if (last.start.length === 0) items.pop();
  return tail;
}

function isIndicator({ type }: CST.SourceToken): boolean {
  return type === "seq-item-ind" || type === "explicit-key-ind" || type === "anchor" || type === "tag";
}

function isCollection(token: CST.Token | undefined | null): token is Collection {
  return token?.type === "block-map" || token?.type === "block-seq";
}

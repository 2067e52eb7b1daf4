import type { Document, Node, YAMLMap, YAMLSeq } from "yaml";
import { isCollection, isMap, isScalar, visit } from "yaml";

/** Puts comments where they move with what they are about, and the line for editors where it does not. */
export function moveComments(document: Document, source: string): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isCollection(value) || value.flow) return;
      ownComment(key, value, source);
      const head = isMap(value) ? value.items[0]?.key : undefined;
      if (!isScalar(head) || !value.commentBefore) return;
      head.commentBefore = [value.commentBefore, head.commentBefore].filter(Boolean).join("\n");
      value.commentBefore = null;
    },
  });
  if (isMap(document.contents)) keepModeline(document.contents);
}

/** A comment beside a key belongs to the key, not to the first line below. */
function ownComment(key: Node, value: YAMLMap | YAMLSeq, source: string): void {
  const line = source.slice(key.range?.[1] ?? 0).split("\n", 1)[0] ?? "";
  if (!value.commentBefore || !/^\s*:\s+#/.test(line)) return;
  const [own, ...rest] = value.commentBefore.split("\n");
  key.comment = own ?? "";
  value.commentBefore = rest.length > 0 ? rest.join("\n") : null;
}

/** A comment above the first key of a list's item stands above its dash. */
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

const modeline = /^ yaml-language-server:/;

function keepModeline(root: YAMLMap): void {
  const head = root.items[0]?.key;
  if (!isScalar(head) || !head.commentBefore) return;
  const lines = head.commentBefore.split("\n");
  const count = lines.findLastIndex((line) => modeline.test(line)) + 1;
  root.commentBefore = count > 0 ? lines.slice(0, count).join("\n") : null;
  head.commentBefore = count < lines.length ? lines.slice(count).join("\n") : null;
}

/** Takes the comment at the end of a document off it, as lines: whatever it stood below, it is set apart. */
export function takeEnd(document: Document): string {
  const { contents, comment } = document;
  const parts = [isCollection(contents) ? contents.comment : null, comment];
  document.comment = null;
  if (isCollection(contents)) contents.comment = null;
  const text = parts.filter((part) => typeof part === "string").join("\n");
  return text.replace(/^\n+|\n+$/g, "").replace(/^(?=.)/gm, "#");
}

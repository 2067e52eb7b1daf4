import { createRequire } from "node:module";

/** One node of what a Markdown text is to a reader of Markdown. */
export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly lang?: string | null;
  readonly children?: readonly MarkdownNode[];
}

interface Prettier {
  readonly __debug: {
    readonly parse: (text: string, options: { parser: "markdown" }) => Promise<{ ast: MarkdownNode }>;
  };
}

/** Parses Markdown with the parser (remark's) that comes with the YAML language server. */
export async function parseMarkdown(text: string): Promise<MarkdownNode> {
  const require = createRequire(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));
  const { __debug } = require("prettier") as Prettier;
  return (await __debug.parse(text, { parser: "markdown" })).ast;
}

/** The nodes of a type, at any depth. */
export function nodesOf(node: MarkdownNode, type: string): readonly MarkdownNode[] {
  const below = (node.children ?? []).flatMap((child) => nodesOf(child, type));
  return node.type === type ? [node, ...below] : below;
}

/** All words of a node, code included. */
export function wordsOf(node: MarkdownNode): string {
  return `${node.type === "html" ? "" : (node.value ?? "")}${(node.children ?? []).map(wordsOf).join("")}`;
}

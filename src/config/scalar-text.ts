import type { CollectionTag, ScalarTag, Tags, YAMLMap } from "yaml";
import { Scalar } from "yaml";

/** Characters that nobody could see outside of quotes, or that do not survive there. */
const special = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\S ]/u;

/** Words that readers of YAML 1.1 take for something else than text. */
const misread =
  /^(?:y|yes|n|no|on|off)$|^[-+]?(?:0[0-7_]+|0b[01_]+|[\d][\d_]*|[\d_]+(?::[0-5]?\d)+(?:\.[\d_]*)?)$|^\d{4}-\d\d?-\d\d?/i;

/**
 * The tags of the core schema with our own way of writing: numbers and the like as they stand in `text`, quotes only
 * where a reader needs them, the line ends of long texts where their writer put them.
 */
export function canonicalTags(text: string): (tags: Tags) => Tags {
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
    const written = sourceOf(node, text);
    const standard = (as: Scalar = node) => tag.stringify?.(as, ctx, ...rest) ?? "";
    if (written === undefined) return standard();
    if (node.type === Scalar.BLOCK_FOLDED) return folded(written, ctx.indent) ?? standard();
    if (node.type === Scalar.BLOCK_LITERAL) return standard();
    const isQuoted = node.type !== Scalar.PLAIN;
    if (isQuoted && mayStandPlain(node, written)) return standard(plain(node.value));
    const lines = written.split(/\r?\n/);
    // Other blanks than these are a part of the text.
    return lines.map((line) => line.replace(/^[ \t]+|[ \t]+$/g, "")).join(`\n${ctx.indent}`);
  };
}

function plain(value: unknown): Scalar {
  const scalar = new Scalar(value);
  scalar.type = Scalar.PLAIN;
  return scalar;
}

function sourceOf(node: Scalar, text: string): string | undefined {
  const { range } = node;
  return range ? text.slice(range[0], range[1]) : undefined;
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

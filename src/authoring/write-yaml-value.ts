import { posix } from "node:path";
import { Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { AnyKind } from "../model/kind.ts";
import type { Written } from "../model/written.ts";
import { inOurStyle, MadePair, textNode } from "../yaml/render-yaml.ts";
import type { FieldWrite } from "../yaml/yaml-editor.ts";
import { commentText, escapeText, referenceText } from "./write-text.ts";

/** Where a value is written. */
export interface YamlContext {
  readonly file: string;
  readonly kinds: readonly AnyKind[];
  /** Address of the object that it belongs to. */
  readonly address: string;
}

/** The longest list or mapping inside an object that is written on one line. */
const longest = 90;

/** The node of a value; one on a single line can carry a note at its end. */
export function yamlValue(value: Written, context: YamlContext, note?: string): Scalar | YAMLMap | YAMLSeq {
  const node = yamlNode(value, context);
  if (note !== undefined && (node instanceof Scalar || node.flow)) node.comment = ` ${commentText(note)}`;
  return node;
}

function yamlNode(value: Written, context: YamlContext): Scalar | YAMLMap | YAMLSeq {
  if (value.is === "list") return yamlList(value, context);
  return value.is === "map" ? yamlMap(value, context) : yamlScalar(value, context);
}

function yamlList(value: Written & { readonly is: "list" }, context: YamlContext): YAMLSeq {
  const list = inOurStyle(new YAMLSeq());
  for (const item of value.items) list.add(yamlValue(item, context));
  list.flow = value.items.every(isScalar) && inlineLength(value, context) <= longest;
  return list;
}

function yamlMap(value: Written & { readonly is: "map" }, context: YamlContext): YAMLMap {
  const map = new YAMLMap();
  for (const { name, value: member, note } of value.members)
    map.items.push(new MadePair(textNode(name), yamlValue(member, context, note)));
  map.flow = value.members.every((member) => isScalar(member.value)) && inlineLength(value, context) <= longest;
  return map;
}

function isScalar({ is }: Written): boolean {
  return is !== "list" && is !== "map";
}

function yamlScalar(value: Written, context: YamlContext): Scalar {
  const plain = scalarOf(value, context);
  return typeof plain === "string" ? textNode(plain) : new Scalar(plain);
}

function scalarOf(value: Written, { file, address, kinds }: YamlContext): string | number | boolean | null {
  switch (value.is) {
    case "plain":
      return typeof value.value === "string" ? escapeText(value.value) : value.value;
    case "file":
      return `\${file:${posix.relative(posix.dirname(file), value.path)}}`;
    case "environment":
      return `\${env:${value.name}}`;
    case "reference":
      return referenceText(address, value.address, kinds);
    default:
      return null;
  }
}

/** Length of a value on one line; infinite where it needs several. */
export function inlineLength(value: Written, context: YamlContext): number {
  if (value.is === "list") return value.items.reduce((sum, item) => sum + inlineLength(item, context) + 2, 2);
  if (value.is === "map") {
    const isNoted = value.members.some(({ note }) => note !== undefined);
    const lengths = value.members.map((member) => member.name.length + inlineLength(member.value, context) + 4);
    return isNoted ? Number.POSITIVE_INFINITY : lengths.reduce((sum, length) => sum + length, 4);
  }
  const text = String(scalarOf(value, context));
  return text.includes("\n") ? Number.POSITIVE_INFINITY : text.length;
}

/** A write of one field, its values as the editor of YAML texts takes them. */
export function yamlFieldWrite(
  { old, next, ...write }: Omit<FieldWrite, "old" | "next"> & { readonly old?: Written; readonly next?: Written },
  context: YamlContext,
): FieldWrite {
  return { ...write, ...(old && { old: yamlValue(old, context) }), ...(next && { next: yamlValue(next, context) }) };
}

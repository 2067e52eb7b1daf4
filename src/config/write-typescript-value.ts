import type { AnyKind } from "../model/kind.ts";
import type { Written, WrittenMember } from "../model/written.ts";
import { commentText, escapeText, referenceText } from "./write-text.ts";

/** Words for objects by address. */
export type Names = ReadonlyMap<string, string>;

/** Where a value of a program is written. */
export interface ProgramPlace {
  readonly address: string;
  readonly kinds: readonly AnyKind[];
  readonly names: Names;
  readonly made: ReadonlySet<string>;
}

/** Members of an object literal, a line each. */
export function typescriptMembers(members: readonly WrittenMember[], place: ProgramPlace, depth: number): string {
  const indent = "  ".repeat(depth);
  return members
    .map(({ name, value, note }) => {
      const comment = note === undefined ? "" : ` // ${commentText(note)}`;
      return `${indent}${memberName(name)}: ${typescriptValue(value, place, depth)},${comment}\n`;
    })
    .join("");
}

function typescriptValue(value: Written, place: ProgramPlace, depth: number): string {
  switch (value.is) {
    case "plain":
      return JSON.stringify(typeof value.value === "string" ? escapeText(value.value) : value.value);
    case "file":
      return `file(${JSON.stringify(value.path)})`;
    case "environment":
      return `env(${JSON.stringify(value.name)})`;
    case "reference":
      return reference(value.address, place);
    case "list":
      return typescriptList(value.items, place, depth);
    case "map":
      return typescriptMap(value.members, place, depth);
  }
}

/** What is made further down the program is referred to by its keys. */
function reference(address: string, { names, made, address: from, kinds }: ProgramPlace): string {
  const name = made.has(address) ? names.get(address) : undefined;
  return name ?? JSON.stringify(referenceText(from, address, kinds));
}

/** The longest list or mapping that is written on one line. */
const longest = 90;

function typescriptList(items: readonly Written[], place: ProgramPlace, depth: number): string {
  const inline = `[${items.map((item) => typescriptValue(item, place, depth)).join(", ")}]`;
  if (isShort(inline)) return inline;
  const indent = "  ".repeat(depth + 1);
  const lines = items.map((item) => `${indent}${typescriptValue(item, place, depth + 1)},\n`);
  return `[\n${lines.join("")}${"  ".repeat(depth)}]`;
}

function typescriptMap(members: readonly WrittenMember[], place: ProgramPlace, depth: number): string {
  if (members.length === 0) return "{}";
  const parts = members.map(({ name, value }) => `${memberName(name)}: ${typescriptValue(value, place, depth)}`);
  const inline = `{ ${parts.join(", ")} }`;
  if (isShort(inline) && members.every(({ note }) => note === undefined)) return inline;
  return `{\n${typescriptMembers(members, place, depth + 1)}${"  ".repeat(depth)}}`;
}

function isShort(text: string): boolean {
  return text.length <= longest && !text.includes("\n");
}

/** A name as a member of an object literal; the one that would set a prototype is computed. */
export function memberName(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

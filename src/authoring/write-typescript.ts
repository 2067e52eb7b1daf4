import { firstFree, parseAddress } from "../model/address.ts";
import { byText, isObject, type Json, type JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Written, WrittenMember, WrittenObject } from "../model/written.ts";
import { commentText, escapeText, referenceText } from "./write-text.ts";

type WordsByAddress = ReadonlyMap<string, string>;

/** A project as a program, `loadform.config.ts`: its App is created with the settings as users write them. */
export function writeTypeScript(
  objects: readonly WrittenObject[],
  { kinds, settings }: { readonly kinds: readonly AnyKind[]; readonly settings: JsonObject },
): string {
  const { statements: body, imports } = typescriptStatements(objects, kinds);
  return [
    importLine(["App", ...imports]),
    "",
    `const app = new App(${literal(settings)});`,
    "",
    ...body.map((statement) => `${statement}\n`),
    "export default app;",
    "",
  ].join("\n");
}

/**
 * The statements that create more objects in a present program, and the names that they import; `known` names the objects that
 * the program declares already, by address.
 */
export function typescriptStatements(
  objects: readonly WrittenObject[],
  kinds: readonly AnyKind[],
  known: WordsByAddress = new Map(),
): { readonly statements: readonly string[]; readonly imports: readonly string[] } {
  const used = new Set(objects.flatMap(usedBy));
  const body = statements(objects, { names: nameObjects(objects, known), kinds, made: new Set(known.keys()), used });
  const functions = ["env", "file"].filter((name) => new RegExp(`: ${name}\\("`).test(body.join("\n")));
  return { statements: body, imports: [...classesOf(objects), ...functions] };
}

/** The line that takes names from the package. */
export function importLine(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort((left, right) => byText(left.toLowerCase(), right.toLowerCase()));
  return `import { ${sorted.join(", ")} } from "loadform";`;
}

interface Program {
  readonly names: WordsByAddress;
  readonly kinds: readonly AnyKind[];
  /** Addresses of the objects created so far: later ones are referred to by their keys. */
  readonly made: Set<string>;
  /** Addresses that something else names. */
  readonly used: ReadonlySet<string>;
}

function usedBy(object: WrittenObject): readonly string[] {
  const referred = object.members.flatMap(({ value }) => referredIn(value));
  const above = object.children.length > 0 ? [object.address] : [];
  return [...above, ...referred, ...object.children.flatMap(usedBy)];
}

function referredIn(value: Written): readonly string[] {
  if (value.is === "reference") return [value.address];
  if (value.is === "list") return value.items.flatMap(referredIn);
  return value.is === "map" ? value.members.flatMap((member) => referredIn(member.value)) : [];
}

function statements(objects: readonly WrittenObject[], all: Program): readonly string[] {
  return objects.flatMap((object) => [statement(object, all), ...statements(object.children, all)]);
}

function statement(object: WrittenObject, { names, kinds, made, used }: Program): string {
  const notes = object.notes.map((note) => `// ${commentText(note)}\n`).join("");
  const parent = object.parent === undefined ? "app" : (names.get(object.parent) ?? "parent");
  const context = { address: object.address, kinds, names, made };
  const members = typescriptMembers(object.members, context, 1);
  const props = object.members.length === 0 ? "" : `, {\n${members}}`;
  const call = `new ${pascalCase(object.kind)}(${parent}, ${JSON.stringify(object.key)}${props});`;
  made.add(object.address);
  const word = used.has(object.address) ? `const ${names.get(object.address)} = ` : "";
  return `${notes}${word}${call}`;
}

function classesOf(objects: readonly WrittenObject[]): readonly string[] {
  const all = objects.flatMap(({ kind, children }) => [pascalCase(kind), ...classesOf(children)]);
  return [...new Set(all)];
}

/** A word for each object that no other has and that the language leaves free. */
function nameObjects(objects: readonly WrittenObject[], known: WordsByAddress): WordsByAddress {
  const names = new Map(known);
  const taken = new Set(["app", "env", "file", ...known.values()]);
  const visit = (object: WrittenObject): void => {
    const name = wordFor(object.address, taken);
    taken.add(name);
    names.set(object.address, name);
    for (const child of object.children) visit(child);
  };
  for (const object of objects) visit(object);
  return names;
}

/** The word for the object at an address: its keys in one, the first that is free. */
export function wordFor(address: string, taken: ReadonlySet<string>): string {
  const steps = parseAddress(address) ?? [];
  const [top, ...below] = steps;
  const ending = below.length === 0 ? pascalCase(top?.kind ?? "") : "";
  const wanted = `${wordOf(steps.map(({ key }) => key).join(" "))}${ending}`;
  return firstFree(wanted, (word) => taken.has(word), "");
}

/** `checkoutBrowse` for "checkout browse". */
function wordOf(text: string): string {
  const [first = "", ...rest] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = [first.charAt(0).toLowerCase() + first.slice(1), ...rest.map(pascalCase)].join("");
  return /^[a-z]/.test(joined) ? joined : `_${joined}`;
}

type ProgramContext = Omit<Program, "used"> & Pick<WrittenObject, "address">;

function typescriptMembers(members: readonly WrittenMember[], context: ProgramContext, depth: number): string {
  const indent = "  ".repeat(depth);
  return members
    .map(({ name, value, note }) => {
      const comment = note === undefined ? "" : ` // ${commentText(note)}`;
      return `${indent}${memberName(name)}: ${typescriptValue(value, context, depth)},${comment}\n`;
    })
    .join("");
}

function typescriptValue(value: Written, context: ProgramContext, depth: number): string {
  switch (value.is) {
    case "plain":
      return literal(typeof value.value === "string" ? escapeText(value.value) : value.value);
    case "file":
      return `file(${JSON.stringify(value.path)})`;
    case "environment":
      return `env(${JSON.stringify(value.name)})`;
    case "reference": {
      // An object that is created further down the program is referred to by its keys.
      const name = context.made.has(value.address) ? context.names.get(value.address) : undefined;
      return name ?? JSON.stringify(referenceText(context.address, value.address, context.kinds));
    }
    case "list":
      return typescriptList(value.items, context, depth);
    case "map":
      return typescriptMap(value.members, context, depth);
  }
}

/** The longest list or mapping that is written on one line. */
const longest = 90;

function typescriptList(items: readonly Written[], context: ProgramContext, depth: number): string {
  const inline = `[${items.map((item) => typescriptValue(item, context, depth)).join(", ")}]`;
  if (isShort(inline)) return inline;
  const indent = "  ".repeat(depth + 1);
  const lines = items.map((item) => `${indent}${typescriptValue(item, context, depth + 1)},\n`);
  return `[\n${lines.join("")}${"  ".repeat(depth)}]`;
}

function typescriptMap(members: readonly WrittenMember[], context: ProgramContext, depth: number): string {
  if (members.length === 0) return "{}";
  const parts = members.map(({ name, value }) => `${memberName(name)}: ${typescriptValue(value, context, depth)}`);
  const inline = `{ ${parts.join(", ")} }`;
  if (isShort(inline) && members.every(({ note }) => note === undefined)) return inline;
  return `{\n${typescriptMembers(members, context, depth + 1)}${"  ".repeat(depth)}}`;
}

function isShort(text: string): boolean {
  return text.length <= longest && !text.includes("\n");
}

/** A name as a member of an object literal; the one that would set a prototype is computed. */
function memberName(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** Settings as a literal; as users write them, so nothing in them is escaped. */
function literal(value: Json, depth = 0): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => literal(item, depth)).join(", ")}]`;
  // A program's lines also end with these two.
  if (!isObject(value))
    return JSON.stringify(value).replace(/[\u2028\u2029]/g, (each) => (each === "\u2028" ? "\\u2028" : "\\u2029"));
  const members = Object.entries(value);
  if (members.length === 0) return "{}";
  const indent = "  ".repeat(depth + 1);
  const lines = members.map(([name, member]) => `${indent}${memberName(name)}: ${literal(member, depth + 1)},\n`);
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
}

/** A kind's or field's name as that of a class or interface. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

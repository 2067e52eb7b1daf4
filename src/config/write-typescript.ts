import { parseAddress } from "../model/address.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Written, WrittenObject } from "../model/written.ts";
import { pascalCase } from "../schema/pascal-case.ts";
import { commentText } from "./write-text.ts";
import type { Names } from "./write-typescript-value.ts";
import { memberName, typescriptMembers } from "./write-typescript-value.ts";

/** What a TypeScript project is written with. */
export interface TypeScriptOptions {
  readonly kinds: readonly AnyKind[];
  /** What the App is made with, as users write it. */
  readonly settings: JsonObject;
}

/** A project as a program: `loadform.config.ts`. */
export function writeTypeScript(objects: readonly WrittenObject[], options: TypeScriptOptions): string {
  const body = statements(objects, program(objects, options));
  return [
    importLine(["App", ...importsOf(objects, body)]),
    "",
    `const app = new App(${literal(options.settings)});`,
    "",
    ...body.map((statement) => `${statement}\n`),
    "export default app;",
    "",
  ].join("\n");
}

/** Statements that make more objects in a program that is there, and what they need of it. */
export interface MoreStatements {
  readonly statements: readonly string[];
  /** Names that they take from the package. */
  readonly imports: readonly string[];
}

/** The statements that make objects; `known` names what stands in the program already, by address. */
export function typescriptStatements(
  objects: readonly WrittenObject[],
  kinds: readonly AnyKind[],
  known: Names = new Map(),
): MoreStatements {
  const body = statements(objects, program(objects, { kinds, settings: {} }, known));
  return { statements: body, imports: importsOf(objects, body) };
}

/** The line that takes names from the package. */
export function importLine(names: readonly string[]): string {
  return `import { ${[...new Set(names)].sort(inReadingOrder).join(", ")} } from "loadform";`;
}

function importsOf(objects: readonly WrittenObject[], body: readonly string[]): readonly string[] {
  return [...classesOf(objects), ...functionsIn(body)];
}

interface Program {
  readonly names: Names;
  readonly options: TypeScriptOptions;
  /** Addresses made so far: what comes later is referred to by its keys. */
  readonly made: Set<string>;
  /** Addresses that something else names. */
  readonly used: ReadonlySet<string>;
}

function program(objects: readonly WrittenObject[], options: TypeScriptOptions, known: Names = new Map()): Program {
  const used = new Set(objects.flatMap(usedBy));
  return { names: nameObjects(objects, known), options, made: new Set(known.keys()), used };
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

function statement(object: WrittenObject, { names, options, made, used }: Program): string {
  const notes = object.notes.map((note) => `// ${commentText(note)}\n`).join("");
  const parent = object.parent === undefined ? "app" : (names.get(object.parent) ?? "parent");
  const place = { address: object.address, kinds: options.kinds, names, made };
  const members = typescriptMembers(object.members, place, 1);
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

function functionsIn(body: readonly string[]): readonly string[] {
  const text = body.join("\n");
  return ["env", "file"].filter((name) => new RegExp(`: ${name}\\("`).test(text));
}

function inReadingOrder(left: string, right: string): number {
  return left.toLowerCase() < right.toLowerCase() ? -1 : 1;
}

/** A word for each object that no other has and that the language leaves free. */
function nameObjects(objects: readonly WrittenObject[], known: Names): Names {
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
  const wished = `${wordOf(steps.map(({ key }) => key).join(" "))}${ending}`;
  let name = wished;
  for (let number = 2; taken.has(name); number++) name = `${wished}${number}`;
  return name;
}

/** `checkoutBrowse` for "checkout browse". */
function wordOf(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const [first = "", ...rest] = words;
  const joined = [first.charAt(0).toLowerCase() + first.slice(1), ...rest.map(pascalCase)].join("");
  return /^[a-z]/.test(joined) ? joined : `_${joined}`;
}

/** Settings as a literal; they are the user's own words, so nothing in them is escaped. */
function literal(value: Json, depth = 0): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => literal(item, depth)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value);
  if (members.length === 0) return "{}";
  const indent = "  ".repeat(depth + 1);
  const lines = members.map(([name, member]) => `${indent}${memberName(name)}: ${literal(member, depth + 1)},\n`);
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
}

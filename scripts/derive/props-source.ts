import { pascalCase } from "../../src/authoring/write-typescript.ts";
import { type Field, fileDescription } from "../../src/model/field.ts";
import { type AnyKind, hasChildKinds } from "../../src/model/kind.ts";
import { lifecycleFields, projectFields } from "../../src/schema/project-fields.ts";

type Fields = Readonly<Record<string, Field>>;

/** The declarations of the constructs' props, in gen/: one interface per kind, documented by its fields, and that of the App. */
export function propsSource(kinds: readonly AnyKind[]): string {
  return `import type { Expression } from "../src/constructs/expressions.ts";
import type { JsonObject } from "../src/model/json.ts";

export {};

/** An object of a kind that the program declares: what other objects refer to. */
interface Declared<K extends string = string> {
  readonly kind: K;
  /** Its identity in addresses. */
  readonly key: string;
}

/** The names of a kind's fields, of its props: those beside its lifecycle. */
type FieldOf<Props> = Exclude<keyof Props, "protect" | "unmanaged" | "ignore">;

${Object.values(propsDeclarations(kinds)).join("\n")}`;
}

/** The declarations of the props alone, by the kind's name, for readers: "app" is the project's. */
export function propsDeclarations(kinds: readonly AnyKind[]): Readonly<Record<string, string>> {
  const perKind = kinds.map((kind) => [kind.name, kindInterfaces(kind, kinds).join("\n")]);
  return { app: appInterfaces(kinds).join("\n"), ...Object.fromEntries(perKind) };
}

function kindInterfaces(kind: AnyKind, kinds: readonly AnyKind[]): readonly string[] {
  const body = { fields: { ...kind.fields, ...lifecycleOf(kind, kinds) }, more: [ignoreLine(kind)] };
  return interfaces(propsName(kind), kind.description, body);
}

function appInterfaces(kinds: readonly AnyKind[]): readonly string[] {
  const { include: _, use: _use, ...project } = projectFields;
  const defaults = kinds.map((kind) => `readonly ${kind.name}?: Partial<${propsName(kind)}>;`);
  return interfaces("AppProps", "What a whole project says beside its objects.", {
    fields: { ...project, project: { ...project.project, required: true } },
    more: [
      "/** Environments for --env NAME: each is merged over the whole project (JSON merge patch). */\n  readonly environments?: Readonly<Record<string, JsonObject>> | null;",
      `/** Fields under every object of a kind, by kind. */\n  readonly defaults?: { ${defaults.join(" ")} } | null;`,
    ],
  });
}

function propsName({ name }: AnyKind): string {
  return `${pascalCase(name)}Props`;
}

function lifecycleOf(kind: AnyKind, kinds: readonly AnyKind[]): Fields {
  const { protect, unmanaged } = lifecycleFields;
  return kind.parent === undefined && hasChildKinds(kind.name, kinds) ? { protect, unmanaged } : { protect };
}

function ignoreLine(kind: AnyKind): string {
  return `/** Fields of which drift is left alone. */\n  readonly ignore?: readonly FieldOf<${propsName(kind)}>[] | null;`;
}

/** An interface and those of the objects within it, inner ones first. */
function interfaces(
  name: string,
  description: string,
  body: { readonly fields: Fields; readonly more: readonly string[] },
): readonly string[] {
  const base = name.replace(/Props$/, "");
  const inner: string[] = [];
  const lines = Object.entries(body.fields).map(([member, field]) => {
    const type = sourceType(field, base + pascalCase(member), inner);
    const optional = field.required ? `${member}: ${type}` : `${member}?: ${type} | null`;
    return `  ${documentation(field)}\n  readonly ${optional};`;
  });
  const all = [...lines, ...body.more.map((line) => `  ${line}`)];
  const shown = name.endsWith("Props") ? "export " : "";
  return [...inner, `/** ${description} */\n${shown}interface ${name} {\n${all.join("\n")}\n}\n`];
}

function documentation(field: Field): string {
  const unit = field.unit === undefined ? "" : ` In ${field.unit}.`;
  const isShown = field.default !== undefined && !Array.isArray(field.default);
  const fallback = isShown ? ` Default: ${JSON.stringify(field.default)}.` : "";
  return `/** ${fileDescription(field)}${unit}${fallback} */`;
}

/** The type of a field as source; objects within it become interfaces of their own, added to `inner`. */
function sourceType(field: Field, name: string, inner: string[]): string {
  switch (field.type) {
    case "string":
      return textType(field);
    case "integer":
    case "number":
      return "number | Expression";
    case "boolean":
      return "boolean | Expression";
    case "choice":
      return [...(field.values ?? []).map((value) => JSON.stringify(value)), "Expression"].join(" | ");
    case "time":
      return "string | number | Date";
    case "list":
      return listType(field, name, inner);
    case "map":
      return mapType(field, name, inner);
    case "object":
      inner.push(...interfaces(name, field.description, { fields: field.fields ?? {}, more: [] }));
      return field.alsoText ? `${name} | string` : name;
    case "reference":
      return `Declared<"${field.reference?.kind}"> | string | { readonly id: number } | { readonly name: string }`;
  }
}

/** Secrets are no plain text: only \`env()\` and \`file()\` make them. */
function textType(field: Field): string {
  if (field.secret) return "Expression";
  if (field.reference) return `Declared<"${field.reference.kind}"> | string`;
  return field.alsoScalar ? "string | number | boolean" : "string";
}

function listType(field: Field, name: string, inner: string[]): string {
  const item = field.of ? sourceType(field.of, `${name}Item`, inner) : "never";
  const list = `readonly (${item})[]`.replace(/\((\w+)\)/, "$1");
  return field.alsoOne ? `${item} | ${list}` : list;
}

function mapType(field: Field, name: string, inner: string[]): string {
  const member = field.of ? sourceType(field.of, `${name}Item`, inner) : "never";
  const secrets = (field.secretKeys ?? []).map((key) => ` & { readonly ${key}?: Expression }`);
  const map = `Readonly<Record<string, ${member}>>${secrets.join("")}`;
  return field.alsoText ? `${map} | string` : map;
}

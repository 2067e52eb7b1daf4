import { pascalCase } from "../../src/authoring/write-typescript.ts";
import type { Field } from "../../src/model/field.ts";
import { fileDescription } from "../../src/model/field.ts";
import type { AnyKind } from "../../src/model/kind.ts";
import { hasChildKinds } from "../../src/model/kind.ts";
import { lifecycleFields, projectFields } from "../../src/schema/project-fields.ts";

type Fields = Readonly<Record<string, Field>>;

/**
 * The TypeScript sources of the constructs' props by file name: one interface per kind, documented by its fields. A file has a
 * kind with those below it; kinds of the organization that have none below them share one.
 */
export function propsSources(kinds: readonly AnyKind[]): Readonly<Record<string, string>> {
  const files = propsFiles(kinds).map(([file, own]): [string, string] => [
    file,
    source(own.flatMap((kind) => kindInterfaces(kind, kinds))),
  ]);
  return { "app-props.ts": appSource(kinds), ...Object.fromEntries(files) };
}

function propsFiles(kinds: readonly AnyKind[]): readonly (readonly [file: string, kinds: readonly AnyKind[]])[] {
  const below = ({ name }: AnyKind): readonly AnyKind[] =>
    kinds.filter(({ parent }) => parent === name).flatMap((child) => [child, ...below(child)]);
  const top = kinds.filter(({ parent }) => parent === undefined);
  const alone = top.filter((kind) => !hasChildKinds(kind.name, kinds));
  const branches = top.filter((kind) => hasChildKinds(kind.name, kinds));
  return [
    ["organization-props.ts", alone],
    ...branches.map((kind) => [fileName(kind), [kind, ...below(kind)]] as const),
  ];
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

function appSource(kinds: readonly AnyKind[]): string {
  const props = propsFiles(kinds).map(
    ([file, own]) => `import type { ${own.map(propsName).sort().join(", ")} } from "./${file}";`,
  );
  return source(appInterfaces(kinds), ['import type { JsonObject } from "../../model/json.ts";', ...props]);
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

/** A file of interfaces with the imports that they need. */
function source(interfaces: readonly string[], imports: readonly string[] = []): string {
  const body = interfaces.join("\n");
  const declared = ["Declared", "FieldOf"].filter((name) => body.includes(`${name}<`));
  const shared = [
    ...(declared.length > 0 ? [`import type { ${declared.join(", ")} } from "../declared.ts";`] : []),
    ...(/\bExpression\b/.test(body) ? ['import type { Expression } from "../expressions.ts";'] : []),
  ];
  const head = "// Generated from src/kinds by scripts/generate.js; a test compares it.";
  return `${head}\n${[...imports.slice(0, 1), ...shared, ...imports.slice(1)].join("\n")}\n\n${body}`;
}

function fileName({ name }: AnyKind): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-props.ts`;
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
  const map = `Readonly<Record<string, ${member}>>`;
  return field.alsoText ? `${map} | string` : map;
}

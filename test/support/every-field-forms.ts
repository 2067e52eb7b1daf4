import { kinds } from "../../src/kinds/index.ts";
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { type Declared, everyField, inWords, secretValues } from "./every-field.ts";

// The forms of one project, each written as its users would, without what loadform itself writes them with.

const pascal = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const kindOf = (key: string) => everyField.find((each) => each.key === key)?.kind ?? "";

/** The text of a loadform.yaml: JSON is YAML. */
export function asYaml(): string {
  const root: Record<string, Json> = { project: "all", service: { url: "memory:" } };
  const bodies = new Map<string | undefined, Record<string, Json>>([[undefined, root]]);
  for (const { kind, parent, key, fields } of everyField) {
    const secret = (name: string) => `\${env:${name.toUpperCase()}}`;
    const body = { ...(inWords(fields, { ref: (to) => to, secret }) as JsonObject) };
    const above = bodies.get(parent) ?? {};
    const plural = kinds.find(({ name }) => name === kind)?.plural ?? "";
    above[plural] = { ...(above[plural] as JsonObject), [key]: body };
    bodies.set(key, body);
  }
  return JSON.stringify(root, null, 2);
}

/** The text of a loadform.config.ts. */
export function asTypeScript(library: string): string {
  const declared = everyField.map(({ kind, parent, key, fields }) => {
    const marked = inWords(fields, { ref: (to) => `<${to}>`, secret: (name) => `<env("${name.toUpperCase()}")>` });
    const props = JSON.stringify(marked).replaceAll(/"<(.*?[^\\])>"/g, (_, code: string) => code.replaceAll("\\", ""));
    return `const ${key} = new ${pascal(kind)}(${parent ?? "app"}, "${key}", ${props});`;
  });
  const names = ["App", "env", ...new Set(everyField.map(({ kind }) => pascal(kind)))];
  const app = 'const app = new App({ project: "all", service: { url: "memory:" } });';
  return `import { ${names.join(", ")} } from ${JSON.stringify(library)};\n${app}\n${declared.join("\n")}\nexport default app;\n`;
}

/** The text of a main.tf.json. */
export function asTerraform(): string {
  const resource: Record<string, Record<string, Json>> = {};
  for (const declared of everyField) {
    const type = `loadform_${snake(declared.kind)}`;
    resource[type] = { ...resource[type], [declared.key]: attributesOf(declared) };
  }
  const variable = Object.fromEntries(Object.keys(secretValues).map((name) => [name, { sensitive: true }]));
  const terraform = { required_providers: { loadform: { source: "loadform/loadform" } } };
  return JSON.stringify({ terraform, provider: { loadform: {} }, variable, resource }, null, 2);
}

function attributesOf({ kind, parent, fields }: Declared): JsonObject {
  const idOf = (key: string) => `\${loadform_${snake(kindOf(key))}.${key}.id}`;
  const above = parent === undefined ? {} : { [`${snake(kindOf(parent))}_id`]: idOf(parent) };
  const plain = inWords(terraformFields(kind, fields), { ref: (key) => ({ ref: key }), secret: (name) => ({ name }) });
  return { ...above, ...attributes(plain as JsonObject, idOf) };
}

function attributes(fields: JsonObject, idOf: (key: string) => string): JsonObject {
  const attribute = ([name, value]: [string, Json]): [string, Json] => {
    if (isReference(value)) return [`${snake(name)}_id`, value.ref === undefined ? String(value.id) : idOf(value.ref)];
    if (isObject(value) && typeof value["name"] === "string" && Object.keys(value).length === 1)
      return [snake(name), `\${var.${value["name"]}}`];
    if (Array.isArray(value) && value.every(isObject))
      return [snake(name), value.map((item) => attributes(item, idOf))];
    return [snake(name), typeof value === "string" ? value.replaceAll(/([$%])\{/g, "$1$1{") : value];
  };
  return Object.fromEntries(Object.entries(fields).map(attribute));
}

/** Terraform has the parts of a map that are secret beside it, and the parameters of a script as text. */
function terraformFields(kind: string, fields: JsonObject): JsonObject {
  const { metadata, scriptParams, ...rest } = fields;
  return {
    ...rest,
    ...(kind === "provider" && isObject(metadata) && metadata),
    ...(scriptParams !== undefined && { scriptParams: JSON.stringify(scriptParams) }),
  };
}

function isReference(value: Json): value is { readonly ref?: string; readonly id?: number } {
  return isObject(value) && ("ref" in value || "id" in value);
}

type Made = { readonly id: string };
type Construct<T = unknown> = new (scope: unknown, id: string, config: object) => T;

/** What the two libraries have in common, as far as it is used. */
interface Library {
  readonly TerraformStack: new (app: unknown, name: string) => unknown;
  readonly TerraformVariable: Construct<{ readonly stringValue: string }>;
  readonly Testing: { app(options: object): unknown; synth(stack: never): string };
}

/** The text of a cdk.tf.json that a program with the bindings writes. */
export function asProgram(library: unknown, bindings: unknown): string {
  const { TerraformStack, TerraformVariable, Testing } = library as Library;
  const modules = bindings as Readonly<Record<string, Readonly<Record<string, Construct<Made>>>>>;
  const stack = new TerraformStack(Testing.app({ context: { targetVersions: { terraform: ">=1.11.0" } } }), "all");
  new (construct(modules, "provider", "LoadformProvider"))(stack, "loadform", {});
  const made = new Map<string, Made>();
  const secret = (name: string) => new TerraformVariable(stack, name, { sensitive: true }).stringValue;
  for (const { kind, parent, key, fields } of everyField) {
    const name = kind === "provider" ? "providerResource" : kind;
    const above = parent === undefined ? {} : { [`${kindOf(parent)}Id`]: made.get(parent)?.id };
    const props = withIds(terraformFields(kind, fields), (to) => made.get(to)?.id ?? "", secret);
    made.set(key, new (construct(modules, name, pascal(name)))(stack, key, { ...above, ...props }));
  }
  return Testing.synth(stack as never);
}

function construct(
  modules: Readonly<Record<string, Readonly<Record<string, Construct<Made>>>>>,
  module: string,
  name: string,
): Construct<Made> {
  const found = modules[module]?.[name];
  if (found === undefined) throw new Error(`found no ${module}.${name} in the bindings`);
  return found;
}

function withIds(fields: JsonObject, idOf: (key: string) => string, secret: (name: string) => string): JsonObject {
  const prop = ([name, value]: [string, Json]): [string, Json] => {
    if (isReference(value)) return [`${name}Id`, value.ref === undefined ? String(value.id) : idOf(value.ref)];
    if (isObject(value) && typeof value["secret"] === "string") return [name, secret(value["secret"])];
    if (Array.isArray(value) && value.every(isObject)) return [name, value.map((item) => withIds(item, idOf, secret))];
    return [name, value];
  };
  return Object.fromEntries(Object.entries(fields).map(prop));
}

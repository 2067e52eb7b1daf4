import { hinted } from "../../model/did-you-mean.ts";
import { getOrMake } from "../../model/group-by.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import { blockWords, type Site } from "./blocks.ts";
import { type ReferenceContext, readReference } from "./read-reference.ts";
import { documentText, followValue, plainText, type RawValue, refuse, type ValueContext } from "./values.ts";

/** Everything that attributes are read with. */
export interface AttributeContext extends ValueContext, ReferenceContext {
  /** Keeps bytes that are no text, and answers what the document says in their place. */
  readonly keepBytes: (bytes: Uint8Array, site: Site) => string;
}

/** Attributes by name, worked out once per resource. */
const known = new WeakMap<readonly TerraformAttribute[], ReadonlyMap<string, TerraformAttribute>>();

function byName(attributes: readonly TerraformAttribute[]): ReadonlyMap<string, TerraformAttribute> {
  return getOrMake(known, attributes, () => new Map(attributes.map((attribute) => [attribute.name, attribute])));
}

/** The fields that the attributes of an object make, as a project's document has them; null is unset in Terraform. They are set in `into`. */
export function readAttributes(
  body: JsonObject,
  attributes: readonly TerraformAttribute[],
  {
    site,
    context,
    into: fields,
  }: { readonly site: Site; readonly context: AttributeContext; readonly into: Record<string, Json> },
): Record<string, Json> {
  const named = byName(attributes);
  const reading = { fields, context };
  for (const name of Object.keys(body)) {
    const raw = body[name] ?? null;
    const attribute = named.get(name);
    if (name === "//" || (attribute !== undefined && raw === null)) continue;
    const at = { block: site.block, path: site.path.length === 0 ? [name] : [...site.path, name] };
    if (attribute === undefined) context.report(unknownAttribute(name, at, [...named.keys()]));
    else readAttribute(attribute, { raw, site: at }, reading);
  }
  return fields;
}

interface Reading {
  readonly fields: Record<string, Json>;
  readonly context: AttributeContext;
}

function readAttribute(attribute: TerraformAttribute, value: RawValue, { fields, context }: Reading): void {
  const { source } = attribute;
  if (source.is === "version" || source.is === "parent") return;
  if (source.is !== "field") {
    context.report(notSettable(attribute.name, value.site));
    return;
  }
  const made = isNullVariable(value, context) ? undefined : readValue(attribute, value, context);
  if (made === undefined) return;
  const [name = "", key] = source.path;
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const same = key === undefined || !isObject(before) ? before : before[key];
  if (same !== undefined && !(isObject(same) && isObject(made))) context.report(setTwice(attribute.name, value.site));
  fields[name] = key === undefined ? withMembers(before, made) : { ...(isObject(before) ? before : {}), [key]: made };
}

/** Terraform leaves out an attribute whose value is null. */
function isNullVariable({ raw }: RawValue, { variables }: AttributeContext): boolean {
  if (typeof raw !== "string" || !raw.startsWith("${")) return false;
  const name = /^\$\{\s*var\.([\w-]+)\s*\}$/.exec(raw)?.[1];
  return name !== undefined && variables.isNull(name);
}

/** A map of which single keys are attributes of their own is made of all of them. */
function withMembers(before: Json | undefined, made: Json): Json {
  return isObject(before) && isObject(made) ? { ...made, ...before } : made;
}

function readValue(attribute: TerraformAttribute, value: RawValue, context: AttributeContext): Json | undefined {
  const { source, type } = attribute;
  if (source.is !== "field") return undefined;
  if (source.form === "id") return readReference(source.field.reference?.kind ?? "", value, context);
  if (isSecret(attribute)) return readSecret(value, context);
  if (isNested(type)) return readNested(type, value, context);
  if (source.form === "base64") return readBase64(value, context);
  const made = readPlain(type, value, context);
  // A moment in epoch milliseconds is text in Terraform.
  return source.field.type === "time" && /^\d+$/.test(String(made)) ? Number(made) : made;
}

function isSecret({ source }: TerraformAttribute): boolean {
  if (source.is !== "field") return false;
  const { field, path } = source;
  return field.secret === true || (path.length === 2 && field.secretKeys?.includes(path[1] ?? "") === true);
}

/** A secret is a variable: nothing that is written in a program is one. */
function readSecret(value: RawValue, context: AttributeContext): Json | undefined {
  const target = followValue(value, context);
  if (target.is === "variable") return context.variables.secret(target.name);
  if (target.is === "refused") return undefined;
  const name = value.site.path.join(".");
  const detail = `The value of ${name} in ${blockWords(value.site.block)} (not shown) is written out. Write \${var.NAME} instead, a sensitive variable that $TF_VAR_NAME or $LOADFORM_VAR_NAME sets, and change the secret if it was ever committed`;
  const { site } = value;
  context.report({ severity: "error", code: "LF1203", summary: `${name} is a secret`, detail, site });
  return undefined;
}

type Nested = Extract<TerraformAttribute["type"], { readonly nesting: unknown }>;

function readNested(type: Nested, value: RawValue, context: AttributeContext): Json | undefined {
  const target = followValue(value, context);
  if (target.is !== "value") return target.is === "refused" ? undefined : refused(value, context);
  const { raw, site } = target;
  if (type.nesting !== "single" && Array.isArray(raw))
    return raw.flatMap(elementsOf(readNested, { ...type, nesting: "single" }, { site, context }));
  // Shapes that do not fit are reported where those of all projects are.
  return isObject(raw) ? readAttributes(raw, type.attributes, { site, context, into: {} }) : raw;
}

/** Reads what a list or a mapping has at one place. Terraform has nothing there where it could not be read. */
function elementsOf<T>(
  read: (type: T, value: RawValue, context: AttributeContext) => Json | undefined,
  type: T,
  { site, context }: { readonly site: Site; readonly context: AttributeContext },
): (item: Json, step: string | number) => readonly Json[] {
  return (raw, step) => {
    const at = { raw, site: { block: site.block, path: [...site.path, step] } };
    const made = raw === null ? nothing(at, context) : read(type, at, context);
    return made === undefined ? [] : [made];
  };
}

function readBase64(value: RawValue, context: AttributeContext): Json | undefined {
  const target = followValue(value, context);
  if (target.is === "refused") return undefined;
  const text =
    target.is === "value" && typeof target.raw === "string"
      ? documentText(target.raw, target.site, context)
      : undefined;
  if (target.is !== "value" || typeof target.raw !== "string") return refused(value, context);
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, ""))
    return context.keepBytes(bytes, value.site);
  const name = value.site.path.join(".");
  const detail = `The text in ${name} of ${blockWords(value.site.block)} is not base64: write the bytes in base64`;
  context.report({ severity: "error", code: "LF1104", summary: `${name} is not base64`, detail, site: value.site });
  return undefined;
}

type Plain = Exclude<TerraformAttribute["type"], Nested>;

function readPlain(type: Plain, value: RawValue, context: AttributeContext): Json | undefined {
  const target = followValue(value, context);
  if (target.is === "refused") return undefined;
  if (target.is === "variable")
    return typeof type === "string" ? context.variables.expression(target.name) : refused(value, context);
  if (target.is !== "value") return refused(value, context);
  return typeof type === "string" ? readScalar(type, target, context) : readMembers(type[1], target, context);
}

function readMembers(of: Plain, { raw, site }: RawValue, context: AttributeContext): Json {
  const element = elementsOf(readPlain, of, { site, context });
  if (Array.isArray(raw)) return raw.flatMap(element);
  if (!isObject(raw)) return raw;
  const made = Object.entries(raw).flatMap(([written, item]): [string, Json][] => {
    const at = { block: site.block, path: [...site.path, written] };
    const name = item === null ? undefined : plainText({ raw: written, site: at }, context);
    return name === undefined ? [] : element(item, written).map((member) => [name, member]);
  });
  return Object.fromEntries(made);
}

/** Terraform has no list with nothing at a place. */
function nothing({ site }: RawValue, { report }: AttributeContext): undefined {
  const name = site.path.join(".");
  const detail = `${name} of ${blockWords(site.block)} contains null. Write a value, or remove it from the list`;
  report({ severity: "error", code: "LF1102", summary: `${name} is null`, detail, site });
  return undefined;
}

function readScalar(type: "string" | "number" | "bool", { raw, site }: RawValue, context: AttributeContext) {
  const plain = typeof raw === "string" ? documentText(raw, site, context) : raw;
  return plain === undefined ? undefined : converted(type, plain);
}

/** Terraform takes "20" for 20 and the other way round. */
function converted(type: "string" | "number" | "bool", value: Json): Json {
  if (type === "string") return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof value !== "string") return value;
  if (type === "bool") return value === "true" ? true : value === "false" ? false : value;
  return /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value) ? Number(value) : value;
}

function refused({ raw, site }: RawValue, context: AttributeContext): undefined {
  const shown = typeof raw === "string" ? raw : "a value";
  refuse(site, context, { what: "which does not fit here or is known after apply only", shown });
  return undefined;
}

function unknownAttribute(name: string, site: Site, names: readonly string[]) {
  const what = `A ${site.block.type} has no attribute ${name} (in ${blockWords(site.block)})`;
  const { detail } = hinted(what, { found: name, among: names });
  const summary = `unknown attribute ${site.path.join(".")}`;
  return { severity: "error", code: "LF1101", summary, detail, site } as const;
}

/** Two attributes for one field, as `password` and `password_wo`. */
function setTwice(name: string, site: Site) {
  const detail = `${blockWords(site.block)} has ${name} and another attribute for the same value: remove one of them`;
  return { severity: "error", code: "LF1104", summary: `${name} is set in two ways`, detail, site } as const;
}

function notSettable(name: string, site: Site) {
  const detail = `The service sets ${name} of ${blockWords(site.block)}: remove the value`;
  return { severity: "error", code: "LF1101", summary: `${name} cannot be set`, detail, site } as const;
}

import { needsText } from "../authoring/write-value.ts";
import type { Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject, sameJson, valueAt, withValueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { spellValue } from "../model/normal-form.ts";
import { nodeName, type TreeNode } from "../model/tree.ts";
import { inactiveFields } from "../model/variant.ts";
import { findMisfit, ruleFindings } from "./find-misfit.ts";

/** A live object on its way into the project's files, with notes for its reader. */
export interface ObjectDraft {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly key: string;
  readonly address: string;
  /** Address of the parent. */
  readonly parent?: string;
  /** Fields in the shape users write; references still as the service has them, texts as content marks. */
  readonly fields: Readonly<Record<string, Json>>;
  /** Dotted paths of write-only values, which are placeholders. */
  readonly secrets: readonly string[];
  /** Fields that are omitted though the service has a value. */
  readonly unmanaged: readonly string[];
  readonly notes: readonly string[];
}

/** The choices for a draft, beside its object. */
export interface DraftContext {
  readonly isLive: boolean;
  /** Terraform's state has no member of a text that the service hides. Default: a project's files, where it is null. */
  readonly language?: "terraform";
  /** Fields that the project sets under every object of the kind. */
  readonly defaults: JsonObject;
  /** Fields to leave unmanaged, because they are not read back as they are. */
  readonly dropped: ReadonlySet<string>;
  readonly referred: (field: string) => JsonObject | undefined;
}

/** Replaces a write-only value until references to the environment are named. */
const placeholder = "${env:?}";

/** An object's draft but for its place, or why it cannot be written at all. */
export function draftObject(
  kind: AnyKind,
  node: TreeNode,
  place: Pick<ObjectDraft, "key" | "address" | "parent">,
  context: DraftContext,
): ObjectDraft | { readonly refused: string } {
  const making: Making = { kind, node, key: place.key, fields: {}, notes: [], unmanaged: new Set() };
  const { fields, notes } = making;
  const isFinished = kind.finished?.(node.fields, node.facts ?? {}) ?? false;
  for (const name of Object.keys(kind.fields)) {
    const refused = isFinished && kind.fields[name]?.separateRequest ? undefined : takeField(making, name, context);
    if (refused !== undefined) return { refused };
  }
  const secrets = addSecrets(making, context);
  // A finished one without its moment could be declared at a live service, and every later command would warn of it.
  const refused = obeyRules(making, { isLive: context.isLive && !isFinished });
  if (refused !== undefined) return { refused: isFinished ? "it has fired and will not fire again" : refused };
  if (node.facts?.["readonly"] === true) notes.push("read-only at the service: a change here would be refused");
  const isInPlace = (path: string) => valueAt(fields, path.split(".")) === placeholder;
  return { ...place, node, kind, fields, secrets: secrets.filter(isInPlace), unmanaged: [...making.unmanaged], notes };
}

/** Takes one field over, or answers why the object cannot be written without it. */
function takeField(making: Making, name: string, context: DraftContext): string | undefined {
  const { kind, node, key, fields } = making;
  const field = kind.fields[name];
  const value = node.fields[name];
  if (field === undefined) return undefined;
  if (context.dropped.has(name)) return leaveOut(making, name, "would be read back differently");
  if (value === undefined) {
    // The project's own defaults would fill a field that the service does not have.
    if ((context.defaults[name] ?? null) !== null) fields[name] = null;
    return field.required && !field.secret ? `it has no ${name}` : undefined;
  }
  const isKey = name === "name" && nodeName(node) === key;
  if (!Object.hasOwn(context.defaults, name) && (isKey || isOmitted(field, value))) return undefined;
  const spelled = spellValue(field, value);
  const misfit = field.content ? undefined : findMisfit(field, spelled, context.isLive);
  if (misfit !== undefined) return leaveOut(making, name, misfit);
  fields[name] = spelled;
  return undefined;
}

/** Leaves a field unmanaged and notes it; an object needs its name and its required fields. */
function leaveOut({ kind, notes, unmanaged }: Making, name: string, why: string): string | undefined {
  if (kind.fields[name]?.required || name === "name") return `${name} ${why}`;
  unmanaged.add(name);
  notes.push(`${name} ${why}: omitted, so it remains unchanged`);
  return undefined;
}

function isOmitted(field: Field, value: Json): boolean {
  return !field.required && (sameJson(value, field.default) || isEmptyValue(value));
}

function isEmptyValue(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0 || value["bytes"] === 0;
  return value === "";
}

interface Making {
  readonly kind: AnyKind;
  readonly node: TreeNode;
  readonly key: string;
  readonly fields: Record<string, Json>;
  readonly notes: string[];
  /** Nothing of these fields may be written. */
  readonly unmanaged: Set<string>;
}

/** Puts placeholders for values that the service stores and does not show; answers their paths. */
function addSecrets(making: Making, context: DraftContext): readonly string[] {
  const { kind, node, unmanaged } = making;
  const foreign = inactiveFields(kind.variants, node.fields);
  const paths: string[] = [];
  for (const name of Object.keys(kind.fields)) {
    const field = kind.fields[name];
    if (field === undefined || unmanaged.has(name)) continue;
    if (field.secret && !foreign.has(name)) paths.push(...offer(making, [name], context));
    for (const key of field.secretKeys ?? []) paths.push(...offer(making, [name, key], context));
  }
  const hidden = new Set(kind.secretPaths?.(node.fields, context.referred));
  for (const path of hidden) paths.push(...addHidden(making, path, { hidden, context }));
  return paths;
}

/** Puts a placeholder at a dotted path where the value there is hidden; JSON text can hold none. */
function addHidden(
  making: Making,
  dotted: string,
  { hidden, context }: { readonly hidden: ReadonlySet<string>; readonly context: DraftContext },
): readonly string[] {
  const { node, fields, notes } = making;
  const path = dotted.split(".");
  const shown = valueAt(node.fields, path);
  if (shown !== undefined && shown !== null) return [];
  const [name = ""] = path;
  const written = withoutHidden(fields[name], name, hidden);
  if (shown === null && written !== undefined && !needsText(written)) return putPlaceholder(making, path);
  const isTerraform = context.language === "terraform";
  if (isTerraform && written !== undefined) fields[name] = written;
  notes.push(`${dotted} cannot be read: ${isTerraform ? omitted : addIt}`);
  return [];
}

const addIt = "add it from the environment if it has a value";
const omitted = "it is omitted, and remains unchanged until something else beside it is changed: then write it, too";

function withoutHidden(value: Json | undefined, name: string, hidden: ReadonlySet<string>): Json | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.has(`${name}.${key}`)));
}

/** A write-only value is written unless a rule refuses it there. */
function offer(making: Making, path: readonly string[], { isLive }: DraftContext): readonly string[] {
  const { kind, fields } = making;
  const before = ruleFindings(kind, fields, isLive).length;
  const tried = withValueAt(fields, path, placeholder);
  return ruleFindings(kind, tried, isLive).length > before ? [] : putPlaceholder(making, path);
}

function putPlaceholder({ fields }: Making, path: readonly string[]): readonly string[] {
  Object.assign(fields, withValueAt(fields, path, placeholder));
  return [path.join(".")];
}

/** Omits fields that the rules refuse; the whole object is refused where a required one is among them, such as its name. */
function obeyRules(
  { kind, fields, notes, unmanaged }: Pick<Making, "kind" | "fields" | "notes" | "unmanaged">,
  { isLive }: Pick<DraftContext, "isLive">,
): string | undefined {
  for (;;) {
    const [finding] = ruleFindings(kind, fields, isLive);
    if (finding === undefined) return undefined;
    const [name] = finding.path;
    const isOptional =
      typeof name === "string" && name !== "name" && Object.hasOwn(fields, name) && !kind.fields[name]?.required;
    const { summary, detail } = finding;
    if (!isOptional || kind.variants?.some(({ by }) => by === name)) return `${summary}: ${detail}`;
    delete fields[name];
    unmanaged.add(name);
    notes.push(`${name} is omitted, so it remains unchanged: ${summary}`);
  }
}

import type { Field } from "../model/field.ts";
import type { ContentMark, Hash } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Lifecycle } from "../model/tree.ts";
import type { ShapeCheck } from "./check-shape.ts";
import { checkShape } from "./check-shape.ts";
import type { DeclaredObject } from "./declared-object.ts";
import type { Scope } from "./expand.ts";
import { expandText, isUnset, mayExpand } from "./expand.ts";
import { expandField, needsExpansion } from "./expand-field.ts";
import type { Report } from "./place.ts";

/** An object with everything replaced, in the shape its user wrote it. */
export interface ExpandedObject {
  readonly object: DeclaredObject;
  readonly input: JsonObject;
  /** Secret values by top-level field. */
  readonly secrets: ReadonlyMap<string, readonly Json[]>;
  readonly lifecycle?: Lifecycle;
}

/** What expanding needs: values to replace with, and somewhere to put texts and files. */
export interface ExpandContext {
  readonly scope: Scope;
  readonly report: Report;
  readonly check: Omit<ShapeCheck, "report">;
  readonly hash: Hash;
  /** Keeps a text or file under its hash. */
  readonly keep: (hash: string, content: string | Uint8Array) => void;
}

/** Replaces in every field of an object; fields that hold texts or files become content marks. */
export function expandObject(object: DeclaredObject, context: ExpandContext): ExpandedObject {
  const { kind, input: raw } = object;
  const report: Report = (problem) => context.report({ address: object.address, ...problem });
  const input: Record<string, Json> = {};
  const secrets = new Map<string, readonly Json[]>();
  for (const name of Object.keys(raw)) {
    const [field, value] = [kind.fields[name], raw[name]];
    if (field === undefined || value === undefined) continue;
    const made = expandOne({ name, field, value, object, context: { ...context, report } });
    input[name] = made.value;
    if (made.secrets.length > 0) secrets.set(name, made.secrets);
  }
  if (kind.fields.name && (input.name === undefined || input.name === null)) input.name = object.key;
  const lifecycle = readLifecycle(object, context.scope, report);
  return { object, input, secrets, ...(lifecycle && { lifecycle }) };
}

interface One {
  readonly name: string;
  readonly field: Field;
  readonly value: Json;
  readonly object: DeclaredObject;
  readonly context: ExpandContext;
}

const nothing: readonly Json[] = [];

function expandOne(one: One): { readonly value: Json; readonly secrets: readonly Json[] } {
  const { field, value, context } = one;
  if (field.content && typeof value === "string") return expandContent(one, value);
  if (!needsExpansion(value)) return { value, secrets: nothing };
  const path = [...one.object.path, one.name];
  const expanded = expandField(field, value, { ...context, path });
  checkShape(field, expanded.value, path, { ...context.check, report: context.report, expanded: true });
  return expanded;
}

/** Scripts and files stand in the tree by hash; the text or the bytes are kept exactly as they are. */
function expandContent(
  { field, object, name, context }: One,
  text: string,
): { readonly value: Json; readonly secrets: readonly Json[] } {
  const asBytes = field.content === "bytes";
  const plain = { value: text, sensitive: false, problems: [] };
  const { value, sensitive, problems } = mayExpand(text) ? expandText(text, context.scope, asBytes) : plain;
  for (const problem of problems) context.report({ ...problem, place: { path: [...object.path, name], at: "value" } });
  if (isUnset(value)) return { value, secrets: sensitive ? [value] : nothing };
  const content = value instanceof Uint8Array ? value : typeof value === "string" ? value : JSON.stringify(value);
  const mark = keepContent(asBytes && typeof content === "string" ? new TextEncoder().encode(content) : content, context);
  return { value: mark, secrets: sensitive ? [mark] : nothing };
}

function keepContent(content: string | Uint8Array, { hash, keep }: ExpandContext): ContentMark {
  const digest = hash(content);
  keep(digest, content);
  return { $content: digest, bytes: Buffer.byteLength(content) };
}

function readLifecycle({ input, path }: DeclaredObject, scope: Scope, report: Report): Lifecycle | undefined {
  const { protect, ignore, unmanaged } = input;
  if (protect === undefined && ignore === undefined && unmanaged === undefined) return undefined;
  const expanded = (value: Json | undefined) =>
    value === undefined || value === null ? undefined : expandField(undefined, value, { scope, report, path }).value;
  const ignored = expanded(ignore);
  const chosen = expanded(unmanaged);
  const isProtected = String(expanded(protect)) === "true";
  return {
    ...(protect === undefined ? {} : { protect: isProtected }),
    ...(Array.isArray(ignored) ? { ignore: ignored.map(String) } : {}),
    ...(chosen === "keep" || chosen === "delete" ? { unmanaged: chosen } : {}),
  };
}

/** The unexpanded input of the fields that hold secrets, to expand again when a saved plan is applied. */
export function secretSources({ object }: ExpandedObject, fields: Iterable<string>): JsonObject | undefined {
  const names = [...new Set(fields)].filter((name) => object.input[name] !== undefined);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, object.input[name] ?? null]));
}

import type { DocumentPath } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import type { ContentMark, Hash } from "../model/fingerprint.ts";
import { getOrMake } from "../model/group-by.ts";
import { type Json, type JsonObject, sameJson } from "../model/json.ts";
import type { Lifecycle } from "../model/tree.ts";
import { lifecycleOf } from "../schema/project-fields.ts";
import { checkShape, type ShapeCheck } from "./check-shape.ts";
import type { Report } from "./collect-problems.ts";
import { type DeclaredObject, pathOf } from "./declared-object.ts";
import type { EntryLanguage } from "./entry-document.ts";
import {
  type ExpandedField,
  expandField,
  expandText,
  isUnset,
  mayExpand,
  needsExpansion,
  type Scope,
  takenAsText,
} from "./expand.ts";

/** An object with everything replaced, in the shape its user wrote it. */
export interface ExpandedObject {
  readonly object: DeclaredObject;
  /** The object's input as it is where nothing in it had to be replaced. */
  readonly input: JsonObject;
  /** Secret values by top-level field. */
  readonly secrets: ReadonlyMap<string, readonly Json[]>;
  readonly lifecycle: Lifecycle | undefined;
}

/** The values that expressions are replaced with, and the collectors of texts and files. */
export interface ExpandContext {
  readonly scope: Scope;
  readonly report: Report;
  readonly check: Omit<ShapeCheck, "report">;
  readonly hash: Hash;
  readonly language: EntryLanguage;
  /** Marks that were made: many objects may have one text or file. */
  readonly marks: Map<string | Uint8Array, ContentMark>;
  /** Keeps a text or file under its hash. */
  readonly keep: (hash: string, content: string | Uint8Array) => void;
}

const noSecrets: ReadonlyMap<string, readonly Json[]> = new Map();

/** Replaces in every field of an object; fields that hold texts or files become content marks. */
export function expandObject(object: DeclaredObject, context: ExpandContext): ExpandedObject {
  const { fields } = object.kind;
  const raw = object.input;
  let input: Record<string, Json> | undefined;
  let secrets: Map<string, readonly Json[]> | undefined;
  for (const name in raw) {
    const field = fields[name];
    const value = raw[name];
    if (field === undefined || value === undefined) continue;
    if (!(field.content === undefined ? needsExpansion(value) : typeof value === "string")) continue;
    const report: Report = (problem) => context.report({ address: object.address, ...problem });
    const made = expandValue(field, value, { ...context, report, path: [...pathOf(object), name] });
    input ??= { ...raw };
    input[name] = made.value;
    if (made.secrets.length > 0) secrets = (secrets ?? new Map()).set(name, made.secrets);
  }
  return { object, input: input ?? raw, secrets: secrets ?? noSecrets, lifecycle: readLifecycle(object, context) };
}

function expandValue(field: Field, value: Json, context: PlacedContext): ExpandedField {
  if (field.content && typeof value === "string") return expandContent(value, field.content === "bytes", context);
  const { report, path, check } = context;
  const expanded = expandField(field, value, context);
  // Other `${…}` than ours remain: what has nothing replaced was checked as it is written.
  if (!sameJson(expanded.value, value)) checkShape(field, expanded.value, path, { ...check, report, expanded: true });
  return expanded;
}

const none: readonly Json[] = [];

type PlacedContext = ExpandContext & { readonly path: DocumentPath };

/** The tree has scripts and files by hash; the text or the bytes remain exactly as they are. */
function expandContent(text: string, asBytes: boolean, context: PlacedContext): ExpandedField {
  const { report } = context;
  const place = { path: context.path, at: "value" } as const;
  if (!mayExpand(text)) {
    const meant = context.language === "terraform" ? `file("${text}")` : `\${file:${text}}`;
    if (filePath.test(text)) report({ ...takenAsText(text, meant), place });
    return { value: keepContent(text, asBytes, context), secrets: none };
  }
  const { value, sensitive, problems, misspelt } = expandText(text, context.scope, asBytes);
  // A script has ${…} of its own, unless it is nothing else.
  if (misspelt?.found === text) report({ ...takenAsText(text, misspelt.meant), place });
  for (const problem of problems) report({ ...problem, place });
  if (isUnset(value)) return { value, secrets: sensitive ? [value] : none };
  const isContent = value instanceof Uint8Array || typeof value === "string";
  const mark = keepContent(isContent ? value : JSON.stringify(value), asBytes, context);
  return { value: mark, secrets: sensitive ? [mark] : none };
}

/** A text of one line that is the path of a file rather than what such a file holds. */
const filePath = /^[^\s'"`(){}[\];,=<>|&]{1,300}\.(?:[cm]?[jt]s|csv|json|txt)$/;

function keepContent(content: string | Uint8Array, asBytes: boolean, context: ExpandContext): ContentMark {
  const { hash, keep, marks } = context;
  const mark = getOrMake(marks, content, () => ({ $content: hash(content), bytes: Buffer.byteLength(content) }));
  keep(mark.$content, asBytes && typeof content === "string" ? new TextEncoder().encode(content) : content);
  return mark;
}

function readLifecycle(object: DeclaredObject, context: ExpandContext): Lifecycle | undefined {
  const { protect, ignore, unmanaged } = object.input;
  if (protect === undefined && ignore === undefined && unmanaged === undefined) return undefined;
  const report: Report = (problem) => context.report({ address: object.address, ...problem });
  const expanded = (name: keyof ReturnType<typeof lifecycleOf>): Json => {
    const [value, place] = [object.input[name] ?? null, { ...context, report, path: [...pathOf(object), name] }];
    return needsExpansion(value) ? expandValue(lifecycleOf(object.kind)[name], value, place).value : value;
  };
  const [ignored, chosen] = [expanded("ignore"), expanded("unmanaged")];
  return {
    ...(protect === undefined ? {} : { protect: expanded("protect") === true }),
    ...(Array.isArray(ignored) ? { ignore: ignored.map(String) } : {}),
    ...(chosen === "keep" || chosen === "delete" ? { unmanaged: chosen } : {}),
  };
}

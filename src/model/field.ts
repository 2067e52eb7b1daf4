import type { Json, JsonObject } from "./json.ts";

/** A reference as a user writes it: a key, or an object of the service by id or name. */
export type ReferenceInput = string | { readonly id: number } | { readonly name: string };

/** A field on the wire, where it is not simply its value under its own name. */
interface FieldWire {
  /** Key in requests; default the name of the field. */
  readonly name?: string;
  /** The field's raw value in an answer; default the member called `name`. */
  readonly read?: (wire: JsonObject) => Json | undefined;
  /** The member's value in a request; references are numbers here. Default: as it is. */
  readonly write?: (value: Json) => Json;
}

interface FieldOptions {
  /** One or two sentences for editors, docs, constructs and Terraform. */
  readonly description: string;
  /** A further sentence where that is so in project files and constructs only: keys, defaults from the key. */
  readonly inFiles?: string;
  readonly examples?: readonly Json[];
  /** The default that the service documents; a live value equal to it counts as unset. */
  readonly default?: Json;
  /** Units or spelling shown beside the name: "seconds", "UTC". */
  readonly unit?: string;
  /** A change cannot be made in place. */
  readonly change?: "replace";
  /** Not part of the object's request; set by a separate one after it (docs/engine.md, Write routes). */
  readonly separateRequest?: true;
  /**
   * Absent where the API documents state limits and values: breaking them is an error. `decision`: they are ours, a
   * warning against a live service.
   */
  readonly origin?: "decision";
  /** Write-only at the service: accepted from env or file only (`env`: from env only), stored as a fingerprint. */
  readonly secret?: true | "env";
  /** Values within are write-only in some objects: see the kind's `secretPaths`. */
  readonly maybeSecret?: true;
  /** Without a documented default, yet the service fills in a value of its own. */
  readonly filledIn?: true;
  /** The meaning of a value beside other fields; where that becomes another, an undeclared one is filled in anew. */
  readonly sense?: (fields: JsonObject) => string;
  readonly wire?: FieldWire;
}

/** A field of a kind, or of an object within one. `T` is the type for users. */
export interface Field<T = unknown, Required extends boolean = boolean> extends FieldOptions {
  readonly type:
    | "string"
    | "integer"
    | "number"
    | "boolean"
    | "choice"
    | "list"
    | "object"
    | "map"
    | "reference"
    | "time";
  readonly required: Required;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly values?: readonly string[];
  /** A choice of which the API documents show only samples: others are let through. */
  readonly open?: true;
  /** Element of a list, member of a map. */
  readonly of?: Field;
  readonly fields?: Readonly<Record<string, Field>>;
  /** A list in which order means nothing. */
  readonly set?: true;
  /** Text or bytes stored outside the tree by hash. */
  readonly content?: "text" | "bytes";
  /** White space around the value means nothing. */
  readonly trim?: true;
  /** A language that the text is in, as a regular expression: editors judge by it, `validate` says what is wrong. */
  readonly language?: string;
  readonly reference?: { readonly kind: string; readonly by: "id" | "name" };
  /** The objects that a reference may lead to, by their answer, where not all of the kind; `words` say which. */
  readonly only?: { readonly words: string; readonly fits: (wire: JsonObject) => boolean };
  /** Keys of a map that are write-only at the service. */
  readonly secretKeys?: readonly string[];
  /** Makes the normal form from that of the type; default: that form itself. */
  readonly normalize?: (value: Json) => Json;
  /** Undoes `normalize` where that changes the shape: the input that a user would write for a normal form. */
  readonly spell?: (normal: Json) => Json;
  /** The whole field may also be written as one text: JSON text, a path. */
  readonly alsoText?: true;
  /** A list that may be written as its only element. */
  readonly alsoOne?: true;
  /** Text that may be written as a number or as true and false. */
  readonly alsoScalar?: true;
  /** A member of a map that may be null, as in a merge patch. */
  readonly nullable?: true;
  /** A map whose keys identify objects in addresses. */
  readonly keyed?: true;
  /** Never set: holds the type that a user may write. */
  readonly input?: T;
}

/** The description as it holds in project files and constructs. */
export function fileDescription(field: Field): string {
  const sources = field.secret === "env" ? "`${env:…}`" : "`${env:…}` or `${file:…}`";
  const source = field.secret ? `From ${sources} only.` : undefined;
  return [field.description, field.inFiles, source].filter((sentence) => sentence !== undefined).join(" ");
}

type Declared<T, O> = Field<T, O extends { required: true } ? true : false>;
type Spec<T> = Partial<Omit<Field<T>, "type" | "required" | "input">> & FieldOptions & { readonly required?: boolean };

/** A line of text. */
export const text = <const O extends Spec<string>>(options: O) => declare<string, O>("string", options);
/** Text that people also write as a number, or as true and false. */
export const scalar = <const O extends Spec<string | number | boolean>>(options: O) =>
  declare<string | number | boolean, O>("string", { ...options, alsoScalar: true });
/** A whole number. */
export const integer = <const O extends Spec<number>>(options: O) => declare<number, O>("integer", options);
/** Any number. */
export const number = <const O extends Spec<number>>(options: O) => declare<number, O>("number", options);
/** true or false. */
export const flag = <const O extends Spec<boolean>>(options: O) => declare<boolean, O>("boolean", options);
/** A moment: ISO 8601 or epoch milliseconds. */
export const time = <const O extends Spec<string | number>>(options: O) => declare<string | number, O>("time", options);
/** One of a list of words. */
export const choice = <const V extends string, const O extends Spec<V>>(values: readonly V[], options: O) =>
  declare<O extends { open: true } ? V | (string & {}) : V, O>("choice", { ...options, values });
/** A reference to another object: a key, `{ id }` or `{ name }`. */
export const reference = <const O extends Spec<ReferenceInput>>(kind: string, options: O) =>
  declare<ReferenceInput, O>("reference", { ...options, reference: { kind, by: "id" } });
/** The name of another object, or the key of one declared in the project. */
export const named = <const O extends Spec<string>>(kind: string, options: O) =>
  declare<string, O>("string", { ...options, reference: { kind, by: "name" } });
/** A list. */
export const list = <T, R extends boolean, const O extends Spec<readonly T[]>>(of: Field<T, R>, options: O) =>
  declare<readonly T[], O>("list", { ...options, of });
/** A list that may also be written as its only element. */
export const oneOrMore = <T, R extends boolean, const O extends Spec<T | readonly T[]>>(of: Field<T, R>, options: O) =>
  declare<T | readonly T[], O>("list", { ...options, of, alsoOne: true });
/** Keys and values of one type. */
export const map = <T, R extends boolean, const O extends Spec<Readonly<Record<string, T>>>>(
  of: Field<T, R>,
  options: O,
) => declare<Readonly<Record<string, T>>, O>("map", { ...options, of });
/** An object within an object, with its fields. */
export const group = <const F extends Readonly<Record<string, Field>>, const O extends Spec<InputOf<F>>>(
  fields: F,
  options: O,
) => declare<InputOf<F>, O>("object", { ...options, fields });

function declare<T, O>(type: Field["type"], options: Spec<T>): Declared<T, O> {
  return { required: false, ...options, type } as Declared<T, O>;
}

type RequiredKeys<F> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F];
type InputOfField<F> = F extends Field<infer T, boolean> ? T : never;

/** The input that a user writes for a set of fields: required ones must be present, others may be, and `null` clears. */
export type InputOf<F> = { readonly [K in RequiredKeys<F>]: InputOfField<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: InputOfField<F[K]> | null;
};

/** The limit that a value of the right type breaks, in words; undefined when it breaks none. */
export function brokenLimit(field: Field, value: Json): string | undefined {
  if (typeof value === "string" && field.type === "string") {
    if (field.trim && value.trim() === "") return "text that is not empty";
    const isLong = field.maxLength !== undefined && [...value].length > field.maxLength;
    return isLong ? `at most ${field.maxLength} characters long` : undefined;
  }
  if (typeof value !== "number") return undefined;
  if (field.minimum !== undefined && value < field.minimum) return `at least ${field.minimum}`;
  if (field.maximum !== undefined && value > field.maximum) return `at most ${field.maximum}`;
  return undefined;
}

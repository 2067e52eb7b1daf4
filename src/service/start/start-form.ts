import type { JsonValue } from "../../api/routes.ts";
import { parameterOf } from "./parameters.ts";
import { fieldOf, parseFieldName } from "./parse-field-name.ts";
import { readValue } from "./read-value.ts";

/** A file part of the form: its path in the scenario and its bytes. */
export interface FormFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A field that was sent. Neither value nor file: it was invalid, which has been reported. */
export interface SentField {
  readonly field: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly value?: JsonValue;
  readonly file?: FormFile;
}

/** The fields of a form that have been read; what was not sent has the value of its table. */
export class StartForm {
  /** In the order of the form. */
  readonly sent: readonly SentField[];
  readonly #byField: ReadonlyMap<string, SentField>;

  constructor(sent: readonly SentField[]) {
    this.sent = sent;
    this.#byField = new Map(sent.map((each) => [each.field, each]));
  }

  /** True for a field that was sent, even with an invalid value. */
  has(field: string): boolean {
    return this.#byField.has(field);
  }

  /** The first of these fields that was sent. */
  first<F extends string>(fields: readonly F[]): F | undefined {
    return fields.find((field) => this.has(field));
  }

  text(field: string): string | undefined {
    const value = this.#value(field);
    return typeof value === "string" ? value : undefined;
  }

  number(field: string): number | undefined {
    const value = this.#value(field);
    return typeof value === "number" ? value : undefined;
  }

  flag(field: string): boolean | undefined {
    const value = this.#value(field);
    return typeof value === "boolean" ? value : undefined;
  }

  /** A list of words or numbers; none when it was not sent. */
  list<T extends string | number>(field: string): readonly T[] {
    const value = this.#value(field);
    return Array.isArray(value) ? (value as readonly T[]) : [];
  }

  json(field: string): JsonValue | undefined {
    return this.#value(field);
  }

  file(field: string): FormFile | undefined {
    return this.#byField.get(field)?.file;
  }

  /** The sent fields of a name, such as `params[*]`. */
  all(name: string): readonly SentField[] {
    return this.sent.filter((each) => each.name === name);
  }

  /** The keys of a list such as `devices[*]`, each once. */
  keys(list: string, within: readonly string[] = []): readonly string[] {
    const items = this.sent.filter(
      ({ name, keys }) => name.startsWith(list) && within.every((key, index) => keys[index] === key),
    );
    return [...new Set(items.flatMap(({ keys }) => keys[within.length] ?? []))];
  }

  #value(field: string): JsonValue | undefined {
    const sent = this.#byField.get(field);
    return sent ? sent.value : standardOf(field);
  }
}

function standardOf(field: string): JsonValue | undefined {
  const parsed = parseFieldName(field);
  const parameter = parsed && parameterOf(parsed.name);
  if (parameter?.standard === undefined) return undefined;
  const read = readValue(parameter.standard, parameter);
  return "value" in read ? read.value : undefined;
}

/** The field of a list's item: `itemField("devices[*].weight", "0")` is `devices[0].weight`. */
export function itemField(name: string, ...keys: readonly string[]): string {
  return fieldOf(name, keys);
}

import type { Field } from "../../model/field.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject, valueAt, withValueAt } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";

/** Fields in normal form: as the service answers them, and as they were known. */
interface Sides {
  readonly live: JsonObject;
  readonly prior: JsonObject;
  /** Whether what may be secret is in the state since an import. */
  readonly imported: boolean;
}

/**
 * Live fields with what the service does not answer as it was: values of encrypted parameters. Of what may be secret an
 * import reads all that the service shows; else only what was known before is read, for nothing else is declared.
 */
export function keepMasked(kind: AnyKind, { live, prior, imported }: Sides): JsonObject {
  const encrypted = (kind.secretPaths?.(live, () => undefined) ?? []).map((path) => path.split("."));
  const nulls = Object.entries(kind.fields).flatMap(([name, field]) => maskedKeys(name, field, live));
  const kept = [...encrypted, ...nulls].reduce((fields, path) => keep(fields, path, prior), live);
  if (imported) return nulls.reduce((fields, path) => shown(fields, path, prior), kept);
  const hidden = Object.entries(kind.fields).flatMap(([name, field]) => secretMembers(name, field, live));
  return hidden.reduce((fields, path) => shown(fields, path, prior), kept);
}

function keep(fields: JsonObject, path: readonly string[], prior: JsonObject): JsonObject {
  const former = valueAt(prior, path);
  const isAnswered = (valueAt(fields, path) ?? null) !== null;
  return former === undefined || isAnswered ? fields : withValueAt(fields, path, former);
}

function shown(fields: JsonObject, path: readonly string[], prior: JsonObject): JsonObject {
  return valueAt(prior, path) === undefined ? withValueAt(fields, path, undefined) : fields;
}

/** Keys of a mapping that are answered as null: their values are encrypted. */
function maskedKeys(name: string, { maybeSecret }: Field, live: JsonObject): readonly (readonly string[])[] {
  const value = live[name];
  if (!maybeSecret || !isObject(value)) return [];
  return Object.keys(value).flatMap((key) => (value[key] === null ? [[name, key]] : []));
}

/** What may be secret within the objects of a list, which in normal form are under their names. */
function secretMembers(name: string, { of }: Field, live: JsonObject): readonly (readonly string[])[] {
  const value = live[name];
  const members = Object.entries(of?.fields ?? {}).filter(([, { maybeSecret }]) => maybeSecret);
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => members.map(([member]) => [name, key, member]));
}

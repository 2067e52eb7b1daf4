import type { Field } from "../../model/field.ts";
import { isObject, type JsonObject, sameJson, valueAt, withValueAt } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { hiddenMembers } from "../../model/normal-form.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { PrivateBytes } from "../provider-session.ts";
import { isValueMap, type Value, type ValueMap, valueMap } from "../wire/values.ts";
import { type ImportMarks, readPrivate, writePrivate } from "./private-state.ts";

/**
 * Live fields with the former values where the service answers masked ones: those of encrypted parameters. An import
 * reads every value that may be secret if the service shows it; otherwise only known ones are read, for nothing else is
 * declared.
 */
export function keepMasked(
  kind: AnyKind,
  { live, prior, marks }: { readonly live: JsonObject; readonly prior: JsonObject; readonly marks: ImportMarks },
): JsonObject {
  const encrypted = (kind.secretPaths?.(live, () => undefined) ?? []).map((path) => path.split("."));
  const masked = [...encrypted, ...hiddenMembers(kind, live)];
  const former = masked.reduce((fields, path) => withFormer(fields, path, prior), live);
  const kept = unreadMembers(kind, live, marks).reduce((fields, path) => shown(fields, path, prior), former);
  if (marks.imported) return kept;
  const hidden = Object.entries(kind.fields).flatMap(([name, field]) => secretMembers(name, field, live));
  return hidden.reduce((fields, path) => shown(fields, path, prior), kept);
}

/** Paths of the encrypted parameters that were imported without their values, as far as they are there still. */
export function unreadMembers(
  kind: AnyKind,
  live: JsonObject,
  { imported, unread = [] }: ImportMarks,
): readonly (readonly string[])[] {
  const isUnread = (path: readonly string[]) => imported === true || unread.some((each) => sameJson(each, path));
  return hiddenMembers(kind, live).filter(isUnread);
}

function withFormer(fields: JsonObject, path: readonly string[], prior: JsonObject): JsonObject {
  const former = valueAt(prior, path);
  const isAnswered = (valueAt(fields, path) ?? null) !== null;
  return former === undefined || isAnswered ? fields : withValueAt(fields, path, former);
}

function shown(fields: JsonObject, path: readonly string[], prior: JsonObject): JsonObject {
  return valueAt(prior, path) === undefined ? withValueAt(fields, path, undefined) : fields;
}

/** Paths of values that may be secret within the objects of a list, which in normal form are under their names. */
function secretMembers(name: string, { of }: Field, live: JsonObject): readonly (readonly string[])[] {
  const value = live[name];
  const members = Object.entries(of?.fields ?? {}).filter(([, { maybeSecret }]) => maybeSecret);
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => members.map(([member]) => [name, key, member]));
}

type Attributes = readonly TerraformAttribute[];

/** True where some values of such an object may be secret, depending on others. */
export function mayHoldSecrets({ attributes }: { readonly attributes: Attributes }): boolean {
  return attributes.some(({ source, type }) => {
    if (source.is === "field" && source.field.maybeSecret) return true;
    return isNested(type) && mayHoldSecrets(type);
  });
}

/**
 * A configured value with the imported ones in the place of nulls; objects of a list are matched by their names.
 * Terraform writes `null` for sensitive values into the configuration that it generates: it means nothing, and the
 * value remains.
 */
export function withImported(attribute: TerraformAttribute, given: Value, prior: Value): Value {
  const { type, source } = attribute;
  if (given === null) return source.is === "field" && source.field.maybeSecret ? prior : given;
  if (!isNested(type) || !mayHoldSecrets(type) || !Array.isArray(given) || !Array.isArray(prior)) return given;
  const former = prior.filter(isValueMap);
  return given.map((item) => {
    const same = isValueMap(item) && former.find(({ name }) => name === item["name"]);
    return same ? valueMap(type.attributes.map((each) => [each.name, importedMember(each, item, same)])) : item;
  });
}

function importedMember(attribute: TerraformAttribute, item: ValueMap, former: ValueMap): Value {
  return withImported(attribute, item[attribute.name] ?? null, former[attribute.name] ?? null);
}

/** The bytes after an update that wrote these fields: an import is over once the configuration says all values that it read. */
export function privateAfterUpdate(
  resource: { readonly attributes: Attributes },
  {
    before,
    after,
    config,
    written,
  }: {
    readonly before: PrivateBytes;
    readonly after: PrivateBytes;
    readonly config: ValueMap;
    readonly written: JsonObject;
  },
): PrivateBytes {
  const { imported, unread = [] } = readPrivate(before);
  const isOpen = imported === true && leavesOpen(resource.attributes, config);
  // A field is written as a whole: what was not in it is gone.
  const left = unread.filter(([field = ""]) => !(field in written));
  if (!isOpen && left.length === 0) return after;
  return writePrivate({
    ...readPrivate(after),
    ...(isOpen && { imported: true }),
    ...(left.length > 0 && { unread: left }),
  });
}

function leavesOpen(attributes: Attributes, values: ValueMap): boolean {
  return attributes.some(({ name, type, source }) => {
    const value = values[name] ?? null;
    if (source.is === "field" && source.field.maybeSecret) return value === null;
    return (
      isNested(type) &&
      Array.isArray(value) &&
      value.filter(isValueMap).some((item) => leavesOpen(type.attributes, item))
    );
  });
}

import { wrongValue } from "../../model/diagnostic.ts";
import type { Field } from "../../model/field.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { Path, ProviderDiagnostic } from "../provider-session.ts";
import { errorAt, quoted } from "../resource/provider-problem.ts";
import { idIn } from "../values/resource-type.ts";
import { isValueMap, type Value, type ValueMap } from "../wire/values.ts";

/** An id of another object that a configuration says, as it is written there. */
export interface KnownId {
  readonly path: Path;
  readonly kind: string;
  readonly text: string;
  readonly only?: Field["only"];
}

/** The ids of other objects in a configuration as far as they are known: those above it, and those that it refers to. */
export function knownIds(
  attributes: readonly TerraformAttribute[],
  values: ValueMap,
  at: Path = [],
): readonly KnownId[] {
  return attributes.flatMap((attribute) => {
    const value = values[attribute.name] ?? null;
    const path = [...at, attribute.name];
    const kind = kindOf(attribute);
    const only = attribute.source.is === "field" ? attribute.source.field.only : undefined;
    if (kind !== undefined)
      return typeof value === "string" ? [{ path, kind, text: value, ...(only !== undefined && { only }) }] : [];
    return isNested(attribute.type) ? idsBelow(attribute.type.attributes, value, path) : [];
  });
}

function kindOf({ source }: TerraformAttribute): string | undefined {
  if (source.is === "parent") return source.kind;
  return source.is === "field" && source.form === "id" ? source.field.reference?.kind : undefined;
}

function idsBelow(attributes: readonly TerraformAttribute[], value: Value, path: Path): readonly KnownId[] {
  if (Array.isArray(value)) return value.flatMap((item: Value, index) => idsBelow(attributes, item, [...path, index]));
  return isValueMap(value) ? knownIds(attributes, value, path) : [];
}

/** The form of an id, in words. */
export const idWords = 'the id of an object as the service spells it, a whole number as text such as "7"';

/**
 * Ids that are none, or spelled otherwise than the service spells them: those would be another value in the state. Asked by
 * the plan, which the mocks of `terraform test` replace, for they make ids up.
 */
export function checkIds(ids: readonly KnownId[]): readonly ProviderDiagnostic[] {
  return ids
    .filter(({ text }) => idIn(text) === undefined)
    .map(({ path, text }) => errorAt(path, `${String(path.at(-1))} is no id`, wrongValue(quoted(text), idWords)));
}

import type { TerraformAttribute } from "../../schema/terraform-attribute.ts";
import { isNested } from "../../schema/terraform-attribute.ts";
import type { PrivateBytes } from "../provider-session.ts";
import { readPrivate, writePrivate } from "../values/private-state.ts";
import type { Value, ValueMap } from "../wire/values.ts";
import { isValueMap, valueMap } from "../wire/values.ts";

/**
 * Values that may be secret are sensitive, and of what is sensitive Terraform writes `null` into the configuration that it
 * generates for an import. So what an import read remains until the configuration says something of it.
 */
type Attributes = readonly TerraformAttribute[];

/** Whether some values of such an object may be secret, depending on others. */
export function mayHoldSecrets({ attributes }: { readonly attributes: Attributes }): boolean {
  return attributes.some(({ source, type }) => {
    if (source.is === "field" && source.field.maybeSecret) return true;
    return isNested(type) && mayHoldSecrets(type);
  });
}

/** A configured value with what an import read in the place of nulls; objects of a list are the same by their names. */
export function withImported(attribute: TerraformAttribute, given: Value, prior: Value): Value {
  const { type, source } = attribute;
  if (given === null) return source.is === "field" && source.field.maybeSecret ? prior : given;
  if (!isNested(type) || !mayHoldSecrets(type) || !Array.isArray(given) || !Array.isArray(prior)) return given;
  const former = prior.filter(isValueMap);
  return given.map((item) => {
    const same = isValueMap(item) && former.find(({ name }) => name === item["name"]);
    return same ? valueMap(type.attributes.map((each) => [each.name, memberOf(each, item, same)])) : item;
  });
}

function memberOf(attribute: TerraformAttribute, item: ValueMap, former: ValueMap): Value {
  return withImported(attribute, item[attribute.name] ?? null, former[attribute.name] ?? null);
}

/** The bytes after an update: an import is over once the configuration says all of these values. */
export function privateAfterUpdate(
  resource: { readonly attributes: Attributes },
  { before, after, config }: { readonly before: PrivateBytes; readonly after: PrivateBytes; readonly config: ValueMap },
): PrivateBytes {
  if (!readPrivate(before).imported || !leavesOpen(resource.attributes, config)) return after;
  return writePrivate({ ...readPrivate(after), imported: true });
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

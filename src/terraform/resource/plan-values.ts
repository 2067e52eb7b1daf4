import { type Json, sameJson } from "../../model/json.ts";
import { normalValue } from "../../model/normal-form.ts";
import { isNested, type TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { decodeAttribute, decodeFields, knownFields } from "../values/decode-fields.ts";
import { encodePlain, memberDefault } from "../values/encode-attribute.ts";
import { withImported } from "../values/maybe-secret.ts";
import { meansSame } from "../values/merge-state.ts";
import { chooseVariants, type VariantChoice } from "../values/variant-choice.ts";
import { isValueMap, isWhollyKnown, UNKNOWN, type Value, type ValueMap, valueMap } from "../wire/values.ts";

/** What a plan compares; `prior` is undefined for a create. */
interface PlanInput {
  readonly config: ValueMap;
  readonly prior: ValueMap | undefined;
  /** Whether what may be secret is in the state since an import. */
  readonly imported?: boolean;
}

/**
 * What will be: what is configured, exactly as before where it means the same; documented defaults as they are documented;
 * what the service chooses as it was, or unknown. Fields outside the active variant are null.
 */
export function planValues(resource: ResourceSchema, input: PlanInput): ValueMap {
  const { attributes, kind } = resource;
  const fields = decodeFields(attributes, input.config, new Map());
  const choice = chooseVariants(kind.variants, fields);
  const planned = new Map<string, Value>();
  for (const attribute of attributes) planned.set(attribute.name, plannedValue(attribute, input, choice));
  for (const name of chosenAnew(resource, { ...input, choice }, planned)) planned.set(name, UNKNOWN);
  const changed = changedAttributes(resource, input.prior, planned);
  if (input.prior !== undefined && changed.length > 0)
    for (const attribute of attributes) if (moves(resource, attribute, changed)) planned.set(attribute.name, UNKNOWN);
  return valueMap(planned);
}

/** The attributes that will be others than they were; all that are set for a create. */
export function changedAttributes(
  { attributes }: Pick<ResourceSchema, "attributes">,
  prior: ValueMap | undefined,
  planned: ReadonlyMap<string, Value>,
): readonly TerraformAttribute[] {
  return attributes.filter(({ name }) => !sameValue(prior?.[name] ?? null, planned.get(name) ?? null));
}

function plannedValue(
  attribute: TerraformAttribute,
  { config, prior, imported }: PlanInput,
  choice: VariantChoice,
): Value {
  const before = prior?.[attribute.name] ?? null;
  const own = config[attribute.name] ?? null;
  const given = imported ? withImported(attribute, own, before) : own;
  if (attribute.writeOnly) return null;
  if (given !== null) return configured(attribute, given, before);
  if (!attribute.computed) return null;
  const former = prior === undefined ? UNKNOWN : (prior[attribute.name] ?? null);
  const { source } = attribute;
  if (source.is !== "field") return former;
  const [name = ""] = source.path;
  if (choice.inactive.has(name)) return null;
  if (choice.undecided.has(name)) return UNKNOWN;
  if (attribute.default === undefined) return former;
  if (former !== UNKNOWN && former !== null && isDefault(attribute, former)) return former;
  return encodePlain(attribute.type, attribute.default);
}

/** What the service chose for the variant of before, and chooses again when the variant is another one. */
function chosenAnew(
  { kind, attributes }: ResourceSchema,
  { config, prior, choice }: PlanInput & { readonly choice: VariantChoice },
  planned: ReadonlyMap<string, Value>,
): readonly string[] {
  if (prior === undefined || kind.variants === undefined) return [];
  const moved = new Set(changedAttributes({ attributes }, prior, planned).map(fieldOf));
  const variants = kind.variants.filter(({ by }) =>
    (typeof by === "string" ? [by] : by).some((name) => moved.has(name)),
  );
  const owned = new Set(variants.flatMap(({ owns }) => Object.values(owns).flat()));
  return attributes
    .filter((attribute) => attribute.computed && attribute.default === undefined && owned.has(fieldOf(attribute)))
    .filter((attribute) => !choice.inactive.has(fieldOf(attribute)))
    .map(({ name }) => name)
    .filter((name) => (config[name] ?? null) === null);
}

function fieldOf({ source }: TerraformAttribute): string {
  return source.is === "field" ? (source.path[0] ?? "") : "";
}

function isDefault(attribute: TerraformAttribute, value: Value): boolean {
  const { source } = attribute;
  if (source.is !== "field" || source.field.default === undefined) return false;
  const own = decodeAttribute(attribute, value, new Map());
  const normal = (json: Json) => normalValue(source.field, json);
  return own !== undefined && sameJson(normal(own as Json), normal(source.field.default));
}

/** A configured value, exactly as before where that means the same. */
function configured(attribute: TerraformAttribute, given: Value, prior: Value): Value {
  const { source } = attribute;
  if (source.is !== "field" || given === UNKNOWN) return given;
  const isSame =
    prior !== null && isWhollyKnown(given) && isWhollyKnown(prior) && hasSameMeaning(attribute, given, prior);
  return isSame ? prior : withDefaults(attribute, given);
}

function hasSameMeaning(attribute: TerraformAttribute, given: Value, prior: Value): boolean {
  const { source } = attribute;
  if (source.is !== "field") return false;
  if (source.field.content !== undefined) return sameText(source.form, given, prior);
  const own = decodeAttribute(attribute, prior, new Map());
  return own !== undefined && meansSame(attribute, given, normalValue(source.field, own as Json));
}

function sameText(form: string, given: Value, prior: Value): boolean {
  if (typeof given !== "string" || typeof prior !== "string") return false;
  if (form === "base64") return Buffer.from(given, "base64").equals(Buffer.from(prior, "base64"));
  return given.normalize("NFC") === prior.normalize("NFC");
}

/** The members of objects that are not set and have a documented default. */
function withDefaults(attribute: TerraformAttribute, given: Value): Value {
  const { type, source } = attribute;
  if (!isNested(type) || source.is !== "field") return given;
  const group = source.field.of ?? source.field;
  const filled = (item: Value): Value => {
    if (!isValueMap(item)) return item;
    const fields = knownFields(decodeFields(type.attributes, item, new Map())).known;
    return valueMap(
      type.attributes.map((member) => {
        const value = item[member.name] ?? null;
        return [member.name, value === null ? memberDefault(group, member, fields) : withDefaults(member, value)];
      }),
    );
  };
  return Array.isArray(given) ? given.map(filled) : filled(given);
}

/** Whether what the service computes will be another value when these attributes change. */
function moves(
  { kind }: ResourceSchema,
  { source }: TerraformAttribute,
  changed: readonly TerraformAttribute[],
): boolean {
  if (source.is === "identity") return source.member === "updatedAt";
  if (source.is !== "fact" || !kind.contentVersion?.includes(source.member)) return false;
  // A file's name says, with its extension, how it is read.
  const isOfFile = Object.values(kind.fields).some(({ content }) => content === "bytes");
  return changed.some(
    (each) =>
      each.source.is === "field" && (each.source.field.content !== undefined || (isOfFile && each.name === "name")),
  );
}

/** Whether two values are the same in every digit and letter. */
export function sameValue(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left === UNKNOWN || right === UNKNOWN || left === null || right === null) return false;
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameValue(item, right[index] ?? null))
    );
  if (isValueMap(left) && isValueMap(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => key in right && sameValue(left[key] ?? null, right[key] ?? null))
    );
  }
  return (
    typeof left === "object" &&
    typeof right === "object" &&
    "decimal" in left &&
    "decimal" in right &&
    left.decimal === right.decimal
  );
}

import type { Json, JsonObject } from "./json.ts";
import type { AnyKind, Variant } from "./kind.ts";

/** The variant that a set of fields chooses, or undefined when nothing chooses one. */
function activeVariant(variant: Variant, fields: JsonObject): string | undefined {
  if (typeof variant.by === "string") {
    const chosen = fields[variant.by] ?? variant.default;
    return typeof chosen === "string" ? chosen : undefined;
  }
  return variant.by.find((field) => fields[field] !== undefined && fields[field] !== null);
}

/** Fields that do not count under the variants that `fields` chooses. */
export function inactiveFields(variants: readonly Variant[] | undefined, fields: JsonObject): ReadonlySet<string> {
  const inactive = new Set<string>();
  for (const variant of variants ?? []) for (const field of inactiveOf(variant, fields)) inactive.add(field);
  return inactive;
}

export function withoutInactive(kind: Pick<AnyKind, "variants">, fields: JsonObject): JsonObject {
  if (!kind.variants?.some((variant) => inactiveOf(variant, fields).some((name) => fields[name] !== undefined)))
    return fields;
  const inactive = inactiveFields(kind.variants, fields);
  const active: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) if (!inactive.has(name)) active[name] = value;
  return active;
}

const nothing: readonly string[] = [];
const inactiveByChoice = new WeakMap<Variant, Map<string, readonly string[]>>();

/** Fields that belong only to other choices than the active one; computed once per choice, since every object asks. */
function inactiveOf(variant: Variant, fields: JsonObject): readonly string[] {
  const active = activeVariant(variant, fields);
  if (active === undefined) return nothing;
  return inactiveByChoice.get(variant)?.get(active) ?? workOut(variant, active);
}

function workOut(variant: Variant, active: string): readonly string[] {
  const own = (Object.hasOwn(variant.owns, active) && variant.owns[active]) || nothing;
  const others = [...new Set(Object.values(variant.owns).flat())].filter((each) => !own.includes(each));
  const known = inactiveByChoice.get(variant) ?? new Map<string, readonly string[]>();
  inactiveByChoice.set(variant, known.set(active, others));
  return others;
}

import type { Json, JsonObject } from "./json.ts";
import type { AnyKind, Variant } from "./kind.ts";

/** The variant that a set of fields chooses, or undefined when nothing chooses one. */
export function activeVariant(variant: Variant, fields: JsonObject): string | undefined {
  if (typeof variant.by === "string") {
    const chosen = fields[variant.by] ?? variant.default;
    return typeof chosen === "string" ? chosen : undefined;
  }
  return variant.by.find((field) => fields[field] !== undefined && fields[field] !== null);
}

/** Fields that do not count under the variants that `fields` chooses. */
export function foreignFields(variants: readonly Variant[] | undefined, fields: JsonObject): ReadonlySet<string> {
  const foreign = new Set<string>();
  for (const variant of variants ?? []) for (const field of foreignOf(variant, fields)) foreign.add(field);
  return foreign;
}

/** The fields without those of inactive variants. */
export function withoutForeign(kind: Pick<AnyKind, "variants">, fields: JsonObject): JsonObject {
  if (kind.variants === undefined || !holdsForeign(kind.variants, fields)) return fields;
  const foreign = foreignFields(kind.variants, fields);
  const own: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) if (!foreign.has(name)) own[name] = value;
  return own;
}

function holdsForeign(variants: readonly Variant[], fields: JsonObject): boolean {
  for (const variant of variants)
    for (const name of foreignOf(variant, fields)) if (fields[name] !== undefined) return true;
  return false;
}

const nothing: readonly string[] = [];
const foreignByChoice = new WeakMap<Variant, ReadonlyMap<string, readonly string[]>>();

/** What belongs only to other choices than the active one; worked out once per variant, since every object asks. */
function foreignOf(variant: Variant, fields: JsonObject): readonly string[] {
  const active = activeVariant(variant, fields);
  if (active === undefined) return nothing;
  const known = foreignByChoice.get(variant) ?? foreignTable(variant);
  foreignByChoice.set(variant, known);
  return known.get(active) ?? allOwned(variant);
}

function foreignTable(variant: Variant): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(variant.owns).map(([choice, own]) => [
      choice,
      allOwned(variant).filter((field) => !own.includes(field)),
    ]),
  );
}

function allOwned(variant: Variant): readonly string[] {
  return [...new Set(Object.values(variant.owns).flat())];
}

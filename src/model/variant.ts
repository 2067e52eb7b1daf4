import type { JsonObject } from "./json.ts";
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
  for (const variant of variants ?? []) addForeign(foreign, variant, activeVariant(variant, fields));
  return foreign;
}

function addForeign(foreign: Set<string>, variant: Variant, active: string | undefined): void {
  if (active === undefined) return;
  const own = variant.owns[active] ?? [];
  for (const owned of Object.values(variant.owns))
    for (const field of owned) if (!own.includes(field)) foreign.add(field);
}

/** The fields without those of inactive variants. */
export function withoutForeign(kind: Pick<AnyKind, "variants">, fields: JsonObject): JsonObject {
  if (kind.variants === undefined) return fields;
  const foreign = foreignFields(kind.variants, fields);
  if (foreign.size === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !foreign.has(name)));
}

import type { Json } from "../../model/json.ts";
import type { Variant } from "../../model/kind.ts";
import { inactiveFields } from "../../model/variant.ts";
import { UNKNOWN } from "../wire/values.ts";
import { isKnown, type Mixed, type MixedObject } from "./decode-fields.ts";

/** Which fields do not count: surely, or perhaps because a choice is not known yet. */
export interface VariantChoice {
  readonly inactive: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
}

/** The variants chosen by the known values of the choosing fields. */
export function chooseVariants(variants: readonly Variant[] | undefined, fields: MixedObject): VariantChoice {
  const open = (variants ?? []).filter((variant) => isOpen(variant, fields));
  const decided = (variants ?? []).filter((variant) => !open.includes(variant));
  const known = Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Json] => isKnown(entry[1])),
  );
  const inactive = inactiveFields(decided, known);
  const owned = open.flatMap(({ owns }) => Object.values(owns).flat());
  return { inactive, undecided: new Set(owned.filter((name) => !inactive.has(name))) };
}

/** True where a choosing field is not known, and none before it decides. */
function isOpen({ by }: Variant, fields: MixedObject): boolean {
  const names = typeof by === "string" ? [by] : by;
  const first: Mixed | undefined = names
    .map((name) => fields[name])
    .find((value) => value !== undefined && value !== null);
  return first === UNKNOWN;
}

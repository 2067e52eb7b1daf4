import type { Json, JsonObject } from "../../model/json.ts";
import type { AnyKind, Rule, RuleFinding } from "../../model/kind.ts";
import { isMixedObject, type Mixed, type MixedObject } from "../values/decode-fields.ts";
import { UNKNOWN } from "../wire/values.ts";

/** A finding with the rule it comes from. */
export interface RuleResult {
  readonly finding: RuleFinding;
  readonly origin: Rule["origin"];
}

/** Findings of the kind's rules; a rule that looks at an unknown value is skipped. */
export function checkRules({ rules = [] }: AnyKind, fields: MixedObject): readonly RuleResult[] {
  const guarded = guard(fields) as JsonObject;
  return rules.flatMap(({ check, origin }) => findings(() => check(guarded)).map((finding) => ({ finding, origin })));
}

/** The findings of `look`; none when it meets an unknown value. */
export function findings(look: () => readonly RuleFinding[]): readonly RuleFinding[] {
  try {
    return look();
  } catch (thrown) {
    if (thrown instanceof LookedAtUnknown) return [];
    throw thrown;
  }
}

/** A rule looked at a value that is not known yet. */
class LookedAtUnknown extends Error {
  override readonly name = "LookedAtUnknown";
}

/** The same value, in which a look at something unknown throws; a look at whether it is set too. */
function guard(value: Mixed): Mixed {
  if (Array.isArray(value)) return guardMembers(value, []);
  return isMixedObject(value) ? guardMembers(value, Object.create(null)) : value;
}

function guardMembers(value: readonly Mixed[] | MixedObject, guarded: Json[] | Record<string, Json>): Mixed {
  for (const [key, member] of Object.entries(value)) {
    const held: Mixed = member === UNKNOWN ? UNKNOWN : guard(member);
    const get = (): Mixed => {
      if (held === UNKNOWN) throw new LookedAtUnknown();
      return held;
    };
    Object.defineProperty(guarded, key, { enumerable: true, configurable: true, get });
  }
  return guarded;
}

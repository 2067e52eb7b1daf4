import type { JsonObject } from "../model/json.ts";
import type { Rule, RuleFinding } from "../model/kind.ts";

/** A rule: the field is an absolute URL of one of these schemes, e.g. `https:`. */
export function urlRule(field: string, schemes: readonly string[], stated: Pick<Rule, "origin" | "section">): Rule {
  return {
    ...stated,
    check: (fields) => {
      const value = fields[field];
      return typeof value === "string" ? urlFindings(field, value, schemes) : [];
    },
  };
}

/** The scheme of a git or web address; `user@host:path` is ssh. */
function schemeOf(value: string): string | undefined {
  if (/^[^/@\s]+@[^/:\s]+:(?!\/\/)/.test(value)) return "ssh:";
  try {
    return new URL(value).protocol;
  } catch {
    return undefined;
  }
}

function urlFindings(field: string, value: string, schemes: readonly string[]): readonly RuleFinding[] {
  const scheme = schemeOf(value);
  if (scheme !== undefined && schemes.includes(scheme)) return [];
  const expected = schemes.map((each) => `${each}//…`).join(" or ");
  const found = scheme === undefined ? "no URL" : `scheme ${scheme}`;
  return [{ path: [field], summary: `${field} is not a usable URL`, detail: `found ${found}; expected ${expected}` }];
}

/** The scheme of a declared text field, when it is one. */
export function fieldScheme(fields: JsonObject, field: string): string | undefined {
  const value = fields[field];
  return typeof value === "string" ? schemeOf(value) : undefined;
}

import type { JsonValue } from "../../api/routes.ts";
import { Refusal } from "../core/refusal.ts";
import type { Scope } from "../core/scope.ts";

/** DECISION (seed 1, fields `name`; service.md 1.2.3): names are trimmed, 1 to 255 characters. */
export function readName(value: JsonValue | undefined, scope: Scope, field = "name"): string {
  const name = typeof value === "string" ? value.trim() : "";
  if (name.length === 0) scope.findings.add(field, "found no name; expected 1 to 255 characters");
  if (name.length > 255) scope.findings.add(field, `found ${name.length} characters; expected 1 to 255`);
  return name;
}

/** DECISION (service.md 1.2.3): names are case-sensitive; setting `nameCase: fold` says otherwise. */
export function sameName(left: string, right: string, scope: Scope): boolean {
  return scope.settings.nameCase === "fold" ? left.toLowerCase() === right.toLowerCase() : left === right;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Refuses a name that another of these objects has: 409 (service.md 2, Errors). */
export function refuseTaken(name: string, others: readonly Named[], scope: Scope & { readonly self?: number }): void {
  const taken = others.find((each) => each.id !== scope.self && sameName(each.name, name, scope));
  if (taken === undefined) return;
  throw new Refusal(409, `the name "${name}" is taken by ${taken.id}; expected another one`, {
    errors: [{ field: "name", message: `taken by ${taken.id}` }],
  });
}

/** Siblings may share a name, unless setting `names: unique` says otherwise (service.md 1.2.3, engine.md A9). */
export function refuseSibling(
  name: string,
  siblings: readonly Named[],
  scope: Scope & { readonly self?: number },
): void {
  if (scope.settings.names === "unique") refuseTaken(name, siblings, scope);
}

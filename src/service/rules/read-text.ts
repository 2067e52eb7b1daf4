import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal, type RuleOrigin } from "../refusal.ts";
import type { TestCaseRecord } from "../store/records/scenarios.ts";

/** A text after a write: omitted keeps, null clears to the default. */
export function textAfter(value: JsonValue | undefined, former: string | undefined, standard: string): string {
  if (value === undefined) return former ?? standard;
  return typeof value === "string" ? value : standard;
}

/** A text without a default after a write: omitted keeps, null clears it. */
export function optionalText(value: JsonValue | undefined, former: string | null | undefined): string | null {
  if (value === undefined) return former ?? null;
  return typeof value === "string" ? value : null;
}

/** Scheme of a url, `ssh:` for the scp form user@host:path; undefined when it is no url. */
export function schemeOf(url: string): string | undefined {
  if (/^[\w.-]+@[\w.-]+:[^/].*$/.test(url) || /^[\w.-]+@[\w.-]+:\/.+$/.test(url)) return "ssh:";
  try {
    return new URL(url).protocol;
  } catch {
    return undefined;
  }
}

/** A url of one of these schemes. */
export function readUrl(value: JsonValue | undefined, schemes: readonly string[], scope: Scope): string {
  const url = typeof value === "string" ? value.trim() : "";
  const scheme = schemeOf(url);
  if (scheme === undefined || !schemes.includes(scheme))
    scope.findings.add(
      "url",
      `found ${JSON.stringify(value) ?? "none"}; expected a url with ${schemes.map((each) => `${each}//`).join(" or ")}`,
    );
  return url;
}

const mostCharacters = 255;

/** DECISION (API 1, Resources and their fields: `name`): names are trimmed, 1 to 255 characters, of which an emoji is one, that can be read: no control characters, line ends or halves of characters, and not only invisible ones; setting `nameCharacters: any` takes the former. */
export function readName(value: JsonValue | undefined, scope: Scope, field = "name"): string {
  const name = typeof value === "string" ? value.trim() : "";
  const found = nameProblem(name, scope);
  if (found !== undefined)
    scope.findings.add(field, `found ${found}; expected 1 to ${mostCharacters} characters that can be read`);
  return name;
}

/** The mistake in a trimmed name, in words; undefined when there is none. */
function nameProblem(name: string, { settings }: Scope): string | undefined {
  const hidden = settings.nameCharacters === "any" ? undefined : /[\p{Cc}\p{Cs}\u2028\u2029]/u.exec(name)?.[0];
  if (hidden !== undefined)
    return `the character U+${hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")} in the name`;
  if (!/[^\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(name)) return "no name";
  const length = [...name].length;
  return length > mostCharacters ? `${length} characters` : undefined;
}

/** DECISION (API 1, Resources and their fields: `name`): names are case-sensitive; setting `nameCase: fold` says otherwise. */
export function sameName(left: string, right: string, scope: Scope): boolean {
  return scope.settings.nameCase === "fold" ? left.toLowerCase() === right.toLowerCase() : left === right;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Refuses a name that another of these objects has: 409. Of test cases the documents state it (API 1, PUT /test-cases/:testCaseId). */
export function refuseTaken(
  name: string,
  others: readonly Named[],
  scope: Scope & { readonly self?: number; readonly origin?: RuleOrigin },
): void {
  const taken = others.find((each) => each.id !== scope.self && sameName(each.name, name, scope));
  if (taken === undefined) return;
  throw new Refusal(409, `the name "${name}" is taken by ${taken.id}; expected another one`, {
    errors: [{ field: "name", message: `taken by ${taken.id}` }],
    ...(scope.origin && { origin: scope.origin }),
  });
}

/** Test cases that have a name, found without a look at the others: it is unique in the account. */
export function namesakes(name: string, { store, settings }: Scope): readonly TestCaseRecord[] {
  return settings.nameCase === "fold" ? store.all("testCase") : store.where("testCase", "name", name);
}

/** Siblings may share a name, unless setting `names: unique` says otherwise (docs/engine.md, Assumptions A9). */
export function refuseSibling(
  name: string,
  siblings: readonly Named[],
  scope: Scope & { readonly self?: number },
): void {
  if (scope.settings.names === "unique") refuseTaken(name, siblings, scope);
}

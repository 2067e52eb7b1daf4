import type { Api } from "../api/routes.ts";
import { problem } from "../model/diagnostic.ts";
import { isObject, type Json } from "../model/json.ts";

/** An organization that a key sees. */
export interface Organization {
  readonly id: number;
  readonly name: string;
}

export function organizationsOf(login: unknown): readonly Organization[] {
  const orgs: Json | undefined = isObject(login) ? login["orgs"] : undefined;
  return (Array.isArray(orgs) ? orgs : []).flatMap((each: Json) => {
    const data = isObject(each) && isObject(each["data"]) ? each["data"] : each;
    return isObject(data) && typeof data["id"] === "number"
      ? [{ id: data["id"], name: String(data["name"] ?? "") }]
      : [];
  });
}

/** Those that `service.organization` means; an id from the environment is text. */
export function organizationsMeant(
  seen: readonly Organization[],
  asked: string | number | undefined,
): readonly Organization[] {
  if (asked === undefined) return seen;
  const named = seen.filter(({ name }) => name === asked);
  return named.length > 0 ? named : seen.filter(({ id }) => String(id) === String(asked));
}

/** What a key sees, where that is not the one organization that is meant. */
export function unclearOrganization(seen: readonly Organization[], asked: string | undefined, setting: string): string {
  const list = seen.map((each) => `${each.name} (${each.id})`).join(", ") || "no organization";
  if (asked !== undefined)
    return `The key sees ${list}: none of these, or more than one, has the name or id "${asked}"`;
  return seen.length === 0 ? `The key sees ${list}` : `The key sees ${list}. Name one of them in ${setting}`;
}

/** The organization that a key is about; `setting` is what users call the place where they name one, `shown` how messages repeat its name. */
export async function findOrganization(
  api: Api,
  name: string | undefined,
  { setting = "service.organization", shown = name }: { readonly setting?: string; readonly shown?: string } = {},
): Promise<number> {
  const seen = organizationsOf(await api.call("GET /login"));
  const matching = organizationsMeant(seen, name);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only.id;
  throw problem("LF2004", "it is unclear which organization to use", unclearOrganization(seen, name && shown, setting));
}

import type { Api } from "../api/routes.ts";
import { problem } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/** An organization that a key sees. */
export interface Organization {
  readonly id: number;
  readonly name: string;
}

/** Organizations of a login answer. */
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

/** The organization that a key is about; `setting` is what users call the place where they name one. */
export async function findOrganization(
  api: Api,
  name: string | undefined,
  setting = "service.organization",
): Promise<number> {
  const seen = organizationsOf(await api.call("GET /login"));
  const matching = organizationsMeant(seen, name);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only.id;
  const list = seen.map((each) => `${each.name} (${each.id})`).join(", ") || "none";
  const expected =
    name === undefined ? `${setting} to name one of them` : `one organization of the name or id "${name}"`;
  throw problem(
    "LF2004",
    "it is not clear which organization is meant",
    `found that the key sees ${list}; expected ${expected}`,
  );
}

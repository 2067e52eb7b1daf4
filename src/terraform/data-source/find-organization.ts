import { organizationsMeant, organizationsOf, unclearOrganization } from "../../remote/find-organization.ts";
import { refuse } from "../resource/provider-problem.ts";
import type { ResourceContext } from "../resource/resource-context.ts";
import type { ValueMap } from "../wire/values.ts";

/** The organization with that id or name; by default the one that the provider works in. */
export async function findOrganizationByCondition({ access }: ResourceContext, config: ValueMap): Promise<ValueMap> {
  const { id, name } = config;
  const seen = organizationsOf(await access.api.call("GET /login"));
  const asked = typeof id === "string" ? id : typeof name === "string" ? name : String(await access.organization());
  const matching = organizationsMeant(seen, asked).filter(
    (each) => (typeof id !== "string" || String(each.id) === id) && (typeof name !== "string" || each.name === name),
  );
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return { id: String(only.id), name: only.name };
  return refuse(
    undefined,
    "it is not clear which organization is meant",
    unclearOrganization(seen, asked, "organization"),
  );
}

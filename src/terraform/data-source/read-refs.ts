import { refuse } from "../resource/provider-problem.ts";
import type { ResourceContext } from "../resource/resource-context.ts";
import { idIn } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";

/** Names of the branches and tags of a repository. */
export async function readRefs({ access }: ResourceContext, config: ValueMap): Promise<ValueMap> {
  const id = idIn(config["vcs_root_id"]);
  if (id === undefined)
    return refuse(["vcs_root_id"], "vcs_root_id is no id", "It must be the id of a loadform_vcs_root");
  return { refs: await access.api.call("GET /vcs-root/:vcsRootId/refs", { params: { vcsRootId: id } }) };
}

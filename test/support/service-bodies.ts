import { kinds } from "../../src/kinds/index.ts";
import { readTree } from "../../src/remote/read-tree.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import type { Rig } from "./rig.ts";

/** The kinds of everything that stands at a rig's service, sorted; tags and what a fresh service has are left out. */
export async function serviceBodies(rig: Rig): Promise<readonly string[]> {
  const wanted = new Set(kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name));
  const tree = await readTree({ api: rig.outside, kinds, organization: 1, wanted, hash: sha256 });
  return [...tree.nodes.values()]
    .filter(
      ({ kind, facts }) => kind !== "tag" && facts?.public !== true && !(kind === "region" && facts?.active === false),
    )
    .map(({ kind }) => kind)
    .sort();
}

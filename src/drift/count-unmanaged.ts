import type { AnyKind } from "../model/kind.ts";
import { isDeactivated, kindsByName } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import type { Unmanaged } from "../plan/plan.ts";

/** What says which unmanaged objects are drift. */
interface Counting {
  readonly live: Tree;
  readonly kinds: readonly AnyKind[];
  /** What other environments of the project bind, by live handle. */
  readonly owners: ReadonlyMap<string, string>;
}

/**
 * The objects that nobody declared: not what counts as absent (a deactivated region), what the service makes by itself
 * (tags), or what another environment of this project binds. What is public is not among the unmanaged ones at all.
 */
export function countUnmanaged(
  unmanaged: readonly Unmanaged[],
  { live, kinds, owners }: Counting,
): readonly Unmanaged[] {
  const byName = kindsByName(kinds);
  return unmanaged.filter(({ kind: name, id }) => {
    const handle = liveHandle(name, id);
    const [kind, node] = [byName.get(name), live.nodes.get(handle)];
    const isAbsent = kind !== undefined && node !== undefined && isDeactivated(kind, node);
    return !isAbsent && !kind?.createdByUse && !owners.has(handle);
  });
}

import { kinds } from "../../kinds/index.ts";
import { groundKind, type Kind, kindsByName } from "../../model/kind.ts";
import type { Tree } from "../../model/tree.ts";
import { readTree } from "../../remote/read-tree.ts";
import { sha256 } from "../../workspace/hash.ts";
import type { ServiceAccess } from "./service-access.ts";

/** The live tree, read for all who ask at once. */
export interface LiveTrees {
  /** As the service is now; what is written by this session is seen. */
  readonly read: (kind: string) => Promise<Tree>;
  /** As the service was a moment ago, for a look at what others made: writes of this session need not be in it. */
  readonly recent: (kind: string) => Promise<Tree>;
  /** Something was written: the next read asks anew. */
  readonly drop: () => void;
}

/** How old a tree may be in which only others' objects are looked for. */
const recentMs = 5_000;

interface Held {
  readonly tree: Promise<Tree>;
  readonly at: number;
}

/** The trees of one service; each is read when it is first asked for. A read that failed is what all who asked get. */
export function liveTrees(access: ServiceAccess): LiveTrees {
  const fresh = new Map<string, Held>();
  const latest = new Map<string, Held>();
  const read = (kind: string): Promise<Tree> => {
    const group = groupOf(kind);
    const held = fresh.get(group) ?? { tree: readGroup(access, group), at: access.now() };
    fresh.set(group, held);
    latest.set(group, held);
    return held.tree;
  };
  return {
    read,
    recent: (kind) => {
      const held = latest.get(groupOf(kind));
      return held !== undefined && access.now() - held.at <= recentMs ? held.tree : read(kind);
    },
    drop: () => fresh.clear(),
  };
}

async function readGroup({ api, organization }: ServiceAccess, group: string): Promise<Tree> {
  const wanted = new Set(kinds.filter(({ name }) => groupOf(name) === group).map(({ name }) => name));
  return readTree({ api, kinds, organization: await organization(), wanted, hash: sha256 });
}

const byName = kindsByName(kinds);

/** Kinds that the same requests answer: all below one kind at the top, and what is listed within its objects. */
function groupOf(name: string): string {
  const kind: Kind | undefined = byName.get(name);
  if (kind?.parent !== undefined) return groupOf(kind.parent);
  return (kind && groundKind(kind)) ?? name;
}

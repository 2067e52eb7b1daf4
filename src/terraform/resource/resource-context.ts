import type { Json } from "../../model/json.ts";
import type { AnyKind, RemoteScope } from "../../model/kind.ts";
import { isConflict } from "../../model/service-error.ts";
import { liveHandle } from "../../model/tree.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { LiveTrees } from "./live-trees.ts";
import type { ServiceAccess, SharedByConnections } from "./service-access.ts";

/** What the operations of one connection share. */
export interface ResourceContext {
  readonly access: ServiceAccess;
  readonly trees: LiveTrees;
  readonly writes: WritesUnderWay;
  /** Live handles that this connection read, made or bound: nobody else's. */
  readonly known: Set<string>;
  /** True for those of any connection of this process to the same service: a plan's and an apply's, or those of two provider blocks. */
  readonly isKnown: (handle: string) => boolean;
  readonly shared: SharedByConnections;
  /** Live handles that it deleted; a list may show them for a while. */
  readonly deleted: Set<string>;
  /** Live handles that it bound instead of creating: another resource that had the object before lets it go. */
  readonly adopted: Set<string>;
  /** Names that this connection gave to objects whose name is unique, by {@link nameKey}: an older tree does not show them. */
  readonly given: Set<string>;
  /** Names that changes under way are about to give up, by {@link nameKey}. */
  readonly leaving: Set<string>;
  /** Names that others may take from what this connection has planned, by kind and place. */
  readonly offered: Map<string, ReadonlySet<string>>;
}

/** A place for requests about one object. Terraform never tells a provider the address of a resource. */
export function scopeOf({ access }: ResourceContext, { type }: ResourceSchema): Promise<RemoteScope> {
  return access.scope(type);
}

/** The id of a schedule since the last write of its list, with which a service may make all of them anew (docs/engine.md, Assumptions A4). */
export function idNow({ shared }: ResourceContext, { name }: AnyKind, former: number): number {
  let id = former;
  for (let next: number | undefined = id; next !== undefined; next = shared.renumbered.get(liveHandle(name, next)))
    id = next;
  return id;
}

/** A name among those that must differ from it. */
export function nameKey(
  { type }: ResourceSchema,
  { parentId, name }: { readonly parentId: number | undefined; readonly name: Json | undefined },
): string {
  return `${type} ${parentId ?? ""} ${JSON.stringify(name ?? null)}`;
}

/** No connections yet. */
export function sharedByConnections(): SharedByConnections {
  return { known: [], oneAtATime: mutexes(), renumbered: new Map(), answered: new Map() };
}

/** A queue for each key. */
function mutexes(): SharedByConnections["oneAtATime"] {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    last.set(key, mine);
    return mine;
  };
}

/** The writes of one connection: Terraform lets those of different resources run beside each other. */
export interface WritesUnderWay {
  /** Runs all that one resource writes, which counts as under way meanwhile. */
  readonly run: <T>(writes: () => Promise<T>) => Promise<T>;
  /**
   * Sends one of them. Refused because of a conflict (409) it is sent again whenever another resource's have ended, for
   * what is in the way may be about to be changed. The refusal is final once no other ones run.
   */
  readonly send: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Between two looks at what runs; Terraform starts what waits for something as soon as that has ended. */
const lookMs = 500;
/** After so many looks at nothing that runs, nothing will. */
const idleLooks = 2;

/** No writes yet. */
export function writesUnderWay({ sleep, stopped }: Pick<ServiceAccess, "sleep" | "stopped">): WritesUnderWay {
  let [running, ended] = [0, 0];
  /** Who waits is not waited for. */
  const hasAnotherEnded = async (before: number): Promise<boolean> => {
    running--;
    try {
      for (let idle = 0; idle < idleLooks && !stopped.aborted; idle = running > 0 ? 0 : idle + 1) {
        await sleep(lookMs);
        if (ended > before) return true;
      }
      return false;
    } finally {
      running++;
    }
  };
  return {
    async run(writes) {
      running++;
      try {
        return await writes();
      } finally {
        running--;
        ended++;
      }
    },
    async send(write) {
      for (;;) {
        const before = ended;
        try {
          return await write();
        } catch (problem) {
          if (!isConflict(problem) || !(await hasAnotherEnded(before))) throw problem;
        }
      }
    },
  };
}

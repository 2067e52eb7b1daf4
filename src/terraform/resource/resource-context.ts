import type { Json } from "../../model/json.ts";
import type { RemoteScope } from "../../model/kind.ts";
import type { ResourceSchema } from "../../schema/terraform-resource.ts";
import type { LiveTrees } from "./live-trees.ts";
import type { ServiceAccess } from "./service-access.ts";
import type { WritesUnderWay } from "./writes-under-way.ts";

/** What the operations of one connection share. */
export interface ResourceContext {
  readonly access: ServiceAccess;
  readonly trees: LiveTrees;
  readonly writes: WritesUnderWay;
  /** Live handles that this connection read, made or bound: nobody else's. */
  readonly known: Set<string>;
  /** Live handles that it deleted; a list may show them for a while. */
  readonly deleted: Set<string>;
  /** Live handles that it bound instead of creating: another resource that had the object before lets it go. */
  readonly adopted: Set<string>;
  /** Names that this connection gave to objects whose name is unique, by {@link nameKey}: an older tree does not show them. */
  readonly given: Set<string>;
  /** Runs what is given one after the other for each key. */
  readonly oneAtATime: <T>(key: string, run: () => Promise<T>) => Promise<T>;
}

/** A place for requests about one object. Terraform never tells a provider the address of a resource. */
export function scopeOf({ access }: ResourceContext, { type }: ResourceSchema): Promise<RemoteScope> {
  return access.scope(type);
}

/** A name among those that must differ from it. */
export function nameKey(
  { type }: ResourceSchema,
  { parentId, name }: { readonly parentId: number | undefined; readonly name: Json | undefined },
): string {
  return `${type} ${parentId ?? ""} ${JSON.stringify(name ?? null)}`;
}

/** A queue for each key. */
export function mutexes(): ResourceContext["oneAtATime"] {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    last.set(key, mine);
    return mine;
  };
}

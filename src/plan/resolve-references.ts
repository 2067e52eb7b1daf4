import { grouped } from "../model/group-by.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { mapReferences } from "../model/references.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";

/** Turns both sides' references into one spelling: the address where one is bound, else the id. */
export interface ReferenceResolver {
  readonly desired: (kind: AnyKind, fields: JsonObject) => JsonObject;
  readonly live: (kind: AnyKind, fields: JsonObject) => JsonObject;
  /** References by name that lead nowhere or to several, as `kind "name"`; found while resolving. */
  readonly lost: (kind: AnyKind, fields: JsonObject) => readonly string[];
}

/** What a resolver looks things up in. */
export interface ResolverInput {
  readonly live: Tree;
  /** The address of a live handle, when one is bound to it or takes it over. */
  readonly addressOf: (handle: string) => string | undefined;
  /** The kinds that were read. */
  readonly known: ReadonlySet<string>;
}

/** A resolver over one live tree. */
export function referenceResolver({ live, addressOf, known }: ResolverInput): ReferenceResolver {
  const byName = new Map<string, ReadonlyMap<string, readonly TreeNode[]>>();
  const named = (kind: string, name: string): readonly TreeNode[] => {
    const index = byName.get(kind) ?? nameIndex(live, kind);
    byName.set(kind, index);
    return index.get(name) ?? [];
  };
  const toAddress = (kind: string, id: number): Json => {
    const address = addressOf(liveHandle(kind, id));
    return address === undefined ? { id } : { ref: address };
  };
  const resolve = (value: Json, kind: string): Json => {
    if (!isObject(value)) return value;
    if (typeof value["id"] === "number") return toAddress(kind, value["id"]);
    const found = typeof value["name"] === "string" ? named(kind, value["name"]) : [];
    const id = found.length === 1 ? found[0]?.identity?.id : undefined;
    return id === undefined ? value : toAddress(kind, id);
  };
  return {
    desired: (kind, fields) => mapReferences(kind, fields, resolve),
    live: (kind, fields) => mapReferences(kind, fields, resolve),
    lost: (kind, fields) => {
      const lost: string[] = [];
      mapReferences(kind, fields, (value, target) => {
        if (known.has(target) && isLost(value, target)) lost.push(`${target} ${describe(value)}`);
        return value;
      });
      return lost;
    },
  };

  function isLost(value: Json, kind: string): boolean {
    if (!isObject(value)) return false;
    if (typeof value["name"] === "string") return named(kind, value["name"]).length !== 1;
    return typeof value["id"] === "number" && !live.nodes.has(liveHandle(kind, value["id"]));
  }
}

function describe(value: Json): string {
  return isObject(value) ? JSON.stringify(value["name"] ?? value["id"]) : JSON.stringify(value);
}

function nameIndex(live: Tree, kind: string): ReadonlyMap<string, readonly TreeNode[]> {
  return grouped(
    [...live.nodes.values()].flatMap((node) => {
      const name = node.kind === kind ? node.fields["name"] : undefined;
      return typeof name === "string" ? [[name, node] as const] : [];
    }),
  );
}

import type { JsonObject } from "../../model/json.ts";
import type { AnyKind, Wire } from "../../model/kind.ts";
import type { Identity, TreeNode } from "../../model/tree.ts";
import { nodeFromWire } from "../../remote/node-from-wire.ts";
import { sha256 } from "../../workspace/hash.ts";
import type { ValueMap } from "../wire/values.ts";
import type { ReadContents } from "./encode-attribute.ts";

/** An object as the service shows it. */
export interface LiveObject {
  readonly identity?: Identity;
  /** Undefined where the answer does not say it. */
  readonly parentId?: number;
  /** In normal form; texts and files are marks. */
  readonly fields: JsonObject;
  readonly facts: JsonObject;
  /** The texts and files that were read. */
  readonly contents: ReadContents;
  /** Members that change with a text which was not read. */
  readonly contentVersion?: JsonObject;
}

/** A node of the live tree. */
export function liveNode(node: TreeNode, contents: ReadContents): LiveObject {
  const { identity, parent, fields, facts = {}, contentVersion } = node;
  return {
    ...(identity && { identity }),
    ...(parent !== undefined && { parentId: Number(parent.slice(parent.indexOf("#") + 1)) }),
    fields,
    facts,
    contents,
    ...(contentVersion && { contentVersion }),
  };
}

/** False for another time of creation: the service was reset, and the id is another object's. After an import the time is not known. */
export function isSameObject({ created_at: createdAt }: ValueMap, { identity }: TreeNode): boolean {
  return typeof createdAt !== "string" || createdAt === identity?.createdAt;
}

/** The answer to a request about one object. */
export function liveAnswer(kind: AnyKind, wire: Wire): LiveObject {
  const contents = new Map<string, string | Uint8Array>();
  return liveNode(nodeFromWire({ kind, wire, hash: sha256, contents }), contents);
}

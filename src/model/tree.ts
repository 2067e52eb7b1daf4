import { groupBy } from "./group-by.ts";
import type { Json, JsonObject } from "./json.ts";

/** What keeps one object apart from any other the service ever had (docs/engine.md, Identity). */
export interface Identity {
  readonly id: number;
  /** ISO 8601 with milliseconds, as the service wrote it. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a user says about an object besides its fields. */
export interface Lifecycle {
  readonly protect?: boolean;
  readonly ignore?: readonly string[];
  readonly unmanaged?: "keep" | "delete";
}

/** One object, wished for or live. Both sides of a diff are made of these. */
export interface TreeNode {
  /** Desired: the address. Live: `kind#id`. */
  readonly handle: string;
  readonly kind: string;
  /** Desired: the key in git. Live: the id as text. */
  readonly key: string;
  /** The parent's handle in the same tree. */
  readonly parent?: string;
  /** Normal form of every field that is set; texts and files are content marks, references `{ ref: address }`, `{ id }` or `{ name }`. */
  readonly fields: JsonObject;
  /** Dotted paths of sensitive values in `fields`. */
  readonly sensitive?: readonly string[];
  /** Desired: the raw input of fields with sensitive values, references to secrets unexpanded. */
  readonly sources?: JsonObject;
  readonly lifecycle?: Lifecycle;
  /** Desired: addresses this object names (not by id), so they come first. */
  readonly dependsOn?: readonly string[];
  readonly identity?: Identity;
  /** Live: what says whether text that was not read has moved (docs/engine.md, Reading). */
  readonly seen?: JsonObject;
  /** Live: what only guards and reports look at, e.g. `readonly`, `active`, `numRows`. */
  readonly facts?: JsonObject;
}

/** A forest of objects with the texts and files that their content marks stand for. */
export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** sha256 to text or bytes; a live tree holds only what was read. */
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
}

/** The tree with nothing in it. */
export const emptyTree: Tree = { nodes: new Map(), contents: new Map() };

/** Handle of a live object. */
export function liveHandle(kind: string, id: number): string {
  return `${kind}#${id}`;
}

/** The last step of the address of a live object that nobody here owns. */
export function liveStep({ kind, key }: TreeNode): string {
  return `${kind}#${key}`;
}

/** The declared name, or the key where the kind has none set. */
export function nodeName(node: TreeNode): string {
  const name: Json | undefined = node.fields.name;
  return typeof name === "string" ? name : node.key;
}

/** Children by parent handle; the roots stand under `undefined`. */
export function childIndex(tree: Tree): ReadonlyMap<string | undefined, readonly TreeNode[]> {
  return groupBy(tree.nodes.values(), ({ parent }) => parent);
}

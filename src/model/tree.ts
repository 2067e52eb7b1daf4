import { unlessThrown } from "./diagnostic.ts";
import { groupBy } from "./group-by.ts";
import type { Json, JsonObject } from "./json.ts";

/** Distinguishes an object from any other that the service ever had (docs/engine.md, Identity). */
export interface Identity {
  readonly id: number;
  /** ISO 8601 with milliseconds, as the service wrote it. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An object's lifecycle options, which are no fields. */
export interface Lifecycle {
  readonly protect?: boolean;
  readonly ignore?: readonly string[];
  readonly unmanaged?: "keep" | "delete";
}

/** One object, desired or live. Both sides of a diff consist of these. */
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
  /** Desired: addresses this object names (not by id), so they are created first. */
  readonly dependsOn?: readonly string[];
  readonly identity?: Identity;
  /** Live: the content version, which tells whether a text that was not read has changed (docs/engine.md, Reading). */
  readonly contentVersion?: JsonObject;
  /** Live: what only guards and reports look at, e.g. `readonly`, `active`, `numRows`. */
  readonly facts?: JsonObject;
  /** Live: names that others may take from this object, e.g. the regions of a public grid; absent where any name is allowed. */
  readonly offers?: readonly string[];
  /** Live: those of them that are deactivated; absent where none is. */
  readonly deactivatedOffers?: readonly string[];
}

/** A forest of objects with the texts and files behind their content marks. */
export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** sha256 to text or bytes; a live tree contains only those that were read. */
  readonly contents: ReadonlyMap<string, string | Uint8Array>;
}

/** A node under construction: one object per node, since a tree may have a hundred thousand. */
export type NodeInMaking = { -readonly [Member in keyof TreeNode]: TreeNode[Member] };

/** The tree with nothing in it. */
export const emptyTree: Tree = { nodes: new Map(), contents: new Map() };

/** Handle of a live object. */
export function liveHandle(kind: string, id: number): string {
  return `${kind}#${id}`;
}

/** The last step of the address of an unmanaged live object. */
export function liveStep({ kind, key }: TreeNode): string {
  return `${kind}#${key}`;
}

/** The declared name, or the key where the kind has none set. */
export function nodeName(node: TreeNode): string {
  const name: Json | undefined = node.fields.name;
  return typeof name === "string" ? name : node.key;
}

/** Children by parent handle; the roots are under `undefined`. */
export function childIndex(tree: Tree): ReadonlyMap<string | undefined, readonly TreeNode[]> {
  return groupBy(tree.nodes.values(), ({ parent }) => parent);
}

/** Bytes as text, with a byte order mark as part of it; undefined for bytes that are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  return unlessThrown(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
}

/** The name of an object while others of its circle take theirs: none of them has it. */
export function temporaryName(name: string, id: string): string {
  return `${name}~${id}`.slice(-255);
}

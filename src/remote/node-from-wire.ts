import { contentVersionOf, type Hash } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { readFields } from "../model/normal-form.ts";
import { liveHandle, type NodeInMaking, type TreeNode } from "../model/tree.ts";

/** A service's answer as a node of the live tree; `parent` is the handle of the parent, `contents` gets the texts that it carried. */
export function nodeFromWire(of: {
  readonly kind: AnyKind;
  readonly wire: Wire;
  readonly hash: Hash;
  readonly parent?: string | undefined;
  readonly contents?: Map<string, string | Uint8Array>;
}): TreeNode {
  const { kind, wire, hash, parent, contents } = of;
  const fields = withMarks(kind, readFields(kind, wire), (text) => {
    const sha = hash(text);
    contents?.set(sha, text);
    return { $content: sha, bytes: Buffer.byteLength(text) };
  });
  const node: NodeInMaking = {
    handle: liveHandle(kind.name, wire.id),
    kind: kind.name,
    key: String(wire.id),
    fields,
    identity: { id: wire.id, createdAt: String(wire["createdAt"] ?? ""), updatedAt: String(wire["updatedAt"] ?? "") },
  };
  if (parent !== undefined) node.parent = parent;
  if (kind.contentVersion) node.contentVersion = contentVersionOf(wire, kind.contentVersion, hash);
  const offers = kind.offers?.(wire);
  if (offers !== undefined) node.offers = offers;
  const deactivatedOffers = kind.deactivatedOffers?.(wire);
  if (deactivatedOffers?.length) node.deactivatedOffers = deactivatedOffers;
  if (kind.facts) node.facts = pick(wire, kind.facts);
  return node;
}

/** True where an answer carried the texts of a kind; others are read by a request of their own. */
export function carriesContent(kind: AnyKind, node: TreeNode): boolean {
  for (const name in kind.fields) {
    const field = kind.fields[name];
    if (field?.content && field.required && node.fields[name] === undefined) return false;
  }
  return true;
}

function withMarks(kind: AnyKind, fields: JsonObject, mark: (text: string) => JsonObject): JsonObject {
  let marked: Record<string, Json> | undefined;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== "string" || kind.fields[name]?.content === undefined) continue;
    marked ??= { ...fields };
    marked[name] = mark(value);
  }
  return marked ?? fields;
}

function pick(wire: JsonObject, members: Readonly<Record<string, unknown>>): JsonObject {
  const picked: Record<string, Json> = {};
  for (const member in members) {
    const value = wire[member];
    if (value !== undefined) picked[member] = value;
  }
  return picked;
}

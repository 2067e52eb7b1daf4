import type { Api } from "../api/routes.ts";
import { type Hash, isContentMark } from "../model/fingerprint.ts";
import { type Json, type JsonObject, sameJson } from "../model/json.ts";
import type { AnyKind, RemoteScope } from "../model/kind.ts";
import { IncompleteAnswer } from "../model/service-error.ts";
import type { Tree, TreeNode } from "../model/tree.ts";
import { carriesContent, nodeFromWire } from "./node-from-wire.ts";

interface KnownContent {
  readonly seen?: JsonObject;
  readonly content?: Readonly<Record<string, string>>;
}

/** The texts to read, and those that are known. */
export interface ContentRequest {
  readonly api: Api;
  readonly organization: number;
  readonly kinds: readonly AnyKind[];
  readonly hash: Hash;
  /** Remembered texts of a live handle; undefined for objects whose texts do not matter. */
  readonly known: (handle: string) => KnownContent | undefined;
  /** Handles whose texts are read even when what is remembered still holds, so that they can be shown. */
  readonly show?: ReadonlySet<string>;
}

/**
 * The tree with the texts and files that it did not carry: the remembered hash where the fingerprint of docs/engine.md, Reading is
 * unmoved, one request where it moved, nothing for other objects.
 */
export async function fillContents(tree: Tree, request: ContentRequest): Promise<Tree> {
  const filled = new Map<string, TreeNode>();
  const kinds = new Map(request.kinds.filter(hasContent).map((kind) => [kind.name, kind]));
  const reading: Promise<ReadContent>[] = [];
  for (const node of tree.nodes.values()) {
    const kind = kinds.get(node.kind);
    const fill = kind && fillOne(request, { kind, node, contents: tree.contents });
    if (fill === undefined) continue;
    if ("handle" in fill) filled.set(node.handle, fill);
    else reading.push(fill);
  }
  if (filled.size === 0 && reading.length === 0) return tree;
  const nodes = new Map(tree.nodes);
  const contents = new Map(tree.contents);
  for (const [handle, node] of filled) nodes.set(handle, node);
  for (const read of await Promise.all(reading)) {
    nodes.set(read.node.handle, read.node);
    for (const [sha, content] of read.contents) contents.set(sha, content);
  }
  return { nodes, contents };
}

/** The node with what is remembered, a reading under way, or nothing to do. */
function fillOne(
  request: ContentRequest,
  { kind, node, contents }: { readonly kind: AnyKind; readonly node: TreeNode; readonly contents: Tree["contents"] },
): TreeNode | Promise<ReadContent> | undefined {
  const known = request.known(node.handle);
  if (known === undefined) return undefined;
  if (request.show?.has(node.handle))
    return isAtHand(kind, node, contents) ? undefined : readContent(request, kind, node);
  if (carriesContent(kind, node)) return undefined;
  const isUnmoved =
    known.seen !== undefined && known.content !== undefined && sameJson(known.seen, node.contentVersion);
  return isUnmoved ? withKnown(node, known) : readContent(request, kind, node);
}

/** True where the texts themselves were read, not only their hashes. */
function isAtHand(kind: AnyKind, node: TreeNode, contents: Tree["contents"]): boolean {
  const marks = Object.entries(node.fields).flatMap(([name, value]) =>
    kind.fields[name]?.content && isContentMark(value) ? [value.$content] : [],
  );
  return marks.length > 0 && marks.every((hash) => contents.has(hash));
}

export function hasContent(kind: AnyKind): boolean {
  return Object.values(kind.fields).some((field) => field.content !== undefined);
}

function withKnown(node: TreeNode, known: KnownContent): TreeNode {
  // API 1, Data store: the service tells the size of a file; that of a script it does not tell by field.
  const size = node.facts?.["size"];
  const bytes = typeof size === "number" ? size : 0;
  const marks = Object.entries(known.content ?? {}).map(([field, hash]): [string, Json] => [
    field,
    { $content: hash, bytes },
  ]);
  return { ...node, fields: { ...node.fields, ...Object.fromEntries(marks) } };
}

interface ReadContent {
  readonly node: TreeNode;
  readonly contents: readonly (readonly [string, string | Uint8Array])[];
}

async function readContent(request: ContentRequest, kind: AnyKind, node: TreeNode): Promise<ReadContent> {
  const { api, organization, hash } = request;
  const scope = { api, organization, id: node.identity?.id ?? 0, address: node.handle };
  if (kind.remote.download) {
    const bytes = await wholeDownload(kind, node, scope);
    const field = Object.keys(kind.fields).find((name) => kind.fields[name]?.content) ?? "";
    const sha = hash(bytes);
    const fields = { ...node.fields, [field]: { $content: sha, bytes: bytes.length } };
    return { node: { ...node, fields }, contents: [[sha, bytes]] };
  }
  const wire = await kind.remote.read?.(scope);
  if (wire === undefined) return { node, contents: [] };
  const contents: Map<string, string | Uint8Array> = new Map();
  const read = nodeFromWire({ kind, wire, hash, contents, parent: node.parent });
  return { node: { ...read, facts: { ...node.facts, ...read.facts } }, contents: [...contents] };
}

/** Downloads of a file that is not as long as the service says: the end of a connection may look like its end, a list may be late. */
const downloads = 3;

async function wholeDownload(kind: AnyKind, node: TreeNode, scope: RemoteScope & { readonly id: number }) {
  let [size, found] = [node.facts?.["size"], 0];
  for (let turn = 0; turn < downloads; turn++) {
    const bytes = await kind.remote.download?.(scope);
    if (bytes && (typeof size !== "number" || size <= 0 || size === bytes.length)) return bytes;
    found = bytes?.length ?? 0;
    size = (await kind.remote.read?.(scope))?.["size"] as Json | undefined;
  }
  throw new IncompleteAnswer(
    `${node.handle} was downloaded with ${found} bytes, and the service says that it has ${size}`,
  );
}

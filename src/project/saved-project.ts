import type { DeclaredObject } from "../config/declared-object.ts";
import type { ObjectIndex } from "../config/object-index.ts";
import { indexObjects } from "../config/object-index.ts";
import { resolveReferences } from "../config/resolve-references.ts";
import { secretValues } from "../config/secret-values.ts";
import { kinds } from "../kinds/index.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { valueAt, withValueAt } from "../model/json.ts";
import { kindsByName } from "../model/kind.ts";
import { normalValue } from "../model/normal-form.ts";
import type { TreeNode } from "../model/tree.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import { expandSecrets } from "./expand-secrets.ts";
import type { OpenProject } from "./load-folder.ts";
import type { SavedPlan } from "./saved-plan.ts";
import { savedContent } from "./saved-plan.ts";
import type { World } from "./world.ts";

/** The project as a saved plan holds it, with secrets taken from where they live. */
export async function savedProject(saved: SavedPlan, world: World): Promise<OpenProject> {
  const contents = new Map<string, string | Uint8Array>();
  for (const hash of Object.keys(saved.contents)) {
    const content = savedContent(saved, hash);
    if (content !== undefined) contents.set(hash, content);
  }
  const objects = declaredIn(saved);
  const nodes = new Map(saved.nodes.map((node) => [node.handle, node]));
  const index = indexObjects(objects, kinds, (address) => nodes.get(address)?.fields.name);
  for (const object of objects) {
    const node = nodes.get(object.address);
    if (node) nodes.set(node.handle, await withSecrets(node, { saved, world, contents, object, index, nodes }));
  }
  return {
    root: saved.root,
    name: saved.project,
    ...(saved.environment === undefined ? {} : { environment: saved.environment }),
    entry: "yaml",
    service: saved.service,
    live: saved.live,
    state: await stateSettings(saved, world),
    tree: { nodes, contents },
    moved: saved.moved,
    removed: saved.removed,
    locate: () => undefined,
    secrets: secretValues([JSON.stringify([saved.nodes, saved.state])], world.env),
    diagnostics: [],
  };
}

async function stateSettings({ state, root }: SavedPlan, { env }: World): Promise<OpenProject["state"]> {
  if (!("source" in state) || state.source === undefined) return state as OpenProject["state"];
  const { source } = state;
  return { ...((await expandSecrets(source, { root, env })) as JsonObject), source } as unknown as OpenProject["state"];
}

/** The objects of a saved plan, in the order of the kinds: what is referred to comes first. */
function declaredIn({ nodes }: SavedPlan): readonly DeclaredObject[] {
  const byHandle = new Map(nodes.map((node) => [node.handle, node]));
  const byName = kindsByName(kinds);
  const objects = new Map<string, DeclaredObject>();
  const declare = ({ handle, kind: name, key, parent }: TreeNode): DeclaredObject | undefined => {
    const known = objects.get(handle);
    const kind = byName.get(name);
    if (known !== undefined || kind === undefined) return known;
    const above = parent === undefined ? undefined : byHandle.get(parent);
    const object = { kind, key, address: handle, parent: above && declare(above), input: {} };
    objects.set(handle, object);
    return object;
  };
  for (const node of nodes) declare(node);
  return kinds.flatMap((kind) => [...objects.values()].filter((object) => object.kind === kind));
}

interface Refill {
  readonly saved: SavedPlan;
  readonly world: World;
  readonly contents: Map<string, string | Uint8Array>;
  readonly object: DeclaredObject;
  readonly index: ObjectIndex;
  readonly nodes: ReadonlyMap<string, TreeNode>;
}

async function withSecrets(node: TreeNode, refill: Refill): Promise<TreeNode> {
  const { saved, world, contents, object, index, nodes } = refill;
  const ignore = () => undefined;
  const from = { object, index, nodes, report: ignore, depend: ignore, secret: ignore };
  const normal: Record<string, Json> = {};
  for (const [name, source] of Object.entries(node.sources ?? {})) {
    const field = object.kind.fields[name];
    if (field === undefined) continue;
    const expanded = await expandSecrets(source, { root: saved.root, env: world.env, field });
    normal[name] =
      field.content === undefined
        ? normalValue(field, resolveReferences(field, expanded, [name], from))
        : contentMark(String(expanded), contents);
  }
  let fields: JsonObject = node.fields;
  for (const dotted of node.sensitive ?? []) {
    const path = dotted.split(".");
    fields = withValueAt(fields, path, valueAt(normal, path));
  }
  return { ...node, fields };
}

function contentMark(text: string, contents: Map<string, string | Uint8Array>): JsonObject {
  const hash = sha256(text);
  contents.set(hash, text);
  return { $content: hash, bytes: Buffer.byteLength(text) };
}

import { secretValues } from "../config/secret-values.ts";
import { kinds } from "../kinds/index.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { valueAt, withValueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
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
  const byName = kindsByName(kinds);
  const contents = new Map<string, string | Uint8Array>();
  for (const hash of Object.keys(saved.contents)) {
    const content = savedContent(saved, hash);
    if (content !== undefined) contents.set(hash, content);
  }
  const nodes = new Map<string, TreeNode>();
  for (const node of saved.nodes) {
    const kind = byName.get(node.kind);
    if (kind) nodes.set(node.handle, await withSecrets(node, kind, { saved, world, contents }));
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

interface Refill {
  readonly saved: SavedPlan;
  readonly world: World;
  readonly contents: Map<string, string | Uint8Array>;
}

async function withSecrets(node: TreeNode, kind: AnyKind, { saved, world, contents }: Refill): Promise<TreeNode> {
  const normal: Record<string, Json> = {};
  for (const [name, source] of Object.entries(node.sources ?? {})) {
    const field = kind.fields[name];
    const expanded = await expandSecrets(source, { root: saved.root, env: world.env });
    if (field === undefined) continue;
    normal[name] = field.content === undefined ? normalValue(field, expanded) : contentMark(String(expanded), contents);
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

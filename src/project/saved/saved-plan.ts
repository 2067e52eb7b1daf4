import { isAbsolute } from "node:path";
import { gunzipSync } from "node:zlib";
import type { DeclaredObject } from "../../config/declared-object.ts";
import { indexObjects, resolveReferences } from "../../config/object-references.ts";
import { expandSecrets, secretValues } from "../../config/secret-values.ts";
import { kinds } from "../../kinds/index.ts";
import { problem, unlessThrown } from "../../model/diagnostic.ts";
import {
  canonicalJson,
  everyItem,
  isFlag,
  isObject,
  type Json,
  type JsonObject,
  type JsonTest,
  jsonProblemPlace,
  orAbsent,
  valueAt,
  withValueAt,
} from "../../model/json.ts";
import { kindsByName } from "../../model/kind.ts";
import { normalValue } from "../../model/normal-form.ts";
import type { TreeNode } from "../../model/tree.ts";
import type { PlanOptions } from "../../plan/plan-input.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { sha256, storeContent } from "../../workspace/hash.ts";
import type { LoadedProject } from "../open-project.ts";
import type { System } from "../system.ts";

/** The content of a saved plan beyond its readable part, to be applied without the project's files (docs/engine.md, Saved plans). */
export interface SavedPlan {
  readonly version: 1;
  /** Absolute path of the project's folder; the state is found from there. */
  readonly root: string;
  readonly project: string;
  readonly environment?: string;
  /** Lineage and salt that the fingerprints were made with; a project without a state takes them over. */
  readonly lineage: string;
  readonly salt: string;
  readonly hadState: boolean;
  readonly service: LoadedProject["service"];
  readonly live: boolean;
  /** Where the state is; as declared when a value came from `${env:…}`, so that no credentials are in it. */
  readonly state: LoadedProject["state"] | { readonly source: JsonObject };
  readonly options: PlanOptions;
  /** Desired objects that the plan touches, with those they need; without secrets. */
  readonly nodes: readonly TreeNode[];
  readonly moved: LoadedProject["moved"];
  readonly removed: LoadedProject["removed"];
  /** Texts and files to send: base64 of their gzip, by hash. */
  readonly contents: Readonly<Record<string, { readonly text: boolean; readonly data: string }>>;
  /** The loads of the whole project, which limits are checked on where it is applied; without figures from `${env:…}`. */
  readonly declaredLimits: NonNullable<LoadedProject["declaredLimits"]>;
  readonly addresses: readonly string[];
  readonly signatures: readonly string[];
}

function unpacked({ text, data }: SavedPlan["contents"][string]): string | Uint8Array {
  const bytes = gunzipSync(Buffer.from(data, "base64"));
  return text ? bytes.toString("utf8") : new Uint8Array(bytes);
}

/** A plan as it was printed, without colours, for whoever looks at it later. */
export interface ShownPlan {
  readonly text: string;
  readonly markdown: string;
  /** The page: base64 of its gzip. */
  readonly page: string;
}

/** The document of a saved plan: the readable part, how it was shown, what apply needs, and a digest over all. */
export function savedDocument(readable: JsonObject, part: SavedPlan, shown: ShownPlan): JsonObject {
  const whole = { ...readable, loadform: part as unknown as Json, shown: { ...shown } };
  return { ...whole, file_digest: fileDigest(whole) };
}

/**
 * Digest over the whole file, which shows that it was not touched. `digest` beside it is the plan's own: equal for equal
 * plans, whenever they were made.
 */
function fileDigest(document: JsonObject): string {
  const { file_digest: _own, ...rest } = document;
  return sha256(canonicalJson(rest));
}

/** A saved plan as a whole, and what apply needs of it. */
export function openPlan(text: string, file: string): { readonly document: JsonObject; readonly saved: SavedPlan } {
  const refuse = (found: string, beside = "") => {
    const detail = `${file} ${found}. Name a file made by: loadform plan --out plan.json${beside}`;
    return problem("LF5007", "the saved plan cannot be used", detail);
  };
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    const place = jsonProblemPlace(text);
    const beside = /\.(?:ya?ml|ts)$/.test(file) ? ", or the folder of a project" : "";
    throw refuse(`is not JSON (line ${place.line}, column ${place.column})`, beside).at({ file, ...place });
  }
  const part = isObject(document) ? document["loadform"] : undefined;
  if (!isObject(document) || !isObject(part)) throw refuse("is not a saved plan");
  if (document["file_digest"] !== fileDigest(document))
    throw refuse("does not match its digest: it was changed or cut off");
  const broken = [
    ...Object.entries(parts).flatMap(([name, check]) => (check(part[name]) ? [] : [name])),
    ...(has({ text: isText, markdown: isText, page: isText })(document["shown"]) ? [] : ["shown"]),
  ];
  if (broken.length > 0) throw refuse(`is missing, or misspells, what apply needs: ${broken.join(", ")}`);
  const saved = part as unknown as SavedPlan;
  const packed = Object.entries(saved.contents);
  if (!packed.every(([hash, each]) => unlessThrown(() => sha256(unpacked(each))) === hash))
    throw refuse("contains a text or file other than the plan was made with");
  return { document, saved };
}

const isText: JsonTest = (value) => typeof value === "string";
const has =
  (members: Readonly<Record<string, JsonTest>>): JsonTest =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));

const isNode = has({
  handle: isText,
  kind: isText,
  key: isText,
  fields: isObject,
  parent: orAbsent(isText),
  dependsOn: orAbsent(everyItem(isText)),
  sensitive: orAbsent(everyItem(isText)),
  sources: orAbsent(isObject),
});

const isOptions = has({
  targets: everyItem(isText),
  replace: everyItem(isText),
  allowDestroy: everyItem(isText),
  destroy: isFlag,
  forceThreshold: isFlag,
  showUnmanaged: isFlag,
});

const isContents: JsonTest = (value) =>
  isObject(value) && Object.values(value).every(has({ text: isFlag, data: isText }));

const needed: Readonly<Record<string, readonly string[]>> = {
  memory: [],
  local: ["path"],
  http: ["address"],
  postgres: ["url"],
  git: [],
  s3: ["bucket", "key"],
};

const isDeclaredLimits = has({
  limits: orAbsent(isObject),
  gates: everyItem(isText),
  loads: everyItem(has({ address: isText, regions: Array.isArray, schedules: everyItem(has({ fields: isObject })) })),
});

const isState: JsonTest = (value) => {
  if (!isObject(value)) return false;
  if (value["source"] !== undefined) return isObject(value["source"]);
  const members = needed[String(value["backend"])];
  return members?.every((name) => isText(value[name])) ?? false;
};

/** The parts of a saved plan, and the form in which we write each. */
const parts: Readonly<Record<keyof SavedPlan, JsonTest>> = {
  version: (value) => value === 1,
  root: (value) => typeof value === "string" && isAbsolute(value),
  project: isText,
  environment: orAbsent(isText),
  lineage: isText,
  salt: isText,
  hadState: isFlag,
  service: has({ url: isText, auth: isObject, apiKey: orAbsent(isText) }),
  live: isFlag,
  state: isState,
  options: isOptions,
  nodes: everyItem(isNode),
  moved: everyItem(has({ from: isText, to: isText })),
  removed: everyItem(has({ address: isText, destroy: isFlag })),
  contents: isContents,
  declaredLimits: isDeclaredLimits,
  addresses: everyItem(isText),
  signatures: everyItem(isText),
};

/** The project in a saved plan, with secrets read from the environment and the files that they come from. */
export async function savedProject(saved: SavedPlan, system: System): Promise<LoadedProject> {
  const contents = new Map(Object.entries(saved.contents).map(([hash, packed]) => [hash, unpacked(packed)] as const));
  const objects = declaredIn(saved);
  const nodes = new Map(saved.nodes.map((node) => [node.handle, node]));
  const index = indexObjects(objects, kinds, (address) => nodes.get(address)?.fields.name);
  const workspace = diskWorkspace(saved.root);
  const ignore = () => undefined;
  for (const object of objects) {
    const node = nodes.get(object.address);
    const from = { object, index, nodes, report: ignore, depend: ignore, secret: ignore };
    const normal = async (name: string, source: Json): Promise<Json | undefined> => {
      const field = object.kind.fields[name];
      if (field === undefined) return undefined;
      const expanded = await expandSecrets(source, { workspace, env: system.env, field });
      return field.content === undefined
        ? normalValue(field, resolveReferences(field, expanded, { path: [name], within: undefined }, from))
        : storeContent(String(expanded), contents);
    };
    if (node) nodes.set(node.handle, await withSecrets(node, normal));
  }
  return {
    root: saved.root,
    name: saved.project,
    ...(saved.environment === undefined ? {} : { environment: saved.environment }),
    language: "yaml",
    service: saved.service,
    live: saved.live,
    state: await stateSettings(saved, system),
    tree: { nodes, contents },
    moved: saved.moved,
    removed: saved.removed,
    gates: [],
    declaredLimits: saved.declaredLimits,
    locate: () => undefined,
    secrets: secretValues([JSON.stringify([saved.nodes, saved.state, saved.service])], system.env),
    diagnostics: [],
  };
}

async function stateSettings({ state, root }: SavedPlan, { env }: System): Promise<LoadedProject["state"]> {
  if (!("source" in state) || state.source === undefined) return state as LoadedProject["state"];
  const { source } = state;
  const settings = (await expandSecrets(source, { workspace: diskWorkspace(root), env })) as JsonObject;
  return { ...settings, source } as unknown as LoadedProject["state"];
}

/** The objects of a saved plan, in the order of the kinds: referred objects are first. */
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

/** A node with its secrets, which `normal` makes of the source of a field. */
async function withSecrets(node: TreeNode, normal: (name: string, source: Json) => Promise<Json | undefined>) {
  const found = new Map<string, Json | undefined>();
  for (const [name, source] of Object.entries(node.sources ?? {})) found.set(name, await normal(name, source));
  let fields: JsonObject = node.fields;
  for (const dotted of node.sensitive ?? []) {
    const [name = "", ...rest] = dotted.split(".");
    fields = withValueAt(fields, [name, ...rest], valueAt(found.get(name), rest));
  }
  return { ...node, fields };
}

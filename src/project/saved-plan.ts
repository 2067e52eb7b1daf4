import { gunzipSync, gzipSync } from "node:zlib";
import { kinds } from "../kinds/index.ts";
import { addressesAbove } from "../model/address.ts";
import { byText, canonicalJson } from "../model/canonical.ts";
import { isContentMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject, withValueAt } from "../model/json.ts";
import { kindsByName } from "../model/kind.ts";
import { referredAddresses } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Change, Operation } from "../plan/plan.ts";
import type { PlanOptions } from "../plan/plan-input.ts";
import { sha256 } from "../state/secret-fingerprint.ts";
import { signer } from "./approved-only.ts";
import type { OpenProject } from "./load-folder.ts";
import type { PlanOutcome } from "./plan-project.ts";
import { problem } from "./problem.ts";
import { brokenParts } from "./saved-plan-shape.ts";

/** What a saved plan holds beyond its readable part, to be applied without the project's files (docs/engine.md, Saved plans). */
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
  readonly service: OpenProject["service"];
  readonly live: boolean;
  /** Where the state is; as declared when a value came from `${env:…}`, so that no credentials are in it. */
  readonly state: OpenProject["state"] | { readonly source: JsonObject };
  readonly options: PlanOptions;
  /** Wishes that the plan touches, with what they need; secrets are left out. */
  readonly nodes: readonly TreeNode[];
  readonly moved: OpenProject["moved"];
  readonly removed: OpenProject["removed"];
  /** Texts and files to send: base64 of their gzip, by hash. */
  readonly contents: Readonly<Record<string, { readonly text: boolean; readonly data: string }>>;
  /** Addresses that it is about. */
  readonly addresses: readonly string[];
  /** Hashes of the operations. */
  readonly signatures: readonly string[];
}

/** The part of a saved plan that apply needs. */
export function savedPart(outcome: PlanOutcome): SavedPlan | undefined {
  const { plan, made } = outcome;
  if (plan === undefined || made === undefined) return undefined;
  const { project, options } = made;
  const addresses = [
    ...new Set([
      ...plan.changes.map(({ address }) => address),
      ...plan.operations.map(({ address }) => address),
      ...Object.keys(plan.settles),
    ]),
  ];
  const nodes = neededNodes(project, addresses);
  const sign = signer(plan);
  return {
    version: 1,
    root: project.root,
    project: project.name,
    ...(project.environment === undefined ? {} : { environment: project.environment }),
    lineage: made.state.lineage,
    salt: made.state.salt,
    hadState: made.state.serial > 0,
    service: project.service,
    live: project.live,
    state: withoutCredentials(project.state),
    options,
    nodes: nodes.map(withoutSecrets),
    moved: [...project.moved, ...plan.foundMoves],
    removed: [...project.removed, ...plan.changes.flatMap(forgottenBy)],
    contents: contentsOf(plan.operations, outcome.contents),
    addresses,
    signatures: plan.operations.map((operation) => sha256(sign(operation))),
  };
}

function withoutCredentials(state: OpenProject["state"]): SavedPlan["state"] {
  return "source" in state && state.source !== undefined ? { source: state.source } : state;
}

/** What stays because of a wish that the saved plan does not hold is forgotten by its own word. */
function forgottenBy({ address, action, id }: Change): OpenProject["removed"] {
  return action === "forget" && id !== undefined ? [{ address, destroy: false }] : [];
}

/** Touched wishes with their parents, and everything that they refer to. */
function neededNodes(project: OpenProject, addresses: readonly string[]): readonly TreeNode[] {
  const byName = kindsByName(kinds);
  const needed = new Set<string>();
  const add = (address: string): void => {
    const node = project.tree.nodes.get(address) ?? declaredAbove(project, address);
    if (node === undefined || needed.has(node.handle)) return;
    needed.add(node.handle);
    if (node.parent !== undefined) add(node.parent);
    const kind = byName.get(node.kind);
    for (const each of [...(node.dependsOn ?? []), ...(kind ? referredAddresses(kind, node.fields) : [])]) add(each);
  };
  for (const address of addresses) add(address);
  return [...project.tree.nodes.values()]
    .filter(({ handle }) => needed.has(handle))
    .sort((left, right) => byText(left.handle, right.handle));
}

/** What is deleted because nobody declared it is so by the word of a test case above it. */
function declaredAbove({ tree }: OpenProject, address: string): TreeNode | undefined {
  const above = addressesAbove(address).find((each) => tree.nodes.has(each));
  return above === undefined ? undefined : tree.nodes.get(above);
}

function withoutSecrets(node: TreeNode): TreeNode {
  let fields: JsonObject = node.fields;
  for (const path of node.sensitive ?? []) fields = withValueAt(fields, path.split("."), undefined);
  return { ...node, fields };
}

function contentsOf(operations: readonly Operation[], find: PlanOutcome["contents"]): SavedPlan["contents"] {
  const hashes = operations
    .filter(({ op }) => op !== "delete")
    .flatMap(({ fields }) => Object.values(fields).flatMap((value) => (isContentMark(value) ? [value.$content] : [])));
  const entries = hashes.flatMap((hash): [string, { text: boolean; data: string }][] => {
    const content = find(hash);
    return content === undefined
      ? []
      : [[hash, { text: typeof content === "string", data: gzipSync(content).toString("base64") }]];
  });
  return Object.fromEntries(entries);
}

/** A text or file of a saved plan. */
export function savedContent(saved: SavedPlan, hash: string): string | Uint8Array | undefined {
  const packed = saved.contents[hash];
  if (packed === undefined) return undefined;
  const bytes = gunzipSync(Buffer.from(packed.data, "base64"));
  return packed.text ? bytes.toString("utf8") : new Uint8Array(bytes);
}

/** The document of a saved plan: the readable part, what apply needs, and a digest over both. */
export function savedDocument(readable: JsonObject, part: SavedPlan): JsonObject {
  const whole = { ...readable, loadform: part as unknown as Json };
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

/** Reads a saved plan; refuses a file that is none, or that does not match its digest. */
export function readSavedPlan(text: string, file: string): SavedPlan {
  const refuse = (found: string, beside = "") =>
    problem(
      "LF5007",
      "the saved plan cannot be used",
      `found that ${file} ${found}; expected a file made by: loadform plan --out plan.json${beside}`,
    );
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    throw refuse("is not JSON", /\.(?:ya?ml|ts)$/.test(file) ? ", or the folder of a project" : "");
  }
  if (!isObject(document) || !isObject(document["loadform"])) throw refuse("is no saved plan");
  if (document["file_digest"] !== fileDigest(document))
    throw refuse("does not match its digest: it was changed or cut off");
  const broken = brokenParts(document["loadform"]);
  if (broken.length > 0) throw refuse(`lacks or misspells what apply needs: ${broken.join(", ")}`);
  const saved = document["loadform"] as unknown as SavedPlan;
  if (Object.keys(saved.contents).some((hash) => !isWhole(saved, hash)))
    throw refuse("holds a text or file that is not what the plan was made with");
  return saved;
}

function isWhole(saved: SavedPlan, hash: string): boolean {
  try {
    return sha256(savedContent(saved, hash) ?? "") === hash;
  } catch {
    return false;
  }
}

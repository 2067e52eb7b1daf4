import { gzipSync } from "node:zlib";
import { kinds } from "../../kinds/index.ts";
import { addressesAbove, isWithin } from "../../model/address.ts";
import { type Diagnostic, errorOf, unlessThrown } from "../../model/diagnostic.ts";
import { isContentMark } from "../../model/fingerprint.ts";
import { byText, canonicalJson, isObject, type Json, type JsonObject, valueAt, withValueAt } from "../../model/json.ts";
import { kindsByName } from "../../model/kind.ts";
import { referredAddresses } from "../../model/references.ts";
import type { Tree, TreeNode } from "../../model/tree.ts";
import type { Operation, Plan } from "../../plan/plan.ts";
import { sha256 } from "../../workspace/hash.ts";
import { savedLimits } from "../limit-findings.ts";
import type { LoadedProject } from "../open-project.ts";
import type { PlanOutcome } from "../plan-opened.ts";
import type { SavedPlan } from "./saved-plan.ts";

/** The part of a saved plan that apply needs. */
export function savedPart(outcome: PlanOutcome): SavedPlan | undefined {
  const { plan, made } = outcome;
  if (plan === undefined || made === undefined) return undefined;
  const { project, options } = made;
  const written = [...plan.changes, ...plan.operations].map(({ address }) => address);
  const addresses = [...new Set([...written, ...Object.keys(plan.stateChanges)])];
  const nodes = neededNodes(project, addresses);
  // An object that survives because of a declaration that the saved plan does not contain is forgotten explicitly.
  const forgotten = plan.changes
    .filter(({ action, id }) => action === "forget" && id !== undefined)
    .map(({ address }) => ({ address, destroy: false }));
  const sign = signer(plan);
  const { declared: _overridden, ...service } = project.service;
  const { state } = project;
  return {
    version: 1,
    root: project.root,
    project: project.name,
    ...(project.environment === undefined ? {} : { environment: project.environment }),
    lineage: made.state.lineage,
    salt: made.state.salt,
    hadState: made.state.serial > 0,
    service,
    live: project.live,
    state: "source" in state && state.source !== undefined ? { source: state.source } : state,
    options,
    nodes: nodes.map(withoutSecretFields),
    moved: [...project.moved, ...plan.foundMoves],
    removed: [...project.removed, ...forgotten],
    contents: contentsOf(plan.operations, outcome.contents),
    declaredLimits: savedLimits(project),
    addresses,
    signatures: plan.operations.map((operation) => sha256(sign(operation))),
  };
}

function neededNodes(project: LoadedProject, addresses: readonly string[]): readonly TreeNode[] {
  const byName = kindsByName(kinds);
  const needed = new Set<string>();
  const { nodes } = project.tree;
  const add = (address: string): void => {
    // An undeclared object is deleted because a declared test case above it says so.
    const node = nodes.get([address, ...addressesAbove(address)].find((each) => nodes.has(each)) ?? "");
    if (node === undefined || needed.has(node.handle)) return;
    needed.add(node.handle);
    if (node.parent !== undefined) add(node.parent);
    const kind = byName.get(node.kind);
    for (const each of [...(node.dependsOn ?? []), ...(kind ? referredAddresses(kind, node.fields) : [])]) add(each);
  };
  for (const address of addresses) add(address);
  return [...nodes.values()]
    .filter(({ handle }) => needed.has(handle))
    .sort((left, right) => byText(left.handle, right.handle));
}

function withoutSecretFields(node: TreeNode): TreeNode {
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

/** Secrets that are written out in the project: a saved plan would have to contain them to be applied. */
export function writtenSecrets({ made }: PlanOutcome, { nodes }: SavedPlan): readonly Diagnostic[] {
  return nodes.flatMap(({ handle }) => {
    const node = made?.project.tree.nodes.get(handle);
    const fields = node === undefined || made === undefined ? [] : writtenIn(node, made.project.tree);
    return fields.map((field): Diagnostic => {
      const detail = `The secret in ${field} is written out. A saved plan contains no secrets, and is applied without the project's files. Take it from the environment with \${env:…}, or apply without --out`;
      const error = errorOf("LF1203", `${handle}: a secret is written out`, detail);
      return { ...error, address: handle, ...made?.project.locate(handle, [field]) };
    });
  });
}

/** Fields whose unexpanded input has a write-only value; its neighbours in a list may be open. */
function writtenIn({ kind, fields, sources = {} }: TreeNode, { nodes }: Tree): readonly string[] {
  const referred = (name: string) => {
    const reference = fields[name];
    const address = isObject(reference) ? reference.ref : undefined;
    return typeof address === "string" ? nodes.get(address)?.fields : undefined;
  };
  const paths = kindsByName(kinds).get(kind)?.secretPaths?.(fields, referred) ?? [];
  const found = paths.filter((path) => {
    const [field = ""] = path.split(".");
    const secrets = new Set(leavesOf(valueAt(fields, path.split("."))));
    return leavesOf(sources[field]).some((leaf) => secrets.has(leaf));
  });
  return [...new Set(found.map((path) => path.split(".")[0] ?? path))];
}

/** The single values of an input, those of a mapping that is written as JSON text too. */
function leavesOf(value: Json | undefined): readonly string[] {
  if (typeof value === "string") {
    const isMapping = value.trimStart().startsWith("{");
    const mapping = isMapping ? unlessThrown(() => JSON.parse(value) as Json) : undefined;
    return [value.trim(), ...leavesOf(mapping)];
  }
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((each: Json) => leavesOf(each));
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [];
}

/**
 * The plan as made under the lock, with operations that were not approved marked: an object that changed between
 * showing the plan and taking the lock is skipped, the rest is applied (docs/engine.md, Concurrency).
 */
export function approvedOnly(plan: Plan, approved: Plan | undefined): Plan {
  if (approved === undefined) return plan;
  const signed = new Set(approved.operations.map(signer(approved)));
  const sign = signer(plan);
  return {
    ...plan,
    operations: plan.operations.map((operation) =>
      signed.has(sign(operation)) ? operation : { ...operation, unapproved: true },
    ),
  };
}

/** The part of a fresh plan that was saved with these signatures for these addresses, or the difference in words. */
export function onlySigned(
  plan: Plan,
  { signatures, addresses }: Pick<SavedPlan, "signatures" | "addresses">,
): Plan | string {
  const wanted = new Set(signatures);
  const about = new Set(addresses);
  const sign = signer(plan);
  const isWanted = (operation: Operation) => wanted.has(sha256(sign(operation)));
  const deletes = plan.operations.filter(({ op }) => op === "delete");
  const changed = plan.operations.find((operation) => about.has(operation.address) && !isWanted(operation));
  if (changed) return `${changed.address} is not as it was planned`;
  const isPlanned = (address: string) =>
    deletes.some((each) => about.has(each.address) && isWithin(address, each.address));
  const joined = deletes.find(({ address }) => !about.has(address) && isPlanned(address));
  if (joined) return `${joined.address} would change with it, which was not planned`;
  const operations = plan.operations.filter(isWanted);
  if (operations.length !== wanted.size) return "something in it is already done, or can no longer be done";
  const missing = firstMissing(plan, operations);
  if (missing) return `${missing.address} is no longer as the plan requires`;
  const ids = new Set(operations.map(({ id }) => id));
  return {
    ...plan,
    operations: operations.map((operation) => ({ ...operation, after: operation.after.filter((id) => ids.has(id)) })),
    changes: plan.changes.filter(({ address }) => about.has(address)),
  };
}

/** An object that has to be created before, or to give up its name, and that the saved plan does not change: it was so when it was saved. */
function firstMissing(plan: Plan, operations: readonly Operation[]): Operation | undefined {
  const planned = new Set(operations.map(({ id }) => id));
  const needed = new Set(operations.flatMap(({ after }) => after.filter((id) => !planned.has(id))));
  const byName = kindsByName(kinds);
  const freesName = ({ op, kind, fields }: Operation) =>
    byName.get(kind)?.naturalKey !== undefined && (op === "delete" || (op === "update" && "name" in fields));
  return plan.operations.find(
    (operation) => needed.has(operation.id) && (operation.op === "create" || freesName(operation)),
  );
}

/**
 * The signature of an operation, equal for two that are the same to whoever approved one of them: the request, its
 * object, and the former state of everything it touches.
 */
function signer(plan: Plan): (operation: Operation) => string {
  const changes = new Map(plan.changes.map(({ address, before }) => [address, before]));
  const beforeOf = (address: string): Json => withoutSizes(changes.get(address) ?? null);
  return ({ id, address, fields, inlineChildren: children, ends, precondition }) => {
    const written = children?.unchanged ? undefined : children?.items;
    const items = written?.map((item) => ({ address: item.address ?? null, id: item.id ?? null, sent: item.fields }));
    const object = precondition ? { id: precondition.id, createdAt: precondition.createdAt } : null;
    const touched = [address, ...(ends ?? []), ...(written ?? []).flatMap((item) => item.address ?? [])];
    const before = [...new Set(touched)].sort().map((each) => [each, beforeOf(each)]);
    return canonicalJson({ id, fields, items: items ?? null, object, before } as Json);
  };
}

/** A text is the same by its hash; its size is only known where it was read. */
function withoutSizes(value: Json): Json {
  if (isContentMark(value)) return { $content: value.$content };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSizes);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSizes(each)]));
}

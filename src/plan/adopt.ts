import { parentAddress } from "../model/address.ts";
import { placeWords } from "../model/command-place.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { same } from "../model/fingerprint.ts";
import { type AnyKind, isDeactivated } from "../model/kind.ts";
import { hasFields, inSameScope, isSavedAnew } from "../model/normal-form.ts";
import { nodeName, type TreeNode } from "../model/tree.ts";
import type { Binding } from "./bind.ts";
import { nameKey, type PlanContext, problemAt } from "./plan-context.ts";
import type { PlanInput } from "./plan-input.ts";

/** The live object that a desired one describes. */
export interface LiveMatch {
  readonly live?: TreeNode;
  /** It is adopted: not bound before. */
  readonly importing?: true;
  readonly diagnostics: readonly Diagnostic[];
}

interface DesiredObject {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  /** Handle of the parent's live object; undefined at the top, null when the parent is not created yet. */
  readonly parent: string | undefined | null;
}

type KindAndNode = Pick<DesiredObject, "node" | "kind">;

/** Finds the live object that a desired one is bound to or adopts, or why it can be neither (docs/engine.md, Identity). */
export function findLive(context: PlanContext, desired: DesiredObject): LiveMatch {
  const { node, kind } = desired;
  const binding = context.bindings.byAddress.get(node.handle);
  if (binding?.replacedBy) return { diagnostics: [otherObject(context, node.handle, binding.replacedBy)] };
  if (binding?.live && !isDeactivated(kind, binding.live)) return { live: binding.live, diagnostics: [] };
  if (desired.parent === null) return { diagnostics: [] };
  const candidates = unboundLike(context, desired);
  if (kind.createdByUse || kind.fields["name"] === undefined) {
    const usable = kind.createdByUse || binding !== undefined || context.input.options.adopt !== undefined;
    const free = candidates.filter(({ handle }) => kind.createdByUse || !context.input.boundElsewhere?.has(handle));
    const asDeclared = usable ? (free.find((each) => isSeparatelyAsDeclared(desired, each)) ?? free[0]) : undefined;
    const live = asDeclared ?? (binding && savedAnew(context, binding, kind));
    const isAdopted = live !== undefined && binding === undefined && !kind.createdByUse;
    return { ...(live && { live }), ...(isAdopted && { importing: true }), diagnostics: [] };
  }
  return adopt(context, desired, candidates);
}

function adopt(context: PlanContext, desired: DesiredObject, candidates: readonly TreeNode[]): LiveMatch {
  const { node, kind } = desired;
  const [only] = candidates;
  const mode = context.input.options.adopt;
  if (only === undefined) return { diagnostics: [] };
  if (candidates.length > 1) return { diagnostics: [ambiguousName(context, { node, kind }, candidates)] };
  const owner = context.input.boundElsewhere?.get(only.handle);
  const isAsDeclared = isExact(context, desired, only);
  const isAdopted = owner === undefined && (mode === "name" || (mode === "exact" && isAsDeclared));
  if (isAdopted) return { live: only, importing: true, diagnostics: [] };
  return { diagnostics: [nameTaken(context, { node, kind }, { live: only, owner, isAsDeclared })] };
}

/** Unbound live siblings with the same name, or, for kinds without one, with the same declared fields. */
function unboundLike(context: PlanContext, { node, kind, parent }: DesiredObject): readonly TreeNode[] {
  const siblings = context.liveNamed().get(nameKey(kind, parent ?? undefined, nodeName(node))) ?? [];
  return siblings.filter(
    (sibling) =>
      isFree(context, kind, sibling) &&
      (context.adopted.get(sibling.handle) ?? node.handle) === node.handle &&
      !isDeactivated(kind, sibling) &&
      collides(context, { node, kind }, sibling) &&
      (kind.fields["name"] !== undefined || declaredEqual(context, { node, kind }, sibling)),
  );
}

/**
 * The live object that was saved again outside in place of a bound one without a name: it has another id and the
 * last-applied values. Undefined when the bound one exists, or no object has them.
 */
export function savedAnew(context: PlanContext, binding: Binding, kind: AnyKind): TreeNode | undefined {
  const above = parentAddress(binding.address);
  const parent = above === undefined ? undefined : context.bindings.byAddress.get(above)?.live;
  if (binding.live || parent === undefined) return undefined;
  const applied = context.resolver.spell(kind, binding.resource.applied);
  const siblings = context.liveNamed().get(nameKey(kind, parent.handle, "")) ?? [];
  return siblings.find((sibling) => {
    const owner = context.bindings.addressOf.get(sibling.handle) ?? context.adopted.get(sibling.handle);
    const isOwn = (owner ?? binding.address) === binding.address;
    return isOwn && isSavedAnew(kind, applied, context.resolver.spell(kind, sibling.fields));
  });
}

/** Not bound by this state; a tag whose key is no longer declared is free too, for tags cannot be moved. */
function isFree({ bindings, desired, isSelected }: PlanContext, kind: AnyKind, { handle }: TreeNode): boolean {
  const owner = bindings.addressOf.get(handle);
  return owner === undefined || (kind.createdByUse === true && !desired.nodes.has(owner) && isSelected(owner));
}

/** True where the name of a sibling that has the desired one's is taken for it: another grid's region does not count. */
export function collides({ resolver }: PlanContext, { node, kind }: KindAndNode, sibling: TreeNode): boolean {
  if (typeof kind.naturalKey !== "object") return true;
  return inSameScope(kind, resolver.spell(kind, node.fields), resolver.spell(kind, sibling.fields));
}

function declaredEqual(context: PlanContext, { node, kind }: KindAndNode, sibling: TreeNode): boolean {
  const { resolver } = context;
  return hasFields(kind, resolver.spell(kind, node.fields), { live: resolver.spell(kind, sibling.fields) });
}

/** Which of several equal objects is meant: one whose fields with separate requests need none, such as a paused schedule. */
function isSeparatelyAsDeclared({ node, kind }: DesiredObject, live: TreeNode): boolean {
  const fields = Object.entries(kind.fields).filter(([, { separateRequest }]) => separateRequest);
  return fields.every(([name, field]) => same(node.fields[name] ?? field.default, live.fields[name] ?? field.default));
}

function isExact(context: PlanContext, { node, kind }: DesiredObject, live: TreeNode): boolean {
  const sensitive = new Set((node.sensitive ?? []).map((path) => path.split(".")[0]));
  const readable = Object.fromEntries(Object.entries(node.fields).filter(([name]) => !sensitive.has(name)));
  return declaredEqual(context, { kind, node: { ...node, fields: readable } }, live);
}

interface NameHolder {
  readonly live: TreeNode;
  /** The environment that binds it, in words. */
  readonly owner: string | undefined;
  /** Every declared field is equal. */
  readonly isAsDeclared: boolean;
}

function otherObject(context: PlanContext, address: string, replacedBy: TreeNode): Diagnostic {
  const createdAt = replacedBy.identity?.createdAt ?? "?";
  return problemAt(context, address, {
    code: "LF3003",
    summary: `${address} is bound to an object that no longer exists`,
    detail: `${replacedBy.handle} was created at ${createdAt}: it is not the object that was applied, so it is not touched. If the service was reset, run: loadform state rm ${address}${placeWords(context.input)}`,
  });
}

function nameTaken(context: PlanContext, { node, kind }: KindAndNode, holder: NameHolder): Diagnostic {
  const { live, owner, isAsDeclared } = holder;
  const found = `${live.handle} has this name, and ${owner === undefined ? "is not bound to this project" : `is bound by ${owner}`}.`;
  const summary = `${kind.name} "${nodeName(node)}" exists already`;
  const exact =
    context.input.options.adopt === "exact"
      ? " It differs from what is declared, so --adopt exact does not bind it."
      : "";
  const detail =
    owner === undefined
      ? `${found}${exact} ${waysToAdopt(context.input, node, { live, isAsDeclared })}`
      : `${found} One environment does not take over what another one made. To have one in each environment, give it another name here, for example with \${var:environment} in it. To share one, declare it in one project only, and refer to it by name elsewhere: { name: … }`;
  return problemAt(context, node.handle, { code: "LF3001", summary, detail, path: ["name"] });
}

function ambiguousName(context: PlanContext, { node, kind }: KindAndNode, candidates: readonly TreeNode[]): Diagnostic {
  const ids = candidates.map((candidate) => candidate.handle).join(", ");
  return problemAt(context, node.handle, {
    code: "LF3002",
    summary: `several objects are called "${nodeName(node)}"`,
    detail: `Each of these has this name: ${ids}. Rename all but one ${kind.name} at the service, or declare another name`,
    path: ["name"],
  });
}

/** The commands that bind an existing object (docs/engine.md, Identity): as it is declared, or, by an import, as it is. */
function waysToAdopt(
  input: PlanInput,
  node: TreeNode,
  { live, isAsDeclared }: Pick<NameHolder, "live" | "isAsDeclared">,
): string {
  const { environment, desired, folder } = input;
  const hasChildren = [...desired.nodes.values()].some(({ parent }) => parent === node.handle);
  const target = hasChildren ? `${node.handle}/**` : node.handle;
  const adopting = `To take it over and apply what is declared:\n  loadform apply${placeWords(input)} --adopt name --target '${target}'`;
  const inFolder = folder === undefined ? {} : { folder };
  // An import is one of the project without an environment, and writes into no program for Terraform.
  if (environment !== undefined || input.locate(node.handle)?.file.endsWith(".tf.json")) return adopting;
  const other = isAsDeclared
    ? "It already matches; an import would bind it, too, with everything below it:"
    : "To take it over as it is, remove its declaration from the project and run:";
  return `${adopting}\n${other}\n  loadform import${placeWords(inFolder)} ${importOptions(input, live)}`;
}

/** An object that can have children can be imported by itself, with all below it. */
function importOptions({ kinds, live: { nodes } }: PlanInput, live: TreeNode): string {
  const top = topOf(live, nodes);
  const hasChildren = kinds.some(({ parent }) => parent === top.kind);
  return hasChildren ? `--test-case ${top.identity?.id}` : "--all";
}

function topOf(node: TreeNode, nodes: PlanInput["live"]["nodes"]): TreeNode {
  const above = node.parent === undefined ? undefined : nodes.get(node.parent);
  return above === undefined ? node : topOf(above, nodes);
}

import { kinds } from "../../kinds/index.ts";
import { deactivatedWords, foundInstead, notOffered, notOfferedWords } from "../../model/did-you-mean.ts";
import { isObject, type Json, type JsonObject, pathTo } from "../../model/json.ts";
import { type AnyKind, kindsByName, type Taken } from "../../model/kind.ts";
import { normalObject } from "../../model/normal-form.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "../../model/tree.ts";
import { readObject } from "../../remote/confirm-gone.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import { foreignKey, resourceType } from "../../terraform-schema/names.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { type KnownId, knownIds } from "../check/known-ids.ts";
import type { Path, ProviderDiagnostic } from "../provider-session.ts";
import { decodeFields, knownPart } from "../values/decode-fields.ts";
import { idIn } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";
import { errorAt, warningAt } from "./provider-problem.ts";
import type { ResourceContext } from "./resource-context.ts";

/** A resource that is planned to be created, or changed. */
export interface PlannedReferences {
  readonly resource: ResourceSchema;
  readonly config: ValueMap;
  readonly planned: ValueMap;
  /** Attributes that will be others than they were. */
  readonly changed: readonly TerraformAttribute[];
}

const byName = kindsByName(kinds);
const giving = kinds.filter(({ offers }) => offers !== undefined);

/**
 * Known ids that lead to no object of the service, and known names that nobody offers where they are to be taken from, among
 * what will change. What this connection itself makes or has planned counts as there.
 */
export async function checkReferences(
  context: ResourceContext,
  references: PlannedReferences,
): Promise<readonly ProviderDiagnostic[]> {
  noteOffered(context, references);
  return [...(await lostIds(context, references)), ...(await missingNames(context, references))];
}

/** Names that others may take once this resource is there. */
function noteOffered({ offered }: ResourceContext, { resource: { kind }, planned }: PlannedReferences): void {
  const { name } = planned;
  if (typeof kind.naturalKey !== "object" || typeof name !== "string") return;
  const key = offerKey(kind.name, idIn(planned[foreignKey(kind.naturalKey.within)]));
  offered.set(key, new Set([...(offered.get(key) ?? []), name.trim()]));
}

/** Where the service chooses the grid, or it is not made yet, the name counts for each. */
function offerKey(kind: string, id: number | undefined): string {
  return `${kind} ${id ?? "any"}`;
}

async function lostIds(
  context: ResourceContext,
  { resource, config, changed }: PlannedReferences,
): Promise<readonly ProviderDiagnostic[]> {
  const ids = knownIds(resource.attributes, config).filter(
    ({ path, text }) => idIn(text) !== undefined && changed.some(({ name }) => name === path[0]),
  );
  const found = await Promise.all(ids.map((id) => lostId(context, id)));
  return found.flat();
}

async function lostId(context: ResourceContext, id: KnownId): Promise<readonly ProviderDiagnostic[]> {
  const { path, kind, text, only } = id;
  const handle = liveHandle(kind, Number(text));
  const of = byName.get(kind);
  if (of === undefined || (only === undefined && context.known.has(handle))) return [];
  const isLost = (tree: Tree) => {
    const node = tree.nodes.get(handle);
    if (node === undefined) return context.known.has(handle) ? [] : [tree];
    return only === undefined || mayLeadTo(only, node) ? [] : [tree];
  };
  const [tree] = await lookTwice(context, kind, isLost);
  if (tree === undefined) return [];
  const found = tree.nodes.get(handle);
  if (found === undefined && (await answers(context, of, Number(text)))) return [];
  const there = [...tree.nodes.values()].filter((node) => node.kind === kind);
  if (found !== undefined && only !== undefined)
    return [await unfitting(context, { id, found, fitting: there.filter((node) => mayLeadTo(only, node)) })];
  const detail = `${resourceType(kind)} ${text} is no object of the service. ${instead(there)}`;
  return [errorAt(path, `${String(path.at(-1))} refers to nothing`, detail)];
}

function mayLeadTo({ fits }: NonNullable<KnownId["only"]>, { fields, facts }: TreeNode): boolean {
  return fits({ ...fields, ...facts });
}

function instead(nodes: readonly TreeNode[]): string {
  return foundInstead(nodes.map((node) => ({ name: nodeName(node), id: String(node.identity?.id) })));
}

/** An object that is there and that such a resource cannot refer to; by decisions of ours, so a live service may take it. */
async function unfitting(
  { access }: ResourceContext,
  { id, found, fitting }: { readonly id: KnownId; readonly found: TreeNode; readonly fitting: readonly TreeNode[] },
): Promise<ProviderDiagnostic> {
  const { path, kind, text, only } = id;
  const detail = `Found ${resourceType(kind)} ${text}, ${JSON.stringify(nodeName(found))}; expected ${only?.words}. ${instead(fitting)}`;
  const at = (await access.isBundled()) ? errorAt : warningAt;
  return at(path, `${String(path.at(-1))} refers to a ${kind} that it cannot belong to`, detail);
}

/** Lists may be late or cut short. */
async function answers({ access }: ResourceContext, kind: AnyKind, id: number): Promise<boolean> {
  return (await readObject(await access.scope(resourceType(kind.name)), kind, id)) !== undefined;
}

/** What is found missing in the tree of a moment ago is looked for once more. */
async function lookTwice<T>(
  { trees }: ResourceContext,
  kind: string,
  look: (tree: Tree) => readonly T[],
): Promise<readonly T[]> {
  const found = look(await trees.recent(kind));
  return found.length === 0 ? found : look(await trees.read(kind));
}

async function missingNames(
  context: ResourceContext,
  { resource, config, changed }: PlannedReferences,
): Promise<readonly ProviderDiagnostic[]> {
  const { kind, attributes } = resource;
  if (kind.takes === undefined) return [];
  const fields = normalObject(kind, knownPart(decodeFields(attributes, config, new Map())) as JsonObject);
  const taken = kind.takes(fields).flatMap((each) => {
    const attribute = changed.find(({ source }) => source.is === "field" && source.path[0] === each.field);
    return attribute && isObject(each.from) ? [{ ...each, attribute: attribute.name }] : [];
  });
  if (taken.length === 0) return [];
  const looks = giving.map(({ name }) =>
    lookTwice(context, name, (tree) => taken.flatMap((each) => notThere(context, tree, { ...each, config }))),
  );
  return (await Promise.all(looks)).flat();
}

function notThere(
  { offered }: ResourceContext,
  tree: Tree,
  { kind, names, from, attribute, config }: Taken & { readonly attribute: string; readonly config: ValueMap },
): readonly ProviderDiagnostic[] {
  const id = isObject(from) ? from["id"] : undefined;
  const giver = [...tree.nodes.values()].find((node) => node.offers !== undefined && node.identity?.id === id);
  if (giver?.offers === undefined || typeof id !== "number") return [];
  const planned = [id, undefined].flatMap((each) => [...(offered.get(offerKey(kind, each)) ?? [])]);
  const all = [...giver.offers, ...planned];
  const at = (name: string): Path => pathTo(config[attribute] as Json, name, [attribute]) ?? [attribute];
  const deactivated = names.filter((name) => giver.deactivatedOffers?.includes(name) && !planned.includes(name));
  return [
    ...notOffered(names, all).map((name) => {
      const words = notOfferedWords(name, { kind, giver: nodeName(giver), offered: all });
      return errorAt(at(name), `there is no ${kind} ${name}`, words);
    }),
    ...deactivated.map((name) =>
      warningAt(at(name), `${kind} ${name} is deactivated`, deactivatedWords(kind, nodeName(giver))),
    ),
  ];
}

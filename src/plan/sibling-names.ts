import { parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isDeactivated } from "../model/kind.ts";
import { nodeName, type TreeNode, temporaryName } from "../model/tree.ts";
import { collides } from "./adopt.ts";
import { isPending, type ObjectPlan } from "./object-plan.ts";
import { operationId, operationOn, type UnorderedOperation } from "./operations.ts";
import { nameKey, type PlanContext, problemAt } from "./plan-context.ts";

/** Names that are taken, where names are unique: by another desired object, or by a live one that keeps its name. */
export function nameConflicts(context: PlanContext, objects: readonly ObjectPlan[]): readonly Diagnostic[] {
  const freeing = objects.filter((each) => each.change.action === "delete" || changesName(each));
  const freed = new Set(freeing.map(({ live }) => live?.handle));
  const taking = objects.filter((object) => object.kind.naturalKey === "parent" && takesName(object));
  const takenBy = new Map<string, string>();
  return taking.flatMap((object) => {
    const name = String(object.declared["name"]);
    const key = siblingsNamed(object, name);
    const twin = takenBy.get(key);
    takenBy.set(key, object.address);
    if (twin !== undefined) return [twins(context, object, twin)];
    const [holder] = liveSiblingsNamed(context, object, name);
    return holder === undefined ||
      freed.has(holder.handle) ||
      holder === object.live ||
      // A new object beside an unmanaged one: adopt.ts reports it, with the way out.
      (object.change.action === "create" && !context.bindings.addressOf.has(holder.handle))
      ? []
      : [nameHeld(context, object, holder)];
  });
}

/** Addresses of bound objects that have to give up the name which another one takes. */
export function holdersOfName(context: PlanContext, object: ObjectPlan): readonly string[] {
  const { kind, node } = object;
  if (kind.naturalKey === undefined || node === undefined || !(takesName(object) || isPending(object))) return [];
  const name = nodeName(node);
  return liveSiblingsNamed(context, object, name).flatMap((holder) => {
    const address = context.bindings.addressOf.get(holder.handle);
    if (address === undefined || !collides(context, { node, kind }, holder)) return [];
    const desired = context.desired.nodes.get(address);
    return desired && nodeName(desired) === name ? [] : [address];
  });
}

function takesName(object: ObjectPlan): boolean {
  return object.change.action === "create" || changesName(object);
}

function changesName({ change: { action }, send }: ObjectPlan): boolean {
  return action === "replace" || (action === "update" && typeof send["name"] === "string");
}

/** Live objects of a name under the parent that a desired object declares; none when that parent is not created yet. */
function liveSiblingsNamed({ bindings, liveNamed }: PlanContext, { kind, node, live }: ObjectPlan, name: string) {
  if (node === undefined) return [];
  const isTop = node.parent === undefined;
  const parent = isTop ? undefined : (bindings.byAddress.get(node.parent)?.live?.handle ?? live?.parent);
  if (parent === undefined && !isTop) return [];
  return (liveNamed().get(nameKey(kind, parent, name)) ?? []).filter((holder) => !isDeactivated(kind, holder));
}

function twins(context: PlanContext, { address, kind, declared }: ObjectPlan, twin: string): Diagnostic {
  const detail = `${twin} has this name, too, and two ${kind.name}s cannot have the same name here. Give one of them another name`;
  return problemAt(context, address, {
    code: "LF1005",
    summary: `two objects are called "${String(declared["name"])}"`,
    detail,
    path: ["name"],
  });
}

function nameHeld(context: PlanContext, { address, kind }: ObjectPlan, holder: TreeNode): Diagnostic {
  const owner = context.bindings.addressOf.get(holder.handle);
  const detail = `${owner ?? `${holder.handle}, which is not bound to this project,`} has this name and remains. Choose another name`;
  const summary = `${kind.name} "${nodeName(holder)}" exists already`;
  return problemAt(context, address, { code: "LF3001", summary, detail, path: ["name"] });
}

/** The order that the names of siblings need (docs/engine.md, Moves and names). */
export interface NameOrder {
  /** `[after, before]`. */
  readonly edges: readonly (readonly [string, string])[];
  /** Edges of kinds whose siblings may share a name at the service: dropped when they close a circle (docs/engine.md, Assumptions A9). */
  readonly soft: readonly (readonly [string, string])[];
  /** Detours through a temporary name, which break circles of names. */
  readonly extra: readonly UnorderedOperation[];
}

interface NameChange {
  readonly object: ObjectPlan;
  readonly id: string;
  /** Name that it has now and gives up. */
  readonly frees?: string;
  readonly takes?: string;
}

/** An operation that frees a name runs before the one that takes it; a circle is broken with a temporary name. */
export function orderByNames(objects: readonly ObjectPlan[], loose: readonly UnorderedOperation[]): NameOrder {
  const ids = new Set(loose.map(({ id }) => id));
  const changes = objects.flatMap(nameChanges).filter(({ id }) => ids.has(id));
  const freeing = new Map(
    changes.flatMap((change) => (change.frees === undefined ? [] : [[change.frees, change] as const])),
  );
  const detours = findDetours(changes, freeing);
  const extra = detours.map(detour);
  const edgesOf = (change: NameChange): readonly (readonly [string, string])[] => {
    const before = change.takes === undefined ? undefined : freeing.get(change.takes);
    if (before === undefined || before === change) return [];
    return detours.includes(before) ? [[change.id, detourId(before)]] : [[change.id, before.id]];
  };
  const isUnique = ({ object }: NameChange) => object.kind.naturalKey !== undefined;
  const detoured = detours.map((change) => [change.id, detourId(change)] as const);
  return {
    edges: [...changes.filter(isUnique).flatMap(edgesOf), ...sequenceTwins(changes), ...detoured],
    soft: changes.filter((change) => !isUnique(change)).flatMap(edgesOf),
    extra,
  };
}

/** Creates of one name under one parent are sent one after the other, so that a lost one can be told from its twin (docs/engine.md, Journal and recovery). */
function sequenceTwins(changes: readonly NameChange[]): readonly (readonly [string, string])[] {
  const last = new Map<string, string>();
  const edges: (readonly [string, string])[] = [];
  for (const { id, takes, object } of changes) {
    if (takes === undefined || object.change.action === "update") continue;
    const before = last.get(takes);
    if (before !== undefined) edges.push([id, before]);
    last.set(takes, id);
  }
  return edges;
}

function nameChanges(object: ObjectPlan): readonly NameChange[] {
  const { address, change } = object;
  const now = nameIn(object.liveFields["name"]);
  const next = nameIn(object.declared["name"]);
  const frees = now === undefined ? {} : { frees: siblingsNamed(object, now) };
  const takes = next === undefined ? {} : { takes: siblingsNamed(object, next) };
  switch (change.action) {
    case "create":
      return [{ object, id: operationId("create", address), ...takes }];
    case "delete":
      return [{ object, id: operationId("delete", address), ...frees }];
    case "replace":
      return [
        { object, id: operationId("delete", address), ...frees },
        { object, id: operationId("create", address), ...takes },
      ];
    case "update":
      return now === next || object.send["name"] === undefined
        ? []
        : [{ object, id: operationId("update", address), ...frees, ...takes }];
    default:
      return [];
  }
}

function siblingsNamed({ kind, address }: ObjectPlan, name: string): string {
  return `${kind.name} ${parentAddress(address) ?? ""} ${name}`;
}

function nameIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** One member of every circle of renames: the first in the plan's order. */
function findDetours(changes: readonly NameChange[], freeing: ReadonlyMap<string, NameChange>): readonly NameChange[] {
  const detours: NameChange[] = [];
  const done = new Set<NameChange>();
  for (const start of changes) {
    const path = new Set<NameChange>();
    let current: NameChange | undefined = start;
    while (current?.takes !== undefined && !done.has(current) && !path.has(current)) {
      path.add(current);
      current = freeing.get(current.takes);
    }
    if (current !== undefined && path.has(current)) detours.push(current);
    for (const each of path) done.add(each);
  }
  return detours.filter(({ object }) => object.change.action === "update");
}

const detourId = ({ object }: NameChange) => `rename ${object.address}`;

function detour(change: NameChange): UnorderedOperation {
  const { live, liveFields } = change.object;
  const { binding: _afterwards, ...object } = change.object;
  return operationOn(object, "update", {
    id: detourId(change),
    fields: { name: temporaryName(String(liveFields["name"]), live?.key ?? "") },
    ...(live?.identity && { precondition: { ...live.identity, managed: {} } }),
  });
}

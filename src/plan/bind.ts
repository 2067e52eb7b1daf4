import { firstFree, parentAddress } from "../model/address.ts";
import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import { keysOnce } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject, withValueAt } from "../model/json.ts";
import { type AnyKind, kindsByName } from "../model/kind.ts";
import { referenceResolver } from "../model/references.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import type { State, StateResource } from "../state/state.ts";
import { followReferences, type Move, movedAddresses } from "./match-moves.ts";
import type { BindingParts, Plan } from "./plan.ts";

/** An address of the state with its live object. */
export interface Binding {
  readonly address: string;
  /** Its address in the state before `moved:`. */
  readonly previousAddress?: string;
  /** The address that was to have it, below another parent than its own: another object is created there. */
  readonly successor?: string;
  readonly resource: StateResource;
  /** The live object, when it is still the same one. */
  readonly live?: TreeNode;
  /** Another object has its id now: the service was reset. */
  readonly replacedBy?: TreeNode;
}

/** Bindings by address, and addresses by live handle. */
export interface Bindings {
  readonly byAddress: ReadonlyMap<string, Binding>;
  readonly addressOf: ReadonlyMap<string, string>;
}

/** Binds every address of the state to its live object (docs/engine.md, Identity). Of several addresses of one object a desired one has it. */
export function bindNodes(state: State, live: Tree, moves: readonly Move[], desired?: Tree): Bindings {
  const byAddress = new Map<string, Binding>();
  const addressOf = new Map<string, string>();
  const moved = moves.length === 0 ? undefined : movedAddresses(state.resources, moves);
  for (const stored of keysOnce(state.resources)) {
    const resource = state.resources[stored];
    if (resource === undefined) continue;
    const address = moved?.get(stored) ?? stored;
    const applied = moved ? followReferences(resource.applied, moved) : resource.applied;
    const binding = bindOne(address, moved ? { ...resource, applied } : resource, live);
    byAddress.set(address, address === stored ? binding : { ...binding, previousAddress: stored });
    const handle = binding.live?.handle;
    if (handle && (desired?.nodes.has(address) || !addressOf.has(handle))) addressOf.set(handle, address);
  }
  return { byAddress, addressOf };
}

/**
 * Bindings with every inline child below the parent that has it, whose request alone deletes it. One that moves below another, by `moved:`
 * or in the state, is bound to an address of its own.
 */
export function withChildrenAtHome(bindings: Bindings, isInline: (kind: string) => boolean): Bindings {
  const homeOf = ({ address, resource, live }: Binding) => {
    const isOwner = isInline(resource.kind) && bindings.addressOf.get(live?.handle ?? "") === address;
    const home = isOwner ? bindings.addressOf.get(live?.parent ?? "") : undefined;
    return home === parentAddress(address) ? undefined : home;
  };
  const leaving = [...bindings.byAddress.values()].filter((each) => homeOf(each) !== undefined);
  if (leaving.length === 0) return bindings;
  const [byAddress, addressOf] = [new Map(bindings.byAddress), new Map(bindings.addressOf)];
  for (const { address } of leaving) byAddress.delete(address);
  for (const { previousAddress, ...child } of leaving) {
    const stored = previousAddress ?? child.address;
    const former = `${homeOf(child)}${stored.slice(parentAddress(stored)?.length)}`;
    const address = byAddress.has(former) ? deposedAddress(former, (each) => byAddress.has(each)) : former;
    const moved = address === stored ? {} : { previousAddress: stored };
    byAddress.set(address, { ...child, ...moved, address, successor: child.address });
    if (child.live) addressOf.set(child.live.handle, address);
  }
  return { byAddress, addressOf };
}

function bindOne(address: string, resource: StateResource, live: Tree): Binding {
  const found = live.nodes.get(liveHandle(resource.kind, resource.id));
  if (found === undefined) return { address, resource };
  return found.identity?.createdAt === resource.createdAt
    ? { address, resource, live: found }
    : { address, resource, replacedBy: found };
}

/**
 * Bindings after the changes of a plan that need no request. References to moved objects follow, also in objects that the plan does not
 * change: a key that changes later is recognized by the values applied under the former one (docs/engine.md, Moves and names).
 */
export function withStateChanges(
  resources: State["resources"],
  { stateChanges, changes }: Pick<Plan, "stateChanges" | "changes">,
): State["resources"] {
  const changed = Object.entries({ ...resources, ...stateChanges });
  const bound = changed.filter((entry): entry is [string, StateResource] => entry[1] !== null);
  const moved = new Map(
    changes.flatMap(({ address, previousAddress }) =>
      previousAddress === undefined ? [] : [[previousAddress, address] as const],
    ),
  );
  if (moved.size === 0) return Object.fromEntries(bound);
  return Object.fromEntries(
    bound.map(([address, resource]) => [address, { ...resource, applied: followReferences(resource.applied, moved) }]),
  );
}

const deposed = ".being-replaced";
const deposedPattern = /^(.+)\.being-replaced(?:-(\d+))?$/;

/**
 * The address that an object is bound to while another one is created at its own: a crash must lose neither. One that the
 * service refused to delete may still be bound to such an address, so they are counted.
 */
export function deposedAddress(address: string, isTaken: (address: string) => boolean): string {
  return firstFree(`${address}${deposed}`, isTaken);
}

/** Replacements that were interrupted before the new object was created: the old one, deposed last, is bound to its address again. */
export function undoneReplacements({ resources }: State): readonly Move[] {
  const last = new Map<string, { readonly from: string; readonly count: number }>();
  for (const from of keysOnce(resources)) {
    if (!from.includes(deposed)) continue;
    const [, to, number] = deposedPattern.exec(from) ?? [];
    if (to === undefined || to in resources) continue;
    const count = Number(number ?? 1);
    if (count > (last.get(to)?.count ?? 0)) last.set(to, { from, count });
  }
  return [...last].map(([to, { from }]) => ({ from, to }));
}

/** The part of a binding that a plan knows: values, hashes and fingerprints apart. */
export function bindingParts(kind: string, applied: JsonObject, node: TreeNode | undefined): BindingParts {
  const content: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  let plain: JsonObject = applied;
  for (const [name, value] of Object.entries(applied)) {
    if (isContentMark(value)) {
      content[name] = value.$content;
      plain = withValueAt(plain, [name], undefined);
    } else
      for (const [path, fingerprint] of secretsWithin([name], value)) {
        secrets[path.join(".")] = fingerprint;
        plain = withValueAt(plain, path, undefined);
      }
  }
  return {
    kind,
    applied: plain,
    ...(Object.keys(content).length > 0 && { content }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(node?.lifecycle?.protect && { protect: true }),
    ...(node?.lifecycle?.ignore && { ignore: node.lifecycle.ignore }),
  };
}

/**
 * Makes a binding as if the live values of the declared fields had been applied, without secrets; `resources` are all bindings that there
 * will be. Where those values are what is declared, a plan finds nothing to do and nothing to store; where not, it compares and stores
 * as without them.
 */
export function bindingsAsApplied(
  resources: State["resources"],
  { kinds, live }: { readonly kinds: readonly AnyKind[]; readonly live: Tree },
): (binding: StateResource, declared: TreeNode, live: TreeNode) => StateResource {
  const handles = Object.entries(resources).map(([address, { kind, id }]) => [liveHandle(kind, id), address] as const);
  const bound = new Map(handles);
  const { spell } = referenceResolver({ live, addressOf: (handle) => bound.get(handle), readKinds: new Set() });
  const byName = kindsByName(kinds);
  return ({ kind: name, applied: _, ...binding }, declared, { fields, contentVersion }) => {
    const kind = byName.get(name);
    const spelled = kind === undefined ? fields : spell(kind, fields);
    const applied: Record<string, Json> = {};
    for (const field in declared.fields) if (spelled[field] !== undefined) applied[field] = spelled[field];
    return { ...bindingParts(name, applied, declared), ...binding, ...(contentVersion && { seen: contentVersion }) };
  };
}

function secretsWithin(path: readonly string[], value: Json): readonly (readonly [readonly string[], string])[] {
  if (isSecretMark(value)) return [[path, value.$secret]];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => secretsWithin([...path, key], member));
}

/** Last-applied values with the marks of texts and files put back; secrets are put back by masking. */
export function appliedFields(resource: StateResource | undefined): JsonObject {
  if (resource === undefined) return {};
  if (resource.content === undefined) return resource.applied;
  const marks = Object.entries(resource.content).map(([name, hash]): [string, Json] => [
    name,
    { $content: hash, bytes: 0 },
  ]);
  return { ...resource.applied, ...Object.fromEntries(marks) };
}

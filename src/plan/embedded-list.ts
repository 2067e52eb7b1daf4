import type { JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { foreignFields } from "../model/variant.ts";
import type { Draft } from "./draft.ts";
import { unmasked } from "./mask-secrets.ts";
import type { EmbeddedItem, EmbeddedList } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/**
 * The children that travel inside a parent's request: ours as they shall be, and those of nobody here as they were read,
 * so that they survive. Undefined when none of them changes and the parent is not made anew.
 */
export function embeddedList(
  context: PlanContext,
  parent: Draft,
  children: readonly Draft[],
): EmbeddedList | undefined {
  const kind = [...context.kinds.values()].find((each) => each.embedded && each.parent === parent.kind.name);
  if (kind?.embedded === undefined) return undefined;
  const isNew = parent.change.action === "create" || parent.change.action === "replace";
  const changed = children.some((child) => sendsSomething(child));
  if (!changed && !(isNew && children.length > 0)) return undefined;
  const ours = children.filter(({ change }) => change.action !== "delete" && change.action !== "forget");
  const items = [
    ...ours.map((child) => itemOf(child, isNew)),
    ...(isNew ? [] : othersOf(context, parent, { kind, children })),
  ];
  return { kind: kind.name, member: kind.embedded.member, items, clear: kind.embedded.clear };
}

function sendsSomething(child: Draft): boolean {
  const { action } = child.change;
  return action === "create" || action === "delete" || action === "replace" || Object.keys(child.send).length > 0;
}

function itemOf(child: Draft, isNew: boolean): EmbeddedItem {
  const id = child.live?.identity?.id;
  const stays = !isNew && id !== undefined && child.change.action !== "replace";
  const whole = { ...withoutOwn(child.kind, child.liveFields), ...child.send };
  const cleared = Object.fromEntries(Object.entries(child.send).filter(([, value]) => value === null));
  const foreign = foreignFields(child.kind.variants, {
    ...unmasked(child.liveFields, child.live?.fields),
    ...unmasked(child.send, child.node?.fields),
  });
  const own = Object.fromEntries(Object.entries(whole).filter(([name]) => !foreign.has(name)));
  const fields = stays ? { ...own, ...cleared } : child.send;
  return {
    address: child.address,
    ...(stays && { id, ...ownOf(child.kind, child.live?.fields ?? {}) }),
    fields,
    ...(child.binding && { binding: child.binding }),
  };
}

/** Live children that no draft speaks of, and those that are only forgotten. */
function othersOf(
  context: PlanContext,
  parent: Draft,
  { kind, children }: { readonly kind: AnyKind; readonly children: readonly Draft[] },
): readonly EmbeddedItem[] {
  const isForgotten = ({ change }: Draft) => change.action === "forget";
  const drafted = new Set(children.filter((child) => !isForgotten(child)).map(({ live }) => live?.handle));
  const forgotten = new Set(children.filter(isForgotten).map(({ live }) => live?.handle));
  const stays = ({ handle }: TreeNode) => (forgotten.has(handle) ? undefined : context.bindings.addressOf.get(handle));
  const siblings = context.liveChildren.get(parent.live?.handle) ?? [];
  return siblings
    .filter((node: TreeNode) => parent.live !== undefined && node.kind === kind.name && !drafted.has(node.handle))
    .map((node) => {
      const address = stays(node);
      const at = address === undefined ? {} : { stays: address };
      return { ...at, id: node.identity?.id ?? 0, fields: withoutOwn(kind, node.fields), ...ownOf(kind, node.fields) };
    });
}

function ownOf(kind: AnyKind, fields: JsonObject): Pick<EmbeddedItem, "own"> {
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => kind.fields[name]?.ownRequest));
  return Object.keys(own).length === 0 ? {} : { own };
}

function withoutOwn(kind: AnyKind, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !kind.fields[name]?.ownRequest));
}

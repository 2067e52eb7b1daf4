import type { Diagnostic } from "../model/diagnostic.ts";
import { type JsonObject, objectOf } from "../model/json.ts";
import { type AnyKind, groundKind } from "../model/kind.ts";
import { liveHandle, nodeName, type TreeNode } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import type { BindingParts, Change, PendingObject } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** The plan for one address, before it becomes operations. */
export interface ObjectPlan {
  readonly address: string;
  readonly kind: AnyKind;
  readonly change: Change;
  /** The desired object; absent when it is deleted or forgotten. */
  readonly node?: TreeNode;
  /** The object at the service; absent when it is created. */
  readonly live?: TreeNode;
  /** Live fields in the plan's spelling: references as addresses, secrets as marks. */
  readonly liveFields: JsonObject;
  /** Fields to send with the object's own request. */
  readonly send: JsonObject;
  /** Fields with a separate request. */
  readonly separate: JsonObject;
  readonly declared: JsonObject;
  readonly binding?: BindingParts;
  /** The binding to store when nothing has to be sent. */
  readonly stateChange?: StateResource | null;
  readonly drift?: Change;
  readonly diagnostics: readonly Diagnostic[];
}

/** Live fields with references as addresses and nothing masked: masked values may contain references. */
export function liveReferences(
  { resolver }: PlanContext,
  { kind, live }: Pick<ObjectPlan, "kind" | "live">,
): JsonObject {
  return live === undefined ? {} : resolver.spell(kind, live.fields);
}

/** The objects that exist at the service, by live handle. */
export function byLiveHandle(objects: readonly ObjectPlan[]): ReadonlyMap<string, ObjectPlan> {
  return new Map(objects.flatMap((object) => (object.live ? [[object.live.handle, object] as const] : [])));
}

/** The handle of what a live object is within: the grid of a region. */
export function groundHandle(kind: AnyKind, live: TreeNode | undefined): string | undefined {
  const { id } = objectOf(typeof kind.naturalKey === "object" ? live?.fields[kind.naturalKey.within] : undefined);
  return liveHandle(groundKind(kind) ?? "", Number(id));
}

/** True where its first use creates it and has not done so yet (docs/engine.md, Write routes). */
export function isPending({ kind, node, live }: ObjectPlan): boolean {
  return kind.createdByUse === true && live === undefined && node !== undefined;
}

/** The desired objects that only their first use creates, and that do not exist yet. */
export function pendingOf(objects: readonly ObjectPlan[]): readonly PendingObject[] {
  return objects
    .filter(isPending)
    .flatMap(({ address, kind, node, binding }) =>
      node && binding ? [{ address, kind: kind.name, name: nodeName(node), binding }] : [],
    );
}

import { holdsSecret } from "../model/fingerprint.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind, NextTime } from "../model/kind.ts";
import { sensitiveText } from "../model/redact.ts";
import { nodeName, type TreeNode } from "../model/tree.ts";
import { withoutInactive } from "../model/variant.ts";
import type { ObjectPlan } from "./object-plan.ts";
import type { Change, FieldChange } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";

/** An object that is created. */
export function describeCreate(of: {
  readonly context: PlanContext;
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly after: JsonObject;
  readonly wasBound: boolean;
}): Change {
  const { context, node, kind, after, wasBound } = of;
  const fields = Object.entries(after).map(([field, value]): FieldChange => {
    return { field, after: value, cause: "change", ...(holdsSecret(value) && { sensitive: true }) };
  });
  return {
    ...changeHead(node, kind),
    action: "create",
    after,
    fields,
    ...(wasBound && { reason: "deleted outside" }),
    ...timesOf(context, kind, { fields: after, createdAt: context.input.now }),
  };
}

/** An object that remains: an update, or a no-op when nothing differs. */
export function describeUpdate(of: {
  readonly context?: PlanContext;
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly live?: TreeNode;
  readonly changes: readonly FieldChange[];
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Live fields: those that are not managed remain, and decide with the others when it acts next. */
  readonly kept?: JsonObject;
  readonly importing?: true;
}): Change {
  const { context, node, kind, live, changes, kept = {} } = of;
  const left = () => Object.fromEntries(Object.entries(kept).filter(([name]) => !(name in of.before)));
  const previousAddress = context?.bindings.byAddress.get(node.handle)?.previousAddress;
  const createdAt = Date.parse(live?.identity?.createdAt ?? "");
  return {
    ...changeHead(node, kind),
    action: changes.length > 0 ? "update" : "no-op",
    ...identityOf(live),
    before: of.before,
    after: of.after,
    fields: changes,
    ...(previousAddress === undefined ? {} : { previousAddress }),
    ...(of.importing && { importing: true as const }),
    ...(context &&
      changes.length > 0 &&
      timesOf(context, kind, { fields: withoutInactive(kind, { ...left(), ...of.after }), createdAt })),
  };
}

/** The change outside of a managed object; undefined when there was none. */
export function describeDrift(of: {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly live: TreeNode;
  readonly drifted: readonly FieldChange[];
}): Change | undefined {
  const { node, kind, live, drifted: fields } = of;
  if (fields.length === 0) return undefined;
  const valuesOf = (side: "before" | "after") =>
    Object.fromEntries(fields.flatMap(({ field, [side]: value }) => (value === undefined ? [] : [[field, value]])));
  const sides = { before: valuesOf("before"), after: valuesOf("after") };
  return { ...changeHead(node, kind), action: "update", ...identityOf(live), ...sides, fields };
}

/** An object that is deleted or forgotten, or was deleted outside. */
export function describeEnd(
  of: Pick<Change, "address" | "action" | "name" | "before" | "reason"> & Pick<ObjectPlan, "kind" | "live">,
): Change {
  const { kind, live, ...change } = of;
  return { ...change, kind: kind.name, ...identityOf(live), fields: [], risks: [] };
}

function identityOf(live: TreeNode | undefined): Pick<Change, "id" | "createdAt"> {
  return live?.identity === undefined ? {} : { id: live.identity.id, createdAt: live.identity.createdAt };
}

function changeHead(node: TreeNode, kind: AnyKind): Pick<Change, "address" | "kind" | "name" | "risks"> {
  const name = node.sensitive?.includes("name") ? sensitiveText : nodeName(node);
  return { address: node.handle, kind: kind.name, name, risks: [] };
}

function timesOf(
  context: PlanContext,
  kind: AnyKind,
  of: { readonly fields: JsonObject; readonly createdAt: number },
): { readonly nextTimes?: readonly NextTime[] } {
  const { now } = context.input;
  const createdAt = Number.isNaN(of.createdAt) ? now : of.createdAt;
  // They would reveal masked values, and cannot be computed from marks.
  if (holdsSecret(of.fields)) return {};
  return kind.nextTimes ? { nextTimes: kind.nextTimes(of.fields, { createdAt, now }) } : {};
}

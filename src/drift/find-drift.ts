import type { Code } from "../model/codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { isDeactivated, kindsByName } from "../model/kind.ts";
import { liveHandle } from "../model/tree.ts";
import type { Change, FieldChange, Plan, Unmanaged } from "../plan/plan.ts";
import type { PlanInput } from "../plan/plan-input.ts";

/** A field that changed at the service: `before` is the last-applied value, `after` the live one. */
export interface DriftedField extends FieldChange {
  readonly cause: "drift" | "both";
  /** The desired value; absent when none is declared. */
  readonly desired?: Json;
}

/** An object that is not as it was applied: `update` for changed fields, `delete` when it was deleted, `create` for what `unmanaged: delete` would remove. */
export interface DriftedObject extends Change {
  readonly action: "update" | "delete" | "create";
  readonly fields: readonly DriftedField[];
}

/** Drift that no command writes into the project. */
export interface ByHand {
  readonly address: string;
  readonly field?: string;
  /** The edit to make by hand, or the reason. */
  readonly what: string;
}

/** Live against last applied and desired (docs/engine.md, Drift and import). */
export interface Drift extends Pick<Plan, "project" | "environment" | "target"> {
  /** Outside changes that the next apply would undo, in the order of the tree. */
  readonly drifted: readonly DriftedObject[];
  /** Changes that only the project made since the last apply. */
  readonly changed: readonly Change[];
  readonly unmanaged: readonly Unmanaged[];
  /** Undeclared objects are drift as well. */
  readonly failsOnUnmanaged?: true;
  /** Drift that cannot be accepted, and what to do instead to keep it. */
  readonly byHand?: readonly ByHand[];
}

/**
 * The drift in a plan. Fields under `ignore`, live values that are declared by now, and fields and objects that are no
 * longer declared are none: the plan does not change them.
 */
export function findDrift(plan: Plan): Drift {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const moved = plan.drift.flatMap((drift) => driftedObject(drift, changes.get(drift.address)));
  const added = plan.changes.filter(isUnmanagedDelete).map(({ reason: _reason, before, ...change }): DriftedObject => {
    return { ...change, action: "create", ...(before && { after: before }), fields: [], reason: "added outside" };
  });
  return {
    project: plan.project,
    ...(plan.environment === undefined ? {} : { environment: plan.environment }),
    target: plan.target,
    drifted: [...moved, ...added],
    changed: plan.changes.flatMap((change) => changedHere(change, plan)),
    unmanaged: plan.unmanaged,
  };
}

function driftedObject(drift: Change, change: Change | undefined): readonly DriftedObject[] {
  if (drift.action === "delete")
    return change?.action === "create"
      ? [{ ...drift, action: "delete", name: change.name, fields: [], reason: "deleted outside" }]
      : [];
  const fields = drift.fields.flatMap((field) => driftedField(field, change));
  return fields.length === 0 ? [] : [{ ...drift, action: "update", fields }];
}

function driftedField(field: FieldChange, change: Change | undefined): readonly DriftedField[] {
  const planned = change?.fields.find((each) => each.field === field.field);
  if (planned === undefined) return [];
  const cause = field.cause === "drift" ? "drift" : "both";
  return [{ ...field, cause, ...(planned.after === undefined ? {} : { desired: planned.after }) }];
}

/** An undeclared object below a test case with `unmanaged: delete` was created outside. */
function isUnmanagedDelete({ action, reason }: Change): boolean {
  return action === "delete" && reason === "unmanaged";
}

function changedHere(change: Change, plan: Plan): readonly Change[] {
  if (isUnmanagedDelete(change) || change.reason === "deleted outside") return [];
  if (change.action !== "update" && change.action !== "replace") return [change];
  const moved = new Set(plan.drift.find(({ address }) => address === change.address)?.fields.map(({ field }) => field));
  // Drift that is ignored is none of the project's changes either, where a replacement ends it.
  const fields = change.fields.filter(({ field, cause }) => !moved.has(field) && cause !== "drift");
  const isTakenOver = change.importing === true || change.previousAddress !== undefined;
  const isMore = change.action === "replace" ? moved.size === 0 : isTakenOver;
  return fields.length > 0 || isMore ? [{ ...change, fields }] : [];
}

/** Problems of an apply, which do not hinder comparing. */
const onlyOfApply: ReadonlySet<Code> = new Set([
  "LF3001",
  "LF3002",
  "LF3004",
  "LF3005",
  "LF3006",
  "LF3008",
  "LF3010",
  "LF3014",
]);

/** The problems of a plan that matter to a comparison. */
export function driftProblems(
  plan: Plan | undefined,
  diagnostics: readonly Diagnostic[],
  isAccepting: boolean,
): { readonly diagnostics: readonly Diagnostic[]; readonly blocked: readonly Diagnostic[] } {
  const guards = plan?.guards ?? [];
  // Objects that are gone are drift. An acceptance of deletes needs no warning of them.
  const gone = isAccepting ? [] : guards.filter(({ guard }) => guard === "gone");
  const warnings = gone.map(({ diagnostic }) => ({ ...diagnostic, severity: "warning" as const }));
  return {
    diagnostics: [...diagnostics.filter(({ code }) => !onlyOfApply.has(code)), ...warnings],
    // The applied objects do not exist at another service.
    blocked: guards.flatMap(({ guard, diagnostic }) => (guard === "target" ? [diagnostic] : [])),
  };
}

/**
 * The undeclared objects, without those that count as absent (a deactivated region), that the service creates by itself
 * (tags), or that another environment of this project binds. Public ones are never among the unmanaged.
 */
export function countUnmanaged(
  unmanaged: readonly Unmanaged[],
  { live, kinds, owners }: Pick<PlanInput, "live" | "kinds"> & { readonly owners: ReadonlyMap<string, string> },
): readonly Unmanaged[] {
  const byName = kindsByName(kinds);
  return unmanaged.filter(({ kind: name, id }) => {
    const handle = liveHandle(name, id);
    const [kind, node] = [byName.get(name), live.nodes.get(handle)];
    const isAbsent = kind !== undefined && node !== undefined && isDeactivated(kind, node);
    return !isAbsent && !kind?.createdByUse && !owners.has(handle);
  });
}

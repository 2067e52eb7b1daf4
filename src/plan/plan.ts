import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { NextTime } from "../model/kind.ts";
import type { Target } from "../model/target.ts";
import type { StateResource } from "../state/state.ts";
import type { Move } from "./match-moves.ts";

export type Action = "create" | "update" | "replace" | "delete" | "forget" | "no-op";

/** Why a field differs (docs/engine.md, Diff): it was changed outside, the project changed, or both. */
export type Cause = "drift" | "change" | "both";

/** One field that will change, in normal form with secrets as marks. */
export interface FieldChange {
  readonly field: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly cause: Cause;
  /** The new value is known only when it has been applied. */
  readonly unknown?: true;
  /** Sensitive in one of the two. */
  readonly sensitive?: true;
}

/** The planned change of one object. */
export interface Change {
  /** `testCase.checkout/scenario.browse`. */
  readonly address: string;
  /** Name of the kind: `testCase`, `configuration` … */
  readonly kind: string;
  /** Its name at the service. */
  readonly name: string;
  /** The kind of change; `no-op` where only the binding changes, or nothing. */
  readonly action: Action;
  /** For a replacement: whether the new one is created before the old one is deleted. */
  readonly createFirst?: true;
  /** The object at the service. */
  readonly id?: number;
  /** When the service created it, ISO 8601. */
  readonly createdAt?: string;
  /** Managed fields before and after the change; absent when there is no such object. */
  readonly before?: JsonObject;
  /** As `before`, once it is done. */
  readonly after?: JsonObject;
  /** Differences, field by field; empty for creates and deletes. */
  readonly fields: readonly FieldChange[];
  /** The address that it is moved from. */
  readonly previousAddress?: string;
  /** An existing object is adopted. */
  readonly importing?: true;
  /** Why it happens, when that is not plain: "deleted outside", "replace requested". */
  readonly reason?: string;
  /** Losses that the action would cause, in words. */
  readonly risks: readonly string[];
  /** Next moments at which it acts by itself, for kinds that do. */
  readonly nextTimes?: readonly NextTime[];
}

/** True where the live object is deleted, or replaced by another one. */
export function isEnding({ action }: Pick<Change, "action">): boolean {
  return action === "delete" || action === "replace";
}

/** True for a plan with the state of another target: its changes are about somebody else's objects. */
export function isOfOtherTarget({ guards }: Pick<Plan, "guards">): boolean {
  return guards.some(({ guard }) => guard === "target");
}

/** A child that is written inside its parent's request. */
export interface PlannedChild {
  /** Absent for unmanaged objects, and for those that are only repeated as they were read. */
  readonly address?: string;
  /** The address to which an object that is repeated as it was read is bound; absent for an unmanaged one. */
  readonly boundTo?: string;
  /** Absent for a create. */
  readonly id?: number;
  readonly fields: JsonObject;
  /**
   * Fields with a separate request, as read: they are set again when the service creates the child again (docs/engine.md, Assumptions A4).
   */
  readonly separate?: JsonObject;
  readonly binding?: BindingParts;
}

/** A binding but for what only the service's answer knows. */
export type BindingParts = Omit<StateResource, "id" | "createdAt" | "parent" | "seen">;

/** The children that are written inside a request: the whole list. */
export interface PlannedChildren {
  readonly kind: string;
  /** None of them changes: they are only sent where a PUT drops what it does not carry. */
  readonly unchanged?: true;
  readonly items: readonly PlannedChild[];
}

/** The facts that must still hold when the operation is sent (docs/engine.md, Concurrency). */
export interface Precondition {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Managed fields as read. */
  readonly managed: JsonObject;
}

/** One write unit (docs/engine.md, Write routes): it is sent together, or not at all. */
export interface Operation {
  /** `create testCase.checkout`; unique in a plan. */
  readonly id: string;
  readonly op: "create" | "update" | "delete" | "set";
  readonly address: string;
  readonly kind: string;
  /** Address of the parent. */
  readonly parent?: string;
  /** Fields to send; secrets are marks, references addresses or ids, texts content marks, null clears. */
  readonly fields: JsonObject;
  /** Every declared field, in the same form. */
  readonly declared: JsonObject;
  /** Live fields that are not declared and must not change. */
  readonly kept?: JsonObject;
  readonly inlineChildren?: PlannedChildren;
  /** The address that the replaced object is bound to until it is deleted. */
  readonly deposes?: string;
  /** Addresses whose bindings end with it. */
  readonly ends?: readonly string[];
  readonly precondition?: Precondition;
  /** Binding to write when it is done, but for ids and times that only the answer knows. */
  readonly binding?: BindingParts;
  /** The object changed after the plan was approved: it is not touched. */
  readonly unapproved?: true;
  /** Ids of operations that come first. */
  readonly after: readonly string[];
}

/** An object that is paused, if it could start meanwhile, while several objects that it runs change (docs/engine.md, Write routes). */
export interface Pause {
  readonly address: string;
  readonly kind: string;
  readonly id: number;
  readonly createdAt: string;
  /** As read: they determine when it starts. */
  readonly fields: JsonObject;
  /** Ids of the operations that make up the change. */
  readonly around: readonly string[];
}

/** A guard that the plan hits (docs/engine.md, Guards): it blocks the whole run. */
export interface GuardHit {
  readonly guard: "protect" | "history" | "running" | "inUse" | "threshold" | "empty" | "gone" | "target";
  readonly diagnostic: Diagnostic;
}

/** A live object that is not declared. */
export interface Unmanaged {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** Address or `kind#id` of the parent. */
  readonly parent?: string;
}

/** A desired object that only its first use creates (docs/engine.md, Write routes). */
export interface PendingObject {
  readonly address: string;
  readonly kind: string;
  readonly name: string;
  readonly binding: BindingParts;
}

/** Counts of a plan's changes. */
export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly replace: number;
  readonly import: number;
  readonly move: number;
  readonly forget: number;
  readonly noop: number;
}

/** The difference between the desired and the live tree, as plain data. */
export interface Plan {
  /** Name of the project. */
  readonly project: string;
  /** The chosen environment; absent when none is. */
  readonly environment?: string;
  /** URL of the service, and id of the organization. */
  readonly target: Target;
  /** Everything but plain no-ops, in the order of the tree. */
  readonly changes: readonly Change[];
  /** Changes outside since the last apply, also where the plan does nothing about them. */
  readonly drift: readonly Change[];
  /** Undeclared live objects; empty unless the user wants to see them. */
  readonly unmanaged: readonly Unmanaged[];
  /** Moves that the digests proposed, also of objects outside the plan: references are spelt by them. */
  readonly foundMoves: readonly Move[];
  /** Requests and writes of the state, each with those that must precede it. */
  readonly operations: readonly Operation[];
  /** Schedules that are paused meanwhile. */
  readonly pauses: readonly Pause[];
  /** Bindings to write that need no request: an address's new binding, or null to forget it. */
  readonly stateChanges: Readonly<Record<string, StateResource | null>>;
  /** Tags that come with the first object that carries them. */
  readonly pending: readonly PendingObject[];
  /** Why nothing of it may be applied; empty when all may. */
  readonly guards: readonly GuardHit[];
  /** Numbers of objects that are created, updated, deleted … */
  readonly summary: Summary;
  /** Problems that planning found. */
  readonly diagnostics: readonly Diagnostic[];
}

import { type CommandPlace, placeWords } from "../model/command-place.ts";
import type { Diagnostic, Locate } from "../model/diagnostic.ts";
import type { SecretFingerprint } from "../model/fingerprint.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind, History } from "../model/kind.ts";
import { isSameService, type Target } from "../model/target.ts";
import type { Tree } from "../model/tree.ts";
import type { State } from "../state/state.ts";
import type { Move } from "./match-moves.ts";
import type { Plan } from "./plan.ts";

/** The user's options for a plan. */
export interface PlanOptions {
  /** Address globs; empty means all. */
  readonly targets: readonly string[];
  /** Of what targets need, only that which is not there yet: what differs in parents and in what they refer to is left alone. */
  readonly bareTargets?: boolean;
  readonly replace: readonly string[];
  readonly adopt?: "exact" | "name";
  /** Everything that the project owns is deleted. */
  readonly destroy: boolean;
  readonly allowDestroy: readonly string[];
  readonly forceThreshold: boolean;
  readonly showUnmanaged: boolean;
  /** Only declared moves count: the desired tree is a part of the project, so a missing object is no orphan. */
  readonly declaredMovesOnly?: boolean;
}

/** The options of a plain `plan`. */
export const plainOptions: PlanOptions = {
  targets: [],
  replace: [],
  destroy: false,
  allowDestroy: [],
  forceThreshold: false,
  showUnmanaged: false,
};

/** Everything a plan is made from; clock and hash are values and functions from outside. */
export interface PlanInput extends CommandPlace {
  readonly kinds: readonly AnyKind[];
  readonly project: string;
  readonly target: Target;
  readonly desired: Tree;
  readonly live: Tree;
  /** Kinds that the live tree was read for: those at the top, and all below them. */
  readonly readKinds: ReadonlySet<string>;
  readonly state: State;
  /** Objects bound by other environments of the project, in words by live handle: they are never adopted. */
  readonly boundElsewhere?: ReadonlyMap<string, string>;
  readonly moved: readonly Move[];
  readonly removed: readonly { readonly address: string; readonly destroy: boolean }[];
  readonly options: PlanOptions;
  readonly fingerprint: SecretFingerprint;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly locate: Locate;
  /** The project's text of the object at an address, with nothing replaced; for places in messages. */
  readonly written?: ((address: string) => JsonObject | undefined) | undefined;
  /** The history that would be lost with live objects, by handle; counted for those that would be deleted. */
  readonly history: ReadonlyMap<string, History>;
}

/** The project's part of the input. */
export function declaredInput(
  kinds: readonly AnyKind[],
  project: Pick<PlanInput, "environment" | "moved" | "removed" | "locate" | "written"> & {
    readonly name: string;
    readonly tree: Tree;
  },
): Pick<PlanInput, "kinds" | "project" | "environment" | "desired" | "moved" | "removed" | "locate" | "written"> {
  const { name, environment, tree, moved, removed, locate, written } = project;
  return {
    kinds,
    project: name,
    ...(environment === undefined ? {} : { environment }),
    desired: tree,
    moved,
    removed,
    locate,
    written,
  };
}

type TargetInput = Pick<PlanInput, "state" | "target" | "environment" | "folder" | "variables">;

/** The plan against a service that the state does not belong to: that guard alone, without live objects. */
export function planElsewhere(input: TargetInput & Pick<PlanInput, "project">): Plan | undefined {
  const guards = otherTarget(input).map((diagnostic) => ({ guard: "target", diagnostic }) as const);
  return guards.length === 0 ? undefined : { ...emptyPlan(input), guards };
}

/** The plan that finds no object at all. */
export function emptyPlan(input: Pick<PlanInput, "project" | "environment" | "target">): Plan {
  const { project, environment, target } = input;
  return {
    project,
    ...(environment === undefined ? {} : { environment }),
    target,
    changes: [],
    drift: [],
    unmanaged: [],
    foundMoves: [],
    operations: [],
    pauses: [],
    stateChanges: {},
    pending: [],
    guards: [],
    summary: { create: 0, update: 0, delete: 0, replace: 0, import: 0, move: 0, forget: 0, noop: 0 },
    diagnostics: [],
  };
}

/** A state belongs to one service, organization and environment; no flag overrides it (docs/engine.md, Guards). */
export function otherTarget(input: TargetInput): readonly Diagnostic[] {
  const { state, target, environment } = input;
  const problems: string[] = [];
  if (state.target && !isSameService(state.target.url, target.url))
    problems.push(`service ${state.target.url}, not ${target.url}`);
  if (state.target && state.target.organization !== target.organization)
    problems.push(`organization ${state.target.organization}, not ${target.organization}`);
  if (state.serial > 0 && state.environment !== environment)
    problems.push(`environment ${state.environment ?? "(none)"}, not ${environment ?? "(none)"}`);
  if (problems.length === 0) return [];
  const hint =
    state.environment === environment ? "" : " Two environments need two states: set state under environments, too.";
  const anew =
    " To begin anew at another service and leave the former objects as they are, move the state's file away, or set another one under state.";
  const detail = `The state belongs to ${problems.join("; ")}.${hint || anew} If the service moved with its objects, run: loadform state retarget${placeWords(input)}`;
  return [{ severity: "error", code: "LF4006", summary: "the state belongs to another target", detail }];
}

import type { Locate } from "../model/diagnostic.ts";
import type { SecretFingerprint } from "../model/fingerprint.ts";
import type { AnyKind, History } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import type { State, Target } from "../state/state.ts";
import type { Move } from "./moved-address.ts";

/** What the user asked of a plan. */
export interface PlanOptions {
  /** Address globs; empty means all. */
  readonly targets: readonly string[];
  readonly replace: readonly string[];
  readonly adopt?: "exact" | "name";
  /** Everything the project owns goes. */
  readonly destroy: boolean;
  readonly allowDestroy: readonly string[];
  readonly forceThreshold: boolean;
  readonly showUnmanaged: boolean;
  /** Only moves that are said count: the wishes are a part of the project, so what is missing is not gone. */
  readonly saidMovesOnly?: boolean;
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

/** Everything a plan is made from; clock and hash are values and functions given from outside. */
export interface PlanInput {
  readonly kinds: readonly AnyKind[];
  readonly project: string;
  readonly environment?: string;
  /** The project's folder, as a command line names it; absent where it is the current one. */
  readonly folder?: string;
  /** Variables that the command line set, as it says them. */
  readonly variables?: readonly string[];
  readonly target: Target;
  readonly desired: Tree;
  readonly live: Tree;
  /** Top-level kinds that the live tree was read for. */
  readonly known: ReadonlySet<string>;
  readonly state: State;
  /** What other environments of the project bind, in words by live handle: it is never taken over. */
  readonly boundElsewhere?: ReadonlyMap<string, string>;
  readonly moved: readonly Move[];
  readonly removed: readonly { readonly address: string; readonly destroy: boolean }[];
  readonly options: PlanOptions;
  readonly fingerprint: SecretFingerprint;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly locate: Locate;
  /** What would be lost with live objects, by handle; looked up for those that would go. */
  readonly history: ReadonlyMap<string, History>;
}

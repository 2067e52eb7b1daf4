import type { CheckResult, Found } from "./check-result.ts";
import type { Notification } from "./notifications.ts";
import type { ProjectMemory } from "./project-memory.ts";
import type { WatchedProject } from "./watched-project.ts";

/** A happening of a watched project. Decisions are made of these alone, the clock and the memory. */
export type WatchEvent =
  /** The watcher begins with the project, with what it remembers of it. */
  | { readonly is: "started"; readonly project: string }
  /** The time of its next check has come. */
  | { readonly is: "due"; readonly project: string }
  /** Somebody asks for a check now: a button, a webhook of its repository. `retry` also tries again what failed or is fought over. */
  | { readonly is: "asked"; readonly project: string; readonly retry: boolean }
  /** The check has compared and waits for what to heal. `commit` is the checked-out one; absent for a folder without git. */
  | { readonly is: "compared"; readonly project: string; readonly commit?: string; readonly found: Found }
  | {
      readonly is: "ended";
      readonly project: string;
      readonly commit?: string;
      readonly result: CheckResult;
      readonly ms: number;
    }
  | { readonly is: "suspended"; readonly project: string; readonly until?: number }
  | { readonly is: "resumed"; readonly project: string };

/** The next step of the watcher. */
export type WatchAction =
  /** Begins a check; there is never more than one of a project under way. */
  | { readonly do: "check"; readonly project: string }
  /** Answers a check that has compared: these addresses are healed; none is an answer, too. */
  | { readonly do: "heal"; readonly project: string; readonly addresses: readonly string[] }
  /** The next `due`, epoch milliseconds; replaces an earlier one. */
  | { readonly do: "wait"; readonly project: string; readonly until: number }
  | { readonly do: "tell"; readonly notification: Notification };

/** A project as it is to be watched, and what is known of it. */
export interface Known {
  readonly project: WatchedProject;
  readonly memory: ProjectMemory;
}

/** Epoch milliseconds, and a source of numbers in [0, 1). */
export interface WatchClock {
  readonly now: number;
  readonly random: () => number;
}

/** The memory afterwards, and the steps in their order. */
export interface Decision {
  readonly memory: ProjectMemory;
  readonly actions: readonly WatchAction[];
}

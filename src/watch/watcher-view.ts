import type { ProjectMemory } from "./project-memory.ts";
import type { WatchedProject } from "./watched-project.ts";

/** A project with what is known about it now. */
export interface WatchedNow {
  readonly project: WatchedProject;
  readonly memory: ProjectMemory;
}

/** The watcher as the status page, the API, the metrics and the hooks see it. A queue's workers answer later, hence the promises. */
export interface WatcherView {
  /** In the order of the configuration. */
  projects(): readonly WatchedNow[] | Promise<readonly WatchedNow[]>;
  /** A check as soon as one may begin; `retry` also tries again what failed or is fought over. Returns before the check has ended. */
  ask(name: string, options: { readonly retry: boolean }): void | Promise<void>;
  /** No checks until a moment (epoch milliseconds), or until it is resumed. */
  suspend(name: string, until?: number): void | Promise<void>;
  resume(name: string): void | Promise<void>;
  /** The clock of its moments, epoch milliseconds; default: this machine's. */
  readonly now?: () => number;
}

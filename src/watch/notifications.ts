import type { ProjectState } from "./project-memory.ts";

/** Events that are told besides a change of the state. */
export type ToldEvent = "healed" | "fought" | "recovered";

/** One notification, as its receiver gets it; no secret is in it. */
export interface Notification {
  /** One line for a person. */
  readonly text: string;
  readonly project: string;
  readonly state: ProjectState;
  readonly was: ProjectState;
  /** The state that it changed to, or the event. */
  readonly on: ProjectState | ToldEvent;
  readonly commit: string | null;
  /** ISO 8601. */
  readonly at: string;
}

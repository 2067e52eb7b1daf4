import type { WatchedProject } from "../watched-project.ts";

/** All that the process of a check is told of its project; no secret is in it. */
export interface CheckRequest
  extends Pick<WatchedProject, "environment" | "target" | "heal" | "prune" | "allowPrograms"> {
  /** Absolute path of the project's folder. */
  readonly dir: string;
  /** The folder is a checkout: a state in it would be lost with it. */
  readonly isCheckout: boolean;
  /** Values of variables, as `--var` gives them. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Milliseconds to wait for the answer to one request. */
  readonly requestTimeoutMs?: number;
}

/** Objects that a watcher may write by itself: what git changed, what drifted, or all of the plan. */
export type Heal = "git" | "drift" | "all";

/** Hours in which a project is not checked, as in `limits`: "Mon-Fri 08:00-18:00" on the clocks of a time zone. */
export interface SuspendWindow {
  readonly during: string;
  /** IANA name; default UTC. */
  readonly timeZone: string;
}

/** A folder on this machine. */
interface FolderSource {
  readonly is: "dir";
  /** Absolute. */
  readonly dir: string;
}

/** A folder of a branch in a repository. */
export interface GitSource {
  readonly is: "git";
  readonly url: string;
  readonly branch: string;
  /** Below the repository's top; "" is the top. */
  readonly path: string;
}

/** A project as the watcher is told of it (docs/gitops.md). Plain data without secrets: what is passed to its checks is kept apart. */
export interface WatchedProject {
  /** Unique among the watched. */
  readonly name: string;
  readonly source: FolderSource | GitSource;
  readonly environment?: string;
  /** The only service it may speak to; always there for a project from git. */
  readonly target?: string;
  /** Absent: the watcher only looks. */
  readonly heal?: Heal;
  /** Deletes and replacements may be healed, too. */
  readonly prune: boolean;
  /** Seconds between two checks, ±10 %. */
  readonly intervalSecs: number;
  /** Seconds after which a check is ended. */
  readonly timeoutSecs: number;
  /** Programs (`loadform.config.ts`, `cdktf.json`) may run. */
  readonly allowPrograms: boolean;
  readonly suspend: readonly SuspendWindow[];
}

/**
 * The version of a project that a try to heal belongs to: the commit, for a folder the digest of its documents, and what may be
 * healed: a try that may not delete says nothing about one that may.
 */
export function versionOf(
  { source, heal, prune }: WatchedProject,
  commit: string | undefined,
  { documents }: { readonly documents: string },
): string {
  const content = source.is === "git" ? (commit ?? documents) : documents;
  return [content, heal ?? "nothing", ...(prune ? ["prune"] : [])].join(" ");
}

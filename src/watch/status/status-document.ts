import type { Finding } from "../check-result.ts";
import type { PastCheck, ProjectMemory, ProjectState } from "../project-memory.ts";
import type { Heal, WatchedProject } from "../watched-project.ts";
import type { WatchedNow } from "../watcher-view.ts";
import { withoutUserInfo } from "./repository-name.ts";

/** A project in the list; moments are ISO 8601. */
interface ProjectStatus {
  readonly name: string;
  /** Null until the first check has ended, as `since` is. */
  readonly state: ProjectState | null;
  readonly since: string | null;
  readonly reason?: string;
  /** Null where there is no git, or nothing is known yet. */
  readonly commit: { readonly applied: string | null; readonly wanted: string | null } | null;
  readonly lastCheckAt: string | null;
  readonly nextCheckAt: string | null;
}

/** The document of `/api/status`, and of `watch --once --json`. */
export interface StatusDocument {
  readonly projects: readonly ProjectStatus[];
}

/** An address that is left alone because something outside keeps changing it back. */
interface FightStatus {
  readonly address: string;
  readonly leftAloneSince: string;
}

/** The document of `/api/projects/NAME`. */
export interface ProjectDocument extends ProjectStatus {
  readonly source: WatchedProject["source"];
  readonly environment: string | null;
  readonly target: string | null;
  readonly heal: Heal | null;
  readonly prune: boolean;
  readonly intervalSecs: number;
  /** A check is under way since then. */
  readonly checkingSince: string | null;
  readonly lastSuccessAt: string | null;
  readonly suspended: { readonly until: string | null } | null;
  readonly objects: number;
  /** The first of each list, and how many more there are. */
  readonly outOfSync: readonly Finding[];
  readonly moreOutOfSync?: number;
  readonly drifted: readonly Finding[];
  readonly moreDrifted?: number;
  readonly fights: readonly FightStatus[];
  readonly problems: ProjectMemory["problems"];
  /** As `loadform plan` prints it; "" when nothing differed. */
  readonly plan: string;
  /** Newest first. */
  readonly history: readonly PastCheck[];
}

/** All projects in their order. */
export function statusDocument(all: readonly WatchedNow[]): StatusDocument {
  return { projects: all.map(projectStatus) };
}

/** One project with its last plan, its findings and its history. */
export function projectDocument(now: WatchedNow): ProjectDocument {
  const { project, memory } = now;
  const { findings = [], suspendedUntil } = memory;
  const outOfSync = findings.filter(({ origin }) => origin === "git");
  const drifted = findings.filter(({ origin }) => origin === "drift");
  return {
    ...projectStatus(now),
    source: sourceWithoutUserInfo(project.source),
    environment: project.environment ?? null,
    target: project.target ?? null,
    heal: project.heal ?? null,
    prune: project.prune,
    intervalSecs: project.intervalSecs,
    checkingSince: isoMoment(memory.checking?.since),
    lastSuccessAt: isoMoment(memory.lastSuccessAt),
    suspended: suspendedUntil === undefined ? null : { until: isoMoment(suspendedUntil) },
    objects: memory.objects,
    outOfSync,
    ...(memory.outOfSync.count > outOfSync.length && { moreOutOfSync: memory.outOfSync.count - outOfSync.length }),
    drifted,
    ...(memory.drifted.count > drifted.length && { moreDrifted: memory.drifted.count - drifted.length }),
    fights: Object.entries(memory.fights).flatMap(([address, { leftAloneSince }]) => {
      const since = isoMoment(leftAloneSince);
      return since === null ? [] : [{ address, leftAloneSince: since }];
    }),
    problems: memory.problems,
    plan: memory.plan,
    history: memory.history,
  };
}

function projectStatus({ project, memory }: WatchedNow): ProjectStatus {
  const { applied, wanted } = memory.commit;
  return {
    name: project.name,
    state: memory.state ?? null,
    since: isoMoment(memory.since),
    ...(memory.reason === undefined ? {} : { reason: memory.reason }),
    commit: applied === undefined && wanted === undefined ? null : { applied: applied ?? null, wanted: wanted ?? null },
    lastCheckAt: isoMoment(memory.lastCheckAt),
    nextCheckAt: isoMoment(memory.nextCheckAt),
  };
}

/** The address of a repository may have a password in it. */
function sourceWithoutUserInfo(source: WatchedProject["source"]): WatchedProject["source"] {
  return source.is === "git" ? { ...source, url: withoutUserInfo(source.url) } : source;
}

/** A moment as a text; null for none, and for one that is no moment. */
function isoMoment(moment: number | null | undefined): string | null {
  const date = new Date(moment ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

import type { Notification } from "./notifications.ts";
import type { ProjectMemory, ProjectState } from "./project-memory.ts";
import type { Known } from "./watch-events.ts";

/** Addresses of a check that are told. */
interface ToldAddresses {
  readonly healed: readonly string[];
  /** Left alone from now on. */
  readonly fought: readonly string[];
}

/** States that say that the watcher cannot do its work. */
const hindered: ReadonlySet<ProjectState | undefined> = new Set<ProjectState>(["failed", "locked", "blocked"]);

/**
 * Everything that is told when the memory of a project becomes `memory`: its events, and its state when that changed. The first
 * state is no change. `recovered` is told when it is no longer failed, locked or blocked, and when it is in-sync again without a
 * healing of this check; a suspension between is no recovery.
 */
export function notificationsOf(
  { project, memory: before }: Known,
  memory: ProjectMemory & { readonly state: ProjectState },
  { healed, fought, now }: ToldAddresses & { readonly now: number },
): readonly Notification[] {
  const { state, reason } = memory;
  const was = before.state ?? state;
  const tell = (on: Notification["on"], text: string): Notification => ({
    ...{ text, project: project.name, state, was, on },
    ...{ commit: memory.commit.wanted ?? null, at: new Date(now).toISOString() },
  });
  const why = reason === undefined ? "" : `: ${reason}`;
  return [
    ...(healed.length > 0 ? [tell("healed", `${project.name}: healed ${firstOf(healed)}`)] : []),
    ...(fought.length > 0 ? [tell("fought", `${project.name}: ${foughtWords(fought)}`)] : []),
    ...(isRecovery(before.trouble, state, healed.length > 0)
      ? [tell("recovered", `${project.name} has recovered from ${before.trouble}: it is ${state}${why}`)]
      : []),
    ...(state !== was ? [tell(state, `${project.name} is ${state}${why} (was ${was})`)] : []),
  ];
}

function isRecovery(trouble: ProjectState | undefined, state: ProjectState, hasHealed: boolean): boolean {
  if (trouble === undefined || state === "suspended") return false;
  return hindered.has(trouble) ? !hindered.has(state) : state === "in-sync" && !hasHealed;
}

/** The trouble that remains to be over after a state. */
export function troubleAfter(trouble: ProjectState | undefined, state: ProjectState): ProjectState | undefined {
  if (state === "suspended") return trouble;
  return state === "in-sync" ? undefined : state;
}

function foughtWords(addresses: readonly string[]): string {
  const [verb, them] = addresses.length === 1 ? ["was", "it is"] : ["were", "they are"];
  return `${firstOf(addresses)} ${verb} changed outside and healed three times within an hour; ${them} left alone until a commit changes it, an hour passes without drift, or a check with retry is asked for`;
}

function firstOf(addresses: readonly string[]): string {
  const first = addresses.slice(0, 5).join(", ");
  return addresses.length <= 5 ? first : `${first} and ${addresses.length - 5} more`;
}

import type { CheckResult, Found } from "../check-result.ts";
import { decide, newMemory } from "../decide.ts";
import type { Notification } from "../notifications.ts";
import type { ProjectMemory } from "../project-memory.ts";
import type { WatchAction, WatchEvent } from "../watch-events.ts";
import type { WatchedProject } from "../watched-project.ts";
import type { WatcherView } from "../watcher-view.ts";
import { checkSlots, type SlotLimits } from "./check-slots.ts";

/** The end of a check, and the commit that was checked out for it. */
interface CheckedCommit {
  readonly commit?: string;
  readonly result: CheckResult;
}

/** Everything that a watcher acts with. */
export interface WatcherParts {
  readonly projects: readonly WatchedProject[];
  /** By name, as they were saved. */
  readonly memories: ReadonlyMap<string, ProjectMemory>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  /** Answers how to cancel it. */
  readonly setTimer: (run: () => void, ms: number) => () => void;
  readonly slots: Omit<SlotLimits, "freshMs">;
  /** Checks a project; `compared` answers the addresses to heal. Never throws. */
  readonly check: (
    project: WatchedProject,
    compared: (commit: string | undefined, found: Found) => Promise<readonly string[]>,
    signal: AbortSignal,
  ) => Promise<CheckedCommit>;
  /** Keeps the memories; `now` resolves when they are written. */
  readonly save: (memories: ReadonlyMap<string, ProjectMemory>, when: "soon" | "now") => Promise<void>;
  readonly tell: (notification: Notification) => void;
  /** Is told of every check that has ended. */
  readonly checked: (project: WatchedProject, memory: ProjectMemory, before: ProjectMemory) => void;
}

/** A watcher at work. */
export interface Watcher extends WatcherView {
  /** Resolves when every project was checked once, or is suspended; or when the watcher was stopped. */
  readonly everyOne: Promise<void>;
  /** Ends checks under way after their current writes, and saves. */
  readonly stop: () => Promise<void>;
}

/** A check counts as fresh for so long; a longer one mostly waits for its service. */
const freshMs = 10_000;
/** Timers cannot wait longer. */
const longestWaitMs = 24 * 3_600_000;

/** Feeds decisions with events and carries out what follows, until it is stopped; with `once` no project is checked twice. */
export function runWatcher(parts: WatcherParts, { once = false }: { readonly once?: boolean } = {}): Watcher {
  const { now, random, setTimer } = parts;
  const projects = new Map(parts.projects.map((project) => [project.name, project]));
  const memories = memoriesOf(parts);
  const slots = checkSlots({ ...parts.slots, freshMs }, setTimer);
  const stopping = new AbortController();
  const timers = dueTimers(parts, (name) => dispatch({ is: "due", project: name }));
  const left = remaining(projects.keys());

  /** Decides about an event, and carries out all but the answer to a check. */
  const dispatch = (event: WatchEvent): readonly WatchAction[] => {
    const { project: name } = event;
    const project = projects.get(name);
    const memory = memories.get(name);
    if (project === undefined || memory === undefined) return [];
    const decision = decide({ project, memory }, event, { now: now(), random });
    memories.set(name, decision.memory);
    for (const action of decision.actions) carryOut(action, project);
    if (event.is === "ended") parts.checked(project, decision.memory, memory);
    void parts.save(memories, "soon");
    return decision.actions;
  };
  const carryOut = (action: WatchAction, project: WatchedProject) => {
    if (action.do === "tell") parts.tell(action.notification);
    if (action.do === "wait" && !once && !stopping.signal.aborted) timers.set(project.name, action.until);
    if (action.do !== "check" || stopping.signal.aborted || (once && !left.has(project.name))) return;
    timers.delete(project.name);
    slots.run(() => check(project));
  };
  const check = async (project: WatchedProject) => {
    const { name } = project;
    const began = now();
    const answer = async (commit: string | undefined, found: Found) => {
      const actions = dispatch({ is: "compared", project: name, ...(commit !== undefined && { commit }), found });
      const addresses = actions.flatMap((action) => (action.do === "heal" ? action.addresses : []));
      // What is tried is known before it is, so that a crash does not make it be tried for ever.
      if (addresses.length > 0) await parts.save(memories, "now");
      return addresses;
    };
    const { commit, result } = await parts.check(project, answer, stopping.signal);
    // A check that was cut short by the end of the watcher says nothing about the project.
    if (stopping.signal.aborted && result.is !== "checked") return;
    dispatch({ is: "ended", project: name, ...(commit !== undefined && { commit }), result, ms: now() - began });
    left.done(name);
  };

  for (const name of projects.keys())
    if (!dispatch({ is: "started", project: name }).some((action) => action.do === "check")) left.done(name);
  const order = (event: WatchEvent) => {
    dispatch(event);
    // It is answered once it is saved: a crash does not take it back.
    return parts.save(memories, "now");
  };
  return {
    everyOne: left.none,
    projects: () => [...projects].map(([name, project]) => ({ project, memory: memories.get(name) ?? newMemory() })),
    ask: (name, { retry }) => order({ is: "asked", project: name, retry }),
    suspend: (name, until) => order({ is: "suspended", project: name, ...(until !== undefined && { until }) }),
    resume: (name) => order({ is: "resumed", project: name }),
    async stop() {
      slots.close();
      stopping.abort();
      timers.clear();
      await slots.idle();
      await parts.save(memories, "now");
      left.end();
    },
  };
}

/** All memories by name; those of projects that are not watched now are saved as they were, for they may be watched again. */
function memoriesOf({ projects, memories }: WatcherParts): Map<string, ProjectMemory> {
  const watched = projects.map(({ name }) => [name, { ...newMemory(), ...memories.get(name) }] as const);
  return new Map([...memories, ...watched]);
}

/** Names that something is left to be done for. */
function remaining(names: Iterable<string>) {
  const left = new Set(names);
  let end: () => void = () => undefined;
  const none = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = (name: string) => {
    left.delete(name);
    if (left.size === 0) end();
  };
  return { none, end: () => end(), done, has: (name: string) => left.has(name) };
}

/** One moment for each name; a later one takes the place of an earlier. */
function dueTimers({ now, setTimer }: Pick<WatcherParts, "now" | "setTimer">, due: (name: string) => void) {
  const cancels = new Map<string, () => void>();
  const remove = (name: string) => {
    cancels.get(name)?.();
    cancels.delete(name);
  };
  const set = (name: string, until: number) => {
    remove(name);
    const ms = Math.min(Math.max(0, until - now()), longestWaitMs);
    cancels.set(
      name,
      setTimer(() => (until <= now() ? due(name) : set(name, until)), ms),
    );
  };
  return { set, delete: remove, clear: () => [...cancels.keys()].forEach(remove) };
}

import { thrownWords } from "../../model/diagnostic.ts";
import type { Found } from "../check-result.ts";
import { newMemory } from "../decide.ts";
import type { Watcher, WatcherParts } from "../loop/run-watcher.ts";
import type { WatchAction, WatchEvent } from "../watch-events.ts";
import type { WatchedProject } from "../watched-project.ts";
import { queueView } from "./queue-view.ts";
import { openWorkQueue, type WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

/** The work of a worker itself. */
export interface SharedWork extends Pick<WatcherParts, "check" | "checked" | "slots" | "tell"> {
  /** A line for the log. */
  readonly say: (line: string) => void;
}

/** A watcher that is one of several. */
export interface SharingWatcher extends Watcher {
  readonly queue: WorkQueue;
}

/** A check is fresh for so long, as without a queue. */
const freshMs = 30_000;

interface Running {
  readonly since: number;
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

/** Checks, together with other workers, the projects of a queue; see {@link openWorkQueue}. */
export async function shareProjects(options: WorkQueueOptions, work: SharedWork): Promise<SharingWatcher> {
  const running = new Map<string, Running>();
  const stopping = new AbortController();
  const carryOut = (actions: readonly WatchAction[]) => {
    for (const action of actions) if (action.do === "tell") work.tell(action.notification);
  };
  const happen = async (event: WatchEvent): Promise<readonly WatchAction[]> => {
    const actions = await queue.handle(event).catch((problem: unknown) => {
      // Nothing is healed, and what a check found is lost: another worker finds it again.
      work.say(`${event.project}: ${thrownWords(problem)}`);
      return [];
    });
    carryOut(actions);
    return actions;
  };
  const memoryOf = (name: string) => queue.memories().get(name) ?? newMemory();
  const checkOne = async (project: WatchedProject, signal: AbortSignal) => {
    const { name } = project;
    const began = performance.now();
    const compared = async (commit: string | undefined, found: Found) => {
      const actions = await happen({ is: "compared", project: name, ...(commit !== undefined && { commit }), found });
      return actions.flatMap((action) => (action.do === "heal" ? action.addresses : []));
    };
    const { result, commit } = await work.check(project, compared, signal);
    const before = memoryOf(name);
    const ms = Math.round(performance.now() - began);
    // A check that was ended from here has failed in nothing: whoever takes the project over checks it anew.
    if (!signal.aborted || result.is === "checked") {
      await happen({ is: "ended", project: name, ...(commit !== undefined && { commit }), result, ms });
      work.checked(project, memoryOf(name), before);
    }
    running.delete(name);
    queue.wake();
  };
  const free = () => {
    const now = performance.now();
    const fresh = [...running.values()].filter(({ since }) => now - since < freshMs).length;
    return stopping.signal.aborted ? 0 : Math.min(work.slots.fresh - fresh, work.slots.all - running.size);
  };
  const queue: WorkQueue = await openWorkQueue(options, {
    free,
    carryOut,
    begin({ project: name, actions }) {
      carryOut(actions);
      const project = options.projects.find((each) => each.name === name);
      if (project === undefined || !actions.some((action) => action.do === "check")) return;
      const end = new AbortController();
      const ended = checkOne(project, end.signal);
      running.set(name, { since: performance.now(), abort: () => end.abort(), ended });
    },
    isBusy: (project) => running.has(project),
    lost: (project) => running.get(project)?.abort(),
    say: work.say,
  });
  return {
    queue,
    ...queueView(queue, options.projects, carryOut),
    everyOne: new Promise((resolve) => stopping.signal.addEventListener("abort", () => resolve())),
    async stop() {
      stopping.abort();
      for (const { abort } of running.values()) abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      await queue.stop();
    },
  };
}

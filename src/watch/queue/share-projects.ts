import type { CheckResult, Found } from "../check-result.ts";
import type { Notification } from "../notifications.ts";
import type { WatchAction, WatchEvent } from "../watch-events.ts";
import type { WatchedProject } from "../watched-project.ts";
import type { WatcherView } from "../watcher-view.ts";
import { queueView } from "./queue-view.ts";
import type { WorkQueue, WorkQueueOptions } from "./work-queue.ts";
import { openWorkQueue } from "./work-queue.ts";

/** A check from its beginning to its end; it does not reject. */
export type CheckShared = (
  project: WatchedProject,
  during: {
    /** Aborted: the check ends after the write that is under way. */
    readonly signal: AbortSignal;
    /** Answers what may be healed. */
    readonly compared: (found: Found, commit: string) => Promise<readonly string[]>;
  },
) => Promise<{ readonly result: CheckResult; readonly commit?: string }>;

/** The work of a worker itself. */
export interface SharedWork {
  readonly check: CheckShared;
  readonly mostChecks: number;
  readonly tell: (notification: Notification) => void;
  /** A line for the log. */
  readonly say: (line: string) => void;
}

/** A worker at work. */
export interface SharingWorker {
  readonly queue: WorkQueue;
  readonly view: WatcherView;
  /** Ends its checks after the writes that are under way, and leaves its projects to the other workers. */
  readonly stop: () => Promise<void>;
}

/** Checks, together with other workers, the projects of a queue; see {@link openWorkQueue}. */
export async function shareProjects(options: WorkQueueOptions, work: SharedWork): Promise<SharingWorker> {
  const running = new Map<string, { readonly abort: () => void; readonly ended: Promise<void> }>();
  let isStopping = false;
  const carryOut = (actions: readonly WatchAction[]) => {
    for (const action of actions) if (action.do === "tell") work.tell(action.notification);
  };
  const happen = async (event: WatchEvent): Promise<readonly WatchAction[]> => {
    const actions = await queue.handle(event).catch((problem: unknown) => {
      // Nothing is healed, and what a check found is lost: another worker finds it again.
      work.say(`${event.project}: ${problem instanceof Error ? problem.message : String(problem)}`);
      return [];
    });
    carryOut(actions);
    return actions;
  };
  const checkOne = async (project: WatchedProject, signal: AbortSignal) => {
    const { name } = project;
    const began = performance.now();
    const compared = async (found: Found, commit: string) => {
      const actions = await happen({ is: "compared", project: name, commit, found });
      return actions.flatMap((action) => (action.do === "heal" ? action.addresses : []));
    };
    const { result, commit } = await work.check(project, { signal, compared });
    const ms = Math.round(performance.now() - began);
    // A check that was ended from here has failed in nothing: whoever takes the project over checks it anew.
    if (!signal.aborted || result.is === "checked")
      await happen({ is: "ended", project: name, ...(commit !== undefined && { commit }), result, ms });
    running.delete(name);
    queue.wake();
  };
  const queue: WorkQueue = await openWorkQueue(options, {
    free: () => (isStopping ? 0 : work.mostChecks - running.size),
    begin({ project: name, actions }) {
      carryOut(actions);
      const project = options.projects.find((each) => each.name === name);
      if (project === undefined || !actions.some((action) => action.do === "check")) return;
      const end = new AbortController();
      running.set(name, { abort: () => end.abort(), ended: checkOne(project, end.signal) });
    },
    isBusy: (project) => running.has(project),
    lost: (project) => running.get(project)?.abort(),
    say: work.say,
  });
  return {
    queue,
    view: queueView(queue, options.projects, carryOut),
    async stop() {
      isStopping = true;
      for (const { abort } of running.values()) abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      await queue.stop();
    },
  };
}

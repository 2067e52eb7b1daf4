import type { WatchAction, WatchEvent } from "../watch-events.ts";
import type { WatchedProject } from "../watched-project.ts";
import type { WatcherView } from "../watcher-view.ts";
import type { WorkQueue } from "./work-queue.ts";

/**
 * All workers' projects as the status page of each of them shows them: those that it is configured for, whoever checks them. It cannot be asked
 * while the queue is lost, so the worker is not ready either.
 */
export function queueView(
  queue: WorkQueue,
  projects: readonly WatchedProject[],
  carryOut: (actions: readonly WatchAction[]) => void,
): WatcherView {
  const happen = async (event: WatchEvent) => {
    carryOut(await queue.handle(event));
    queue.wake();
  };
  return {
    projects() {
      if (queue.isLost()) throw new Error("the queue is not connected");
      const memories = queue.memories();
      return projects.flatMap((project) => {
        const memory = memories.get(project.name);
        return memory === undefined ? [] : [{ project, memory }];
      });
    },
    ask: (project, { retry }) => happen({ is: "asked", project, retry }),
    suspend: (project, until) => happen({ is: "suspended", project, ...(until !== undefined && { until }) }),
    resume: (project) => happen({ is: "resumed", project }),
    now: queue.now,
  };
}

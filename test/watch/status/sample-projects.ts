import type { ProjectMemory } from "../../../src/watch/project-memory.ts";
import type { WatchedProject } from "../../../src/watch/watched-project.ts";
import type { WatchedNow, WatcherView } from "../../../src/watch/watcher-view.ts";

export const noon = Date.parse("2026-11-24T12:00:00Z");

/** A project from git, as it is before its first check. */
export function watched(
  name: string,
  memory: Partial<ProjectMemory> = {},
  project: Partial<WatchedProject> = {},
): WatchedNow {
  return {
    project: {
      name,
      source: { is: "git", url: "https://git.example.com/qa/tests.git", branch: "main", path: "load" },
      prune: false,
      intervalSecs: 120,
      timeoutSecs: 600,
      allowPrograms: false,
      suspend: [],
      ...project,
    },
    memory: {
      ...{ commit: {}, failures: 0, fights: {}, history: [], problems: [], plan: "", objects: 0, driftedFields: 0 },
      ...{ heals: 0, foughtOver: 0, requests: 0 },
      ...memory,
    },
  };
}

/** A view of projects that may be changed while it is served, with what was asked of it. */
export interface AskedView extends WatcherView {
  all: readonly WatchedNow[];
  readonly asked: string[];
}

export function viewOf(all: readonly WatchedNow[]): AskedView {
  const asked: string[] = [];
  const change = (name: string, memory: Partial<ProjectMemory>) => {
    view.all = view.all.map((each) =>
      each.project.name === name ? { ...each, memory: { ...each.memory, ...memory } } : each,
    );
  };
  const view: AskedView = {
    all,
    asked,
    projects: () => view.all,
    ask: async (name, { retry }) => {
      asked.push(`ask ${name}${retry ? " retry" : ""}`);
      change(name, { checking: { since: noon, isAskedAgain: false, retry } });
    },
    suspend: (name, until) => {
      asked.push(`suspend ${name} ${until ?? "without end"}`);
      change(name, { state: "suspended", suspendedUntil: until ?? null, since: noon });
    },
    resume: (name) => {
      asked.push(`resume ${name}`);
      view.all = view.all.map((each) => {
        const { suspendedUntil: _, ...rest } = each.memory;
        return each.project.name === name ? { ...each, memory: { ...rest, state: "in-sync" } } : each;
      });
    },
  };
  return view;
}

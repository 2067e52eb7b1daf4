import { type PastCheck, type ProjectMemory, projectStates } from "../project-memory.ts";
import type { WatchedNow } from "../watcher-view.ts";

/** The metrics of a watcher in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  /** The text at this moment; it has series of these projects alone. */
  readonly text: (all: readonly WatchedNow[]) => Promise<string>;
}

const prefix = "loadform_watch_";
/** Seconds; the last one is the time after which a check is ended by default. */
const buckets = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];

/** The numbers that a project's memory has. */
const numbers: readonly {
  readonly type: "Counter" | "Gauge";
  readonly name: string;
  readonly help: string;
  readonly of: (memory: ProjectMemory) => number | undefined;
}[] = [
  {
    type: "Gauge",
    name: "last_success_seconds",
    help: "When the last check ended that compared files and service, in seconds since 1970",
    of: ({ lastSuccessAt }) => lastSuccessAt && lastSuccessAt / 1000,
  },
  { type: "Gauge", name: "objects", help: "Objects that the project declares", of: ({ objects }) => objects },
  {
    type: "Gauge",
    name: "drifted_fields",
    help: "Fields that were changed outside, as the last check saw them",
    of: ({ driftedFields }) => driftedFields,
  },
  { type: "Counter", name: "requests_total", help: "Requests to the service", of: ({ requests }) => requests },
  { type: "Counter", name: "heals_total", help: "Objects that were healed", of: ({ heals }) => heals },
  {
    type: "Counter",
    name: "fights_total",
    help: "Times that an object was left alone because it kept drifting back",
    of: ({ foughtOver }) => foughtOver,
  },
];

/**
 * Metrics in a registry of their own; the library is loaded with the first. The durations are those of checks that ended from
 * `since` on (epoch milliseconds): a histogram begins with its process, the other numbers with the memory of the project.
 */
export async function createMetrics(since: number): Promise<Metrics> {
  const loaded = await import("prom-client");
  const { Counter, Gauge, Histogram, Registry } = loaded.default ?? loaded;
  const registry = new Registry();
  const common = { labelNames: ["project"], registers: [registry] };
  const filled = numbers.map(({ type, name, help, of }) => {
    const settings = { ...common, name: `${prefix}${name}`, help };
    return { metric: type === "Counter" ? new Counter(settings) : new Gauge(settings), of };
  });
  const states = new Gauge({
    ...common,
    name: `${prefix}state`,
    help: "1 for the state of the project, 0 for every other one",
    labelNames: ["project", "state"],
  });
  const help = "Durations of the checks that ended since this watcher began";
  const durations = new Histogram({ ...common, name: `${prefix}check_seconds`, help, buckets });
  const observed = new Map<string, PastCheck>();

  function observe({ project: { name }, memory }: WatchedNow): void {
    for (const { metric, of } of filled) {
      const value = of(memory);
      if (value !== undefined) metric.inc({ project: name }, value);
    }
    for (const state of projectStates) states.set({ project: name, state }, memory.state === state ? 1 : 0);
    for (const { ms } of newChecks(memory.history, observed.get(name), since))
      durations.observe({ project: name }, ms / 1000);
    if (memory.history[0] !== undefined) observed.set(name, memory.history[0]);
  }

  function forgetOthers(names: ReadonlySet<string>): void {
    for (const name of [...observed.keys()].filter((each) => !names.has(each))) {
      observed.delete(name);
      durations.remove({ project: name });
    }
  }

  return {
    contentType: registry.contentType,
    async text(all) {
      for (const { metric } of filled) metric.reset();
      states.reset();
      for (const each of all) observe(each);
      forgetOthers(new Set(all.map(({ project }) => project.name)));
      return await registry.metrics();
    },
  };
}

/** Checks that were not observed yet: in a list that begins with the newest, those before the last one that was. */
function newChecks(history: readonly PastCheck[], last: PastCheck | undefined, since: number): readonly PastCheck[] {
  const known = history.findIndex(({ at, ms }) => Date.parse(at) < since || (at === last?.at && ms === last.ms));
  return known < 0 ? history : history.slice(0, known);
}

import type { Source } from "../agenda.ts";
import type { NextRuns, Scope } from "../core/scope.ts";
import { standardStart } from "../core/start-options.ts";
import { owningOrganization } from "../rules/access.ts";
import type { ScheduleRecord } from "../store/records/configurations.ts";
import type { Store } from "../store/store.ts";
import { isActive, listedFields, nextScheduled, viewConfiguration } from "../views/configuration.ts";
import { stamp, type View } from "../views/stamp.ts";
import { beyondBounds, makeExecution } from "./make-execution.ts";
import { notRun } from "./probe-scenario.ts";

/** Schedules that fire: all of one moment together, in id order. */
export class ScheduledRuns implements Source {
  readonly #store: Store;
  readonly #runs: NextRuns;
  readonly #scope: () => Scope;
  /** The next moment, as it was searched in a version of the table: it need not be searched again until it has come. */
  #known: { readonly version: number; readonly after: number; readonly next: number } | undefined;

  constructor(of: { readonly store: Store; readonly runs: NextRuns; readonly scope: () => Scope }) {
    this.#store = of.store;
    this.#runs = of.runs;
    this.#scope = of.scope;
  }

  next(after: number): number {
    const version = this.#store.version("schedule");
    const known = this.#known;
    if (known?.version === version && known.after <= after && after < known.next) return known.next;
    let next = Number.POSITIVE_INFINITY;
    for (const row of this.#store.all("schedule")) next = Math.min(next, this.#runs.after(row, after) ?? next);
    this.#known = { version, after, next };
    return next;
  }

  run(at: number): void {
    for (const row of this.#store.all("schedule")) if (this.#runs.after(row, at - 1) === at) this.#fire(row);
  }

  /** Windows that skip some runs are left out of account. */
  mostRuns(from: number, ms: number): number {
    const rows = this.#store
      .all("schedule")
      .filter((row) => (this.#runs.after(row, from) ?? Number.POSITIVE_INFINITY) <= from + ms);
    return rows.reduce((sum, row) => sum + Math.ceil(ms / periodOf(row)), 0);
  }

  /** Takes the API's path; a Single schedule is finished by it. */
  #fire(row: ScheduleRecord): void {
    const configuration = this.#store.get("configuration", row.configurationId);
    if (configuration) {
      const scope = this.#scope();
      const options = standardStart(owningOrganization(this.#store, "configuration", configuration), scope);
      const order = { configuration, given: {}, options, engine: scope.settings.engine };
      const beyond = beyondBounds(order, scope);
      makeExecution({ ...order, probe: beyond === undefined ? null : { run: notRun(beyond) } }, scope);
    }
    if (row.scheduleType === "Single") this.#store.update("schedule", row.id, { active: false });
  }
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The least time between two runs of a schedule. */
function periodOf(row: ScheduleRecord): number {
  switch (row.recurringInterval) {
    case "Minute":
      return (row.minute ?? 1) * 60_000;
    case "Hour":
      return (row.hour ?? 1) * hourMs;
    case "Week":
      return (row.week ?? 1) * 7 * dayMs;
    case "Month":
      return (row.month ?? 1) * 28 * dayMs;
    case "Day":
    case "WeekDay":
      return dayMs;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** API 1, GET /scheduled: every schedule of these organizations with its configuration, in id order. */
export function scheduledEntries(organizations: ReadonlySet<number>, scope: Scope): readonly View[] {
  const { store } = scope;
  return store.all("schedule").flatMap((row) => {
    const configuration = store.get("configuration", row.configurationId);
    if (configuration === undefined || !organizations.has(owningOrganization(store, "schedule", row) ?? -1)) return [];
    return [
      {
        ...stamp(row),
        nextScheduled: nextScheduled(row, scope),
        scheduleType: row.scheduleType,
        active: isActive(row, scope.now),
        configuration: {
          ...viewConfiguration(configuration, { down: false, up: false }, scope),
          ...listedFields(configuration, scope),
        },
      },
    ];
  });
}

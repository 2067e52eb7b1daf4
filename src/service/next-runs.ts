import { nextRun } from "../model/recurrence.ts";
import type { ScheduleRecord } from "./store/records.ts";

interface KnownRun {
  /** The moment after which it was searched. */
  readonly after: number;
  readonly at: number | undefined;
}

/** The next run of each schedule of one service, as it was searched: a search among excluded runs is long. */
export class NextRuns {
  readonly #known = new WeakMap<ScheduleRecord, KnownRun>();

  /** The first run after a moment, searched anew only when the known one has passed or time went back; undefined when there is none. */
  after(row: ScheduleRecord, moment: number): number | undefined {
    if (!row.active) return undefined;
    const known = this.#known.get(row);
    if (known && known.after <= moment && (known.at === undefined || known.at > moment)) return known.at;
    const run = nextRun(row, Date.parse(row.createdAt), moment);
    // Periods of millions of years lead beyond all dates.
    const at = Number.isNaN(run) ? undefined : run;
    this.#known.set(row, { after: moment, at });
    return at;
  }
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The least time between two runs of a schedule. */
export function periodOf(row: ScheduleRecord): number {
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

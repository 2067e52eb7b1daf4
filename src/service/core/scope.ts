import type { JsonValue } from "../../api/routes.ts";
import { nextRun } from "../../model/recurrence.ts";
import { Findings } from "../refusal.ts";
import type { ScriptThreads } from "../scripts/open-worker.ts";
import type { Settings } from "../settings.ts";
import type { ScheduleRecord } from "../store/records/configurations.ts";
import type { UserRecord } from "../store/records/organizations.ts";
import type { Store } from "../store/store.ts";
import type { PacketMemory } from "./packet-memory.ts";
import type { ProbeMemory } from "./probe-memory.ts";
import type { Simulations } from "./simulations.ts";
import type { Turns } from "./turns.ts";
import type { WantedLoads } from "./wanted-loads.ts";

/** Permissions of a service beyond answering. */
export interface Permits {
  /** Run scripts of scenarios in this process. */
  readonly scripts: boolean;
  /** Make real load. */
  readonly live: boolean;
}

/** The service as every request sees it: store, settings, time, and what it remembers. */
export interface ServiceScope {
  readonly store: Store;
  readonly settings: Settings;
  /** The service's time in epoch milliseconds. */
  readonly now: number;
  /** Session id that data-store links carry. */
  readonly session: string;
  /** Salted digest of a value that must not be kept. */
  readonly digest: (value: string) => string;
  /** When schedules run next. */
  readonly runs: NextRuns;
  /** The executions as far as they were simulated. */
  readonly simulations: Simulations;
  readonly packets: PacketMemory;
  readonly permits: Permits;
  /** Whose turn it is to run a script in a thread. */
  readonly turns: Turns;
  readonly threads: ScriptThreads;
  readonly probes: ProbeMemory;
  /** Runs whose load is to be made. */
  readonly loads: WantedLoads;
  /** Why no real load can be made now; undefined when it can. */
  readonly whyNoLoad: string | undefined;
}

/** The service as one request sees it, with its caller and its findings. */
export interface Scope extends ServiceScope {
  /** Who calls; undefined on open links, and where the service acts by itself. */
  readonly user: UserRecord | undefined;
  /** Parts that an answer repeats, made once per request and frozen. */
  readonly parts: Map<string, { readonly [key: string]: JsonValue }>;
  /** Invalid fields found so far; checked before anything is written. */
  readonly findings: Findings;
  /** Fields and parameters that nothing read. */
  readonly unknown: string[];
}

/** The scope of one request, or of what the service does by itself. */
export function openScope(
  service: ServiceScope,
  request: Partial<Pick<Scope, "user" | "findings" | "unknown">> = {},
): Scope {
  const own = { user: undefined, findings: new Findings(), unknown: [], parts: new Map() };
  return { ...service, ...own, ...request };
}

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
    const at = nextRun(row, Date.parse(row.createdAt), moment);
    this.#known.set(row, { after: moment, at });
    return at;
  }
}

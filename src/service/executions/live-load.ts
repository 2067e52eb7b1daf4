import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { BegunExecution } from "../core/simulations.ts";
import { reasonOf } from "../refusal.ts";
import type { MeasuredRequest } from "../runs/measured-data.ts";
import { MeasuredRun } from "../runs/measured-run.ts";
import { endOf, startsOf, untouched } from "../runs/run-plan.ts";
import { intervalMs } from "../runs/simulate-region.ts";
import { DrivenLoad, type LoadedIteration } from "../scripts/drive-load.ts";
import { loadLimits } from "../scripts/load-limits.ts";
import type { ScriptRequest, ScriptRun } from "../scripts/script-run.ts";
import type { LoadUser } from "../scripts/worker-task.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { LoadMemory } from "./load-memory.ts";
import { probeInput } from "./probe-input.ts";
import { givenParams, secretsOf, withoutValues } from "./probe-scenario.ts";

/** Who has to do with a load. */
interface Surroundings {
  /** The execution as it is now; undefined once it was deleted. */
  readonly look: () => ExecutionRecord | undefined;
  /** Called when an interval has closed, and when the load has ended. */
  readonly news: () => void;
}

const lookEveryMs = 100;

/** The load of one execution that is really made: what it is told is what is done to its record, and what is heard of it is measured. */
export class LiveLoad {
  readonly run: MeasuredRun;
  readonly memory = new LoadMemory();
  readonly #row: BegunExecution;
  readonly #around: Surroundings;
  readonly #threads: Scope["threads"];
  readonly #secrets: readonly string[];
  readonly #driven: DrivenLoad;
  readonly #known = new Set<string>();
  #added = 0;
  #endMs: number;
  #hasEnded = false;
  #closed = 0;

  constructor(
    row: BegunExecution,
    given: Readonly<Record<string, JsonValue>>,
    { scope, ...around }: Surroundings & { readonly scope: Scope },
  ) {
    this.#row = row;
    this.#around = around;
    this.#threads = scope.threads;
    this.run = new MeasuredRun(row.plan);
    this.#endMs = Math.min(endOf(row.plan, row.controls) ?? loadLimits.ms, loadLimits.ms);
    const { settings, store } = scope;
    const configuration = store.get("configuration", row.configurationId);
    const scenario = store.get("scenario", configuration?.scriptId ?? -1);
    if (configuration === undefined || scenario === undefined) throw new Error("its scenario was deleted");
    const params = givenParams({ configuration, given });
    this.#secrets = secretsOf(scenario, params);
    const { profile, sleepMs } = row.plan;
    this.#driven = new DrivenLoad(
      {
        input: probeInput(scenario, { params, info: {} }, scope),
        network: "loopback",
        targets: [],
        allowedHosts: settings.allowedHosts,
        users: this.#plannedUsers(),
        iterations: profile.type === "Flat" ? profile.iterations : null,
        sleepMs,
        endMs: this.#endMs,
      },
      {
        begins: ({ regionId, user }, atMs) => {
          if (this.#isKnown(regionId, user)) this.run.begin(regionId, user, this.#within(atMs));
        },
        leaves: ({ regionId, user }, atMs) => {
          if (this.#isKnown(regionId, user)) this.run.leave(regionId, user, this.#within(atMs));
        },
        iterated: (iteration, run) => this.#hear(iteration, withoutValues(run, this.#secrets)),
        lost: (message, users) => this.#lose(message, users),
      },
    );
  }

  /** Makes it; resolves when it has ended. */
  async make(end: AbortSignal): Promise<void> {
    const looking = setInterval(() => this.#look(), lookEveryMs);
    try {
      await this.#driven.run(end, this.#threads);
    } catch (thrown) {
      this.memory.fail(`the load could not be made: ${reasonOf(thrown)}`, 0);
    }
    clearInterval(looking);
    this.#tellUnfinished();
    this.#hasEnded = true;
    this.run.finish(this.run.lastMs ?? this.#driven.elapsedMs);
    this.#around.news();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Time has passed, and something may have been done to the execution. */
  #look(): void {
    const ms = this.#driven.elapsedMs;
    this.run.progressMs = ms;
    const closed = Math.floor(ms / intervalMs);
    if (closed > this.#closed) {
      this.#closed = closed;
      this.run.check(closed * intervalMs);
      this.#around.news();
    }
    const row = this.#around.look();
    const isWanted = row?.phase === "running" && !this.memory.isFatal;
    this.#endBefore(isWanted ? this.#plannedEnd(row) : ms);
    if (isWanted) this.#join(row);
  }

  /** DECISION (API 2, Starting a run: a run of iterations whose load is really made and which takes longer than it may): it ends then, and has failed. */
  #tellUnfinished(): void {
    const { profile } = this.#row.plan;
    const wanted = profile.type === "Flat" ? profile.iterations : null;
    const isCutShort = this.#endMs === loadLimits.ms && this.#driven.elapsedMs >= loadLimits.ms;
    const users = [...this.#known].map((key) => key.split(" ").map(Number));
    const made = users.reduce((sum, [regionId = 0, user = 0]) => sum + this.run.iterationsOf(regionId, user), 0);
    if (wanted === null || !isCutShort || made >= wanted * this.#known.size) return;
    const message = `real load is limited to ${loadLimits.ms / 1000} s: the run ended before all its iterations were made`;
    this.memory.fail(message, loadLimits.ms);
  }

  #plannedEnd(row: ExecutionRecord): number {
    const planned = endOf(this.#row.plan, row.controls) ?? loadLimits.ms;
    return Math.min(planned, loadLimits.ms, this.run.stopped?.atMs ?? loadLimits.ms);
  }

  #endBefore(endMs: number): void {
    if (endMs === this.#endMs || (endMs > this.#endMs && this.#endMs <= this.run.progressMs)) return;
    this.#endMs = endMs;
    this.#driven.setEnd(endMs);
  }

  #join({ controls }: ExecutionRecord): void {
    const added = controls.added.slice(this.#added);
    if (added.length === 0) return;
    const users = added.flatMap(({ regionId, users: count, atMs }) => {
      const before = [...this.#known].filter((key) => key.startsWith(`${regionId} `)).length;
      return Array.from({ length: count }, (_, index) => this.#userOf(regionId, before + index, atMs));
    });
    this.#added = controls.added.length;
    this.#driven.add(users);
  }

  #plannedUsers(): readonly LoadUser[] {
    const all = this.#row.plan.regions.flatMap((region) =>
      [...startsOf(this.#row.plan, region, untouched)].map((startMs, user) => this.#userOf(region.id, user, startMs)),
    );
    return all.sort((left, right) => left.startMs - right.startMs);
  }

  #userOf(regionId: number, user: number, startMs: number): LoadUser {
    const client = this.#known.size;
    this.#known.add(`${regionId} ${user}`);
    const row = this.#row;
    const region = row.regions.find(({ id }) => id === regionId);
    const [chunk] = region?.chunks ?? [];
    const agent = chunk?.agent ?? null;
    const { concurrentClients } = row;
    const info = {
      expectedFinishTimestamp: Date.parse(row.startedAt) + this.#endMs,
      client: user,
      globalClientIndex: client,
      regionalClientIndex: user,
      agent,
      chunk: { id: chunk?.id ?? 0, executionType: "Main", agent, concurrentClients: chunk?.concurrentClients ?? 0 },
      execution: { id: row.id, concurrentClients },
      region: { id: region?.regionId ?? null, name: region?.regionName ?? "" },
    };
    return { regionId, user, startMs, info };
  }

  /** A script that got hold of its thread could say anything. */
  #isKnown(regionId: number, user: number): boolean {
    return this.#known.has(`${regionId} ${user}`);
  }

  #within(ms: number): number {
    return Math.min(Math.max(0, ms), this.#driven.elapsedMs);
  }

  #hear(loaded: LoadedIteration, run: ScriptRun): void {
    const { regionId, user, phase } = loaded;
    if (!this.#isKnown(regionId, user)) return;
    const iteration = { ...loaded, startMs: this.#within(loaded.startMs), endedMs: this.#within(loaded.endedMs) };
    this.memory.keep(iteration, run);
    if (phase !== "main") return;
    const requests = run.requests.map((each) => measured(each, iteration));
    const failed = run.failure === null ? [] : [failedScript(iteration)];
    this.run.add({ ...iteration, requests: [...requests, ...failed], metrics: run.metrics });
  }

  #lose(message: string, users: readonly Pick<LoadUser, "regionId" | "user">[]): void {
    const atMs = this.#driven.elapsedMs;
    this.memory.fail(message, atMs);
    for (const { regionId, user } of users) {
      const iteration = this.run.iterationsOf(regionId, user);
      const lost = { regionId, user, iteration, startMs: atMs, endedMs: atMs };
      this.run.add({ ...lost, requests: [failedScript(lost)], metrics: [] });
      this.run.leave(regionId, user, atMs);
    }
  }
}

type Span = Pick<LoadedIteration, "startMs" | "endedMs">;

function measured(request: ScriptRequest, { startMs, endedMs }: Span): MeasuredRequest {
  const { resource, url, connectionId, bytesSent, bytesReceived, success, connectionOpenMs } = request;
  const start = Math.min(Math.max(0, startMs + request.startMs), endedMs);
  const most = endedMs - start;
  const within = (ms: number) => Math.min(Math.max(0, ms), most);
  const firstReceivedMs = within(request.firstReceivedMs ?? request.connectionCloseMs ?? most);
  return {
    ...{ resource, url, connectionId, bytesSent, bytesReceived, success },
    status: request.status ?? 0,
    contentType: request.contentType ?? "",
    startMs: start,
    openMs: connectionOpenMs === null ? null : within(connectionOpenMs),
    firstReceivedMs,
    closeMs: Math.max(firstReceivedMs, within(request.connectionCloseMs ?? most)),
  };
}

/** DECISION (API 2, Executions: what counts of an iteration of real load that fails): a failure of the resource `script`, beside what it had requested before. */
function failedScript({ startMs, endedMs }: Span): MeasuredRequest {
  const took = endedMs - startMs;
  return {
    ...{ resource: "script", url: "", connectionId: "", bytesSent: 0, bytesReceived: 0, success: false },
    ...{ status: 0, contentType: "", startMs, openMs: null, firstReceivedMs: took, closeMs: took },
  };
}

import type { BegunExecution } from "../core/simulations.ts";
import { uuidDraws } from "../runs/draw.ts";
import { regionSeed } from "../runs/run-plan.ts";
import type { ChunkRecord, ExecutionRegionRecord } from "../store/records/executions.ts";

/** One user of a run, and who makes it. */
export interface RunClient {
  readonly region: ExecutionRegionRecord;
  readonly chunk: ChunkRecord | undefined;
  readonly chunkIndex: number;
  /** Indexes from 0: in its chunk, its region, the whole run. */
  readonly inChunk: number;
  readonly inRegion: number;
  readonly inRun: number;
  readonly threadId: string;
}

/** One request of one iteration of one user. */
export interface RequestPlace {
  readonly regionId: number;
  readonly user: number;
  readonly iteration: number;
  readonly request: number;
}

/** The users of a run by region and number. */
export class RunClients {
  readonly #row: BegunExecution;
  readonly #indexes: ReadonlyMap<number, readonly number[]>;
  readonly #known = new Map<number, RunClient[]>();
  readonly #uuids = new Map<string, (user: number, step: number) => string>();

  constructor(row: BegunExecution) {
    this.#row = row;
    this.#indexes = indexesOf(row);
  }

  of(regionId: number, user: number): RunClient {
    const known = this.#known.get(regionId) ?? [];
    this.#known.set(regionId, known);
    const client = known[user] ?? this.#made(regionId, user);
    known[user] = client;
    return client;
  }

  iterationId({ regionId, user, iteration }: Omit<RequestPlace, "request">): string {
    return this.#uuid("iteration", regionId)(user, iteration);
  }

  connectionId({ regionId, user, iteration, request }: RequestPlace): string {
    const step = iteration * this.#row.plan.iteration.requests.length + request;
    return this.#uuid("connection", regionId)(user, step);
  }

  /** Users added later are the last chunk's. */
  #made(regionId: number, user: number): RunClient {
    const region = this.#row.regions.find(({ id }) => id === regionId) ?? nowhere;
    const planned = this.#row.plan.regions.find(({ id }) => id === regionId)?.chunks ?? [];
    let inChunk = user;
    let chunkIndex = 0;
    for (; chunkIndex < planned.length - 1; chunkIndex++) {
      const users = planned[chunkIndex]?.users ?? 0;
      if (inChunk < users) break;
      inChunk -= users;
    }
    const inRun = this.#indexes.get(regionId)?.[user] ?? user;
    const threadId = this.#uuid("thread", regionId)(user, 0);
    return { region, chunk: region.chunks[chunkIndex], chunkIndex, inChunk, inRegion: user, inRun, threadId };
  }

  #uuid(purpose: string, regionId: number): (user: number, step: number) => string {
    const name = `${purpose} ${regionId}`;
    const known = this.#uuids.get(name) ?? uuidDraws(regionSeed(this.#row.plan, purpose, regionId));
    this.#uuids.set(name, known);
    return known;
  }
}

const nowhere: ExecutionRegionRecord = { id: 0, regionId: null, regionName: "", concurrentClients: 0, chunks: [] };

/** DECISION (API 2, Output-file filters: the global user index): it counts through the planned users of the regions in their order, then through those that were added, in the order in which they were. */
function indexesOf({ plan, controls }: BegunExecution): ReadonlyMap<number, readonly number[]> {
  let next = 0;
  const indexes = new Map<number, number[]>();
  const add = (regionId: number, users: number): void => {
    const own = indexes.get(regionId) ?? [];
    for (let user = 0; user < users; user++) own.push(next++);
    indexes.set(regionId, own);
  };
  for (const { id, users } of plan.regions) add(id, users);
  for (const { regionId, users } of controls.added) add(regionId, users);
  return indexes;
}

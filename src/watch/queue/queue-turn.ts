import { newMemory } from "../decide.ts";
import type { ProjectMemory } from "../project-memory.ts";
import { suspensionAt } from "../suspensions.ts";
import type { WatchAction } from "../watch-events.ts";
import { callRoll, changedMemories, ensureMemoryTable } from "./memory-table.ts";
import { type ClaimRules, handleEvent, type ProjectClaims } from "./project-claims.ts";
import { expiresSecs, type LoadBoss, openProjectJobs } from "./project-jobs.ts";
import { openQueueSession, type QueueDatabase, type QueueSession } from "./queue-session.ts";
import { type Claimed, takeProjects } from "./take-projects.ts";

/** The knowledge of a worker from its last look at the database; it outlives a session. */
export interface QueueKnowledge {
  readonly memories: Map<string, ProjectMemory>;
  readonly revisions: Map<string, number>;
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  skewMs: number;
}

/** Whoever carries out checks, as a turn needs it. */
export interface TurnWorker {
  /** The number of checks that may begin now. */
  readonly free: () => number;
  /** Carries out the first actions of a claimed project: the check, which ends with the event `ended`. */
  readonly begin: (claim: Claimed) => void;
  /** Carries out what follows from the worker's configuration, apart from checks. */
  readonly carryOut: (actions: readonly WatchAction[]) => void;
}

const rollCallMs = 60_000;

/** Opens a session with the jobs and no claims yet. */
export async function connectQueue(
  database: QueueDatabase & { readonly loadBoss?: LoadBoss },
  rules: ClaimRules,
): Promise<ProjectClaims> {
  const session = await openQueueSession(database);
  try {
    // A second worker that starts at this moment waits: what is missing in the database is made once.
    await session.query("SELECT pg_advisory_lock(hashtext('loadform watch set-up'))");
    await ensureMemoryTable(session);
    const jobs = await openProjectJobs(session, database.loadBoss);
    await session.query("SELECT pg_advisory_unlock(hashtext('loadform watch set-up'))");
    return { session, jobs, rules, held: new Set() };
  } catch (problem) {
    await session.close();
    throw problem;
  }
}

/**
 * The turn of a worker, to be repeated: it reads the clock, says which projects it knows, gives expired jobs back, reads what other workers
 * saved, and claims what is due. It proves that the session exists, so it is made while all checks are under way, too.
 */
export function queueTurn(claims: ProjectClaims, knowledge: QueueKnowledge, worker: TurnWorker): () => Promise<void> {
  const { session, jobs, rules } = claims;
  const projects = [...rules.projects.values()];
  const names = projects.map(({ name }) => name);
  const rollCall = every(rollCallMs, async () => {
    await callRoll(session.query, names, newMemory());
    await jobs.fill(projects.map((each) => ({ project: each.name, inMs: 0, expiresSecs: expiresSecs(each) })));
  });
  let isConfigured = false;
  const expiry = every(expiryMs(projects.map(({ intervalSecs }) => intervalSecs)), jobs.expire);
  return async () => {
    knowledge.skewMs = await clockSkew(session);
    await rollCall();
    await expiry();
    await readMemories(session, knowledge, names);
    if (!isConfigured) await applyHours(claims, knowledge, worker);
    isConfigured = true;
    const free = worker.free();
    if (free > 0) await takeProjects(claims, free, worker.begin);
  };
}

/** Often enough that a dead worker's project is taken over within two of the shortest intervals. */
function expiryMs(intervals: readonly number[]): number {
  return Math.min(15_000, Math.max(500, 125 * Math.min(...intervals)));
}

async function readMemories({ query }: QueueSession, knowledge: QueueKnowledge, names: readonly string[]) {
  const { memories, revisions } = knowledge;
  for (const { project, revision, memory } of await changedMemories(query, names, revisions)) {
    memories.set(project, { ...newMemory(), ...memory });
    revisions.set(project, revision);
  }
}

/**
 * Suspends, or checks again, what the worker's own configuration says so of since its session began: the job of such a project may be due only
 * hours later, as a former configuration wanted it.
 */
async function applyHours(
  claims: ProjectClaims,
  { memories }: QueueKnowledge,
  { carryOut }: Pick<TurnWorker, "carryOut">,
): Promise<void> {
  const { projects, now } = claims.rules;
  for (const [name, memory] of memories) {
    const project = projects.get(name);
    if (project === undefined || memory.state === undefined || memory.checking !== undefined) continue;
    const isSuspended = suspensionAt({ project, memory }, now()) !== undefined;
    if (isSuspended === (memory.state === "suspended")) continue;
    carryOut(await handleEvent(claims, { is: "due", project: name }));
  }
}

async function clockSkew({ query }: QueueSession): Promise<number> {
  const before = Date.now();
  const [row] = await query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
  return Math.round(Number(row?.["now"]) - (before + Date.now()) / 2);
}

/** Runs the work when it is called and as much time has passed; the first time at once. */
function every(ms: number, work: () => Promise<unknown>): () => Promise<void> {
  let next = 0;
  return async () => {
    if (performance.now() < next) return;
    await work();
    next = performance.now() + ms;
  };
}

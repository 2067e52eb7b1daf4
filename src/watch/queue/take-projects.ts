import type { WatchAction } from "../watch-events.ts";
import { isUnconfigured, lockMemory, saveMemory } from "./memory-table.ts";
import { decideOn, hold, isCheck, type ProjectClaims, putNext, release } from "./project-claims.ts";
import type { TakenJob } from "./project-jobs.ts";

/** A project that this worker checks now, and what it does first. */
export interface Claimed {
  readonly project: string;
  readonly actions: readonly WatchAction[];
}

/** No worker has been configured for a project for as long: its job is removed. Two roll calls may fail. */
const unconfiguredSecs = 200;

/** Jobs of projects that a worker does not know, which it passes over in one turn. */
const mostForeign = 20;

/**
 * Claims at most so many projects that are due, and says each at once. Jobs of projects that this worker does not know are due again as
 * soon as it has its own: whoever knows them is to find them in its next turn.
 */
export async function takeProjects(
  claims: ProjectClaims,
  limit: number,
  claimed: (claim: Claimed) => void,
): Promise<void> {
  const foreign: TakenJob[] = [];
  for (let left = limit; left > 0 && foreign.length < mostForeign; ) {
    const taken = await claims.jobs.take(left);
    const own = taken.filter(({ project }) => claims.rules.projects.has(project));
    foreign.push(...taken.filter((job) => !own.includes(job)));
    for (const job of own)
      if (await hold(claims, job.project)) await begin(claims, job, claimed);
      else await putOff(claims, job);
    if (taken.length < left) break;
    left -= own.length;
  }
  for (const job of foreign) await leaveToOthers(claims, job);
}

async function begin(claims: ProjectClaims, job: TakenJob, claimed: (claim: Claimed) => void): Promise<void> {
  const { session, jobs, rules } = claims;
  const { project } = job;
  let begins = false;
  try {
    const first = await session.transact(async (query) => {
      const memory = await lockMemory(query, project);
      if (memory === undefined || !(await jobs.isTaken(query, job))) return undefined;
      // A check that is still under way by the memory ended with its worker: the lock is ours.
      const decided = decideOn(rules, { is: memory.checking === undefined ? "due" : "started", project }, memory);
      await saveMemory(query, project, decided.memory);
      if (!decided.actions.some(isCheck)) await putNext(claims, query, decided);
      return decided;
    });
    if (first === undefined) return;
    rules.saved(project, first.memory);
    begins = first.actions.some(isCheck);
    claimed({ project, actions: first.actions.filter((action) => action.do !== "wait") });
  } finally {
    if (!begins) await release(claims, project);
  }
}

/** The worker that began is alive, and its check takes longer than its job lasts. */
async function putOff({ session, jobs }: ProjectClaims, job: TakenJob): Promise<void> {
  const inMs = Math.min(15, job.expiresSecs / 2) * 1000;
  await session.transact(async (query) => {
    await lockMemory(query, job.project);
    if (await jobs.isTaken(query, job)) await jobs.put(query, { ...job, inMs });
  });
}

/** Workers may differ in their projects: this one does not know the job's. */
async function leaveToOthers({ session, jobs }: ProjectClaims, job: TakenJob): Promise<void> {
  await session.transact(async (query) => {
    await lockMemory(query, job.project);
    if (!(await jobs.isTaken(query, job))) return;
    if (await isUnconfigured(query, job.project, unconfiguredSecs)) await jobs.remove(query, job.project);
    // Behind those that are due already, and before none that somebody waits for.
    else await jobs.put(query, { ...job, inMs: 1 });
  });
}

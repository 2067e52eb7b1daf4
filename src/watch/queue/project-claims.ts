import { createHash } from "node:crypto";
import { decide, newMemory } from "../decide.ts";
import type { ProjectMemory } from "../project-memory.ts";
import type { Decision, WatchAction, WatchEvent } from "../watch-events.ts";
import type { WatchedProject } from "../watched-project.ts";
import { lockMemory, saveMemory } from "./memory-table.ts";
import { expiresSecs, type ProjectJobs } from "./project-jobs.ts";
import type { Query, QueueSession } from "./queue-session.ts";

/** A worker as its claims know it, with or without a session. */
export interface ClaimRules {
  readonly projects: ReadonlyMap<string, WatchedProject>;
  /** The database's clock, epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  /** A check whose claim was lost has not ended yet. */
  readonly isBusy: (project: string) => boolean;
  /** Called with each memory that was saved. */
  readonly saved: (project: string, memory: ProjectMemory) => void;
}

/**
 * Projects that this worker checks now. A claim is the job of the project and an advisory lock of the session: the job says that somebody has
 * begun and expires soon, the lock says that he is still alive and ends with his session. A check that takes longer than its job
 * lasts therefore remains the only one; what a dead worker claimed is taken by another one when its job expires. The memory and the next job
 * are saved in one transaction, and told afterwards: no two workers tell the same, and what a worker has not told when it dies is not told.
 */
export interface ProjectClaims {
  readonly session: QueueSession;
  readonly jobs: ProjectJobs;
  readonly rules: ClaimRules;
  readonly held: Set<string>;
}

/** A decision on an event, with its project and its time. */
export interface Decided extends Decision {
  readonly project: WatchedProject;
  readonly now: number;
}

/** A next check where the decisions name none. */
const idleMs = 3_600_000;

/** Decides on an event, and answers what is done here: a check that follows is begun by whoever takes the project's job. */
export async function handleEvent(claims: ProjectClaims, event: WatchEvent): Promise<readonly WatchAction[]> {
  const { session, rules, held } = claims;
  const { project } = event;
  const isEnd = event.is === "ended";
  if ((isEnd || event.is === "compared") && !held.has(project)) return [];
  try {
    const result = await session.transact(async (query) => {
      const before = await lockMemory(query, project);
      if (before === undefined) return undefined;
      const next = decideOn(rules, event, before);
      const memory = next.actions.some(isCheck) ? notYet(next) : next.memory;
      await saveMemory(query, project, memory);
      if (isEnd || before.checking === undefined) await putNext(claims, query, next);
      return { memory, actions: next.actions };
    });
    if (result === undefined) return [];
    rules.saved(project, result.memory);
    return result.actions.filter((action) => action.do === "tell" || action.do === "heal");
  } finally {
    if (isEnd) await release(claims, project);
  }
}

/** Leaves the claimed projects to other workers, at once. */
export async function giveBack(claims: ProjectClaims): Promise<void> {
  const { session, jobs, rules, held } = claims;
  for (const name of held) {
    const project = known(rules, name);
    await session.transact(async (query) => {
      const memory = await lockMemory(query, name);
      if (memory !== undefined) await saveMemory(query, name, withoutCheck(memory));
      await jobs.put(query, { project: name, inMs: 0, expiresSecs: expiresSecs(project) });
    });
    await release(claims, name);
  }
}

export function decideOn(rules: ClaimRules, event: WatchEvent, memory: ProjectMemory): Decided {
  const project = known(rules, event.project);
  const at = { now: rules.now(), random: rules.random };
  // A worker of an older version may have written less.
  return { project, now: at.now, ...decide({ project, memory: { ...newMemory(), ...memory } }, event, at) };
}

/** Puts the project's job where the decisions want the next check, in the transaction of `query`. */
export async function putNext({ jobs, held }: ProjectClaims, query: Query, decided: Decided): Promise<void> {
  const { project, now, actions } = decided;
  const { name } = project;
  const wait = actions.flatMap((action) => (action.do === "wait" ? [action.until - now] : [])).at(-1);
  const inMs = actions.some(isCheck) ? 0 : wait;
  if (inMs === undefined && !held.has(name)) return;
  await jobs.put(query, { project: name, inMs: inMs ?? idleMs, expiresSecs: expiresSecs(project) });
}

/** Locks a project for this session; false while another one has it. */
export async function hold({ session, held, rules }: ProjectClaims, project: string): Promise<boolean> {
  // A session is given its own lock a second time.
  if (held.has(project) || rules.isBusy(project)) return false;
  const [row] = await session.query("SELECT pg_try_advisory_lock($1::bigint) AS taken", [lockKey(project)]);
  if (row?.["taken"] === true) held.add(project);
  return held.has(project);
}

export async function release({ session, held }: ProjectClaims, project: string): Promise<void> {
  held.delete(project);
  // With the session the lock has ended, too.
  if (!session.ended.aborted) await session.query("SELECT pg_advisory_unlock($1::bigint)", [lockKey(project)]);
}

export function isCheck(action: WatchAction): boolean {
  return action.do === "check";
}

/** A check that was decided on and is not begun here. */
function notYet({ memory, now }: Decided): ProjectMemory {
  return { ...withoutCheck(memory), nextCheckAt: now };
}

function withoutCheck({ checking: _, ...memory }: ProjectMemory): ProjectMemory {
  return memory;
}

function known({ projects }: ClaimRules, name: string): WatchedProject {
  const project = projects.get(name);
  if (project === undefined) throw new Error(`no project ${name} is watched here`);
  return project;
}

function lockKey(project: string): string {
  return createHash("sha256").update(`loadform watch ${project}`).digest().readBigInt64BE(0).toString();
}

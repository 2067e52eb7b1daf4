import { createHash } from "node:crypto";
import type PgBoss from "pg-boss";
import type { WatchedProject } from "../watched-project.ts";
import type { Query, QueueSession } from "./queue-session.ts";

/** The job-queue library; an optional peer, loaded when workers share projects. */
export type LoadBoss = () => Promise<typeof PgBoss>;

/** The next check of a project. */
interface ProjectJob {
  readonly project: string;
  /** Milliseconds from now on the database's clock. */
  readonly inMs: number;
  /** A worker that has taken the job and has not ended it after as long is no longer waited for. */
  readonly expiresSecs: number;
}

/** A job that this worker has taken, as it was then. */
export interface TakenJob {
  readonly project: string;
  readonly expiresSecs: number;
  /** Tells this taking from a later one of the same project. */
  readonly taking: string;
}

/** The jobs of the queue: one of each project. */
export interface ProjectJobs {
  /** Takes at most so many jobs that are due. No other worker is given the same ones until they expire. */
  readonly take: (limit: number) => Promise<readonly TakenJob[]>;
  /** Makes this the project's only job, whatever the former one was and did; in the transaction of `query`. */
  readonly put: (query: Query, job: ProjectJob) => Promise<void>;
  /** True while a job that was taken is neither replaced nor taken again. */
  readonly isTaken: (query: Query, job: TakenJob) => Promise<boolean>;
  readonly remove: (query: Query, project: string) => Promise<void>;
  /** Adds a job that is due now where there is none. */
  readonly fill: (jobs: readonly ProjectJob[]) => Promise<void>;
  /** Gives expired jobs back to whoever takes them next. */
  readonly expire: () => Promise<void>;
}

interface JobData {
  readonly project: string;
}

const queue = "checks";
const schema = "loadform_queue";
/** A job never ends by its tries: a project is checked for as long as it is configured. */
const tries = 2_000_000_000;
/** Checks that somebody waits for are taken before those whose time has come. */
const askedPriority = 1;
const longestExpirySecs = 60;

const loadPgBoss: LoadBoss = async () => (await import("pg-boss")).default;

/**
 * The jobs in pg-boss, of which only what is needed runs: its jobs, its way of taking them (`FOR UPDATE SKIP LOCKED`) and their expiry. Its
 * timers, workers and connections do not: all of it is asked through the worker's session, so a job changes in one transaction with the memory
 * of its project.
 *
 * pg-boss and not graphile-worker: there a dead worker's jobs are given to others after 4 hours, which no setting shortens, and its 9
 * dependencies bring a command line and a search for configuration files; here a job expires when it says so, and there are 3.
 *
 * A job's id is made from the name of its project, so the primary key allows one of each. Jobs are replaced and never completed: there is
 * nothing to archive, and the tables do not grow.
 */
export async function openProjectJobs(session: QueueSession, load: LoadBoss = loadPgBoss): Promise<ProjectJobs> {
  const Boss = await load().catch(missingBoss);
  const through = (query: Query) => ({
    db: { executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await query(text, values))] }) },
  });
  // What is wrong with a query for jobs is swallowed by pg-boss.
  let refusal: unknown;
  const watched: Query = (sql, values) =>
    session.query(sql, values).catch((problem: unknown) => {
      refusal = problem;
      throw problem;
    });
  const boss = new Boss({ ...through(watched), schema, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(queue, { name: queue, retryLimit: tries, retryDelay: 0 });
  const find = (query: Query, project: string) =>
    boss.getJobById<JobData>(queue, jobIdOf(project), { ...through(query), includeArchive: false });
  return {
    async take(limit) {
      refusal = undefined;
      const jobs = await boss.fetch<JobData>(queue, { batchSize: limit, includeMetadata: true });
      if (refusal !== undefined) throw refusal;
      return jobs.map((job) => ({ ...job.data, expiresSecs: Number(job.expireInSeconds), taking: takingOf(job) }));
    },
    async put(query, job) {
      const { project, inMs } = job;
      const options = {
        ...{ id: jobIdOf(project), singletonKey: project, priority: inMs > 0 ? 0 : askedPriority },
        ...{ startAfter: String(Math.max(0, Math.round(inMs)) / 1000), expireInSeconds: job.expiresSecs },
      };
      const data: JobData = { project };
      // The expiry of the same job at this moment may have made it anew after it was deleted here.
      for (let left = 3, added: string | null = null; added === null; left -= 1) {
        if (left === 0) throw new Error(`could not replace the job of ${project}: it was made anew each time`);
        await boss.deleteJob(queue, jobIdOf(project), through(query));
        added = await boss.send(queue, data, { ...options, ...through(query) });
      }
    },
    async isTaken(query, job) {
      const found = await find(query, job.project);
      return found?.state === "active" && takingOf(found) === job.taking;
    },
    remove: (query, project) => boss.deleteJob(queue, jobIdOf(project), through(query)),
    fill: (jobs) =>
      boss.insert(
        jobs.map(({ project, ...job }) => ({
          ...{ id: jobIdOf(project), name: queue, data: { project } satisfies JobData, singletonKey: project },
          expireInSeconds: job.expiresSecs,
        })),
      ),
    expire: () => boss.expire(),
  };
}

function takingOf({ startedOn, retryCount }: PgBoss.JobWithMetadata): string {
  return `${startedOn.toISOString()} ${retryCount}`;
}

/**
 * The time after which a worker is no longer waited for: short, so that a project whose worker died right before its check is still checked
 * within two intervals of the last one. A live worker that takes longer has the project's lock.
 */
export function expiresSecs({ intervalSecs }: WatchedProject): number {
  return Math.min(longestExpirySecs, Math.max(1, Math.ceil(intervalSecs / 4)));
}

/** A UUID of version 8 made from the project's name. */
function jobIdOf(project: string): string {
  const bytes = createHash("sha256").update(`loadform watch ${project}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function missingBoss(problem: unknown): never {
  const code = typeof problem === "object" && problem !== null && "code" in problem ? problem.code : undefined;
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  const reason = isMissing ? "there is no package pg-boss" : String(problem);
  throw new Error(`a queue of projects needs its library: ${reason}. Install it with loadform: npm install pg-boss pg`);
}

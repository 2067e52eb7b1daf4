import { thrownWords } from "../../model/diagnostic.ts";
import type { ProjectMemory } from "../project-memory.ts";
import type { WatchAction, WatchEvent } from "../watch-events.ts";
import type { WatchedProject } from "../watched-project.ts";
import { type ClaimRules, giveBack, handleEvent, type ProjectClaims } from "./project-claims.ts";
import type { LoadBoss } from "./project-jobs.ts";
import { plainQueue, type QueueDatabase } from "./queue-session.ts";
import { connectQueue, type QueueKnowledge, queueTurn, type TurnWorker } from "./queue-turn.ts";

export interface WorkQueueOptions {
  readonly database: QueueDatabase & { readonly loadBoss?: LoadBoss };
  /** The configuration of this worker, `git` projects only. Of workers that differ, each checks by its own. */
  readonly projects: readonly WatchedProject[];
  readonly random: () => number;
  /** Between two looks for projects that are due. Default: 1 s, within which an event of a forge begins a check. */
  readonly turnMs?: number;
}

/** Whoever carries out checks, on this side of the queue. */
export interface QueueWorker extends TurnWorker {
  /** True while a check of the project is under way here, with a claim or without. */
  readonly isBusy: (project: string) => boolean;
  /** The session, and with it the claim, has ended: the check is ended before it writes more. */
  readonly lost: (project: string) => void;
  /** A line for the log: the queue was lost, or is back. */
  readonly say: (line: string) => void;
}

/** A worker's part in the projects that all workers share. */
export interface WorkQueue {
  /** The database's clock, epoch milliseconds: those of the workers may differ. */
  readonly now: () => number;
  /** While it is true nothing is begun, and memories are as they were last read. */
  readonly isLost: () => boolean;
  /** The knowledge of all workers of the projects that are configured here. */
  readonly memories: () => ReadonlyMap<string, ProjectMemory>;
  /** Decides on an event, and answers what is done here. Rejects while the queue is lost. */
  readonly handle: (event: WatchEvent) => Promise<readonly WatchAction[]>;
  /** Looks for due projects at once: a check has ended, or one was asked for. */
  readonly wake: () => void;
  /** Leaves claimed projects to the other workers, and ends the session. */
  readonly stop: () => Promise<void>;
}

const longestPauseMs = 30_000;
/** Turns refused in a row, after which a new session sets up what is missing. */
const mostRefusals = 3;

/**
 * Opens the queue, and rejects where that fails: a wrong connection string is told at the start. A connection that is lost later is said and
 * tried again with growing pauses, and nothing is checked meanwhile.
 */
export async function openWorkQueue(options: WorkQueueOptions, worker: QueueWorker): Promise<WorkQueue> {
  const { database, random, turnMs = 1_000 } = options;
  const knowledge: QueueKnowledge = { memories: new Map(), revisions: new Map(), skewMs: 0 };
  const rules: ClaimRules = {
    ...{ random, isBusy: worker.isBusy, now: () => Date.now() + knowledge.skewMs },
    projects: new Map(options.projects.map((project) => [project.name, project])),
    saved: (project, memory) => knowledge.memories.set(project, memory),
  };
  const where = plainQueue(database.url);
  const rest = interruptedRest();
  let current: ProjectClaims | undefined = await connectQueue(database, rules);
  let isStopped = false;
  let failure: string | undefined;

  const failed = (problem: unknown) => {
    const words = thrownWords(problem);
    if (words !== failure && !isStopped)
      worker.say(`${where} does not answer: ${words}. Nothing is begun until it does`);
    failure = words;
  };
  const answered = () => {
    if (failure !== undefined) worker.say(`${where} answers again`);
    failure = undefined;
  };
  const serve = async (claims: ProjectClaims) => {
    const { session, held } = claims;
    const turn = queueTurn(claims, knowledge, worker);
    session.ended.addEventListener("abort", rest.wake);
    for (let refusals = 0; !isStopped && !session.ended.aborted && refusals < mostRefusals; ) {
      const problem = await turn().catch((reason: unknown) => reason ?? "no reason");
      refusals = problem === undefined ? 0 : refusals + 1;
      if (problem === undefined) answered();
      else failed(problem);
      await rest.pause(turnMs);
    }
    if (isStopped) return;
    current = undefined;
    if (failure === undefined) failed("its session was ended by someone else");
    for (const project of held) worker.lost(project);
    await session.close();
  };
  const reconnect = async () => {
    for (let tries = 0; !isStopped && current === undefined; tries += 1) {
      await rest.pause(Math.min(longestPauseMs, 500 * 2 ** tries) * (0.5 + random() / 2));
      current = await connectQueue(database, rules).catch((problem: unknown) => {
        failed(problem);
        return undefined;
      });
    }
  };
  const served = (async () => {
    while (!isStopped) {
      if (current !== undefined) await serve(current);
      await reconnect();
    }
  })();
  return {
    now: rules.now,
    isLost: () => !isStopped && (current === undefined || failure !== undefined),
    memories: () => knowledge.memories,
    async handle(event) {
      if (current === undefined) throw new Error(`${where} is not connected: try again`);
      return handleEvent(current, event);
    },
    wake: rest.wake,
    async stop() {
      isStopped = true;
      rest.wake();
      await served;
      if (current !== undefined) await giveBack(current).catch(() => undefined);
      await current?.session.close();
      current = undefined;
    },
  };
}

/** A pause that ends early when it is woken; a wake outside of one ends the next. */
function interruptedRest() {
  let isWoken = false;
  let end = (): void => undefined;
  return {
    wake(): void {
      isWoken = true;
      end();
    },
    async pause(ms: number): Promise<void> {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      isWoken = false;
    },
  };
}

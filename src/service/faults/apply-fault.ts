import { setTimeout as wait } from "node:timers/promises";
import type { Agenda, Source } from "../agenda.ts";
import { answerOf, ConnectionCut, type Ran, type ServiceAnswer } from "../core/answer.ts";
import { errorCode } from "../refusal.ts";
import type { Fault } from "./fault.ts";

/** A call that meets a planned fault. */
export interface FaultyCall {
  readonly agenda: Agenda;
  readonly delayed: DelayedWork;
  readonly fault: Fault;
  /** When the call arrived, on the service's clock. */
  readonly arrived: number;
  readonly work: () => Promise<Ran>;
}

/**
 * Carries a planned fault out. `status` answers in place of the work, unless `effectDelayMs` or
 * `drop: after` say that the work is done; `delayMs` holds the answer in wall time.
 */
export async function applyFault(call: FaultyCall): Promise<Ran> {
  const { fault } = call;
  if (fault.drop === "before") {
    await hold(fault);
    throw new ConnectionCut();
  }
  const done = startWork(call);
  if (fault.drop === "after") {
    if (fault.effectDelayMs === undefined) await done;
    else done.catch(() => undefined);
    await hold(fault);
    throw new ConnectionCut();
  }
  const ran = await done;
  await hold(fault);
  if (fault.truncate === undefined) return ran;
  throw new ConnectionCut({ answer: ran.answer, bytes: fault.truncate });
}

async function startWork(call: FaultyCall): Promise<Ran> {
  const { fault, work } = call;
  const planned = plannedAnswer(fault);
  const isDone = fault.effectDelayMs !== undefined || fault.drop === "after";
  if (planned && !isDone) return { answer: planned, unknown: [] };
  const ran = await (fault.effectDelayMs === undefined ? work() : later(call, fault.effectDelayMs));
  return planned ? { answer: planned, unknown: ran.unknown } : ran;
}

/** The work at a later moment of the service's clock. */
function later({ agenda, delayed, arrived, work }: FaultyCall, ms: number): Promise<Ran> {
  return new Promise((resolve, reject) => {
    delayed.add(arrived + ms, () => agenda.begin(work().then(resolve, reject)));
    agenda.wakeAt(arrived + ms);
  });
}

function plannedAnswer(fault: Fault): ServiceAnswer | undefined {
  const status = fault.status ?? (fault.retryAfterSecs === undefined && fault.body === undefined ? undefined : 503);
  if (status === undefined) return undefined;
  const answer = answerOf(
    fault.body ?? { code: errorCode(status), message: `a planned fault answered ${status}` },
    status,
  );
  const retry = fault.retryAfterSecs === undefined ? {} : { "retry-after": String(fault.retryAfterSecs) };
  return { ...answer, headers: { ...answer.headers, ...retry } };
}

async function hold({ delayMs }: Fault): Promise<void> {
  if (delayMs !== undefined && delayMs > 0) await wait(delayMs);
}

interface Delayed {
  readonly at: number;
  readonly run: () => void;
}

/** Work that faults put off: it is done at its moment, or as soon as that has passed. */
export class DelayedWork implements Source {
  #delayed: readonly Delayed[] = [];

  add(at: number, run: () => void): void {
    this.#delayed = [...this.#delayed, { at, run }].sort((left, right) => left.at - right.at);
  }

  next(): number | undefined {
    return this.#delayed[0]?.at;
  }

  run(): void {
    const [first, ...others] = this.#delayed;
    this.#delayed = others;
    first?.run();
  }

  drop(): void {
    this.#delayed = [];
  }
}

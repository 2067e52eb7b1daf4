import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { unlessThrown } from "../model/diagnostic.ts";
import { sleepUnless, WaitStopped } from "../model/sleep-unless.ts";
import { type Moment, momentOf } from "./lock-trust.ts";
import { type LockInfo, type LockRequest, StateLocked, type StateStore } from "./store.ts";

/** The identity of this process as a holder of locks, and its test for others that died. */
export interface LockHolder {
  readonly describe: (operation: string) => LockInfo;
  /** True for a holder that is surely dead: on this host, among these processes, and its process ended or another one has its pid. */
  readonly isDead: (info: LockInfo) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface ProcessView {
  readonly host: string;
  /** Name of the set of processes that pids are of; undefined when it cannot be told. */
  readonly namespace: string | undefined;
  /** Boot id and start time of the process of a pid; `hidden` when there is one and more cannot be told, `none` without one. */
  readonly look: (pid: number) => { readonly mark: string; readonly isStopped?: boolean } | "hidden" | "none";
}

/** This process, on this machine or on one that looks as `view` says. */
export function processHolder(clock: Pick<LockHolder, "sleep" | "now">, view: ProcessView = thisView()): LockHolder {
  return {
    ...clock,
    describe: (operation) => {
      const own = view.look(process.pid);
      return {
        id: randomUUID(),
        operation,
        who: `${unlessThrown(() => userInfo().username) ?? "unknown"}@${view.host}`,
        created: new Date(clock.now()).toISOString(),
        pid: process.pid,
        host: view.host,
        process: typeof own === "object" ? own.mark : "",
        ...(view.namespace === undefined ? {} : { namespace: view.namespace }),
      };
    },
    isDead: (info) => isDeadHolder(info, view),
  };
}

/**
 * True only for a surely dead holder. A pid means something only among the processes that it belongs to: containers on
 * one machine may share its host name and still have pids of their own.
 */
function isDeadHolder(info: LockInfo, { host, namespace, look }: ProcessView): boolean {
  if (info.host !== host || info.pid === undefined) return false;
  if (namespace === undefined || info.namespace !== namespace) return false;
  const found = look(info.pid);
  if (found === "none") return true;
  return found !== "hidden" && info.process !== undefined && info.process !== "" && found.mark !== info.process;
}

function thisView(): ProcessView {
  // Only Linux has several sets of processes.
  const namespace = process.platform !== "linux" ? "one" : unlessThrown(() => readlinkSync("/proc/self/ns/pid"));
  return { host: hostname(), namespace, look: lookAt };
}

/** True for a holder whose process seems to be at work on this machine: not ended, and not stopped by a signal. */
export function isAtWork(
  { who, host = who.slice(who.lastIndexOf("@") + 1), pid, namespace, process: mark = "" }: LockInfo,
  view: ProcessView = thisView(),
): boolean {
  if (host !== view.host || pid === undefined || (namespace ?? view.namespace) !== view.namespace) return false;
  const found = view.look(pid);
  if (typeof found === "string") return found === "hidden";
  return !found.isStopped && (mark === "" || mark === found.mark);
}

/** The id of the lock of a store. One whose process is at work is broken only by whoever names it. */
export async function idOfIdle(
  store: Pick<StateStore, "unlock">,
  view: ProcessView = thisView(),
): Promise<string | undefined> {
  const found: unknown = await store.unlock("").catch((thrown: unknown) => thrown);
  if (found === undefined) return undefined;
  if (!(found instanceof StateLocked) || (found.holder && isAtWork(found.holder, view))) throw found;
  return found.holder?.id;
}

function lookAt(pid: number): ReturnType<ProcessView["look"]> {
  try {
    process.kill(pid, 0);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ESRCH") return "none";
  }
  const stat = unlessThrown(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const boot = unlessThrown(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const [mode = "", ...rest] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const started = rest[18];
  // One that was killed and that nobody waits for is still listed.
  if (boot === undefined || started === undefined || mode === "Z") return mode === "Z" ? "none" : "hidden";
  return { mark: `${boot}/${started}`, isStopped: "tT".includes(mode) };
}

/** One try to take a lock: what came of it, or who holds it. `again` asks for another try at once. */
export type LockTry<T> =
  | { readonly acquired: T }
  | { readonly lockedBy: LockInfo | undefined }
  | { readonly again: true };

const firstPauseMs = 50;

/**
 * Tries until the lock is ours, and answers when the try that got it began; throws {@link StateLocked} with the last holder
 * when the time is over. `retryMs` is the longest pause between two tries; the first ones are shorter.
 */
export async function waitForLock<T>(
  attempt: () => Promise<LockTry<T>>,
  request: Omit<LockRequest, "operation">,
  { holder, retryMs }: { readonly holder: Pick<LockHolder, "now" | "sleep">; readonly retryMs: number },
): Promise<{ readonly acquired: T; readonly asked: Moment }> {
  const until = holder.now() + request.timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, retryMs)) {
    if (request.signal?.aborted) throw new WaitStopped("stopped waiting for the lock");
    const asked = momentOf(holder.now);
    const result = await attempt();
    if ("acquired" in result) return { acquired: result.acquired, asked };
    if ("again" in result) continue;
    if (holder.now() >= until) throw new StateLocked(result.lockedBy);
    request.waiting?.(result.lockedBy);
    await sleepUnless(request.signal, () => holder.sleep(Math.min(pauseMs, Math.max(1, until - holder.now()))));
  }
}

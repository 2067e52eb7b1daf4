import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { LockInfo } from "./store.ts";

/** Who takes locks, and how to tell whether another holder still lives. */
export interface LockHolder {
  readonly describe: (operation: string) => LockInfo;
  /** Whether a holder is surely dead: on this host, among these processes, and its process is gone or another one has its pid. */
  readonly isDead: (info: LockInfo) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What can be seen of processes from here. */
export interface ProcessView {
  readonly host: string;
  /** Name of the set of processes that pids are of; undefined when it cannot be told. */
  readonly namespace: string | undefined;
  /** Boot id and start time of the process of a pid; `hidden` when there is one and more cannot be told, `none` without one. */
  readonly look: (pid: number) => { readonly mark: string } | "hidden" | "none";
}

/** This process, on this machine. */
export function processHolder(clock: Pick<LockHolder, "sleep" | "now">): LockHolder {
  const view = thisView();
  return {
    ...clock,
    describe: (operation) => {
      const own = view.look(process.pid);
      return {
        id: randomUUID(),
        operation,
        who: `${userName()}@${view.host}`,
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
 * Whether a holder is surely dead. A pid says something only among the processes that it was given in: containers on one
 * machine may share its host name and still have pids of their own. Who cannot be told is not dead.
 */
export function isDeadHolder(info: LockInfo, { host, namespace, look }: ProcessView): boolean {
  if (info.host !== host || info.pid === undefined) return false;
  if (namespace === undefined || info.namespace !== namespace) return false;
  const found = look(info.pid);
  if (found === "none") return true;
  return found !== "hidden" && info.process !== undefined && info.process !== "" && found.mark !== info.process;
}

function thisView(): ProcessView {
  return { host: hostname(), namespace: ownNamespace(), look: lookAt };
}

/** Only Linux has several sets of processes. */
function ownNamespace(): string | undefined {
  if (process.platform !== "linux") return "one";
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

function lookAt(pid: number): ReturnType<ProcessView["look"]> {
  try {
    process.kill(pid, 0);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ESRCH") return "none";
  }
  const stat = readText(`/proc/${pid}/stat`);
  const boot = readText("/proc/sys/kernel/random/boot_id")?.trim();
  const started = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return boot === undefined || started === undefined ? "hidden" : { mark: `${boot}/${started}` };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import type { LockInfo } from "./store.ts";

/** Who takes locks, and how to tell whether another holder still lives. */
export interface LockHolder {
  readonly describe: (operation: string) => LockInfo;
  /** Whether a holder is surely dead: on this host, and its process is gone or another one has its pid. */
  readonly isDead: (info: LockInfo) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** This process, on this machine. */
export function processHolder(clock: Pick<LockHolder, "sleep" | "now">): LockHolder {
  return {
    ...clock,
    describe: (operation) => ({
      id: randomUUID(),
      operation,
      who: `${userName()}@${hostname()}`,
      created: new Date(clock.now()).toISOString(),
      pid: process.pid,
      host: hostname(),
      process: processMark(process.pid) ?? "",
    }),
    isDead: (info) => info.host === hostname() && info.pid !== undefined && processMark(info.pid) !== info.process,
  };
}

/** Boot id and start time of a process; undefined when it does not run. */
function processMark(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ESRCH") return undefined;
  }
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return "";
  const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  return `${readText("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}/${started}`;
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

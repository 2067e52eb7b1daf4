import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** epoll_wait and epoll_pwait of x86-64, epoll_pwait of arm64: what Node's event loop waits in. */
const waits = ["232", "281", "22"];

/**
 * Stops a process while its event loop waits. Between the last look of a program and the system call that sends there are
 * some instructions that nobody can look from; on a busy machine one stop in a hundred or so hits them, and a test must not
 * depend on that. Where the system does not tell where a process is, it is stopped anywhere.
 */
export async function stopWaiting(pid: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const before = placeOf(pid);
    if (before === undefined || before.isWaiting || tries > 2_000) {
      process.kill(pid, "SIGSTOP");
      await untilStopped(pid);
      if (before === undefined || tries > 2_000 || placeOf(pid)?.at === before.at) return;
      process.kill(pid, "SIGCONT");
    }
    await sleep(1);
  }
}

/** Stops a process wherever it is, and waits until every thread of it has stopped: a stop that is still on its way stops nobody. */
export async function stopAnywhere(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await untilStopped(pid);
}

async function untilStopped(pid: number): Promise<void> {
  while (!tasksOf(pid).every((task) => /^(T|Z|gone)/.test(stateOf(task)))) await sleep(1);
}

/** The threads of a process, as folders of /proc; the process alone where there is no /proc. */
function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `${pid}/task/${task}`);
  } catch {
    return [String(pid)];
  }
}

/** Where the main thread is: whether it waits for events, and its stack and instruction. */
function placeOf(pid: number): { readonly isWaiting: boolean; readonly at: string } | undefined {
  const words = read(`/proc/${pid}/syscall`).trim().split(" ");
  if (words[0] === "") return undefined;
  return {
    isWaiting: waits.includes(words[0] ?? "") && stateOf(String(pid)).startsWith("S"),
    at: words.slice(-2).join(" "),
  };
}

function stateOf(task: string): string {
  const stat = read(`/proc/${task}/stat`);
  return stat === "" ? "gone" : stat.slice(stat.lastIndexOf(")") + 2);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

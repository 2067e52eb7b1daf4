import { readdirSync, readFileSync } from "node:fs";

/** The milliseconds of a core that the living threads of a process have used: what others of the machine do does not count (Linux). */
export function cpuMsOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const used = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
  return used.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

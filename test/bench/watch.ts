import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectsPerTestCase, writeProjectInto } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { program, runLoadform, start } from "./measure.ts";
import type { Row } from "./table.ts";

const [projects, objects, intervalSecs] = [200, 50, 120];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU seconds of a process and of the children that it waited for, and its memory in MB. */
function usageOf(pid: number): { readonly cpu: number; readonly mb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { cpu: ticks / ticksPerSecond, mb: Number(resident) / 1024 };
}

/** A watcher over many projects in sync: its share of a core with all of its checks, and the memory of its own process. */
export async function measureWatch(): Promise<readonly Row[]> {
  const service = await startService();
  const root = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  const env = { XDG_CACHE_HOME: join(root, "cache") };
  try {
    for (let index = 0; index < projects; index++) {
      const at = { objects, url: service.url, start: (index * objects) / objectsPerTestCase };
      writeProjectInto(join(root, "tests", `project-${index}`), at);
    }
    await runLoadform(["apply", `${root}/tests/*`, "--auto-approve", "--parallelism", "64"], env);
    // A shell would spell a glob out: the watcher takes folders.
    const folders = Array.from({ length: projects }, (_, index) => join(root, "tests", `project-${index}`));
    const args = [program, "watch", ...folders, "--interval", `${intervalSecs}`, "--json"];
    const child = start(process.execPath, args, root, env);
    let lines = 0;
    let words = "";
    child.stderr?.on("data", (part: Buffer) => (words += part.toString("utf8")));
    child.stdout?.on("data", (part: Buffer) => {
      lines += part.toString("latin1").split("\n").length - 1;
    });
    const pid = child.pid ?? 0;
    const began = performance.now();
    while (lines < projects) {
      if (child.exitCode !== null) throw new Error(`the watcher ended with ${child.exitCode}:\n${words}`);
      await pause(100);
    }
    const first = { ...usageOf(pid), seconds: (performance.now() - began) / 1000 };
    await pause(Math.max(0, 180_000 - first.seconds * 1000));
    const early = usageOf(pid).cpu / ((performance.now() - began) / 1000);
    const before = { ...usageOf(pid), lines, at: performance.now() };
    await pause(2 * intervalSecs * 1000);
    const after = { ...usageOf(pid), lines, at: performance.now() };
    child.kill("SIGTERM");
    await once(child, "close");
    const checks = after.lines - before.lines;
    const perCheck = (after.cpu - before.cpu) / checks;
    const seconds = (after.at - before.at) / 1000;
    const name = `watch of ${projects} projects of ${objects}, every ${intervalSecs} s`;
    return [
      { what: `${name}, first check of each, wall`, value: first.seconds, unit: "s" },
      { what: `${name}, first check of each, CPU`, value: first.cpu, unit: "s" },
      { what: `${name}, share of a core, first 3 minutes`, value: 100 * early, unit: "%" },
      { what: `${name}, CPU of a check`, value: perCheck, unit: "s" },
      // Beside other work fewer checks may be made than are due, and their share would look small.
      {
        what: `${name}, share of a core`,
        value: (100 * perCheck * projects) / intervalSecs,
        unit: "%",
        goal: { atMost: 40 },
      },
      { what: `${name}, checks of those due`, value: (100 * checks * intervalSecs) / (projects * seconds), unit: "%" },
      { what: `${name}, memory of the watcher`, value: after.mb, unit: "MB", goal: { atMost: 120 } },
    ];
  } finally {
    await service.stop();
    rmSync(root, { recursive: true });
  }
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectsPerTestCase, writeProjectInto } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import type { NodeRun } from "./measure.ts";
import { quickest, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const [projects, objects] = [50, 100];

/** A plan of many small projects on one service, beside that of one project with as many objects. */
export async function measureProjects(): Promise<readonly Row[]> {
  const many = await measurePlan(projects, objects);
  const one = await measurePlan(1, projects * objects);
  const name = `plan of ${projects} projects of ${objects}`;
  const states = ["warm", "cold", "changed"] as const;
  return [
    ...states.flatMap((state): readonly Row[] => [
      { what: `${name}, ${state}, wall`, value: many[state].wallMs / 1000, unit: "s" },
      { what: `one project of ${projects * objects}, ${state}, wall`, value: one[state].wallMs / 1000, unit: "s" },
      {
        what: `${name} over the one project, ${state}`,
        value: many[state].wallMs / one[state].wallMs,
        unit: "x",
        goal: { atMost: 1.5 },
      },
    ]),
    { what: `${name}, requests`, value: requestsOf(many.warm), unit: "", goal: { atMost: 7 } },
    { what: `${name}, memory`, value: many.cold.rssMb, unit: "MB" },
  ];
}

/** Plans that find nothing to do, with and without a cache, and with a change in each project, or as many in the one. */
async function measurePlan(count: number, size: number) {
  const service = await startService();
  const root = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  const folders = Array.from({ length: count }, (_, index) => join(root, "tests", `project-${index}`));
  const cache = join(root, "cache");
  const env = { XDG_CACHE_HOME: cache };
  try {
    for (const [index, folder] of folders.entries())
      writeProjectInto(folder, { objects: size, url: service.url, start: (index * size) / objectsPerTestCase });
    await runLoadform(["apply", `${root}/tests/*`, "--auto-approve", "--parallelism", "64"], env);
    const where = count === 1 ? (folders[0] ?? "") : `${root}/tests/*`;
    const plan = (...more: readonly string[]) => runLoadform(["plan", where, "--json", ...more], env);
    await plan();
    const warm = await quickest(5, () => plan());
    const cold = await quickest(3, () => {
      rmSync(cache, { recursive: true });
      return plan();
    });
    for (let index = 0; index < projects; index++)
      changeOne(folders[index % count] ?? "", (index * objects) / objectsPerTestCase);
    return { warm, cold, changed: await quickest(3, () => plan("--no-rehearsal")) };
  } finally {
    await service.stop();
    rmSync(root, { recursive: true });
  }
}

function changeOne(folder: string, start: number): void {
  const path = join(folder, "load", `team-${start}.yaml`);
  writeFileSync(path, readFileSync(path, "utf8").replace("rampupSecs: 10", "rampupSecs: 11"));
}

function requestsOf({ stdout }: NodeRun): number {
  const document = JSON.parse(stdout) as { readonly projects: readonly { readonly requests: number }[] };
  return document.projects.reduce((sum, { requests }) => sum + requests, 0);
}

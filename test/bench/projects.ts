import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectsPerTestCase, writeProjectInto } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { type Pairs, pairsOf, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const [projects, objects] = [50, 100];

/** Pairs of plans: a single one tells little on a machine that has other work. */
const pairs = 9;

/** A plan of many small projects on one service over that of one project with as many objects. */
export async function measureProjects(): Promise<readonly Row[]> {
  const [many, one] = [await prepare(projects, objects), await prepare(1, projects * objects)];
  try {
    for (const { plan } of [many, one]) await plan();
    const warm = await pairsOf(pairs, many.plan, one.plan);
    const { lists, rssMb } = await listRequests(many);
    const cold = await pairsOf(pairs, many.coldPlan, one.coldPlan);
    for (const { change } of [many, one]) change();
    const changed = await pairsOf(pairs, many.changedPlan, one.changedPlan);
    const name = `plan of ${projects} projects of ${objects}`;
    return [
      ...Object.entries({ warm, cold, changed }).flatMap(([state, figures]) => rowsOf(`${name}, ${state}`, figures)),
      { what: `${name}, list requests`, value: lists, unit: "", goal: { atMost: 6 } },
      { what: `${name}, memory`, value: rssMb, unit: "MB" },
    ];
  } finally {
    for (const { remove } of [many, one]) await remove();
  }
}

function rowsOf(name: string, { ratio, leftMs, rightMs }: Pairs): readonly Row[] {
  return [
    { what: `${name}, CPU`, value: leftMs / 1000, unit: "s" },
    { what: `one project of ${projects * objects}, CPU`, value: rightMs / 1000, unit: "s" },
    { what: `${name}, over the one project, CPU`, value: ratio, unit: "x", goal: { atMost: 1.5 } },
  ];
}

/** Applied projects on a service of their own, and their plans. */
interface Prepared {
  /** Warm: nothing was changed since the last one. */
  readonly plan: (env?: Readonly<Record<string, string>>) => ReturnType<typeof runLoadform>;
  /** The same without any cache. */
  readonly coldPlan: () => ReturnType<typeof runLoadform>;
  /** After `change`, without its rehearsal. */
  readonly changedPlan: () => ReturnType<typeof runLoadform>;
  /** Changes so many objects as there are projects of the many, and as far apart. */
  readonly change: () => void;
  readonly remove: () => Promise<void>;
}

async function prepare(count: number, size: number): Promise<Prepared> {
  const service = await startService();
  const root = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  const folders = Array.from({ length: count }, (_, index) => join(root, "tests", `project-${index}`));
  const cache = join(root, "cache");
  for (const [index, folder] of folders.entries())
    writeProjectInto(folder, { objects: size, url: service.url, start: (index * size) / objectsPerTestCase });
  await runLoadform(["apply", `${root}/tests/*`, "--auto-approve", "--parallelism", "64"], { XDG_CACHE_HOME: cache });
  const where = count === 1 ? (folders[0] ?? "") : `${root}/tests/*`;
  const plan = (more: readonly string[], env = {}) =>
    runLoadform(["plan", where, "--json", ...more], { XDG_CACHE_HOME: cache, ...env });
  return {
    plan: (env) => plan([], env),
    coldPlan() {
      rmSync(cache, { recursive: true });
      return plan([]);
    },
    changedPlan: () => plan(["--no-rehearsal"]),
    change() {
      for (let index = 0; index < projects; index++)
        changeOne(folders[index % count] ?? "", (index * objects) / objectsPerTestCase);
    },
    async remove() {
      await service.stop();
      rmSync(root, { recursive: true });
    },
  };
}

function changeOne(folder: string, start: number): void {
  const path = join(folder, "load", `team-${start}.yaml`);
  writeFileSync(path, readFileSync(path, "utf8").replace("rampupSecs: 10", "rampupSecs: 11"));
}

/** Requests for lists of the organization that one plan sends. */
async function listRequests({ plan }: Prepared) {
  const { stderr, rssMb } = await plan({ LOADFORM_LOG: "debug" });
  const lists = stderr.split("\n").filter((line) => line.startsWith("GET /orgs/")).length;
  if (lists === 0) throw new Error(`found no request for a list; expected one line for each:\n${stderr}`);
  return { lists, rssMb };
}

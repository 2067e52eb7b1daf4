import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectsPerTestCase, writeProjectInto } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { type NodeRun, pairsOf, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

/** So many plans with a rehearsal and without. */
const pairs = 9;

interface Scene {
  readonly projects: number;
  /** In each project. */
  readonly objects: number;
  /** In each project, one after the other. */
  readonly changes: readonly number[];
}

const scenes: readonly Scene[] = [
  { projects: 1, objects: 5_000, changes: [0, 10, 500] },
  { projects: 50, objects: 100, changes: [1] },
];

/** The CPU time that a rehearsal costs beside that of its plan: medians of pairs. */
export async function measureRehearsal(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const scene of scenes) rows.push(...(await measureScene(scene)));
  return rows;
}

async function measureScene({ projects, objects, changes }: Scene): Promise<readonly Row[]> {
  const service = await startService();
  const root = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  const env = { XDG_CACHE_HOME: join(root, "cache") };
  const folders = Array.from({ length: projects }, (_, index) => join(root, "tests", `project-${index}`));
  const where = projects === 1 ? (folders[0] ?? "") : `${root}/tests/*`;
  try {
    for (const [index, folder] of folders.entries())
      writeProjectInto(folder, { objects, url: service.url, start: (index * objects) / objectsPerTestCase });
    await runLoadform(["apply", `${root}/tests/*`, "--auto-approve", "--parallelism", "16"], env);
    const rows: Row[] = [];
    for (const count of changes) {
      for (const folder of folders) changeConfigurations(folder, count);
      const name = `${count} of ${objects.toLocaleString("en")} changed${projects > 1 ? ` in each of ${projects}` : ""}`;
      rows.push(...(await measurePairs(name, (...more) => runLoadform(["plan", where, "--json", ...more], env))));
    }
    return rows;
  } finally {
    await service.stop();
    rmSync(root, { recursive: true });
  }
}

async function measurePairs(
  name: string,
  plan: (...more: readonly string[]) => Promise<NodeRun>,
): Promise<readonly Row[]> {
  // The first one after a change fills the caches for both.
  await plan();
  const { rightMs, ratio } = await pairsOf(pairs, plan, () => plan("--no-rehearsal"));
  return [
    { what: `plan with ${name}, CPU`, value: rightMs / 1000, unit: "s" },
    { what: "its rehearsal, CPU over that", value: ratio - 1, unit: "x", goal: { atMost: 1 } },
  ];
}

/** So many configurations ramp up a second later than before. */
function changeConfigurations(folder: string, count: number): void {
  let left = count;
  for (const file of readdirSync(join(folder, "load")).sort()) {
    const path = join(folder, "load", file);
    const text = readFileSync(path, "utf8");
    const changed = text.replaceAll(/rampupSecs: 10$/gm, (line) => (left-- > 0 ? "rampupSecs: 11" : line));
    if (changed !== text) writeFileSync(path, changed);
  }
  if (left > 0) throw new Error(`found ${count - left} configurations to change in ${folder}; expected ${count}`);
}

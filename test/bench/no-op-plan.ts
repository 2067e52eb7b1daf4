import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeProject } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { type NodeRun, quickest, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

/** Goals of docs/engine.md, Speed, by number of objects. */
interface SizeGoals {
  readonly wallS?: number;
  readonly cpuS: number;
  readonly rssMb: number;
  readonly coldCpuS?: number;
  readonly changedCpuS?: number;
}

/** Sizes and their goals; the last takes minutes to set up. */
const sizes: Readonly<Record<number, SizeGoals>> = {
  1000: { wallS: 0.35, cpuS: 0.25, rssMb: 100 },
  10000: { wallS: 0.8, cpuS: 0.3, rssMb: 200, coldCpuS: 1, changedCpuS: 0.7 },
  100000: { cpuS: 2, rssMb: 700, coldCpuS: 7 },
};

/** A plan that finds nothing to do, of so many objects. */
export async function measureNoOpPlan(objects: number, times = 5): Promise<{ rows: readonly Row[]; warm: NodeRun }> {
  const service = await startService();
  const folder = writeProject(objects, service.url);
  const cache = `${folder}-cache`;
  try {
    const env = { XDG_CACHE_HOME: cache };
    await runLoadform(["apply", folder, "--auto-approve", "--parallelism", "64"], env);
    const plan = () => runLoadform(["plan", folder, "--json"], env);
    // An apply remembers no plan: the first plan after it compares everything.
    await plan();
    const warm = await quickest(times, plan);
    const cold = await quickest(Math.min(times, 3), () => {
      rmSync(cache, { recursive: true });
      return plan();
    });
    change(folder, 10);
    const changed = await quickest(times, () => runLoadform(["plan", folder, "--json", "--no-rehearsal"], env));
    const stateMb = statSync(join(folder, ".loadform", "state.json")).size / 1e6;
    return { rows: rowsOf({ objects, warm, cold, changed, stateMb }), warm };
  } finally {
    await service.stop();
    for (const path of [folder, cache]) rmSync(path, { recursive: true });
  }
}

/** Changes one field of so many objects of one file. */
function change(folder: string, count: number): void {
  const path = join(folder, "load", "team-0.yaml");
  let left = count;
  const text = readFileSync(path, "utf8").replaceAll(/rampupSecs: 10$/gm, (line) =>
    left-- > 0 ? "rampupSecs: 11" : line,
  );
  writeFileSync(path, text);
}

interface Measured {
  readonly objects: number;
  readonly warm: NodeRun;
  readonly cold: NodeRun;
  /** With 10 objects to update. */
  readonly changed: NodeRun;
  readonly stateMb: number;
}

function rowsOf({ objects, warm, cold, changed, stateMb }: Measured): readonly Row[] {
  const name = `no-op plan of ${objects.toLocaleString("en")}`;
  const goals = sizes[objects] ?? { cpuS: Number.POSITIVE_INFINITY, rssMb: Number.POSITIVE_INFINITY };
  const { requests, summary } = JSON.parse(warm.stdout) as { requests: number; summary: { noop: number } };
  if (summary.noop < objects) throw new Error(`found ${summary.noop} objects without changes; expected ${objects}`);
  const updates = (JSON.parse(changed.stdout) as { summary: { update: number } }).summary.update;
  if (updates !== 10) throw new Error(`found ${updates} updates; expected 10`);
  const atMost = (goal: number | undefined) => (goal === undefined ? {} : { goal: { atMost: goal } });
  return [
    { what: `${name}, wall`, value: warm.wallMs / 1000, unit: "s", ...atMost(goals.wallS) },
    { what: `${name}, CPU`, value: warm.cpuMs / 1000, unit: "s", ...atMost(goals.cpuS) },
    { what: `${name}, memory`, value: warm.rssMb, unit: "MB", ...atMost(goals.rssMb) },
    { what: `${name}, requests`, value: requests, unit: "", goal: { atMost: 6 } },
    { what: `${name}, cold cache, CPU`, value: cold.cpuMs / 1000, unit: "s", ...atMost(goals.coldCpuS) },
    { what: `${name}, cold cache, memory`, value: cold.rssMb, unit: "MB" },
    {
      what: `plan with 10 of ${objects.toLocaleString("en")} changed, CPU`,
      value: changed.cpuMs / 1000,
      unit: "s",
      ...atMost(goals.changedCpuS),
    },
    { what: `${name}, state per 1,000`, value: (stateMb * 1000) / objects, unit: "MB" },
  ];
}

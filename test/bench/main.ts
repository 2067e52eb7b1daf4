import { measureApply } from "./apply.ts";
import { measureBridge } from "./bridge.ts";
import { measureImport } from "./import.ts";
import { quickest, runLoadform } from "./measure.ts";
import { measureModules } from "./modules.ts";
import { measureNoOpPlan } from "./no-op-plan.ts";
import { measurePage } from "./page.ts";
import { measureProjects } from "./projects.ts";
import { measureRehearsal } from "./rehearsal.ts";
import { measureRemoteState } from "./remote-state.ts";
import { measureRunHour } from "./run-hour.ts";
import { measureService } from "./service.ts";
import { measureStartUp } from "./start-up.ts";
import { type Row, rowText } from "./table.ts";
import { measureTerraform } from "./terraform.ts";
import { measureProvider } from "./terraform-provider.ts";
import { measureWatch } from "./watch.ts";

const wished = process.argv.slice(2).filter((word) => !word.startsWith("--"));

/** Prints the numbers of docs/engine.md, Speed, each beside its goal. Nothing fails when one is missed. */
const sections: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  "start-up": measureStartUp,
  plan: measurePlans,
  ...(process.argv.includes("--large") && { large: async () => (await measureNoOpPlan(100_000, 1)).rows }),
  projects: measureProjects,
  rehearsal: measureRehearsal,
  page: measurePage,
  import: measureImport,
  modules: measureModules,
  terraform: async () => [...(await measureBridge()), ...(await measureTerraform()), ...(await measureProvider())],
  apply: measureApply,
  state: measureRemoteState,
  service: measureService,
  run: measureRunHour,
  // Takes eight minutes, so it is measured only where it is named.
  ...(wished.includes("watch") && { watch: measureWatch }),
};

const usage = `npm run bench -- [--large] [${[...new Set([...Object.keys(sections), "watch"])].join("|")}]...`;

for (const [name, measure] of Object.entries(sections)) {
  if (wished.length > 0 && !wished.includes(name)) continue;
  for (const row of await measure()) process.stdout.write(`${rowText(row)}\n`);
}
process.stdout.write(`\n${usage}\n`);

async function measurePlans(): Promise<readonly Row[]> {
  const [small, large] = [await measureNoOpPlan(1_000), await measureNoOpPlan(10_000)];
  const { cpuMs: startUp } = await quickest(5, () => runLoadform(["--help"]));
  const ratio = (large.warm.cpuMs - startUp) / (small.warm.cpuMs - startUp);
  return [
    ...small.rows,
    ...large.rows,
    { what: "CPU beyond start-up, 10,000 over 1,000", value: ratio, unit: "x", goal: { atMost: 12 } },
  ];
}

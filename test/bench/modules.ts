import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "./bench-service.ts";
import { type NodeRun, pairsOf, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const instances = 200;
const scenarios = 9;
const configurations = 9;

/** A project of 200 instances of a module with 20 objects, over the same project as `loadform expand` writes it. */
export async function measureModules(): Promise<readonly Row[]> {
  const service = await startService();
  const folder = mkdtempSync(join(tmpdir(), "loadform-bench-modules-"));
  const [modular, flat, cache] = ["modular", "flat", "cache"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = { XDG_CACHE_HOME: cache };
  const plan = (dir: string) => runLoadform(["plan", dir, "--json"], env);
  const cold = (dir: string) => {
    rmSync(cache, { recursive: true });
    return plan(dir);
  };
  try {
    writeModular(modular, service.url);
    await runLoadform(["apply", modular, "--auto-approve", "--parallelism", "64"], env);
    const { stdout: text } = await runLoadform(["expand", modular], env);
    mkdirSync(flat);
    writeFileSync(join(flat, "loadform.yaml"), text.replace(".loadform/state.json", "../modular/.loadform/state.json"));
    for (const dir of [modular, flat]) expectNothing(await plan(dir));
    const warm = await pairsOf(
      11,
      () => plan(modular),
      () => plan(flat),
    );
    const cleared = await pairsOf(
      5,
      () => cold(modular),
      () => cold(flat),
    );
    return [
      {
        what: "plan of 200 × 20 in a module over the same expanded, warm, CPU",
        value: warm.ratio,
        unit: "x",
        goal: { atMost: 1.1 },
      },
      { what: "the same, cold cache, CPU", value: cleared.ratio, unit: "x", goal: { atMost: 1.1 } },
    ];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

function expectNothing({ stdout }: NodeRun): void {
  const { summary } = JSON.parse(stdout) as { summary: { noop: number; create: number; update: number } };
  if (summary.noop !== instances * (2 + scenarios + configurations) || summary.create + summary.update > 0)
    throw new Error(`found ${JSON.stringify(summary)}; expected nothing to change`);
}

function writeModular(folder: string, url: string): void {
  mkdirSync(join(folder, "modules"), { recursive: true });
  const entries = Array.from(
    { length: instances },
    (_, index) => `      s${index}: { path: /s${index}, users: ${(index % 9) + 1} }\n`,
  );
  writeFileSync(
    join(folder, "loadform.yaml"),
    `project: bench-modules\nservice: { url: "${url}" }\nuse:\n  all:\n    module: modules/api.yaml\n    forEach:\n${entries.join("")}`,
  );
  const many = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join("");
  writeFileSync(
    join(folder, "modules", "api.yaml"),
    `parameters: { path: {}, users: { type: number } }
testCases:
  api:
    description: Load on \${param:path}
    scenarios:
${many(scenarios, (index) => `      call-${index}: { script: "get('\${param:path}/${index}');" }\n`)}    gateways:
      shop: { url: "https://shop.example.com\${param:path}" }
    configurations:
${many(configurations, (index) => `      load-${index}: { scenario: call-${index}, durationSecs: 60, concurrentClients: "\${param:users}", providers: [{ provider: { id: 0 } }] }\n`)}`,
  );
}

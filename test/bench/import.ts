import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeProject } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { type NodeRun, quickest, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

/** An organization of that many objects into an empty folder. */
export async function measureImport(): Promise<readonly Row[]> {
  const [small, large] = [await importOf(1_000, 3), await importOf(10_000, 1)];
  const { cpuMs: startUp } = await quickest(5, () => runLoadform(["--help"]));
  const ratio = (large.cpuMs - startUp) / (small.cpuMs - startUp);
  const { requests, contents } = small;
  return [
    { what: "import of 1,000, wall", value: small.wallMs / 1000, unit: "s", goal: { atMost: 5 } },
    { what: "import of 1,000, CPU", value: small.cpuMs / 1000, unit: "s" },
    { what: "import of 1,000, requests", value: requests, unit: "", goal: { atMost: 6 + contents } },
    { what: "import of 10,000, wall", value: large.wallMs / 1000, unit: "s", goal: { atMost: 3.5 } },
    { what: "import of 10,000, CPU", value: large.cpuMs / 1000, unit: "s" },
    { what: "import CPU beyond start-up, 10,000 over 1,000", value: ratio, unit: "x", goal: { atMost: 12 } },
  ];
}

interface ImportRun extends NodeRun {
  readonly requests: number;
  /** Scripts and data files that were written. */
  readonly contents: number;
}

async function importOf(objects: number, times: number): Promise<ImportRun> {
  const service = await startService();
  const source = writeProject(objects, service.url);
  const folder = mkdtempSync(join(tmpdir(), "loadform-bench-import-"));
  // Each import has a folder of its own: a disk that has just deleted thousands of files makes new ones many times slower.
  let count = 0;
  const target = () => join(folder, `project-${count}`);
  try {
    await runLoadform(["apply", source, "--auto-approve", "--parallelism", "64"]);
    const run = await quickest(times, () => {
      count++;
      return runLoadform(["import", target(), "--all", "--json"], { LOADFORM_URL: service.url });
    });
    const document = JSON.parse(run.stdout) as { requests: number; objects: readonly unknown[] };
    if (document.objects.length < objects) throw new Error(`imported ${document.objects.length} objects`);
    const files = readdirSync(join(target(), "load"), { recursive: true, encoding: "utf8" });
    if (!existsSync(join(target(), "loadform.yaml"))) throw new Error("the import wrote no project");
    return { ...run, requests: document.requests, contents: files.filter((file) => file.endsWith(".js")).length };
  } finally {
    await service.stop();
    for (const each of [source, folder]) rmSync(each, { recursive: true });
  }
}

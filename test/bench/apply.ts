import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { objectsPerTestCase, writeProject } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { type NodeRun, quickest, runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const testCases = 100;
const objects = testCases * objectsPerTestCase;
const latencyMs = 50;
const parallelism = 16;

/** What an apply sends, in waves: test cases; scenarios and gateways; configurations. */
const waves = [testCases, 4 * testCases, 5 * testCases];
const idealMs = waves.reduce((sum, size) => sum + Math.ceil(size / parallelism) * latencyMs, 0);

const delayed = [
  ["POST", "/test-cases"],
  ["GET", "/test-cases"],
  ["POST", "/test-cases/:testCaseId/scripts"],
  ["POST", "/test-cases/:testCaseId/gateways"],
  ["POST", "/test-cases/:testCaseId/confs"],
];

/** An apply against a service that takes 50 ms for every answer, over what the waves alone would take; its rehearsal by a row of its own. */
export async function measureApply(): Promise<readonly Row[]> {
  const { wallMs, cpuMs, bytes } = await quickest(3, () => applyOnce("--no-rehearsal"));
  const rehearsed = await quickest(3, applyOnce);
  return [
    { what: "apply of 1,000 creates at 50 ms, wall", value: wallMs / 1000, unit: "s" },
    { what: "the same, over the ideal", value: wallMs / idealMs, unit: "x", goal: { atMost: 1.25 } },
    { what: "the same, CPU", value: cpuMs / 1000, unit: "s" },
    { what: "the same with its rehearsal, over the ideal", value: rehearsed.wallMs / idealMs, unit: "x" },
    {
      what: "state and journal per 1,000 creates",
      value: (bytes / 1e6) * (1000 / objects),
      unit: "MB",
      goal: { atMost: 5 },
    },
  ];
}

/** With the bytes of the state and of its journal at its greatest. */
async function applyOnce(...more: readonly string[]): Promise<NodeRun & { readonly bytes: number }> {
  const service = await startService();
  const folder = writeProject(objects, service.url);
  try {
    await service.call(
      "PUT",
      "/_loadform/faults",
      delayed.map(([method, path]) => ({ method, path, delayMs: latencyMs })),
    );
    const args = ["apply", folder, "--auto-approve", "--parallelism", String(parallelism), ...more];
    const watching = watchSize(join(folder, ".loadform", "state.json.journal"));
    const run = await runLoadform(args);
    return { ...run, bytes: watching() + statSync(join(folder, ".loadform", "state.json")).size };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The greatest size of a file that is gone at the end; the answer ends the watch. */
function watchSize(path: string): () => number {
  let greatest = 0;
  const look = () => {
    greatest = Math.max(greatest, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    return greatest;
  };
}

import { availableParallelism, loadavg } from "node:os";
import { defineConfig } from "vitest/config";
import { allocatorVariables } from "./src/cli/prepare-engine.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { testProjects } from "./test/support/test-projects.ts";

// A certificate bundle named here costs every child process about 50 ms of start-up.
delete process.env.NODE_EXTRA_CA_CERTS;

// Every process of the tests makes much and ends soon.
for (const [name, value] of Object.entries(allocatorVariables)) process.env[name] ??= value;

// A developer's own service settings must not reach the tests.
const ours = ["LOADFORM_DEEP", "LOADFORM_RUNS", "LOADFORM_SEED", "LOADFORM_SLOW", "LOADFORM_TESTS"];
for (const name of Object.keys(process.env))
  if (name.startsWith("LOADFORM_") && !ours.includes(name)) delete process.env[name];

/** How many times slower than a quiet one this machine is taken to be: LOADFORM_SLOW, else processes waiting per core. */
const slowness = Number(process.env.LOADFORM_SLOW ?? Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
const isLong = process.env.LOADFORM_DEEP === "1" || process.env.LOADFORM_RUNS !== undefined;
const hour = 3_600_000;

const { unit, engine, slow, merge } = testProjects();
/** What only a merge needs is run by `npm run verify`, by the deep run, and where somebody names a file or a folder. */
const isMerge =
  process.env.LOADFORM_TESTS === "all" || isLong || process.argv.slice(3).some((word) => !word.startsWith("-"));

/** Only a test that hangs reaches its limit: the longest one takes a tenth of it on a quiet machine. */
const project = (
  name: string,
  include: readonly string[],
  more: { groupOrder: number; seconds: number; retry: number; workers?: number },
) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    // The files of a project share their workers: loading the sources anew for each took longer than the tests did.
    isolate: false,
    sequence: { groupOrder: more.groupOrder },
    testTimeout: isLong ? 6 * hour : more.seconds * 1000 * slowness,
    retry: more.retry,
    // What mostly waits for other processes leaves a core free.
    maxWorkers: more.workers ?? 2,
    hookTimeout: more.seconds * 1000 * slowness,
  },
});

/** A file computes for a third of its time or less, and waits for the rest: five of them had a core and a half busy. */
const raced = { groupOrder: 3, seconds: 180, retry: isLong ? 0 : 1, workers: 6 };

export default defineConfig({
  test: {
    pool: "forks",
    // The bundled command line runs as it is: see test/support/run-cli.ts.
    server: { deps: { external: [/loadform-cli-[0-9a-f]/] } },
    // The pages of the service hold their style sheets as text; otherwise those would be empty here.
    css: true,
    // A snapshot is on record or the test fails; `vitest run -u` records it.
    update: "none",
    // Sources as vitest loads them are stored in node_modules by their content, once for all projects: each would make its own.
    experimental: { fsModuleCache: true },
    reporters: ["./test/support/count-reporter.ts"],
    sequence: { sequencer: LongestFirst },
    // A second is short for a process that starts beside five others; only what does not come at all waits so long.
    expect: { poll: { timeout: 20_000 } },
    coverage: { provider: "v8", include: ["src/**/*.ts"] },
    projects: [
      project("unit", unit, { groupOrder: 1, seconds: 30, retry: 0 }),
      project("engine", engine, { groupOrder: 2, seconds: 60, retry: 0 }),
      // These race with real processes: what passes on the second try is printed as FLAKY, and is a defect to be mended.
      // Before a merge they share the workers with what only a merge needs, so that those of one wait beside those of the other.
      project("slow", slow, raced),
      ...(isMerge ? [project("merge", merge, raced)] : []),
    ],
  },
});

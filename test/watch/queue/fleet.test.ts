// merge: many processes for half a minute; work-queue.test.ts proves the same with workers in one process
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isDeep } from "../../support/deep.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { makeDatabase, query } from "../../support/queue-fleet.ts";
import { queued, type queueWorkerMain, twiceAtATime, type WorkerLine } from "../../support/queue-worker.ts";
import { slownessNow } from "../../support/slowness-now.ts";
import { repository } from "../../support/source-files.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const count = isDeep ? 100 : 40;
const folder = mkdtempSync(join(tmpdir(), "loadform-fleet-"));
const program = join(folder, "worker.mjs");
let server: TestPostgres;
const started: ChildProcess[] = [];

async function buildProgram(): Promise<void> {
  const main: typeof queueWorkerMain.name = "queueWorkerMain";
  await build({
    stdin: {
      contents: `import { ${main} } from "./test/support/queue-worker.ts"; await ${main}(process.argv[2]);`,
      resolveDir: repository,
    },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    ...{ bundle: true, format: "esm", platform: "node", external: ["pg-native"], outfile: program, logLevel: "error" },
  });
}

function startWorker(task: object, lines: WorkerLine[]): ChildProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ["ignore", "pipe", "inherit"] });
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(JSON.parse(line) as WorkerLine));
  started.push(child);
  return child;
}

describe.runIf(hasPostgres())("a fleet of worker processes", () => {
  beforeAll(async () => {
    [server] = await Promise.all([startPostgres(), buildProgram()]);
  });
  afterAll(async () => {
    for (const child of started) child.kill("SIGKILL");
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("of which two are killed checks every project within two intervals, never twice at a time", async () => {
    // On a busy machine a round takes longer, and the interval with it.
    const intervalSecs = Math.min(20, Math.max(5, Math.ceil(2 * (await slownessNow()))));
    const projects = Array.from({ length: count }, (_, index) => queued(`p${index}`, { intervalSecs }));
    const lines: WorkerLine[] = [];
    const database = { url: await makeDatabase(server.url) };
    const workers = ["1", "2", "3", "4"].map((worker) => ({
      worker,
      child: startWorker({ worker, database, projects, slots: 4, checkMs: 150, turnMs: 500 }, lines),
    }));
    await pause(1.2 * intervalSecs * 1000);
    const killed = await Promise.all(workers.slice(0, 2).map((each) => killAmidst(each, lines)));
    await pause(2.2 * intervalSecs * 1000);
    const until = Date.now();
    const all = [...lines, ...killed.flat()].sort((one, other) => one.at - other.at);
    expect(killed.map((lost) => lost.length > 0)).toEqual([true, true]);
    expect(twiceAtATime(all)).toEqual([]);
    const gaps = projects.map(({ name }) => longestGap(all, name, until)).sort((one, other) => one - other);
    const checks = all.filter(({ is }) => is === "began").length;
    const taken = killed.flat().map(({ of }) => longestGap(all, of, until));
    console.log(
      `${checks} checks of ${count} projects, interval ${intervalSecs} s; between two of a project at most ${gaps.at(-1)} ms (median ${gaps[count / 2]} ms), of those of killed workers ${Math.max(...taken)} ms`,
    );
    expect(gaps.at(-1)).toBeLessThanOrEqual(2 * intervalSecs * 1000);
  });

  test("costs little while nothing is due", async () => {
    const url = await makeDatabase(server.url);
    const projects = Array.from({ length: 200 }, (_, index) => queued(`p${index}`, { intervalSecs: 3_600 }));
    const lines: WorkerLine[] = [];
    startWorker({ worker: "1", database: { url }, projects, slots: 50, checkMs: 1, turnMs: 1_000 }, lines);
    while (lines.filter(({ is }) => is === "ended").length < 200) await pause(100);
    // What a session did is counted ten seconds after it became idle, at the latest.
    await pause(11_000);
    const figures = async () => {
      const name = new URL(url).pathname.slice(1);
      const [row] = await query(server.url, "SELECT xact_commit AS n FROM pg_stat_database WHERE datname = $1", [name]);
      return { transactions: Number(row?.["n"]), usage: Number(lines.filter(({ is }) => is === "used").at(-1)?.of) };
    };
    const before = await figures();
    const from = Date.now();
    await pause(4_000);
    const after = await figures();
    const secs = (Date.now() - from) / 1000;
    const perSecond = (after.transactions - before.transactions) / secs;
    const share = (after.usage - before.usage) / (secs * 1_000_000);
    console.log(
      `idle over 200 projects: ${perSecond} transactions per second, ${(100 * share).toFixed(2)} % of a core`,
    );
    expect(perSecond).toBeLessThan(10);
    expect(share).toBeLessThan(0.05 * (await slownessNow()));
  });
});

/** Kills a worker that has checks under way, and answers that they ended by that. */
async function killAmidst(
  { worker, child }: { readonly worker: string; readonly child: ChildProcess },
  lines: readonly WorkerLine[],
): Promise<readonly WorkerLine[]> {
  const under = () => {
    const running = new Set<string>();
    for (const line of lines.filter((each) => each.worker === worker)) {
      if (line.is === "began") running.add(line.of);
      if (line.is === "ended") running.delete(line.of);
    }
    return [...running];
  };
  while (under().length < 2) await pause(5);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  await pause(50);
  const at = Date.now();
  return under().map((of) => ({ worker, is: "lost", of, at }));
}

/** Between the ends of two checks. */
function longestGap(lines: readonly WorkerLine[], project: string, until: number): number {
  const ended = lines.filter(({ is, of }) => is === "ended" && of === project).map(({ at }) => at);
  const moments = [...ended, until];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}

// merge: real workers and checks for a minute; test/watch/queue/work-queue.test.ts proves the queue with workers in one process
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isDeep } from "../support/deep.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeDatabase } from "../support/queue-fleet.ts";
import { type RunningService, startService } from "../support/served-project.ts";
import { startWatcher, watchedRepository } from "../support/watched-repository.ts";

const [count, leastInterval] = isDeep ? [100, 60] : [3, 8];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** The variable by which a check's process says which project it is of. */
const mark = "CHECKED_PROJECT";

let server: TestPostgres;
let service: RunningService;
const children: ChildProcess[] = [];

/** Projects of the checks under way, each as often as it has processes; children of a check's process do not count. */
function underWay(): readonly string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, "utf8").includes("watch-check")) return [];
      const environment = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      return environment.flatMap((each) => (each.startsWith(`${mark}=`) ? [each.slice(mark.length + 1)] : []));
    } catch {
      return [];
    }
  });
}

/** Looks at the processes until it is stopped, and answers which projects were ever checked twice at a time. */
function lookForDoubles() {
  const doubled = new Set<string>();
  let looks = 0;
  const timer = setInterval(() => {
    const found = underWay();
    looks++;
    for (const [index, name] of found.entries()) if (found.indexOf(name) !== index) doubled.add(name);
  }, 200);
  return () => {
    clearInterval(timer);
    return { doubled: [...doubled], looks };
  };
}

describe.runIf(hasPostgres())("four workers", () => {
  beforeAll(async () => {
    [server, service] = await Promise.all([startPostgres(), startService()]);
  });
  // A second try finds no workers of the first.
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  afterAll(async () => {
    await service?.stop("SIGKILL");
    await server?.stop();
  });

  test(`of which two are killed check each of ${count} projects within two intervals, never twice at a time`, async () => {
    const names = Array.from({ length: count }, (_, index) => `p${index}`);
    const repository = watchedRepository(names, service.ready.url);
    repository.commit("first");
    const database = await makeDatabase(server.url);
    const configOf = (interval: number) => ({
      projects: names.map((name) => ({
        ...{ name, target: service.ready.url, heal: "git", interval },
        git: { url: repository.folder, branch: "main", path: name },
        pass: { LOADFORM_API_KEY: "${env:KEY}", STATE_URL: "${env:STATE}", [mark]: name },
      })),
    });
    const env = { LOADFORM_QUEUE: database, KEY: service.ready.apiKey, STATE: database };
    const intervalSecs = Math.max(leastInterval, Math.ceil((2 * (await roundMs(configOf(leastInterval), env))) / 1000));
    const intervalMs = intervalSecs * 1000;
    const config = configOf(intervalSecs);
    const workers = await Promise.all([1, 2, 3, 4].map(() => startWatcher(config, env, ["--queue", "--json"])));
    children.push(...workers.map(({ child }) => child));
    const stopLooking = lookForDoubles();
    const checks = () => workers.flatMap(({ said }) => linesOf(said()));
    while (new Set(checks().map(({ project }) => project)).size < count) await pause(200);
    await pause(intervalMs / 2);
    for (const { child } of workers.slice(0, 2)) {
      while (underWay().length === 0) await pause(5);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    const killedAt = Date.now();
    await pause(2.2 * intervalMs);
    const until = Date.now();
    const { doubled, looks } = stopLooking();
    const all = checks();
    const gaps = names.map((name) => longestGap(all, name, until)).sort((one, other) => one - other);
    const after = new Set(all.filter(({ at }) => Date.parse(at) > killedAt).map(({ project }) => project));
    console.log(
      `${all.length} checks of ${count} projects, interval ${intervalSecs} s: between two of a project at most ${gaps.at(-1)} ms (median ${gaps[Math.floor(count / 2)]} ms); ${looks} looks at the processes`,
    );
    expect(doubled).toEqual([]);
    expect(after.size).toBe(count);
    expect(gaps.at(-1)).toBeLessThanOrEqual(2 * intervalMs);
    expect(new Set(all.filter(({ at }) => Date.parse(at) > killedAt).map(({ state }) => state))).toEqual(
      new Set(["in-sync"]),
    );
  }, 1_800_000);
});

/** The milliseconds that this machine takes to check every project once, beside whatever else it does now. */
async function roundMs(config: unknown, env: Readonly<Record<string, string>>): Promise<number> {
  const { LOADFORM_QUEUE: _, ...alone } = env;
  const begun = performance.now();
  const { child } = await startWatcher(config, alone, ["--once"]);
  await once(child, "exit");
  return performance.now() - begun;
}

interface CheckLine {
  readonly at: string;
  readonly project: string;
  readonly state: string;
  readonly ms: number;
}

function linesOf(said: string): readonly CheckLine[] {
  const whole = said.slice(0, said.lastIndexOf("\n") + 1).split("\n");
  return whole.flatMap((line) => (line.startsWith('{"at"') ? [JSON.parse(line) as CheckLine] : []));
}

/** Between two checks of a project, and since its last one; milliseconds. */
function longestGap(lines: readonly CheckLine[], project: string, until: number): number {
  const moments = lines
    .filter((line) => line.project === project)
    .map(({ at }) => Date.parse(at))
    .sort((one, other) => one - other);
  return Math.max(...[...moments.slice(1), until].map((at, index) => at - (moments[index] ?? at)));
}

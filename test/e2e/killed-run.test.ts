import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isDeep, isVerify } from "../support/deep.ts";
import { repeat } from "../support/repeat.ts";
import { type RunningService, servedProject, startService } from "../support/served-project.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";

const text = `project: shop
gates:
  release:
    configuration: checkout/smoke
    kpis: ["Outcome[success] > 95%", { expr: "firstReceivedMs[p95] < 30s", breakOnFail: true }]
    tags: [gate]
testCases:
  checkout:
    scenarios:
      browse: { script: 'require("https").get("https://shop.example.com/", (response) => response.resume());' }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 2
        durationSecs: 60
        rampupSecs: 0
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], numRegions: 1 }]
`;
/** What each file ends with when it is whole. */
const outputs: Readonly<Record<string, string>> = {
  "run.xml": "</testsuites>\n",
  "run.html": "</html>\n",
  "run.md": "\n",
};
const asked = ["run", "--junit", "run.xml", "--html", "run.html", "--markdown", "run.md"];

/** When the process is killed: at its request of this number, or at this change in its folder. */
type Point =
  | { readonly at: number; readonly when: "before" | "unanswered" | "answered" }
  | { readonly at: number; readonly when: "written" };

/** Services that no point uses now: each has one for itself. */
const idle: RunningService[] = [];
const all: RunningService[] = [];
afterAll(() => Promise.all(all.map((each) => each.stop("SIGTERM"))));

async function withService<T>(use: (service: RunningService) => Promise<T>): Promise<T> {
  const service = idle.pop() ?? (await startService());
  if (!all.includes(service)) all.push(service);
  await service.call("POST", "/_loadform/reset");
  await service.call("PUT", "/_loadform/clock", { mode: "frozen" });
  return use(service).finally(() => idle.push(service));
}

const advance = (service: RunningService, seconds: number) =>
  service.call("POST", "/_loadform/clock/advance", { ms: seconds * 1000 });

interface Run {
  readonly id: number;
  readonly completed: boolean;
}

const runsOf = async (service: RunningService) =>
  (await service.call("GET", "/test-confs/1/executions")).body as readonly Run[];

/**
 * Starts a run that its second look finds under way and its third one ended, and kills it at a point. What comes after it is asked of the
 * service on the same way, uncounted.
 */
async function withKilled(service: RunningService, point: Point | undefined, check: (killed: Killed) => Promise<void>) {
  let child: ChildProcess | undefined;
  let [before, looks, changes] = [Number.POSITIVE_INFINITY, 0, 0];
  const killed = { isHit: false, isStarted: false };
  const isAt = (at: number, when: Point["when"]) => point?.at === at && point.when === when;
  const kill = async () => {
    killed.isHit = true;
    const isRunning = child?.exitCode === null && child.signalCode === null;
    const closed = isRunning && child ? once(child, "close") : undefined;
    child?.kill("SIGKILL");
    await closed;
  };
  const proxy = await startCuttingProxy(service.ready.url, {
    async arrived(line, count) {
      if (/^GET \/executions\/1(\?|$)/.test(line) && count > before && ++looks <= 3)
        await advance(service, looks === 1 ? 0 : 35);
      if (!isAt(count - before, "before")) return true;
      await kill();
      return false;
    },
    async answered(line, count) {
      if (isStart(line)) killed.isStarted = true;
      if (!isAt(count - before, "unanswered")) return true;
      await kill();
      return false;
    },
    delivered: (_, count) => void (isAt(count - before, "answered") && kill()),
  });
  const project = servedProject(service, text, { LOADFORM_URL: proxy.url });
  await project.run("apply", "--auto-approve");
  before = proxy.lines.length;
  const watching = watch(project.cwd, () => void (isAt(++changes, "written") && kill()));
  child = await project.start(...asked);
  child.stdout?.resume();
  child.stderr?.resume();
  const [code] = (await once(child, "close")) as [number | null];
  watching.close();
  const lines = proxy.lines.slice(before);
  before = Number.POSITIVE_INFINITY;
  await check({ ...killed, project, lines, changes, code }).finally(proxy.close);
}

interface Killed {
  readonly project: ReturnType<typeof servedProject>;
  /** The requests that the run made. */
  readonly lines: readonly string[];
  /** Changes in its folder while it wrote. */
  readonly changes: number;
  readonly code: number | null;
  readonly isHit: boolean;
  /** The service has started the run. */
  readonly isStarted: boolean;
}

const isStart = (line: string) => line === "POST /test-confs/1/executions";

/** Nothing worse was left than a run that is under way, which whoever looks for it finds. */
async function expectOneRunAtMost(service: RunningService, { project, isStarted }: Killed): Promise<void> {
  const runs = await runsOf(service);
  expect(runs.length).toBe(isStarted ? 1 : 0);
  for (const [file, end] of Object.entries(outputs)) {
    const path = join(project.cwd, file);
    if (existsSync(path)) expect(readFileSync(path, "utf8").endsWith(end)).toBe(true);
  }
  if (runs[0] === undefined) {
    const shown = await project.run("report");
    expect([shown.code, shown.stdout, shown.stderr]).toEqual([1, "", expect.stringContaining("has been run")]);
    expect((await project.run("run", "--no-wait")).code).toBe(0);
    return expect(await runsOf(service)).toHaveLength(1);
  }
  if (!runs[0].completed) {
    const next = await project.run("run");
    expect([next.code, next.stderr]).toEqual([3, expect.stringMatching(/LF7002[\s\S]*is running: 1/)]);
    const shown = await project.run("report", "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ runs: [{ execution: 1, verdict: "unknown" }] });
    expect(await runsOf(service)).toHaveLength(1);
    await advance(service, 70);
  }
  const passed = { runs: [{ execution: 1, verdict: "passed" }] };
  for (const command of [["run", "--execution", "1"], ["report", "--execution", "1"], ["report"]])
    expect(JSON.parse((await project.run(...command, "--json")).stdout)).toMatchObject(passed);
  expect(await runsOf(service)).toHaveLength(1);
}

describe("kill -9 of a run", () => {
  it("at every request and every file leaves a run that is found, or none", async () => {
    let whole: Killed | undefined;
    await withService((service) =>
      withKilled(service, undefined, async (killed) => {
        whole = killed;
        expect(killed.code).toBe(0);
        await expectOneRunAtMost(service, killed);
      }),
    );
    const { lines = [], changes = 0 } = whole ?? {};
    const start = lines.findIndex(isStart) + 1;
    const moments = ["before", "unanswered", "answered"] as const;
    const requests = lines.flatMap((_, index) => moments.map((when): Point => ({ at: index + 1, when })));
    const files = Array.from({ length: changes }, (_, index): Point => ({ at: index + 1, when: "written" }));
    const sample: readonly Point[] = [
      { at: start, when: "before" },
      { at: start, when: "unanswered" },
      { at: 1, when: "written" },
    ];
    const points = isDeep ? [...requests, ...files] : sample.slice(isVerify ? 0 : 1);
    let hits = 0;
    await repeat(points.length, isDeep ? 4 : 3, (round) =>
      withService((service) =>
        withKilled(service, points[round], async (killed) => {
          if (killed.isHit) hits++;
          if (killed.code !== null) expect(killed.code).toBe(0);
          await expectOneRunAtMost(service, killed);
        }),
      ),
    );
    console.log(
      `kill -9 of a run: ${hits} of ${points.length} kills, at ${lines.length} requests and ${changes} changes of files`,
    );
    expect(hits).toBeGreaterThanOrEqual(Math.ceil(points.length * 0.9));
  });
});

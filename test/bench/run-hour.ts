import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchService, startService } from "./bench-service.ts";
import { program, run } from "./measure.ts";
import type { Row } from "./table.ts";

/** As many times as fast as the real one is the clock of the service and of whoever follows the run. */
const speed = 30;
const hourSecs = 3600;

const clock = join(import.meta.dirname, "fast-clock.cjs");
const regions = Array.from({ length: 10 }, (_, index) => `region-${index}`);

/** A gate as a pipeline has one: figures that the summary has, one that it lacks, and one that may stop the run. */
const project = `project: shop
gates:
  release:
    configuration: shop/hour
    kpis:
      - Outcome[success] > 95%
      - firstReceivedMs[p95] < 30s
      - { expr: "count > 10", breakOnFail: true }
testCases:
  shop:
    scenarios:
      browse: { script: 'require("https").get("https://shop.example.com/", (response) => response.resume());' }
    configurations:
      hour:
        scenario: browse
        concurrentClients: 100
        durationSecs: ${hourSecs}
        rampupSecs: 0
        iterationSleepSecs: 30
        providers: [{ provider: { id: 1 }, regions: [${regions.join(", ")}] }]
`;

/**
 * A run of a whole hour in ten regions, started and followed by `loadform run` over HTTP: the requests that it makes in a second of
 * the run's time, and its greatest memory over a Node that does nothing, with its outputs and without.
 */
export async function measureRunHour(): Promise<readonly Row[]> {
  const plain = await followHour([]);
  const written = await followHour(["--html", "run.html", "--junit", "run.xml"]);
  const { residentMb: node } = await residentOf(["-e", "0"]);
  return [
    {
      what: "an hour in 10 regions, followed: seconds of the run",
      value: plain.secs,
      unit: "s",
      goal: { atLeast: hourSecs },
    },
    { what: "the same: looks at the run", value: plain.looks, unit: "" },
    { what: "the same: requests per second of the run", value: plain.perSecond, unit: "per s", goal: { atMost: 0.5 } },
    {
      what: "the same: greatest memory over node -e 0",
      value: plain.residentMb - node,
      unit: "MB",
      goal: { atMost: 60 },
    },
    { what: "the same with page and JUnit", value: written.residentMb - node, unit: "MB" },
  ];
}

/** Follows an hour to its end at a service of its own. */
async function followHour(outputs: readonly string[]) {
  const service = await startService();
  const { now } = (await service.call("PUT", "/_loadform/clock", { mode: "frozen" })) as { readonly now: string };
  await service.call("POST", "/providers", { name: "Own", providerType: "Shared", organizationId: 1, metadata: {} });
  for (const name of regions) await service.call("POST", "/orgs/1/regions", { name, providerId: 1 });
  const cwd = mkdtempSync(join(tmpdir(), "loadform-bench-"));
  writeFileSync(join(cwd, "loadform.yaml"), project);
  const env = { LOADFORM_URL: service.url, BENCH_NOW: String(Date.parse(now)), BENCH_SPEED: String(speed) };
  await run(process.execPath, [program, "apply", "--auto-approve"], { cwd, env });
  await service.call("DELETE", "/_loadform/requests");
  const moved = moveClock(service);
  const { residentMb } = await residentOf([program, "run", "--timeout", "600", ...outputs], { cwd, env });
  await moved.stop();
  const asked = ((await service.call("GET", "/_loadform/requests")) as readonly { readonly path: string }[]).filter(
    ({ path }) => !path.startsWith("/_loadform/"),
  );
  const { startedAt, finishedAt } = (await service.call("GET", "/executions/1")) as Readonly<Record<string, string>>;
  await service.stop();
  const secs = (Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "")) / 1000;
  const looks = asked.filter(({ path }) => path.endsWith("/executions/1")).length;
  return { secs, looks, perSecond: asked.length / secs, residentMb };
}

/** Moves the clock of a service on as fast as that of the followed process runs. */
function moveClock(service: BenchService) {
  const begun = performance.now();
  let [isOver, moved] = [false, 0];
  const work = async () => {
    while (!isOver) {
      const ms = Math.floor((performance.now() - begun) * speed) - moved;
      moved += ms;
      await service.call("POST", "/_loadform/clock/advance", { ms });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const done = work();
  return {
    async stop() {
      isOver = true;
      await done;
    },
  };
}

async function residentOf(args: readonly string[], options: Parameters<typeof run>[2] = {}) {
  const { used } = await run(process.execPath, ["--require", clock, ...args], options);
  return JSON.parse(used) as { readonly residentMb: number };
}

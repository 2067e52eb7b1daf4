// merge: journeys over HTTP in real time; the same in virtual time are in test/run
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { slownessNow } from "../support/slowness-now.ts";

const text = (secs = 3_600) => `project: shop
gates:
  release: { configuration: checkout/long, kpis: ["Outcome[success] > 95%"] }
testCases:
  checkout:
    scenarios:
      browse: { script: 'require("https").get("https://shop.example.com/", (response) => response.resume());' }
    configurations:
      long: &load
        scenario: browse
        concurrentClients: 2
        durationSecs: ${secs}
        rampupSecs: 0
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], numRegions: 1 }]
      other: *load
`;

interface Run {
  readonly id: number;
  readonly completed: boolean;
  readonly cancelledByUser: boolean;
}

describe("run at a service over HTTP", () => {
  const service = sharedService();
  /** An apply creates configurations at the same time, so any id may be that of one. */
  const executionsOf = async (conf: "long" | "other") => {
    const { body } = await service.call("GET", "/test-cases/1/confs");
    const found = (body as readonly { readonly id: number; readonly name: string }[]).find(({ name }) => name === conf);
    return `/test-confs/${found?.id}/executions`;
  };
  const runsOf = async (conf: "long" | "other" = "long") =>
    (await service.call("GET", await executionsOf(conf))).body as readonly Run[];

  /** An applied project with a run under way. */
  async function running(...flags: string[]) {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    const child = await project.start("run", ...flags);
    let stderr = "";
    child.stderr.on("data", (part: Buffer) => {
      stderr += part.toString();
    });
    child.stdout.resume();
    const closed = once(child, "close");
    const signal = async (name: NodeJS.Signals) => {
      const at = Date.now();
      child.kill(name);
      const [code] = (await closed) as [number | null];
      return { code, tookMs: Date.now() - at, stderr };
    };
    return { project, signal, stderr: () => stderr };
  }
  const started = (of: { stderr: () => string }, times = 1) =>
    expect.poll(() => of.stderr().match(/was started/g)?.length ?? 0, { timeout: 20_000, interval: 20 }).toBe(times);

  it("is started beside a run of a configuration that is no longer declared, and not with a state of another service", async () => {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    expect((await project.run("run", "--configuration", "checkout/other", "--no-wait")).code).toBe(0);
    project.write(text().replace("      other: *load\n", ""));
    expect(await project.run("run", "--no-wait")).toMatchObject({ code: 0 });
    expect([(await runsOf("other")).length, (await runsOf("long")).length]).toEqual([1, 1]);
    const many = Array.from({ length: 10 }, (_, at) => `  more-${at}: {}\n`).join("");
    project.write(text() + many);
    await project.run("apply", "--auto-approve");
    await service.call("POST", "/_loadform/reset");
    const { code, stderr } = await project.run("run", "--stale-ok");
    expect([code, stderr]).toEqual([3, expect.stringContaining("LF4008")]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("is stopped by %s within 7 s, and the report finds it", async (name, code) => {
    const run = await running();
    await started(run);
    const ended = await run.signal(name);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining("loadform report --execution 1")]);
    expect(ended.tookMs).toBeLessThan(7_000 * (await slownessNow()));
    await expect
      .poll(async () => (await runsOf())[0], { timeout: 20_000 })
      .toMatchObject({ completed: true, cancelledByUser: true });
    const report = await run.project.run("report", "--execution", "1", "--json");
    expect([report.code, JSON.parse(report.stdout)]).toMatchObject([
      0,
      { runs: [{ execution: 1, verdict: "stopped" }] },
    ]);
  });

  it("is stopped with all others of the command", async () => {
    const run = await running("--configuration", "checkout/long", "--configuration", "checkout/other");
    await started(run, 2);
    expect((await run.signal("SIGINT")).code).toBe(130);
    const stopped = { cancelledByUser: true };
    await expect
      .poll(async () => [...(await runsOf("long")), ...(await runsOf("other"))])
      .toMatchObject([stopped, stopped]);
  });

  it("is reported with the gates that were not started", async () => {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    const configurations = ["--configuration", "checkout/long", "--configuration", "checkout/other"];
    const child = await project.start("run", ...configurations, "--at-once", "1", "--json", "--junit", "j.xml");
    let stdout = "";
    child.stdout.on("data", (part: Buffer) => {
      stdout += part.toString();
    });
    child.stderr.resume();
    const closed = once(child, "close");
    await expect.poll(async () => (await runsOf("long")).length, { timeout: 20_000 }).toBe(1);
    child.kill("SIGINT");
    expect(await closed).toEqual([130, null]);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        { execution: 1 },
        { execution: null, verdict: "error", reasons: ["the command was interrupted before it"] },
      ],
    });
    expect(readFileSync(join(project.cwd, "j.xml"), "utf8")).toContain("the command was interrupted before it");
    expect(await runsOf("other")).toEqual([]);
  });

  it("is stopped although the answer to its start does not come", async () => {
    await service.call("PUT", "/_loadform/faults", [
      { method: "POST", path: "/test-confs/:confId/executions", delayMs: 20_000 },
    ]);
    const run = await running();
    await expect.poll(async () => (await runsOf()).length, { timeout: 20_000 }).toBe(1);
    const ended = await run.signal("SIGINT");
    expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining("--execution 1")]);
    expect(ended.tookMs).toBeLessThan(7_000 * (await slownessNow()));
    await expect.poll(async () => (await runsOf())[0]).toMatchObject({ cancelledByUser: true });
  });

  it("that is not waited for is stopped when the signal comes before its answer", async () => {
    await service.call("PUT", "/_loadform/faults", [
      { method: "POST", path: "/test-confs/:confId/executions", delayMs: 1_500 },
    ]);
    const run = await running("--no-wait");
    await expect.poll(async () => (await runsOf()).length, { timeout: 20_000 }).toBe(1);
    expect((await run.signal("SIGINT")).code).toBe(130);
    await expect.poll(async () => (await runsOf())[0]).toMatchObject({ cancelledByUser: true });
  });

  it("goes on after kill -9, is in the way of the next one, and is judged when it has ended", async () => {
    const run = await running();
    await started(run);
    expect((await run.signal("SIGKILL")).code).toBe(null);
    expect((await runsOf()).map(({ completed }) => completed)).toEqual([false]);
    const report = await run.project.run("report", "--json");
    expect([report.code, JSON.parse(report.stdout)]).toMatchObject([
      0,
      {
        runs: [
          {
            ...{ execution: 1, verdict: "unknown", reasons: [expect.stringContaining("under way")] },
            kpis: [{ value: null }],
          },
        ],
      },
    ]);
    const next = await run.project.run("run");
    expect([next.code, next.stderr]).toEqual([3, expect.stringMatching(/LF7002[\s\S]*is running: 1/)]);
    await service.call("PUT", "/_loadform/clock", { mode: "frozen" });
    await service.call("POST", "/_loadform/clock/advance", { ms: 3_700_000 });
    expect((await run.project.run("run", "--execution", "1", "--json")).stdout).toContain('"verdict": "passed"');
    await service.call("PUT", "/_loadform/clock", { mode: "real" });
  });

  it("is only started with --no-wait", async () => {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    // Nobody would wait for the end of the first before the second.
    const twice = await project.run("run", "--gate", "release", "--configuration", "checkout/long", "--no-wait");
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining("would run twice at once")]);
    const { code, stdout } = await project.run("run", "--no-wait");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/unknown \(simulated\)[\s\S]*execution 1/)]);
    expect(await runsOf()).toHaveLength(1);
    const report = JSON.parse((await project.run("report", "--json")).stdout) as unknown;
    expect(report).toMatchObject({ runs: [{ execution: 1, verdict: "unknown", simulated: true }] });
    const live = await project.run("run", "--live");
    expect([live.code, live.stderr]).toEqual([1, expect.stringContaining("--live is for memory:FILE")]);
  });

  it("is not started beside one of its configuration that was left to run on", async () => {
    const gates = '  second: { configuration: checkout/long, kpis: ["count > 1"] }\ntestCases:';
    const project = servedProject(service, text().replace("testCases:", gates));
    await project.run("apply", "--auto-approve");
    const { code, stdout } = await project.run("run", "--gate", "*", "--wait-timeout", "1", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        runs: [
          { verdict: "unknown", execution: 1 },
          {
            verdict: "error",
            execution: null,
            reasons: [expect.stringContaining("run 1 of the configuration was not seen")],
          },
        ],
      },
    ]);
    expect(await runsOf()).toHaveLength(1);
  });

  it("is held in denied hours until an answer says that runs are simulated", async () => {
    const limits = 'limits: { hours: [{ deny: "Mon-Sun 00:00-00:00" }] }\n';
    const project = servedProject(service, text().replace("gates:", `${limits}gates:`));
    await project.run("apply", "--auto-approve");
    expect((await project.run("run", "--no-wait")).code).toBe(3);
    await service.call("POST", await executionsOf("long"), {});
    await service.call("PUT", "/executions/1/stop");
    await expect.poll(async () => (await runsOf())[0], { timeout: 20_000 }).toMatchObject({ completed: true });
    expect((await project.run("run", "--no-wait")).code).toBe(0);
  });

  it("is left alone when its time is over", async () => {
    const run = await running("--wait-timeout", "1");
    await started(run);
    expect((await run.signal("SIGCONT")).code).toBe(1);
    expect((await runsOf())[0]).toMatchObject({ completed: false });
  });

  it("that was refused is exit 1 with the reason, and never started again", async () => {
    await service.call("PUT", "/_loadform/faults", [
      { method: "POST", path: "/test-confs/:confId/executions", status: 503, body: { message: "no room" } },
    ]);
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    const { code, stdout } = await project.run("run", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { runs: [{ verdict: "error", execution: null, reasons: [expect.stringContaining("no room")] }] },
    ]);
    expect(await runsOf()).toEqual([]);
  });

  it("waits for a run that is under way as long as it is told to", async () => {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    await service.call("POST", await executionsOf("long"), {});
    const waiting = await project.start("run", "--no-wait", "--wait-running", "60");
    const closed = once(waiting, "close");
    setTimeout(() => void service.call("PUT", "/executions/1/stop"), 1_500);
    expect(await closed).toEqual([0, null]);
    expect(await runsOf()).toHaveLength(2);
  });

  it("that cannot be read leaves the others of a report", async () => {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    const path = await executionsOf("long");
    for (const id of [1, 2]) {
      await service.call("POST", path, {});
      await service.call("PUT", `/executions/${id}/stop`);
    }
    await service.call("PUT", "/_loadform/faults", [{ method: "GET", path: "/executions/1", status: 403, times: 9 }]);
    const { code, stdout, stderr } = await project.run("report", "--last", "2", "--json");
    await service.call("PUT", "/_loadform/faults", []);
    expect([code, stderr]).toEqual([1, ""]);
    const document = JSON.parse(stdout) as { runs: { execution: number }[]; diagnostics: { summary: string }[] };
    expect(document.runs.map(({ execution }) => execution)).toEqual([2]);
    expect(document.diagnostics.map(({ summary }) => summary)).toEqual(["run 1 could not be read"]);
  });

  it("that waits for another one ends at once when it is interrupted", async () => {
    const project = servedProject(service, text());
    await project.run("apply", "--auto-approve");
    await service.call("POST", await executionsOf("long"), {});
    const waiting = await project.start("run", "--wait-running", "600");
    const closed = once(waiting, "close");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const at = Date.now();
    waiting.kill("SIGINT");
    expect(((await closed) as [number])[0]).toBe(130);
    expect(Date.now() - at).toBeLessThan(3_000 * (await slownessNow()));
    expect(await runsOf()).toHaveLength(1);
  });
});

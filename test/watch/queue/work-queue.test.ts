import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CheckResult } from "../../../src/watch/check-result.ts";
import { queueView } from "../../../src/watch/queue/queue-view.ts";
import { mergeTest } from "../../support/merge-test.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { makeFleet, silentProxy } from "../../support/queue-fleet.ts";
import { inSync, type QueueWorkerTask, queued, runQueueWorker, twiceAtATime } from "../../support/queue-worker.ts";
import { slownessNow } from "../../support/slowness-now.ts";

let server: TestPostgres;

const failed: CheckResult = { is: "failed", diagnostics: [] };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const until = (condition: () => unknown) =>
  vi.waitFor(async () => expect(await condition()).toBeTruthy(), { timeout: 120_000, interval: 20 });

beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
});

describe.runIf(hasPostgres()).concurrent("workers that share projects", () => {
  test("check each of them, one worker at a time, and again after an interval, whichever is the first to start", async (context) => {
    const { ask, lines, start, of, jobs } = await makeFleet(server.url, context);
    const projects = ["a", "b", "c", "d", "e"].map((name) => queued(name, { intervalSecs: 1 }));
    await Promise.all(["1", "2", "3"].map((worker) => start({ worker, projects, slots: 1 })));
    // A worker that the machine lets begin late has its first check later.
    const begun = () => new Set(of("began").map(({ worker }) => worker));
    await until(() => projects.every(({ name }) => of("began", name).length >= 2) && begun().size === 3);
    expect(twiceAtATime(lines)).toEqual([]);
    expect(of("said")).toEqual([]);
    // Jobs are replaced: neither table grows.
    expect(await jobs()).toEqual(["a", "b", "c", "d", "e"]);
    expect(await ask("SELECT 1 FROM loadform_queue.archive")).toEqual([]);
  });

  mergeTest("leave a check that takes longer than an interval the only one of its project", async (context) => {
    const { lines, start, of } = await makeFleet(server.url, context);
    const projects = [queued("slow", { intervalSecs: 1 })];
    await Promise.all(["1", "2"].map((worker) => start({ worker, projects, checkMs: 1_800 })));
    await until(() => of("ended").length >= 1);
    const before = lines.slice(
      0,
      lines.findIndex(({ is }) => is === "ended"),
    );
    expect(before.filter(({ is }) => is === "began")).toHaveLength(1);
    await until(() => of("began").length >= 2);
    expect(twiceAtATime(lines)).toEqual([]);
  });

  test("lose what they check with their session, say so, and go on within two intervals", async (context) => {
    const { lines, start, of, endSessions } = await makeFleet(server.url, context);
    const projects = ["a", "b"].map((name) => queued(name, { intervalSecs: 1 }));
    const [first] = await Promise.all(
      ["1", "2"].map((worker) => start({ worker, projects, slots: 1, checkMs: 5_000 })),
    );
    // Both are under way for so long that their sessions end amidst them, on a busy machine too.
    await until(() => of("began").length === 2);
    let wasLost = false;
    const look = setInterval(() => (wasLost ||= first?.queue.isLost() === true), 1);
    await endSessions();
    await until(() => of("lost").length >= 2);
    clearInterval(look);
    const lostAt = Date.now();
    const slowness = await slownessNow();
    expect(wasLost).toBe(true);
    await until(() => ["a", "b"].every((name) => of("began", name).length >= 2));
    expect(Date.now() - lostAt).toBeLessThan(2_000 * Math.max(slowness, await slownessNow()));
    await until(() => of("ended").length >= 2);
    const said = of("said").map((line) => line.of.replace(/:\d+\/fleet\d+/, ":PORT/fleet"));
    // The lock's session or the other one may be the first to notice.
    expect(said).toContainEqual(
      expect.stringMatching(
        /^the queue at postgres:\/\/127.0.0.1:PORT\/fleet does not answer: .* was ended by someone else.*\. Nothing is begun until it does$/,
      ),
    );
    expect(said).toContainEqual("the queue at postgres://127.0.0.1:PORT/fleet answers again");
    expect(twiceAtATime(lines)).toEqual([]);
  });

  mergeTest("lose what they check when the network is silent, and leave no lock behind", async (context) => {
    const { url, start, of } = await makeFleet(server.url, context);
    const wire = await silentProxy(url);
    context.onTestFinished(wire.close);
    const projects = [queued("a", { intervalSecs: 1 })];
    // An answer that comes late is no silence.
    const database = { url: wire.url, queryTimeoutMs: Math.min(5_000, 500 * (await slownessNow())) };
    await start({ worker: "1", projects, checkMs: 60_000, database });
    await until(() => of("began").length === 1);
    wire.silence();
    await until(() => of("lost").length >= 1);
    // Its session is cut off, not only given up: the lock is free for the next one.
    await until(() => of("began").length === 2);
  });

  mergeTest("begin no check of a project while a lost one of it still ends", async (context) => {
    const { lines, start, of, endSessions } = await makeFleet(server.url, context);
    const projects = [queued("a", { intervalSecs: 1 })];
    await start({ worker: "1", projects, checkMs: 60_000, lingersMs: 2_500 });
    await until(() => of("began").length === 1);
    await endSessions();
    await until(() => of("began").length === 2);
    expect(twiceAtATime(lines)).toEqual([]);
  });

  mergeTest("ignore what a lost check found", async (context) => {
    const { start, of, endSessions, memoryOf } = await makeFleet(server.url, context);
    const project = queued("a", { intervalSecs: 30 });
    const run = await start({ worker: "1", projects: [project], checkMs: 60_000 });
    await until(() => of("began").length === 1);
    await endSessions();
    await until(() => !run.queue.isLost() && of("lost").length === 1);
    expect(await run.queue.handle({ is: "ended", project: "a", commit: "c1", result: failed, ms: 1 })).toEqual([]);
    expect(await memoryOf("a")).toMatchObject({ history: [] });
  });

  test("do what is asked at the page of any of them, and all pages show it", async (context) => {
    const { lines, start, of, endSessions } = await makeFleet(server.url, context);
    const projects = [queued("a", { intervalSecs: 600 })];
    const told: unknown[] = [];
    const views = await Promise.all(
      ["1", "2"].map(async (worker) =>
        queueView((await start({ worker, projects })).queue, projects, (actions) => void told.push(...actions)),
      ),
    );
    await until(() => of("ended").length >= 1);
    const [one, idle] = of("ended")[0]?.worker === "1" ? views : [...views].reverse();
    const askedAt = Date.now();
    await idle?.ask("a", { retry: false });
    await until(() => of("began").length === 2);
    expect(Date.now() - askedAt).toBeLessThan(1_000 * (await slownessNow()));
    // While one is under way, another one is begun at its end.
    await idle?.ask("a", { retry: true });
    await until(() => of("ended").length >= 3);
    await one?.suspend("a");
    await until(async () => (await idle?.projects())?.[0]?.memory.state === "suspended");
    await idle?.ask("a", { retry: false });
    await pause(400);
    expect(of("began")).toHaveLength(3);
    await idle?.resume("a");
    await until(() => of("ended").length >= 4);
    expect(twiceAtATime(lines)).toEqual([]);
    expect(told).toMatchObject([{ do: "tell", notification: { project: "a", state: "suspended" } }]);
    await endSessions();
    await until(() => of("said").length >= 2);
    expect(() => one?.projects()).toThrow("the queue is not connected");
  });

  mergeTest("remember a suspension and the history when all of them were stopped", async (context) => {
    const { start, of } = await makeFleet(server.url, context);
    const projects = [queued("a", { intervalSecs: 3 })];
    const first = await start({ worker: "1", projects });
    await until(() => of("ended").length >= 1);
    await first.queue.handle({ is: "suspended", project: "a" });
    await first.stop();
    const second = await start({ worker: "2", projects });
    await until(() => second.queue.memories().get("a")?.state === "suspended");
    await pause(3_300);
    expect(second.queue.memories().get("a")?.history).toHaveLength(1);
    expect(of("began")).toHaveLength(1);
  });

  mergeTest(
    "suspend by the hours that they are started with, and check at once when they are started without",
    async (context) => {
      const { start, of } = await makeFleet(server.url, context);
      const project = queued("a", { intervalSecs: 3_600 });
      const always = { during: "Mon-Sun 00:00-00:00", timeZone: "UTC" };
      const plain = await start({ worker: "1", projects: [project], checkMs: 1 });
      await until(() => plain.queue.memories().get("a")?.state === "in-sync");
      await plain.stop();
      const resting = await start({ worker: "2", projects: [{ ...project, suspend: [always] }] });
      await until(() => resting.queue.memories().get("a")?.state === "suspended");
      expect(of("told").map(({ notification }) => notification?.on)).toEqual(["suspended"]);
      await resting.stop();
      const checks = of("began").length;
      const awake = await start({ worker: "3", projects: [project], checkMs: 1 });
      await until(() => awake.queue.memories().get("a")?.state === "in-sync");
      expect(of("began")).toHaveLength(checks + 1);
    },
  );

  test("tell a change of state once", async (context) => {
    const { start, of } = await makeFleet(server.url, context);
    const projects = [queued("a", { intervalSecs: 1 })];
    let result = inSync;
    await Promise.all(["1", "2", "3"].map((worker) => start({ worker, projects, finds: () => result })));
    await until(() => of("ended").length >= 1);
    result = { is: "refused", diagnostics: [] };
    await until(() => of("ended").length >= 3);
    expect(of("told").map(({ notification }) => notification?.on)).toEqual(["blocked"]);
  });

  test("leave what a stopped worker checked to the others at once", async (context) => {
    const { start, of } = await makeFleet(server.url, context);
    const projects = [queued("a", { intervalSecs: 600 })];
    const first = await start({ worker: "1", projects, checkMs: 60_000 });
    await until(() => of("began").length === 1);
    await first.stop();
    await start({ worker: "2", projects });
    await until(() => of("ended").length >= 1);
    // It failed in nothing.
    expect(of("told")).toEqual([]);
  });

  mergeTest("check each what it is configured for, and forget what none is", async (context) => {
    const { start, of, jobs, memoryOf, ask } = await makeFleet(server.url, context);
    const both = ["a", "b"].map((name) => queued(name, { intervalSecs: 1 }));
    const busy = await start({ worker: "busy", projects: both, slots: 0 });
    const two = await start({ worker: "2", projects: both.slice(0, 1) });
    await until(() => of("ended", "a").length >= 1);
    expect([...two.queue.memories().keys()]).toEqual(["a"]);
    // Somebody knows b, and nobody has begun with it.
    expect(await jobs()).toEqual(["a", "b"]);
    await busy.queue.handle({ is: "asked", project: "b", retry: false });
    expect(await memoryOf("b")).not.toHaveProperty("checking");
    const three = await start({ worker: "3", projects: both });
    await until(() => of("ended", "b").length >= 1);
    expect(of("began", "b").every(({ worker }) => worker === "3")).toBe(true);
    await Promise.all([busy.stop(), three.stop()]);
    await ask("UPDATE loadform_watch.projects SET configured_at = now() - interval '5 minutes' WHERE project = 'b'");
    await until(async () => (await jobs()).join() === "a");
  });

  test("refuse a database that a newer version has written", async (context) => {
    const { ask, start } = await makeFleet(server.url, context);
    const projects = [queued("a")];
    await (await start({ worker: "1", projects })).stop();
    await ask("UPDATE loadform_watch.form SET version = 2");
    await expect(start({ worker: "2", projects })).rejects.toThrow(
      "the queue's database has the form 2 of memories, and this loadform knows form 1: run all workers with one version of loadform",
    );
  });
});

describe.runIf(hasPostgres())("a worker whose clock is wrong", () => {
  test("takes the time from the database", async (context) => {
    const { start, of } = await makeFleet(server.url, context);
    const run = await start({ worker: "1", projects: [queued("a", { intervalSecs: 600 })] });
    await until(() => of("ended").length >= 1);
    const real = Date.now;
    const fast = vi.spyOn(Date, "now").mockImplementation(() => real() + 3_600_000);
    try {
      await pause(500);
      expect(Math.abs(run.queue.now() - real())).toBeLessThan(1_000);
      // What people ask of the page is judged by it, too.
      expect(run.now).toBe(run.queue.now);
    } finally {
      fast.mockRestore();
    }
  });
});

describe("a queue that cannot be opened", () => {
  const open = (database: QueueWorkerTask["database"]) =>
    runQueueWorker({ worker: "1", database, projects: [queued("a")], slots: 1, checkMs: 1 }, () => undefined);

  test("is told without its password", async () => {
    const failure = await open({ url: "postgres://me:geheim@127.0.0.1:1/q" }).catch((problem: unknown) => problem);
    expect(String(failure)).toMatch(
      /could not connect to the queue at postgres:\/\/127\.0\.0\.1:1\/q: .*LOADFORM_QUEUE/,
    );
    expect(String(failure)).not.toContain("geheim");
  });

  test("is told with what is to be installed", async () => {
    const missing = Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });
    await expect(open({ url: "postgres://h/q", loadDriver: () => Promise.reject(missing) })).rejects.toThrow(
      "a queue of projects needs its driver: there is no package pg. Install it with loadform: npm install pg",
    );
  });
});

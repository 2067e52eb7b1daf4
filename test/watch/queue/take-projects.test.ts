import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import type { ProjectJobs } from "../../../src/watch/queue/project-jobs.ts";
import { connectQueue, queueTurn } from "../../../src/watch/queue/queue-turn.ts";
import { takeProjects } from "../../../src/watch/queue/take-projects.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { makeFleet } from "../../support/queue-fleet.ts";
import { queued } from "../../support/queue-worker.ts";

let server: TestPostgres;
beforeAll(async () => {
  if (hasPostgres()) server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
});

/** A worker of these projects after a turn in which it claimed nothing. */
async function workerOf(url: string, names: readonly string[], { onTestFinished }: TestContext) {
  const projects = new Map(names.map((name) => [name, queued(name, { intervalSecs: 600 })]));
  const rules = { projects, now: Date.now, random: Math.random, isBusy: () => false, saved: () => undefined };
  const claims = await connectQueue({ url }, rules);
  onTestFinished(claims.session.close);
  const knowledge = { memories: new Map(), revisions: new Map(), skewMs: 0 };
  await queueTurn(claims, knowledge, { free: () => 0, begin: () => undefined, carryOut: () => undefined })();
  return claims;
}

describe.runIf(hasPostgres())("workers", () => {
  test("begin no check of a job that was replaced after it was taken", async (context) => {
    const { url, memoryOf } = await makeFleet(server.url, context);
    const claims = await workerOf(url, ["a"], context);
    const take: ProjectJobs["take"] = async (limit) => {
      const taken = await claims.jobs.take(limit);
      await claims.session.transact((ask) => claims.jobs.put(ask, { project: "a", inMs: 60_000, expiresSecs: 60 }));
      return taken;
    };
    const began: string[] = [];
    await takeProjects({ ...claims, jobs: { ...claims.jobs, take } }, 1, (claim) => began.push(claim.project));
    expect(began).toEqual([]);
    expect(claims.held.size).toBe(0);
    expect(await memoryOf("a")).not.toHaveProperty("checking");
  });

  test("leave projects that they do not know to others at once, and take their own behind them", async (context) => {
    const { url } = await makeFleet(server.url, context);
    const [others, mine] = [await workerOf(url, ["b", "c", "d"], context), await workerOf(url, ["a"], context)];
    const began: string[] = [];
    await takeProjects(mine, 1, (claim) => began.push(claim.project));
    expect(began).toEqual(["a"]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await takeProjects(others, 3, (claim) => began.push(claim.project));
    expect(began.sort()).toEqual(["a", "b", "c", "d"]);
  });
});

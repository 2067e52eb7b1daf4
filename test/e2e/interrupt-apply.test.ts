import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { sampleOf } from "../support/deep.ts";
import { mergeTest } from "../support/merge-test.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { slownessNow } from "../support/slowness-now.ts";
import { statePlaces } from "./store-places.ts";

const text = `project: slow
testCases:
  checkout:
    scenarios:
      browse: { script: "run();", dataStores: { users.csv: { contents: "a,b" } } }
`;

describe("an apply under way", () => {
  const service = sharedService();
  const places = statePlaces();
  afterAll(() => places.stop());

  /** Starts an apply whose second object takes its time, and waits until the first is made and the second is asked for. */
  async function applySlowly(delayMs: number, state: unknown = ".loadform/state.json") {
    await service.call("POST", "/_loadform/reset");
    await service.call("PUT", "/_loadform/faults", [
      { method: "POST", path: "/test-cases/:testCaseId/scripts", delayMs },
    ]);
    const project = servedProject(service, `${text}state: ${JSON.stringify(state)}\n`);
    const child = await project.start("apply", "--auto-approve");
    let stderr = "";
    child.stderr.on("data", (part: Buffer) => {
      stderr += part.toString();
    });
    await once(createInterface({ input: child.stderr }), "line");
    const closed = once(child, "close");
    await expect.poll(slowHits, { timeout: 60_000, interval: 10 }).toBe(1);
    const signalledAt = Date.now();
    const ended = async () => ({
      code: ((await closed) as [number | null])[0],
      tookMs: Date.now() - signalledAt,
      stderr,
    });
    return { child, ended, project };
  }

  const slowHits = async () => ((await service.call("GET", "/_loadform/faults")).body as { hits: number }[])[0]?.hits;

  it("waits for what is in flight when it is interrupted, saves it, and says so", async () => {
    const { child, ended, project } = await applySlowly(1500);
    child.kill("SIGINT");
    const { code, stderr } = await ended();
    expect(code).toBe(130);
    expect(stderr).toMatch(/not attempted .*users\.csv: interrupted[\s\S]*LF6005/);
    expect((await project.run("state", "list")).stdout).toBe("testCase.checkout\ntestCase.checkout/scenario.browse\n");
  });

  mergeTest(
    "is gone within 7 s of a signal although an answer does not come, with what it made on record",
    async () => {
      const { child, ended, project } = await applySlowly(20_000);
      child.kill("SIGTERM");
      const { code, tookMs } = await ended();
      expect(code).toBe(143);
      expect(tookMs).toBeLessThan(7_000 * (await slownessNow()));
      expect((await project.run("state", "list")).stdout).toContain("testCase.checkout\n");
    },
  );

  it.each(sampleOf(["local", "http"] as const))(
    "gives up after 5 s what gets no answer, says so, and leaves the lock of a %s state free and an intent for the next run",
    async (name) => {
      const place = await places.place(name, "slow");
      const { child, ended, project } = await applySlowly(20_000, place.settings);
      child.kill("SIGTERM");
      const { code, stderr } = await ended();
      expect(code).toBe(143);
      expect(stderr).toMatch(/browse[\s\S]*interrupted[\s\S]*LF6005/);
      const session = await place.open(project.cwd).lock({ operation: "test", timeoutMs: 0 });
      await session.release();
      const { stored } = session;
      expect(Object.keys(stored?.state.resources ?? {})).toEqual(["testCase.checkout"]);
      // What was made before is open until the next run has seen it.
      const unanswered = stored?.intents.filter(({ address }) => !(address in stored.state.resources));
      expect(unanswered).toMatchObject([{ address: "testCase.checkout/scenario.browse" }]);
    },
  );

  mergeTest("gives up a change that gets no answer, and the next apply makes it", async () => {
    await service.call("PUT", "/_loadform/faults", []);
    await service.call("POST", "/_loadform/reset");
    const project = servedProject(service, text);
    await project.run("apply", "--auto-approve");
    await service.call("PUT", "/_loadform/faults", [
      { method: "PUT", path: "/scripts/:id", delayMs: 20_000, times: 1 },
    ]);
    project.write(text.replace("run();", "walk();"));
    const child = await project.start("apply", "--auto-approve");
    const written = [child.stdout, child.stderr].map((stream) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      return () => Buffer.concat(parts).toString();
    });
    const closed = once(child, "close");
    await expect.poll(slowHits, { timeout: 60_000, interval: 10 }).toBe(1);
    child.kill("SIGINT");
    const [code] = (await closed) as [number | null];
    expect(code).toBe(130);
    expect(written.map((read) => read()).join("")).toMatch(/browse[\s\S]*LF6005/);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
  });

  it("is gone at once on the second signal", async () => {
    const { child, ended } = await applySlowly(20_000);
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGINT"), 200);
    const { code, tookMs } = await ended();
    expect(code).toBe(130);
    expect(tookMs).toBeLessThan(2_000 * (await slownessNow()));
  });

  it("keeps others from writing, with exit 4 and the holder's name, but not from planning", async () => {
    const { ended, project } = await applySlowly(3000);
    const [apply, rm, plan] = await Promise.all([
      project.run("apply", "--auto-approve", "--json"),
      project.run("state", "rm", "testCase.checkout"),
      project.run("plan"),
    ]);
    expect([apply.code, rm.code, plan.code]).toEqual([4, 4, 0]);
    expect(rm.stderr).toMatch(/LF5001[\s\S]*apply/);
    expect(apply.stdout).toContain('"code":"LF5001"');
    expect((await ended()).code).toBe(0);
  });

  mergeTest("lets another one wait for its lock", async () => {
    const { ended, project } = await applySlowly(1500);
    const second = await project.run("apply", "--auto-approve", "--lock-timeout", "20");
    expect(second.code).toBe(0);
    expect((await ended()).code).toBe(0);
  });
});

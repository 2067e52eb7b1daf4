import { describe, expect, it } from "vitest";
import { fieldsOf, makeRig, type Rig, start } from "../support/rig.ts";
import { inRegions, scriptRig, startedScript } from "../support/run-script.ts";
import { code, file, sendForm } from "../support/start-forms.ts";

const bound = "expected at most 100000 in one run";
const main = "log.info(1)";

interface Region {
  readonly concurrentClients: number;
  readonly chunks: readonly { readonly concurrentClients: number }[];
}

/** Users of the chunks of each region. */
async function chunksOf(rig: Rig): Promise<readonly (readonly number[])[]> {
  const { regions } = await rig.ok("GET", "/executions/1");
  return regions.map(({ chunks }: Region) => chunks.map((each) => each.concurrentClients));
}

describe("a run of more users than can be computed", () => {
  it("is written, and not started: by its configuration, by a form, or with users added", async () => {
    const rig = await scriptRig(main, { concurrentClients: 100_000_000 });
    const refused = await rig.call("POST", "/test-confs/1/executions");
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(bound)]);
    const form = await sendForm(rig, { ...code, testcase_name: "Form", virtual_users: "100001" });
    expect([form.status, JSON.stringify(form.body)]).toEqual([400, expect.stringContaining(bound)]);
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(1);
    const providers = inRegions("us-east-1", "eu-west-1");
    await rig.ok("PUT", "/test-confs/1", { concurrentClients: 50_001, providers });
    expect((await rig.call("POST", "/test-confs/1/executions")).status).toBe(400);
    await rig.ok("PUT", "/test-confs/1", { concurrentClients: 49_999, durationSecs: 60 });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(fieldsOf(await rig.call("POST", "/executions/1/add-users", { concurrentClients: 3 }))).toEqual([
      "concurrentClients",
    ]);
    expect(await rig.ok("POST", "/executions/1/add-users", { concurrentClients: 2 })).toMatchObject({
      concurrentClients: 100_000,
    });
  });

  it("is none of a BreakingPoint configuration of a larger account either", async () => {
    const conf = { profileType: "BreakingPoint", durationSecs: 60, triggers: [never] };
    const rig = await scriptRig(main, conf, { settings: { accountMaximum: 1e9 } });
    expect((await rig.call("POST", "/test-confs/1/executions")).status).toBe(400);
  });

  it("fails when a schedule starts it, with the bound in its log, and the schedule goes on", async () => {
    const schedules = [{ scheduleType: "Recurring", recurringInterval: "Minute", minute: 5 }];
    const rig = await scriptRig(main, { concurrentClients: 100_000_000, schedules });
    await rig.service.advance(660_000);
    const runs = await rig.ok("GET", "/test-confs/1/executions");
    expect(runs).toMatchObject([
      { completed: true, success: false, concurrentClients: 0 },
      { completed: true, success: false, concurrentClients: 0 },
    ]);
    expect(JSON.stringify(await rig.ok("GET", "/executions/1/logs"))).toContain(bound);
    await rig.service.restore(rig.service.snapshot());
    await rig.ok("PUT", "/test-confs/1", { concurrentClients: 2 });
    await rig.service.advance(300_000);
    const [latest] = await rig.ok("GET", "/test-confs/1/executions");
    expect(latest).toMatchObject({ completed: true, success: true, concurrentClients: 2 });
  });
});

const never = {
  conditions: [{ metric: "count", operator: "GTE", threshold: 1e9 }],
  actions: [{ actionType: "StopExecution" }],
};

describe("the chunks of a run", () => {
  it.each([
    [{ virtual_users: "10", instances: "3" }, [[4, 3, 3]]],
    [{ virtual_users: "250", instances: "2" }, [[125, 125]]],
    [{ virtual_users: "250" }, [[84, 83, 83]]],
    [
      { virtual_users: "10", instances: "3", "conf_testrunners[0].regions": "cloud-us-east-1, cloud-eu-west-1" },
      [[3, 2], [5]],
    ],
  ])("are the instances of %j", async (fields, expected) => {
    const rig = await makeRig();
    const form = { ...code, code: file("main.js", main), testcase_name: "Form", ...fields };
    expect((await sendForm(rig, form)).status).toBe(200);
    expect(await chunksOf(rig)).toEqual(expected);
    await rig.service.advance(30_000);
    const { regions } = await rig.ok("GET", "/executions/1");
    for (const { chunks } of regions)
      for (const { completedIterations } of chunks) expect(completedIterations).toBeGreaterThan(0);
  });

  it("are those of all users of a BreakingPoint run, as its regions and the run itself have them", async () => {
    const providers = inRegions("us-east-1", "eu-west-1");
    const rig = await startedScript(main, {
      profileType: "BreakingPoint",
      durationSecs: 60,
      triggers: [never],
      providers,
    });
    const { concurrentClients, regions, startedAt } = await rig.ok("GET", "/executions/1");
    expect([startedAt, concurrentClients]).toEqual([start, 1_000]);
    expect(regions.map((each: Region) => each.concurrentClients)).toEqual([500, 500]);
    expect(await chunksOf(rig)).toEqual([Array(5).fill(100), Array(5).fill(100)]);
    await rig.service.advance(120_000);
    expect(await rig.ok("GET", "/executions/1/summary")).toMatchObject({ maxConcurrentClients: 1_000 });
  });
});

describe("what no file of the service could be read with", () => {
  it.each([
    ["PUT", "/test-confs/1", { schedules: [{ scheduleType: "Single", nextScheduled: 1_900_000_000_000_000 }] }],
    ["PUT", "/test-confs/1", { schedules: [{ scheduleType: "Single", nextScheduled: "9999-12-31T23:59:59-05:00" }] }],
    ["POST", "/executions/1/live-extension", { durationSecs: 1e13 }],
    ["POST", "/test-confs/2/executions", {}],
    ["POST", "/test-confs/3/executions", {}],
  ] as const)("is refused: %s %s %j", async (method, path, body) => {
    const rig = await scriptRig(main, { durationSecs: 60 });
    await rig.ok("POST", "/test-confs/1/executions");
    const long = { name: "Long", scriptId: 1, concurrentClients: 1, durationSecs: 1e12 };
    await rig.ok("POST", "/test-cases/1/confs", { ...long, providers: inRegions("us-east-1") });
    const often = { name: "Often", scriptId: 1, concurrentClients: 1, iterations: 3, iterationSleepSecs: 315_360_000 };
    await rig.ok("POST", "/test-cases/1/confs", { ...often, providers: inRegions("us-east-1") });
    expect((await rig.call(method, path, body)).status).toBe(400);
    await rig.service.restore(rig.service.snapshot());
  });
});

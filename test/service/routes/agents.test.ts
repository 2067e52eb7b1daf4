import { describe, expect, it } from "vitest";
import { fieldsOf, flat, makeRig, makeShop, type Rig, start, type Way } from "../support/rig.ts";

const two = { instanceIds: "i-1, i-2,i-1", regionName: "dc", regionDescription: "Rack 4" };

/** A shop whose configuration runs on two agents of region 8 of grid 1. */
async function makeGridShop(): Promise<Rig> {
  const rig = await makeShop({ settings: { allocation: { afterMs: 1e9 } } });
  await rig.ok("POST", "/agents", two);
  await rig.ok("PUT", "/test-confs/1", { providers: [{ providerId: 1, params: { regions: "dc" } }] });
  return rig;
}

/** Makes executions of the stored ones with these members. */
async function setRuns(rig: Rig, members: readonly object[]): Promise<void> {
  for (const _ of members) await rig.ok("POST", "/test-confs/1/executions");
  const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
  const rows = snapshot.tables.execution.slice(-members.length);
  const ended = { phase: "completed", startedAt: start, finishedAt: start, success: true };
  for (const [index, row] of rows.entries()) Object.assign(row, ended, members[index]);
  await rig.service.restore(snapshot);
}

const running = { phase: "running", startedAt: start, finishedAt: null, success: null };
const queued = { phase: "queued", startedAt: null, finishedAt: null, success: null };

describe.each<Way>(["in process", "over HTTP"])("registering instances %s", (way) => {
  it("makes the private grid, the region and one agent per instance", async () => {
    const rig = await makeRig({ way });
    const made = await rig.ok("POST", "/agents", two);
    expect(made).toMatchObject([
      { id: 1, instanceId: "i-1", host: "i-1", active: true, regions: [{ id: 8, name: "dc", description: "Rack 4" }] },
      { id: 2, instanceId: "i-2", active: true, region: { id: 8, activeAgentCount: 2, instanceCount: 2 } },
    ]);
    expect(await rig.ok("GET", "/providers/1")).toMatchObject({ public: false, providerType: "Shared" });
    expect(await rig.ok("GET", "/agents")).toEqual(made);
    await rig.close();
  });
});

describe("registering instances", () => {
  it("changes nothing when it is done again", async () => {
    const rig = await makeRig();
    const made = await rig.ok("POST", "/agents", two);
    expect(await rig.ok("POST", "/agents", two)).toEqual(made);
    expect(await rig.ok("GET", "/agents")).toHaveLength(2);
  });

  it("lets a known instance join another region besides its first", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    expect(await rig.ok("POST", "/agents", { instanceIds: "i-2", regionName: "dc-2" })).toMatchObject([
      { id: 2, regions: [{ name: "dc" }, { name: "dc-2" }] },
    ]);
  });

  it("uses the region of that name in whichever private grid has it", async () => {
    const rig = await makeRig();
    for (const name of ["A", "B"])
      await rig.ok("POST", "/providers", { name, organizationId: 1, providerType: "Shared" });
    await rig.ok("POST", "/orgs/1/regions", { name: "dc", providerId: 2, description: "kept" });
    expect(await rig.ok("POST", "/agents", { instanceIds: "i-1", regionName: "dc" })).toMatchObject([
      { region: { id: 8, description: "kept" } },
    ]);
  });

  it("updates the description of the region and re-activates it", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/regions", { name: "dc", description: "old" });
    await rig.ok("PUT", "/regions/8", { active: false });
    expect(await rig.ok("POST", "/agents", two)).toMatchObject([
      { region: { id: 8, active: true, description: "Rack 4" } },
      { region: { id: 8 } },
    ]);
  });

  it("never uses a region of the public grid", async () => {
    const rig = await makeRig();
    const [agent] = await rig.ok("POST", "/agents", { instanceIds: "i-1", regionName: "cloud-us-east-1" });
    expect(agent.region).toMatchObject({ id: 8, name: "cloud-us-east-1", isShared: true });
    expect((await rig.ok("GET", "/providers/1/agents")).regions).toHaveLength(1);
  });

  it.each([
    [{}, ["instanceIds", "regionName"]],
    [{ instanceIds: " , ", regionName: "dc" }, ["instanceIds"]],
    [{ instanceIds: "i\u0000", regionName: " " }, ["instanceIds", "regionName"]],
    [{ instanceIds: ["i-1"], regionName: "dc" }, ["instanceIds"]],
    [{ ...two, regionDescription: 4 }, ["regionDescription"]],
  ])("is refused with %j, and makes nothing", async (body, fields) => {
    const rig = await makeRig();
    const answer = await rig.call("POST", "/agents", body);
    expect([answer.status, [...fieldsOf(answer)].sort()]).toEqual([400, fields]);
    expect(await rig.ok("GET", "/agents")).toEqual([]);
    expect(await rig.ok("GET", "/providers")).toHaveLength(1);
  });
});

describe("agents", () => {
  it.each([
    ["", [1, 2]],
    ["?q=i-2", [2]],
    ["?q=i-2,i-1", [1, 2]],
    ["?q=other", []],
    ["?includeInactive=true", [1, 2, 3]],
    ["?includeInactive=true&q=old-host", [3]],
    ["?q=old-host", []],
  ])("are found by instance or host, inactive ones on request: %s", async (query, expected) => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", { ...two, instanceIds: "i-1,i-2,i-3" });
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    Object.assign(snapshot.tables.agent[2], { active: false, host: "old-host" });
    await rig.service.restore(snapshot);
    expect((await rig.ok("GET", `/agents${query}`)).map((each: { id: number }) => each.id)).toEqual(expected);
  });

  it("become active again when their instance is registered", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    snapshot.tables.agent[0].active = false;
    await rig.service.restore(snapshot);
    expect(await rig.ok("GET", "/regions/8/agents")).toMatchObject({ regions: [{ numAgents: 1 }] });
    expect(await rig.ok("POST", "/agents", two)).toMatchObject([{ active: true }, { active: true }]);
  });

  it("move to other regions, or out of all", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    await rig.ok("POST", "/orgs/1/regions", { name: "dc-2" });
    expect(await rig.ok("PUT", "/agents/1", { regionIds: [9, 8, 9] })).toMatchObject({
      region: { id: 9 },
      regions: [{ id: 9 }, { id: 8 }],
    });
    expect(await rig.ok("PATCH", "/agents/1", { regionIds: [] })).toMatchObject({ region: null, regions: [] });
    expect(await rig.ok("GET", "/regions/9/agents")).toEqual({ regions: [] });
    expect((await rig.call("PUT", "/agents/9", { regionIds: [] })).status).toBe(404);
  });

  it.each([
    ["a region that does not exist", { regionIds: [8, 99] }, ["regionIds[1]"]],
    ["a public region", { regionIds: [1] }, ["regionIds[0]"]],
    ["an inactive region", { regionIds: [9] }, ["regionIds[0]"]],
    ["no regions named", {}, ["regionIds"]],
    ["text", { regionIds: ["8"] }, ["regionIds[0]"]],
  ])("do not move with %s", async (_, body, fields) => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    await rig.ok("POST", "/orgs/1/regions", { name: "dc-2" });
    await rig.ok("PUT", "/regions/9", { active: false });
    expect(fieldsOf(await rig.call("PUT", "/agents/1", body))).toEqual(fields);
    expect(await rig.ok("GET", "/agents?q=i-1")).toMatchObject([{ regions: [{ id: 8 }] }]);
  });

  it("keep their region active until they are out of it", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", { ...two, instanceIds: "i-1" });
    const refused = await rig.call("PUT", "/regions/8", { active: false });
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("1 running agents")]);
    await rig.ok("PUT", "/agents/1", { regionIds: [] });
    expect(await rig.ok("PUT", "/regions/8", { active: false })).toMatchObject({ active: false });
  });
});

describe("running agents", () => {
  it.each([
    "/providers/all/agents",
    "/providers/all/agents?providerType=Shared",
    "/orgs/1/providers/all/agents",
    "/providers/1/agents",
    "/providers/1/regions/8/agents",
    "/providers/1/region/8/agents",
    "/regions/8/agents",
  ])("are listed with what they have, and only their regions: %s", async (path) => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    await rig.ok("POST", "/orgs/1/regions", { name: "empty" });
    const gb = 1024 ** 3;
    expect(await rig.ok("GET", path)).toMatchObject({
      regions: [
        {
          region: { id: 8, activeAgentCount: 2, freeAgentCount: 2, busyAgentCount: 0 },
          totalCapacity: 2,
          availableCapacity: 2,
          numHosts: 2,
          numAgents: 2,
          totalCpus: 4,
          cpuUtilization: 0,
          totalMemory: 16 * gb,
          freeMemory: 16 * gb,
          agents: [
            { host: "i-1", regionId: 8, totalCapacity: 1, availableCapacity: 1, runningExecutions: [] },
            { host: "i-2", regionId: 8, disconnected: false },
          ],
        },
      ],
    });
  });

  it.each([
    ["/providers/all/agents?providerType=CloudOnDemand", 200],
    ["/providers/0/agents", 200],
    ["/regions/1/agents", 200],
    ["/providers/0/regions/8/agents", 404],
    ["/providers/9/agents", 404],
    ["/regions/99/agents", 404],
    ["/providers/all/agents?activeRegionsOnly=x", 400],
  ])("are none elsewhere: %s is %i", async (path, status) => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    const answer = await rig.call("GET", path);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toEqual({ regions: [] });
  });

  it("have an id of their own, the same in every listing", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/agents", two);
    const ids = async (path: string) =>
      (await rig.ok("GET", path)).regions[0].agents.map((agent: { id: string }) => agent.id);
    const found = await ids("/regions/8/agents");
    expect(new Set(found).size).toBe(2);
    for (const id of found) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await ids("/providers/all/agents")).toEqual(found);
  });

  it("are busy with the executions of their region, each with one in turn", async () => {
    const rig = await makeGridShop();
    await setRuns(rig, [running]);
    const [one] = (await rig.ok("GET", "/regions/8/agents")).regions;
    expect(one).toMatchObject({ totalCapacity: 2, availableCapacity: 1, cpuUtilization: 0.25 });
    expect(one.region).toMatchObject({ busyAgentCount: 1, freeAgentCount: 1, runningExecutions: [1] });
    expect(one.agents).toMatchObject([
      { runningExecutions: [1], availableCapacity: 0 },
      { runningExecutions: [], availableCapacity: 1 },
    ]);
    await setRuns(rig, [running, running]);
    const [all] = (await rig.ok("GET", "/regions/8/agents")).regions;
    expect(all).toMatchObject({
      availableCapacity: 0,
      agents: [{ runningExecutions: [1, 3] }, { runningExecutions: [2] }],
    });
  });
});

describe("counts of a region", () => {
  it("are of the executions that ran, run and wait in it", async () => {
    const rig = await makeGridShop();
    await rig.ok("POST", "/test-cases/1/confs", { ...flat, name: "Elsewhere" });
    await rig.ok("POST", "/test-confs/2/executions");
    await setRuns(rig, [{ success: true }, { success: false }, running, queued]);
    expect(await rig.ok("GET", "/orgs/1/regions/dc")).toMatchObject({
      runningExecutions: [4],
      currentQueuedExecutions: [5],
      currentQueuedExecutionCount: 1,
      totalExecutions: 4,
      successExecutions: 1,
      queuedExecutions: 0,
      totalQueuedTime: 0,
      failedQueuedExecutions: 0,
    });
    expect(await rig.ok("GET", "/orgs/1/regions/1")).toMatchObject({ totalExecutions: 1, runningExecutions: [] });
  });

  it("say how long executions waited for runners, also those that still wait", async () => {
    const rig = await makeGridShop();
    await setRuns(rig, [{ startedAt: "2026-11-20T10:07:35.000Z", finishedAt: "2026-11-20T10:08:00.000Z" }, queued]);
    await rig.service.advance(2_000);
    expect(await rig.ok("GET", "/orgs/1/regions/8")).toMatchObject({ queuedExecutions: 2, totalQueuedTime: 7_000 });
    const { data } = await rig.ok("GET", "/orgs/1");
    expect(data.account).toMatchObject({ totalExecutions: 2, queuedExecutions: 2, totalQueuedTime: 7_000 });
  });

  it("are in the region of an execution too", async () => {
    const rig = await makeGridShop();
    const run = await rig.ok("POST", "/test-confs/1/executions");
    expect(run.regions[0].region).toMatchObject({ id: 8, totalExecutions: 1, successExecutions: 0 });
  });

  it("count an execution once, in however many of its parts the region is", async () => {
    const rig = await makeGridShop();
    const providers = [1, 2].map(() => ({ providerId: 1, params: { regions: "dc" } }));
    await rig.ok("PUT", "/test-confs/1", { providers });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await rig.ok("GET", "/orgs/1/regions/8")).toMatchObject({ totalExecutions: 1 });
  });

  it("go with a deleted execution", async () => {
    const rig = await makeGridShop();
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.ok("DELETE", "/executions/1");
    expect(await rig.ok("GET", "/orgs/1/regions/8")).toMatchObject({ totalExecutions: 0, successExecutions: 0 });
  });
});

import { describe, expect, it } from "vitest";
import { makeShop, type Rig } from "../support/rig.ts";

const minuteMs = 60_000;

/** A shop in which runs ended yesterday at 22:07 and today at 00:07 (failed), 10:07 and 10:37. */
async function makeHistory(): Promise<Rig> {
  const rig = await makeShop();
  const run = () => rig.ok("POST", "/test-confs/1/executions");
  await run();
  await rig.service.advance(12 * 60 * minuteMs);
  await run();
  await rig.service.advance(2 * 60 * minuteMs);
  await run();
  await rig.service.advance(10 * 60 * minuteMs);
  await run();
  await rig.service.advance(30 * minuteMs);
  await run();
  await rig.service.advance(5 * minuteMs);
  const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
  snapshot.tables.execution[2].success = false;
  await rig.service.restore(snapshot);
  return rig;
}

const today = [
  { hour: "2026-11-21T00:00:00.000Z", total: 1, success: 0, failures: 1 },
  { hour: "2026-11-21T10:00:00.000Z", total: 2, success: 2, failures: 0 },
];
const yesterday = [
  { hour: "2026-11-20T10:00:00.000Z", total: 1, success: 1, failures: 0 },
  { hour: "2026-11-20T22:00:00.000Z", total: 1, success: 1, failures: 0 },
];

describe("the success history", () => {
  it("of regions is answered on request, per hour of today and yesterday", async () => {
    const rig = await makeHistory();
    const [region, other] = await rig.ok("GET", "/orgs/1/regions?includeSuccessHistory=true");
    expect(region).toMatchObject({ todaySuccessHistory: today, yesterdaySuccessHistory: yesterday });
    expect(other).toMatchObject({ todaySuccessHistory: [], yesterdaySuccessHistory: [] });
    const [plain] = await rig.ok("GET", "/orgs/1/regions");
    expect(plain).not.toHaveProperty("todaySuccessHistory");
  });

  it("of an organization comes with its full details", async () => {
    const rig = await makeHistory();
    const { data } = await rig.ok("GET", "/orgs/1");
    expect(data).toMatchObject({ todaySuccessHistory: today, yesterdaySuccessHistory: yesterday });
    expect((await rig.ok("GET", "/orgs/1?down=false")).data).not.toHaveProperty("todaySuccessHistory");
  });

  it("leaves out what still runs", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    expect((await rig.ok("GET", "/orgs/1")).data).toMatchObject({ todaySuccessHistory: [] });
  });

  it("forgets what ended before yesterday", async () => {
    const rig = await makeHistory();
    await rig.service.advance(24 * 60 * minuteMs);
    const { data } = await rig.ok("GET", "/orgs/1");
    expect(data).toMatchObject({ todaySuccessHistory: [], yesterdaySuccessHistory: today });
  });
});

describe("counts of tags", () => {
  it("are of the executions that carry the tag, on request", async () => {
    const rig = await makeHistory();
    expect(await rig.ok("GET", "/orgs/1/tag-info?includeCounts=true")).toMatchObject([
      { tag: { name: "nightly" }, matchCountInfo: { total: 5, success: 4, failures: 1 } },
    ]);
    expect((await rig.ok("GET", "/orgs/1/tag-info"))[0]).not.toHaveProperty("matchCountInfo");
  });

  it("count those that still run in the total alone", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(5 * minuteMs);
    await rig.ok("POST", "/test-confs/1/executions");
    const [info] = await rig.ok("GET", "/orgs/1/tag-info?includeCounts=true");
    expect(info.matchCountInfo).toEqual({ total: 2, success: 1, failures: 0 });
  });
});

describe("images of cloud regions", () => {
  it("are answered in the order of the regions named, once each", async () => {
    const rig = await makeShop();
    const found = await rig.ok("GET", "/cloud/amis?regions=us-west-2,%20eu-west-1,us-west-2");
    expect(found.map(({ region }: { region: string }) => region)).toEqual(["us-west-2", "eu-west-1"]);
    for (const { ami } of found)
      expect(ami).toEqual({
        linux: expect.stringMatching(/^ami-[0-9a-f]{17}$/),
        windows: expect.stringMatching(/^ami-[0-9a-f]{17}$/),
      });
  });

  it("are the same in every service, and others for every region and system", async () => {
    const all = await (await makeShop()).ok("GET", "/cloud/amis");
    expect(await (await makeShop({ seed: 7 })).ok("GET", "/cloud/amis")).toEqual(all);
    const ids = all.flatMap(({ ami }: { ami: object }) => Object.values(ami));
    expect(new Set(ids).size).toBe(all.length * 2);
  });

  it("are found by the names of the public grid, and refused for unknown ones", async () => {
    const rig = await makeShop();
    const grid = (await rig.ok("GET", "/providers/0")).regions.map(({ name }: { name: string }) => name);
    expect(await rig.ok("GET", `/cloud/amis?regions=${grid.join(",")}`)).toHaveLength(7);
    const refused = await rig.call("GET", "/cloud/amis?regions=us-east-1,mars-1");
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining("mars-1")]);
  });
});

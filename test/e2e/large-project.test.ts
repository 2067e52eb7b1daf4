// merge: 10,000 objects
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder } from "../support/run-cli.ts";
import { type RunningService, servedProject, startService } from "../support/served-project.ts";
import { takeRequests, writesOf } from "./request-log.ts";

const cases = 100;

/** 1,000 objects: in each of 100 test cases 3 scenarios, 1 data store, 1 gateway and 4 configurations. */
const text = JSON.stringify({
  project: "large",
  testCases: Object.fromEntries(
    Array.from({ length: cases }, (_, index) => [
      `t${index}`,
      {
        scenarios: {
          a: { script: `a(${index})`, dataStores: { "d.csv": { contents: `id\n${index}\n` } } },
          b: { script: `b(${index})` },
          c: { script: `c(${index})` },
        },
        gateways: { g: { url: `https://g${index}.test` } },
        configurations: Object.fromEntries(
          ["one", "two", "three", "four"].map((key) => [
            key,
            {
              scenario: "a",
              concurrentClients: 1,
              durationSecs: 60,
              providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
            },
          ]),
        ),
      },
    ]),
  ),
});

/** A service whose tree holds scripts or only summaries of them (docs/engine.md, Assumptions A1). */
function serviceThatNests(nested: "full" | "summary"): Promise<RunningService> {
  const seed = join(freshFolder(), "seed.yaml");
  writeFileSync(seed, `project: seed\nservice: { url: "memory:" }\nsettings: { nested: ${nested} }\n`);
  return startService("--seed", seed);
}

describe.each([
  { nested: "full", moved: 2 },
  { nested: "summary", moved: 5 },
] as const)("a project of 1,000 objects at a service whose tree is $nested", ({ nested, moved }) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await serviceThatNests(nested);
    await takeRequests(service);
  });
  afterAll(() => service.stop("SIGTERM"));

  test("is planned in at most 6 requests, plus one for every script and data file that moved", async () => {
    const project = servedProject(service, text);
    const planned = async () => {
      const { code, stdout } = await project.run("plan", "--json", "--no-rehearsal");
      expect(code).toBe(0);
      const requests = await takeRequests(service);
      const { summary, requests: told } = JSON.parse(stdout) as {
        readonly summary: Readonly<Record<string, number>>;
        readonly requests: number;
      };
      expect(writesOf(requests)).toEqual([]);
      expect(told).toBe(requests.length);
      return { summary, count: requests.length };
    };

    const before = await planned();
    expect(before.summary).toMatchObject({ create: 10 * cases });
    expect(before.count).toBeLessThanOrEqual(6);

    const applied = await project.run("apply", "--auto-approve");
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("Applied: 1000 created")]);
    expect(writesOf(await takeRequests(service))).toHaveLength(10 * cases);

    const after = await planned();
    expect(after.summary).toMatchObject({ noop: 10 * cases, create: 0, update: 0 });
    expect(after.count).toBeLessThanOrEqual(6);

    for (const id of [1, 2, 3]) await service.call("PUT", `/scripts/${id}`, { main: "edited()" });
    for (const id of [5, 6])
      await service.call("PUT", `/data-stores/${id}/contents`, {
        contents: Buffer.from("id\n-1\n").toString("base64"),
      });
    await takeRequests(service);
    const drifted = await planned();
    expect(drifted.summary).toMatchObject({ update: 5, noop: 10 * cases - 5 });
    expect(drifted.count).toBe(after.count + moved);
  });
});

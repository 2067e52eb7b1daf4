import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readState } from "../../src/state/state-text.ts";
import type { RunningService } from "../cli/served-project.ts";
import { servedProject, startService } from "../cli/served-project.ts";
import { isDeep, seed } from "../support/deep.ts";

/** 36 objects in four generations. */
const project = JSON.stringify({
  project: "killed",
  testCases: Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [
      `t${index}`,
      {
        scenarios: { a: { script: "a()" }, b: { script: "b()", dataStores: { "d.csv": { contents: "x\n1\n" } } } },
        gateways: { g: { url: "https://g.test" } },
        configurations: {
          c: {
            scenario: "a",
            concurrentClients: 1,
            durationSecs: 1,
            providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
          },
        },
      },
    ]),
  ),
});
const objects = 36;
const creates = [
  "/test-cases",
  "/test-cases/:testCaseId/scripts",
  "/test-cases/:testCaseId/confs",
  "/test-cases/:testCaseId/gateways",
  "/scripts/:id/data-stores/contents",
];

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop("SIGTERM"));

/** Every answer to a create is held, so that a kill meets requests in flight. */
beforeEach(async () => {
  await service.call("POST", "/_loadform/reset");
  await service.call(
    "PUT",
    "/_loadform/faults",
    creates.map((path) => ({ method: "POST", path, delayMs: 40 })),
  );
});

let state = seed;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};

type Row = Readonly<Record<string, readonly Row[]>>;

/** How many objects stand at the service. */
async function standing(): Promise<number> {
  const cases = (await service.call("GET", "/test-cases?down=true")).body as readonly Row[];
  const below = cases.flatMap((each) => [
    ...(each.scenarios ?? []),
    ...(each.dataStores ?? []),
    ...(each.gateways ?? []),
    ...(each.configurations ?? []),
  ]);
  return cases.length + below.length;
}

/** Applies again until nothing is left to do: no repair by hand, nothing twice, nothing lost. */
async function expectConverges(folder: ReturnType<typeof servedProject>): Promise<void> {
  await service.call("DELETE", "/_loadform/faults");
  const mended = await folder.run("apply", "--auto-approve");
  expect(mended).toMatchObject({ code: 0 });
  const again = await folder.run("apply", "--auto-approve");
  expect(again.stdout).toContain(`No changes: ${objects} objects are as declared.`);
  expect(await standing()).toBe(objects);
}

describe("an apply that is killed", () => {
  const kills = isDeep ? 300 : 6;
  test(`with kill -9, ${kills} times at random: the next apply mends it, with no orphan, duplicate or manual repair (P3)`, {
    timeout: kills * 120_000,
  }, async () => {
    console.log(`P3: ${kills} kills, seed ${seed}`);
    for (let kill = 0; kill < kills; kill++) {
      await service.call("POST", "/_loadform/reset");
      await service.call(
        "PUT",
        "/_loadform/faults",
        creates.map((path) => ({ method: "POST", path, delayMs: 40 })),
      );
      const folder = servedProject(service, project);
      const child = await folder.start("apply", "--auto-approve", "--parallelism", "4");
      const closed = once(child, "close");
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 900));
      child.kill("SIGKILL");
      await closed;
      await expectConverges(folder);
    }
  });
});

describe("an apply that is interrupted", () => {
  const rounds = isDeep ? 125 : 1;
  const cases = [
    { signal: "SIGINT", times: 1, code: 130 },
    { signal: "SIGTERM", times: 1, code: 143 },
    { signal: "SIGINT", times: 2, code: 130 },
    { signal: "SIGTERM", times: 2, code: 143 },
  ] as const;
  test.each(cases)(
    "by $signal, $times time(s), ends within 7 s with $code, its lock free and its state valid (P15)",
    { timeout: rounds * 120_000 },
    async ({ signal, times, code }) => {
      for (let round = 0; round < rounds; round++) {
        await service.call("POST", "/_loadform/reset");
        await service.call(
          "PUT",
          "/_loadform/faults",
          creates.map((path) => ({ method: "POST", path, delayMs: 200 })),
        );
        const folder = servedProject(service, project);
        const child = await folder.start("apply", "--auto-approve", "--parallelism", "2");
        const closed = once(child, "close");
        await new Promise((resolve) => setTimeout(resolve, 450 + random() * 600));
        const at = Date.now();
        for (let time = 0; time < times; time++) child.kill(signal);
        expect((await closed)[0]).toBe(code);
        expect(Date.now() - at).toBeLessThan(7_000);
        const file = join(folder.cwd, ".loadform", "state.json");
        if (existsSync(file)) expect(() => readState(readFileSync(file, "utf8"))).not.toThrow();
        if (times === 1) expect(existsSync(`${file}.lock`)).toBe(false);
        await expectConverges(folder);
      }
    },
  );
});

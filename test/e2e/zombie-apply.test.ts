import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { servedProject } from "../cli/served-project.ts";
import { sharedService } from "../cli/shared-service.ts";
import { isDeep } from "../support/deep.ts";
import type { StoreName } from "./store-places.ts";
import { statePlaces, storeNames } from "./store-places.ts";

const service = sharedService();
const places = statePlaces();
afterAll(() => places.stop());

const count = 40;
const hands = 2;
const gateways = Object.fromEntries(
  Array.from({ length: count }, (_, index) => [`g${index}`, { url: `https://g${index}.test` }]),
);
const rounds = Number(process.env["LOADFORM_RUNS"] ?? (isDeep ? 20 : 1));
const stores = storeNames.filter((name) => isDeep || name !== "gitlab");

/** Creates that reached the service. */
async function sent(): Promise<number> {
  const log = (await service.call("GET", "/_loadform/requests?method=POST")).body as readonly object[];
  return log.length;
}

async function liveGateways(): Promise<number> {
  const cases = (await service.call("GET", "/test-cases?down=true")).body as readonly { readonly gateways: object[] }[];
  return cases.flatMap((each) => each.gateways).length;
}

/** An apply in the middle of its creates, stopped, and its lock broken by somebody who thinks that it is dead. */
async function robbedApply(name: StoreName, createdBefore: number) {
  await service.call("POST", "/_loadform/reset");
  await service.call("PUT", "/_loadform/faults", [
    { method: "POST", path: "/test-cases/:testCaseId/gateways", delayMs: 60, times: 1000 },
  ]);
  const place = await places.place(name, "zombie");
  const text = JSON.stringify({ project: "zombie", state: place.settings, testCases: { shop: { gateways } } });
  const project = servedProject(service, text, place.env);
  const child = await project.start("apply", "--auto-approve", "--parallelism", String(hands));
  let stderr = "";
  await new Promise<void>((resolve) =>
    child.stderr.on("data", (part) => {
      stderr += String(part);
      if (stderr.split("created ").length > createdBefore) resolve();
    }),
  );
  child.kill("SIGSTOP");
  expect(await place.open(project.cwd).unlock()).toMatchObject({ id: expect.any(String) });
  for (let seen = -1; seen !== (await sent()); await sleep(400)) seen = await sent();
  return { project, place, child, stderr: () => stderr };
}

describe("an apply that was stopped, robbed of its lock and resumed (P11)", () => {
  test.each(stores)(
    `on %s loses nobody's update and makes nothing twice, ${rounds} time(s)`,
    { timeout: 60_000 * rounds },
    async (name) => {
      for (let round = 0; round < rounds; round++) {
        const { project, place, child, stderr } = await robbedApply(name, 3 + (round % 10));
        const store = place.open(project.cwd);
        const session = await store.lock({ operation: "successor", timeoutMs: 10_000 });
        // What the zombie had sent is found by whoever comes next, as if a minute had passed.
        const earlier = session.stored?.intents.map((intent) => ({ ...intent, t: intent.t - 65_000 })) ?? [];
        if (session.stored) await session.save(session.stored.state, earlier);
        const [before, sentBefore] = [await store.read(), await sent()];
        expect(await liveGateways()).toBeLessThan(count);
        const closed = once(child, "close");
        child.kill("SIGCONT");
        expect([1, 6]).toContain((await closed)[0]);
        expect(stderr()).toContain("LF5004");
        expect(await store.read()).toEqual(before);
        // One that was stopped between its last look at the lock and the socket: none at all, or one in each of its hands.
        expect((await sent()) - sentBefore).toBeLessThanOrEqual(hands);
        await session.release();
        await service.call("DELETE", "/_loadform/faults");
        const { code, stderr: problems } = await project.run("apply", "--auto-approve");
        expect([code, problems]).toEqual([0, expect.not.stringContaining("error")]);
        expect(await liveGateways()).toBe(count);
      }
    },
  );
});

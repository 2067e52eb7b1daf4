import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindsSchema } from "../../src/terraform/kinds-schema.ts";
import { loadformProvider } from "../../src/terraform/provider.ts";
import { startService } from "../support/served-project.ts";
import { wholeObject } from "../support/terraform/proposed-state.ts";
import { SessionCore } from "../support/terraform/session-core.ts";
import { idOf, makeShop } from "../support/terraform/shop.ts";

/** A core whose session shares nothing with those of others, as an installed provider's process for each provider block does. */
async function coreOfItsOwn(url: string, tell?: (line: string) => void): Promise<SessionCore> {
  const core = new SessionCore();
  core.session = await loadformProvider({ env: {}, ...(tell && { tell }) }).openSession();
  const block = { url, api_key: "local", organization: "1" };
  const config = wholeObject(kindsSchema().provider, block);
  expect(await core.session.configure(config, "1.11.4")).toEqual([]);
  return core;
}

const dailyIn = (configuration: Parameters<typeof idOf>[0]) => (hour: number) => ({
  configuration_id: idOf(configuration),
  ...{ schedule_type: "Recurring", recurring_interval: "Day", hour },
});

test("schedules of one configuration that several processes write at the same moment are all there", async () => {
  const service = await startService();
  try {
    // A slash at the end makes no other service.
    const [one, other] = [await coreOfItsOwn(service.ready.url), await coreOfItsOwn(`${service.ready.url}/`)];
    const { configuration } = await makeShop(one);
    const slow = { method: "GET", path: "/test-confs/:confId", times: 99, delayMs: 30 };
    await service.call("PUT", "/_loadform/faults", [slow]);
    const daily = dailyIn(configuration);
    const hours = [1, 2, 3, 4, 5, 6];
    await Promise.all(hours.map((hour) => (hour % 2 === 0 ? one : other).create("loadform_schedule", daily(hour))));
    const { body } = await service.call("GET", `/test-confs/${idOf(configuration)}?down=true`);
    const { schedules } = body as { readonly schedules: readonly { readonly hour: number }[] };
    expect(schedules.map(({ hour }) => hour).sort()).toEqual(hours);
  } finally {
    await service.stop("SIGTERM");
  }
});

const locks = join(tmpdir(), `loadform-provider-${userInfo().uid}`);

/** The lock that a write holds, as a process of another machine or container that has ended would have left it. */
async function leftLock(during: Promise<unknown>, age: number): Promise<string> {
  const before = new Set(readdirSync(locks));
  let name: string | undefined;
  while (name === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    name = readdirSync(locks).find((each) => each.endsWith(".lock") && !before.has(each));
  }
  const path = join(locks, name);
  const held = JSON.parse(readFileSync(path, "utf8"));
  await during;
  const created = new Date(Date.now() - age).toISOString();
  writeFileSync(path, JSON.stringify({ ...held, id: "left", host: "elsewhere", who: "ci@elsewhere", created }));
  return path;
}

test("a lock that a process of another container left is broken once it is older than any write", async () => {
  const service = await startService();
  try {
    const core = await coreOfItsOwn(service.ready.url);
    const { configuration } = await makeShop(core);
    const daily = dailyIn(configuration);
    await service.call("PUT", "/_loadform/faults", [
      { method: "PUT", path: "/test-confs/:id", times: 1, delayMs: 500 },
    ]);
    const path = await leftLock(core.create("loadform_schedule", daily(1)), 301_000);
    const since = Date.now();
    await core.create("loadform_schedule", daily(2));
    expect(Date.now() - since).toBeLessThan(20_000);
    expect(readdirSync(locks).map((each) => join(locks, each))).not.toContain(path);
  } finally {
    await service.stop("SIGTERM");
  }
});

test("a wait for another process is said, and ends when Terraform is interrupted", async () => {
  const service = await startService();
  const told: string[] = [];
  try {
    const core = await coreOfItsOwn(service.ready.url, (line) => told.push(line));
    const { configuration } = await makeShop(core);
    const daily = dailyIn(configuration);
    await service.call("PUT", "/_loadform/faults", [
      { method: "PUT", path: "/test-confs/:id", times: 1, delayMs: 500 },
    ]);
    const path = await leftLock(core.create("loadform_schedule", daily(1)), 0);
    const since = Date.now();
    const waiting = core.create("loadform_schedule", daily(2)).catch((problem: unknown) => String(problem));
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    core.session.stop();
    expect(await waiting).toContain("the wait for another process was interrupted");
    const { body } = await service.call("GET", `/test-confs/${idOf(configuration)}?down=true`);
    expect(body).toMatchObject({ schedules: [{ hour: 1 }] });
    expect(Date.now() - since).toBeLessThan(30_000);
    expect(told).toEqual([expect.stringContaining(`waits up to a minute for ci@elsewhere`)]);
    rmSync(path);
  } finally {
    await service.stop("SIGTERM");
  }
}, 60_000);

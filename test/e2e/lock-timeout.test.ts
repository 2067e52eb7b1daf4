import { once } from "node:events";
import { afterAll, describe, expect, test } from "vitest";
import { isDeep, sampleOf, timesOf } from "../support/deep.ts";
import { mergeTest } from "../support/merge-test.ts";
import type { startCli } from "../support/run-cli.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { slownessNow } from "../support/slowness-now.ts";
import { type StoreName, statePlaces, storeNames } from "./store-places.ts";

const service = sharedService();
const places = statePlaces();
afterAll(() => places.stop());

/** A project that was applied, and its lock in somebody else's hands. */
async function heldProject(name: StoreName) {
  await service.call("POST", "/_loadform/reset");
  const { settings, env, open } = await places.place(name, "waits");
  const text = JSON.stringify({ project: "waits", state: settings, testCases: { shop: {}, other: {} } });
  const project = servedProject(service, text, env);
  expect(await project.run("apply", "--auto-approve")).toMatchObject({ code: 0 });
  const session = await open(project.cwd).lock({ operation: "someone's import", timeoutMs: 0 });
  return { ...project, session, open: () => open(project.cwd) };
}

/** Seconds that are long enough for a command to have looked at the lock once before they are over. */
async function lookSecs(): Promise<number> {
  return Math.min(10, Math.ceil(await slownessNow()));
}

/** Resolves once a command says that it waits for the lock. */
function untilWaiting({ stderr }: Awaited<ReturnType<typeof startCli>>): Promise<void> {
  let said = "";
  return new Promise((resolve) =>
    stderr.on("data", (part) => {
      said += String(part);
      if (said.includes("Waiting up to")) resolve();
    }),
  );
}

const writing: readonly (readonly string[])[] = [
  ["apply", "--auto-approve", "--replace", "testCase.other"],
  ["destroy", "--auto-approve"],
  ["import", "--all"],
  ["state", "mv", "testCase.other", "testCase.moved"],
  ["state", "rm", "testCase.other"],
  ["state", "push"],
  ["state", "retarget"],
];

describe("--lock-timeout", () => {
  test("of every command that writes: it waits, says for whom, and gives up with exit 4 and the way out", async () => {
    const { feed, run, session } = await heldProject("http");
    const { stdout: pulled } = await run("state", "pull");
    for (const args of sampleOf(writing)) {
      const began = Date.now();
      const secs = await lookSecs();
      const { code, stderr } = await feed(pulled, ...args, "--lock-timeout", String(secs));
      expect([args, code]).toEqual([args, 4]);
      expect(Date.now() - began).toBeGreaterThanOrEqual(secs * 1_000);
      const holder = /^Waiting up to \d+ s for the lock, held by .+@.+ since 20.+ \(someone's import, pid/m;
      expect([args, stderr]).toEqual([args, expect.stringMatching(holder)]);
      expect(stderr).toContain("LF5001");
      expect(stderr).toContain(`loadform state unlock ${session.info.id}`);
    }
    await session.release();
  });

  test.each((isDeep ? writing : writing.slice(0, 1)).map((args) => ({ command: args.slice(0, 2).join(" "), args })))(
    "lets $command go on once the lock is free, and without it the command does not wait",
    async ({ args }) => {
      const { feed, run, session, start } = await heldProject("local");
      const { stdout: pulled } = await run("state", "pull");
      const refused = await feed(pulled, ...args);
      expect([refused.code, refused.stderr]).toEqual([4, expect.not.stringContaining("Waiting")]);
      const child = await start(...args, "--lock-timeout", "60");
      child.stdin.end(pulled);
      const closed = once(child, "close");
      await untilWaiting(child);
      await session.release();
      expect((await closed)[0]).toBe(0);
    },
  );

  // GitLab's protocol is that of http with other words.
  test.each(sampleOf(storeNames.filter((name) => isDeep || name !== "gitlab")))(
    "on %s: waits, gives up with exit 4, and gets the lock when it is free",
    async (name) => {
      const { run, session } = await heldProject(name);
      const secs = await lookSecs();
      const refused = await run("state", "rm", "testCase.other", "--lock-timeout", String(secs));
      const words = `Waiting up to ${secs} s for the lock`;
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining(words)]);
      expect(refused.stderr).toContain(session.info.id);
      const waiting = run("state", "rm", "testCase.other", "--lock-timeout", "60");
      setTimeout(() => void session.release(), 1_000);
      expect(await waiting).toMatchObject({ code: 0 });
    },
  );

  test.each(
    (isDeep ? storeNames : storeNames.slice(0, timesOf({ few: 2 }))).flatMap((name) => [
      { name, signal: "SIGINT" as const, exit: 130, args: ["apply", "--auto-approve"] },
      { name, signal: "SIGTERM" as const, exit: 143, args: ["state", "rm", "testCase.other"] },
    ]),
  )("on $name: $signal while waiting ends $args with exit $exit at once", async ({ name, signal, exit, args }) => {
    const { start, run, session } = await heldProject(name);
    const child = await start(...args, "--lock-timeout", "60");
    await untilWaiting(child);
    const began = Date.now();
    const closed = once(child, "close");
    child.kill(signal);
    expect((await closed)[0]).toBe(exit);
    expect(Date.now() - began).toBeLessThan(1_500 * (await slownessNow()));
    await session.release();
    expect(await run("state", "rm", "testCase.other")).toMatchObject({ code: 0 });
  });
});

mergeTest("a signal that ends an import gives its lock back, also where nothing frees it by itself", async () => {
  const { start, open, session } = await heldProject("http");
  await session.release();
  await service.call("PUT", "/_loadform/faults", [
    { method: "GET", path: "/orgs/:orgId/test-cases", delayMs: 20_000, times: 9 },
  ]);
  // Looking whether it holds the lock takes the lock for a moment, so it may have to wait for that.
  const child = await start("import", "--all", "--lock-timeout", "20");
  const isHeld = async () => {
    const tried = await open()
      .lock({ operation: "look", timeoutMs: 0 })
      .catch(() => undefined);
    await tried?.release();
    return tried === undefined;
  };
  await expect.poll(isHeld, { timeout: 60_000 }).toBe(true);
  const closed = once(child, "close");
  child.kill("SIGINT");
  expect((await closed)[0]).toBe(130);
  expect(await isHeld()).toBe(false);
});

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { isDeep, sampleOf } from "../support/deep.ts";
import { repeat } from "../support/repeat.ts";
import { servedProject, startService } from "../support/served-project.ts";
import { stopWaiting } from "../support/stop-process.ts";
import { startProxy } from "./counting-proxy.ts";
import { type StoreName, statePlaces, storeNames } from "./store-places.ts";

const places = statePlaces();
afterAll(() => places.stop());

const names = (letter: string, count: number) => Array.from({ length: count }, (_, index) => `${letter}${index}`);
/** 7 test cases with 4 scenarios each. */
const creates = 35;
const scenarios = Object.fromEntries(names("s", 4).map((key) => [key, { script: "run()" }]));
const testCases = Object.fromEntries(names("t", 7).map((key) => [key, { scenarios }]));

const rounds = Number(process.env["LOADFORM_RUNS"] ?? (isDeep ? 30 : 1));
const atOnce = 6;
const stores = storeNames.filter((name) => name !== "gitlab");
/** The oldest proof of a lock with which a write may leave. */
const proofMs: Readonly<Record<StoreName, number>> = {
  local: 1_000,
  postgres: 1_000,
  http: 5_000,
  gitlab: 5_000,
  git: 5_000,
  s3: 5_000,
};

type Service = Awaited<ReturnType<typeof startService>>;

/** What is at the service: every object by the names of its line, so that one that is there twice is there twice. */
async function liveNames(service: Service): Promise<readonly string[]> {
  const found = (await service.call("GET", "/test-cases?down=true")).body as readonly {
    readonly name: string;
    readonly scenarios: readonly { readonly name: string }[];
  }[];
  return found.flatMap(({ name, scenarios: below }) => [name, ...below.map((each) => `${name}/${each.name}`)]).sort();
}

const wanted = Object.entries(testCases)
  .flatMap(([name, { scenarios: below }]) => [name, ...Object.keys(below).map((each) => `${name}/${each}`)])
  .sort();

/** An apply that is stopped while its n-th create is under way. */
async function stoppedApply(service: Service, name: StoreName, stopAt: number) {
  const proxy = await startProxy(service.ready.url);
  const posts = ["/test-cases", "/test-cases/:testCaseId/scripts"];
  await service.call(
    "PUT",
    "/_loadform/faults",
    posts.map((path) => ({ method: "POST", path, delayMs: 150, times: 1000 })),
  );
  const place = await places.place(name, "zombie");
  const text = JSON.stringify({ project: "zombie", state: place.settings, testCases });
  const project = servedProject(service, text, { ...place.env, LOADFORM_URL: proxy.url });
  const child = await project.start("apply", "--auto-approve");
  const stopped = new Promise<void>((resolve) => {
    proxy.onWrite = (count) => {
      if (count === stopAt) resolve(stopWaiting(child.pid ?? 0));
    };
  });
  let stderr = "";
  child.stderr.on("data", (part) => {
    stderr += String(part);
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  await Promise.race([stopped, closed]);
  return { project, place, proxy, child, closed, stderr: () => stderr };
}

type Stopped = Awaited<ReturnType<typeof stoppedApply>>;

/** What comes next finds the creates in doubt older than they are, so that it need not wait for them. */
async function ageIntents({ place, project }: Stopped): Promise<void> {
  const session = await place.open(project.cwd).lock({ operation: "age", timeoutMs: 10_000 });
  const { state, intents = [] } = session.stored ?? {};
  if (state)
    await session.save(
      state,
      intents.map((intent) => ({ ...intent, t: intent.t - 65_000, since: intent.since ?? intent.t })),
    );
  await session.release();
}

/** The whole story; `isHasty` leaves out the wait for what the stopped one had sent. */
async function robOne(name: StoreName, stopAt: number, isHasty: boolean): Promise<void> {
  const service = await startService();
  const stopped = await stoppedApply(service, name, stopAt);
  const { project, place, proxy, child, closed } = stopped;
  try {
    const since = performance.now();
    await sleep(300);
    expect(await place.open(project.cwd).unlock()).toMatchObject({ id: expect.any(String) });
    if (isHasty) await ageIntents(stopped);
    const second = await project.run("apply", "--auto-approve");
    expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(await liveNames(service)).toEqual(wanted);
    await sleep(Math.max(0, since + proofMs[name] + 500 - performance.now()));
    const before = proxy.writes();
    child.kill("SIGCONT");
    expect([(await closed)[0], stopped.stderr()]).toEqual([6, expect.stringContaining("LF5004")]);
    expect(proxy.writes() - before).toBe(0);
    expect(await liveNames(service)).toEqual(wanted);
    const plan = await project.run("plan");
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("No changes")]);
  } finally {
    child.kill("SIGKILL");
    await proxy.close();
    await service.stop("SIGKILL");
  }
}

/** Each store, by turns with a hasty successor and with one that waits in real time for what may still take effect; in a deep run both. */
const cases = stores.flatMap((name, index) =>
  [false, true].map((isHasty) => ({ name, isHasty })).filter(({ isHasty }) => isDeep || isHasty === (index % 2 === 1)),
);

describe("an apply that was stopped, robbed of its lock and resumed (P11)", () => {
  test.concurrent.each(sampleOf(cases.filter(({ isHasty }) => isHasty)))(
    "on $name sends nothing any more, after a hasty successor",
    ({ name }) => robOne(name, 12, true),
  );

  /** Stopped at another create each. */
  test.concurrent.each(sampleOf(cases.filter(({ isHasty }) => !isHasty)))(
    `on $name sends nothing any more, in real time, ${rounds} time(s)`,
    async ({ name }) => {
      await repeat(rounds, atOnce, (round) => robOne(name, ((round * 8 + 11) % creates) + 1, false));
    },
  );
});

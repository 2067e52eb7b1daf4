import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ApplyFlags, type ApplyUi, applyProject } from "../../src/project/apply-project.ts";
import { planProject } from "../../src/project/plan-project.ts";
import type { LockTalk, System } from "../../src/project/system.ts";
import { createService, type Fault } from "../../src/service/index.ts";
import type { Intent } from "../../src/state/state.ts";
import { readState, stateText } from "../../src/state/state-text.ts";
import { timesOf } from "../support/deep.ts";
import { realHolder } from "../support/state-samples.ts";
import { type FakeStateServer, startStateServer } from "../support/state-server.ts";

let server: FakeStateServer;
let service: ReturnType<typeof createService>;
let url = "";
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-apply-writes-"));
  server = await startStateServer("plain");
  server.latencyMs = 50;
  service = createService({ clock: { mode: "real" } });
  url = (await service.listen()).url;
});
afterEach(async () => {
  await server.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

type Objects = Readonly<Record<string, unknown>>;

const many = (count: number, make: (index: number) => unknown): Objects =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, make(index)]));
const gateways = (count: number, edit = 1): Objects =>
  many(count, (index) => ({ url: `https://g${index}-${edit}.example.com` }));
/** More than are sent at the same time. */
const wideCount = Math.max(60, timesOf({ few: 120 }));
const wide = (edit = 1): Objects => ({ shop: { gateways: gateways(wideCount, edit) } });
/** Children become ready at as many moments as there are parents. */
const staggered = (): Objects => many(30, () => ({ gateways: gateways(4) }));
const deep = (): Objects =>
  many(8, () => ({
    scenarios: { browse: { script: "x()", dataStores: { "u.csv": { contents: "a\n1\n" } } } },
    configurations: {
      smoke: {
        scenario: "browse",
        concurrentClients: 1,
        durationSecs: 1,
        providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
        schedules: { s: { scheduleType: "Recurring", recurringInterval: "Day", hour: 1 } },
      },
    },
  }));

const system = (): System => ({
  env: { LOADFORM_API_KEY: service.apiKey },
  cwd: folder,
  now: Date.now,
  sleep: realHolder.sleep,
  version: "1.2.3",
  deriveKey: () => new Uint8Array(32),
});

/** A create that a killed run may have sent. */
const lost = {
  address: "testCase.shop/gateway.k0",
  kind: "gateway",
  parent: "testCase.shop",
  preIds: [],
  name: "k0",
};

async function apply(testCases: Objects, ui: Partial<ApplyUi> = {}, notice: (text: string) => void = () => undefined) {
  const project = {
    project: "webshop",
    service: { url },
    state: { backend: "http", address: server.address },
    testCases,
  };
  await writeFile(join(folder, "loadform.yaml"), JSON.stringify(project));
  const flags: ApplyFlags = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true, forceThreshold: true };
  const before = server.log.length;
  const began = Date.now();
  const quiet = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const locks: LockTalk = {
    signal: new AbortController().signal,
    waiting: () => undefined,
    notice,
    hold: () => () => undefined,
  };
  const outcome = await applyProject(
    flags,
    { ...system(), locks },
    { ...quiet, signal: new AbortController().signal, ...ui },
  );
  const writes = server.log.slice(before).filter((line) => line.startsWith("POST ")).length;
  const again = () => planProject(flags, system());
  return { outcome, writes, seconds: (Date.now() - began) / 1000, again };
}

async function setFaults(faults: readonly Fault[]): Promise<void> {
  const headers = { "x-api-key": service.apiKey, "content-type": "application/json" };
  const answer = await service.fetch("/_loadform/faults", { method: "PUT", headers, body: JSON.stringify(faults) });
  expect(answer.status).toBe(200);
}

const posts = ["/test-cases", "/test-cases/:id/gateways", "/test-cases/:id/scripts", "/test-cases/:id/confs"];
const slow = posts.map((path) => ({ method: "POST", path, delayMs: 50 }));

const pending = () => readState(server.document ?? "").pending;

describe("state writes of an apply over a slow network", () => {
  test.each([
    { title: "many objects under one parent", testCases: wide(), waves: 2, creates: wideCount + 1 },
    { title: "120 objects under 30 parents", testCases: staggered(), waves: 2, creates: 150 },
    {
      title: "three generations, each child written with its parent or after it",
      testCases: deep(),
      waves: 3,
      creates: 40,
    },
    { title: "one object", testCases: { shop: {} }, waves: 1, creates: 1 },
  ])("for $title are one a generation and one at the end", async ({ testCases, waves, creates }) => {
    await setFaults(slow);
    const { outcome, writes, seconds, again } = await apply(testCases);
    expect(outcome).toMatchObject({ status: "applied", counts: { create: creates, failed: 0 } });
    // A slower run also writes to prove that its lock still holds.
    if (seconds < 5) expect(writes).toBeLessThanOrEqual(waves + 1);
    expect(writes).toBeLessThanOrEqual(2 * waves + Math.floor(seconds / 5));
    expect(pending()).toEqual([]);
    expect((await again()).plan?.operations).toEqual([]);
  });

  test("for many replacements are as few: what is deleted to be made anew keeps its intent", async () => {
    await apply(wide());
    const { outcome, writes, seconds, again } = await apply(wide(2));
    expect(outcome).toMatchObject({ status: "applied", counts: { create: wideCount, delete: wideCount, failed: 0 } });
    expect(writes).toBeLessThanOrEqual(2 * 2 + Math.floor(seconds / 5));
    expect(pending()).toEqual([]);
    expect((await again()).plan?.operations).toEqual([]);
  });

  test("creates that an interrupt kept from being sent leave no intent", async () => {
    const stop = new AbortController();
    let completed = 0;
    const { outcome, again } = await apply(wide(), {
      signal: stop.signal,
      emit: ({ type }) => {
        if (type === "apply_complete" && ++completed === 20) stop.abort();
      },
    });
    expect(outcome).toMatchObject({ status: "interrupted" });
    expect(outcome.counts?.not_attempted).toBeGreaterThan(wideCount / 3);
    // Those that were made are confirmed by the next run.
    const { resources } = readState(server.document ?? "");
    expect(pending().filter(({ address }) => !(address in resources))).toEqual([]);
    expect((await again()).diagnostics).toEqual([]);
  });

  test("creates whose parent failed leave no intent", async () => {
    await setFaults([{ method: "POST", path: "/test-cases", status: 422, times: 1 }]);
    const testCases = { shop: { gateways: gateways(3) }, other: { gateways: gateways(3) } };
    const { outcome, again } = await apply(testCases);
    expect(outcome).toMatchObject({ status: "partial", counts: { create: 4, failed: 1, not_attempted: 3 } });
    expect(pending()).toEqual([]);
    expect((await again()).plan?.summary.create).toBe(4);
  });

  test("an interrupt while creates of a killed run are waited for gives the lock back, and leaves them in doubt", async () => {
    await apply({ shop: {} });
    const state = readState(server.document ?? "");
    const left: Intent = { ...lost, t: Date.now() };
    server.document = stateText({ ...state, pending: [left] });
    const notices: string[] = [];
    const stop = new AbortController();
    const notice = (text: string) => {
      notices.push(text);
      setTimeout(() => stop.abort(), 50);
    };
    const { outcome, seconds } = await apply({ shop: { gateways: gateways(1) } }, { signal: stop.signal }, notice);
    expect(outcome.status).toBe("interrupted");
    expect(notices).toEqual([expect.stringMatching(/^Waiting 50 s: it is not known how one create /)]);
    expect(seconds).toBeLessThan(5);
    expect(server.lock()).toBeUndefined();
    expect(pending()).toMatchObject([{ address: left.address }]);
  });

  test("a store that refuses to be written to stops the apply before anything is sent", async () => {
    server.fail({ method: "POST", times: 1000, status: 403 });
    const { outcome } = await apply(wide());
    expect(outcome).toMatchObject({ status: "failed", diagnostics: [{ code: "LF5003" }] });
    expect(service.requests.filter(({ method }) => method === "POST")).toEqual([]);
    expect(server.lock()).toBeUndefined();
  });

  test("a store that fails on the way leaves an apply in part, which says how far it came", async () => {
    const { outcome } = await apply(wide(), {
      emit({ type }) {
        if (type === "apply_complete") server.fail({ method: "POST", times: 1000, status: 403 });
      },
    });
    expect(outcome).toMatchObject({
      status: "partial",
      counts: { create: 1, failed: expect.any(Number), not_attempted: expect.any(Number) },
      diagnostics: [{ code: "LF5003", detail: expect.stringContaining("could not write the state") }],
    });
    const { failed = 0, not_attempted = 0 } = outcome.counts ?? {};
    expect(failed + not_attempted).toBe(wideCount);
  });

  test("a lock that cannot be given back is told beside what was done, which stays done", async () => {
    server.fail({ method: "UNLOCK", times: 1000, status: 403 });
    const { outcome, again } = await apply(wide());
    expect(outcome).toMatchObject({ status: "failed", counts: { create: wideCount + 1, failed: 0, not_attempted: 0 } });
    expect(outcome.diagnostics).toMatchObject([
      { code: "LF5003", detail: expect.stringContaining("release the lock") },
    ]);
    expect((await again()).plan?.operations).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import type { Wire } from "../../src/model/kind.ts";
import { ServiceError } from "../../src/model/service-error.ts";
import { WaitStopped } from "../../src/model/sleep-unless.ts";
import { liveHandle } from "../../src/model/tree.ts";
import {
  type AwaitedCreate,
  awaitLostCreates,
  CreateInDoubt,
  createSurely,
  type SureCreate,
} from "../../src/remote/create-surely.ts";
import { traceableFields } from "../../src/remote/find-lost-create.ts";
import { createBody, createObject } from "../../src/remote/write-object.ts";
import type { Fault } from "../../src/service/index.ts";
import { type Bench, makeBench } from "../support/remote-bench.ts";

const gateways = { method: "POST", path: "/test-cases/:testCaseId/gateways" } as const;

/** A gateway that is created in one test case while the service has these faults, and all that was told meanwhile. */
async function makeGateway(faults: readonly Fault[], asked: Partial<SureCreate> = {}) {
  const bench = makeBench();
  const testCase = (await bench.create("testCase", { name: "above" })).id;
  await bench.rig.setFaults(faults);
  const kind = bench.kindOf("gateway");
  const fields = bench.fieldsOf(kind, { name: "g", url: "https://shop.test" });
  const told: string[] = [];
  const startedAt = bench.rig.system.now();
  const lost = (): AwaitedCreate => ({
    ...{ kind, parentId: testCase, name: "g", sent: traceableFields(kind, fields), known: [], isBound: () => false },
    ...{ sentAt: startedAt, lastSentAt: bench.rig.system.now(), isOwn: true },
  });
  const created = createSurely({
    ...{ kind, scope: bench.scope, clock: bench.rig.system, look: bench.read, lost },
    send: () =>
      createObject(bench.scope, kind, {
        body: createBody(kind, { fields, sources: bench.sources }),
        parentId: testCase,
      }),
    found: (handle) => void told.push(`found ${handle}`),
    waiting: (_creates, ms) => void told.push(`waits ${ms / 1_000} s`),
    again: async () => void told.push("again"),
    ...asked,
  });
  const outcome: Wire | Error = await created.catch((problem: Error) => problem);
  return { bench, outcome, told, seconds: (bench.rig.system.now() - startedAt) / 1_000, testCase };
}

const sent = ({ rig }: Bench) =>
  rig.service.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/gateways")).length;
const made = async ({ read }: Bench) =>
  [...(await read()).nodes.values()].filter(({ kind }) => kind === "gateway").map(({ handle }) => handle);

describe("a create", () => {
  test("that is answered is sent once, and nothing is looked for", async () => {
    const { bench, outcome, told } = await makeGateway([]);
    expect([outcome, told, sent(bench)]).toEqual([expect.objectContaining({ name: "g" }), [], 1]);
  });

  test("whose answer was lost is found, and not sent again", async () => {
    const { bench, outcome, told } = await makeGateway([{ ...gateways, drop: "after", times: 1 }]);
    const [only] = await made(bench);
    expect(outcome).toMatchObject({ name: "g" });
    expect(liveHandle("gateway", (outcome as Wire).id)).toBe(only);
    expect([told, sent(bench)]).toEqual([[`found ${only}`], 1]);
  });

  test("that did not happen is waited for as long as it may take effect, and sent again", async () => {
    const { bench, told, seconds } = await makeGateway([{ ...gateways, status: 500, times: 1 }]);
    expect([told, sent(bench), (await made(bench)).length]).toEqual([["waits 45 s", "again"], 2, 1]);
    expect(seconds).toBeGreaterThanOrEqual(47);
  });

  test("is waited for as long as its own timeout says", async () => {
    const lost = (bench: Bench): AwaitedCreate => ({
      ...{
        kind: bench.kindOf("gateway"),
        parentId: 1,
        name: "g",
        sent: {},
        known: [],
        isBound: () => false,
        isOwn: true,
      },
      ...{ sentAt: bench.rig.system.now(), lastSentAt: bench.rig.system.now(), timeoutMs: 100_000 },
    });
    const bench = makeBench();
    const waits: number[] = [];
    await awaitLostCreates([lost(bench), { ...lost(bench), timeoutMs: 5_000 }], {
      ...{ look: bench.read, clock: bench.rig.system, waiting: (_, ms) => void waits.push(ms) },
    });
    expect(waits).toEqual([115_000]);
  });

  test.each([1, 3, undefined])(
    "that never succeeds is sent %s times at most, and fails as the last one did",
    async (tries) => {
      const { bench, outcome } = await makeGateway(
        [{ ...gateways, status: 500 }],
        tries === undefined ? {} : { tries },
      );
      expect(outcome).toBeInstanceOf(ServiceError);
      expect([sent(bench), await made(bench)]).toEqual([tries ?? 5, []]);
    },
  );

  test("that was refused is not looked for", async () => {
    const { bench, outcome, told, seconds } = await makeGateway([{ ...gateways, status: 400 }]);
    expect([(outcome as ServiceError).status, told, sent(bench), seconds]).toEqual([400, [], 1, 0]);
  });

  test("of which there may be two is in doubt, with both", async () => {
    const bench = makeBench();
    const testCase = (await bench.create("testCase", { name: "above" })).id;
    for (const url of ["https://a.test", "https://b.test"])
      await bench.create("gateway", { name: "g", url }, { parentId: testCase });
    const kind = bench.kindOf("gateway");
    const { system } = bench.rig;
    const lost = (): AwaitedCreate => ({
      ...{ kind, parentId: testCase, name: "g", sent: {}, known: [], isBound: () => false },
      ...{ sentAt: system.now(), lastSentAt: system.now() },
    });
    const failure = new ServiceError("no answer", { route: "r", method: "POST", path: "/", arrival: "maybe-done" });
    const creating = createSurely({
      ...{ kind, scope: bench.scope, clock: system, look: bench.read, lost, found: () => undefined },
      send: () => Promise.reject(failure),
    });
    const doubt = await creating.catch((problem: CreateInDoubt) => problem as CreateInDoubt);
    expect(doubt).toBeInstanceOf(CreateInDoubt);
    expect((doubt as CreateInDoubt).nodes.map(({ handle }) => handle)).toEqual(await made(bench));
    expect((doubt as CreateInDoubt).sent).toBe(failure);
  });

  test("is in doubt when the wait for it is stopped, and is not sent again", async () => {
    const stop = new AbortController();
    const waiting = () => stop.abort();
    const { bench, outcome } = await makeGateway([{ ...gateways, status: 500 }], { signal: stop.signal, waiting });
    expect(outcome).toBeInstanceOf(CreateInDoubt);
    expect((outcome as CreateInDoubt).cause).toBeInstanceOf(WaitStopped);
    expect((outcome as CreateInDoubt).sent).toBeInstanceOf(ServiceError);
    expect(sent(bench)).toBe(1);
  });

  test("is in doubt when the look for it fails", async () => {
    const look = () => Promise.reject(new Error("no list"));
    const { bench, outcome } = await makeGateway([{ ...gateways, drop: "after" }], { look });
    expect(outcome).toMatchObject({ name: "CreateInDoubt", nodes: [], cause: { message: "no list" } });
    expect([sent(bench), (await made(bench)).length]).toEqual([1, 1]);
  });
});

import { describe, expect, test } from "vitest";
import type { ApplyEvent } from "../../src/apply/events.ts";
import { Crash, crashDisk, Gone } from "../support/crash-files.ts";
import type { Wish } from "../support/random-project.ts";
import { toTree } from "../support/random-project.ts";
import type { Asked, Rig } from "../support/rig.ts";
import { makeRig, rigStart } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";
import { setRunning } from "../support/start-run.ts";

const scenario = (key: string, script = key): Wish => ({
  kind: "scenario",
  key,
  fields: { name: key, script },
  below: [],
});
const gateway = (fields: Wish["fields"] = {}): Wish => ({
  kind: "gateway",
  key: "g",
  fields: { name: "g", url: "https://g.test", ...fields },
  below: [],
});
const configuration = (of: string, durationSecs = 10, below: readonly Wish[] = []): Wish => ({
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: { ref: `testCase.t/scenario.${of}` },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs,
    concurrentClients: 1,
  },
  below,
});
const shop = (below: readonly Wish[], fields: Wish["fields"] = {}) =>
  toTree([{ kind: "testCase", key: "t", fields: { name: "t", ...fields }, below }]);

const send = (rig: Rig, method: string, path: string, body?: Record<string, unknown>) =>
  void rig.service.handle({ method, path: `${path}?key=local`, ...(body && { body: body as never }) });

/** Applies one project and then another; something happens just before the request that an address is about. */
async function applyBoth(of: {
  readonly before: ReturnType<typeof shop>;
  readonly after: ReturnType<typeof shop>;
  readonly address?: string;
  readonly happens?: (rig: Rig, time: { now: number }) => void;
  readonly settings?: NonNullable<Parameters<typeof makeRig>[0]>["settings"];
  readonly prepare?: (rig: Rig) => Promise<unknown>;
  readonly asked?: Asked;
}) {
  const time = { now: rigStart };
  const rig = makeRig({ time, ...(of.settings && { settings: of.settings }) });
  expect((await rig.apply(of.before)).status).toBe("applied");
  await rig.world.sleep(1_000);
  await of.prepare?.(rig);
  let isDue = true;
  const onEvent = (event: ApplyEvent) => {
    if (event.type !== "apply_start" || event.address !== of.address || !isDue) return;
    isDue = false;
    of.happens?.(rig, time);
  };
  const outcome = await rig.apply(of.after, { ...of.asked, onEvent });
  const codes = outcome.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  return { rig, outcome, codes };
}

describe("just before it is sent", () => {
  const dropped = { before: shop([gateway()]), after: shop([]), address: "testCase.t/gateway.g" };

  test("a delete of what was renamed is not", async () => {
    const happens = (rig: Rig) => send(rig, "PATCH", "/gateways/1", { name: "theirs" });
    const { rig, codes } = await applyBoth({ ...dropped, happens });
    expect(codes).toEqual(["LF6002"]);
    expect(await serviceBodies(rig)).toContain("gateway");
  });

  test("a delete of what was made anew under its id is not", async () => {
    const happens = (rig: Rig) => {
      send(rig, "DELETE", "/gateways/1");
      send(rig, "POST", "/test-cases/1/gateways", { name: "g", url: "https://g.test" });
    };
    const { rig, codes } = await applyBoth({ ...dropped, happens, settings: { ids: "reuse" } });
    expect(codes).toEqual(["LF6002"]);
    expect(await serviceBodies(rig)).toContain("gateway");
  });

  test("a delete of what was started is not", async () => {
    const { rig, codes } = await applyBoth({
      before: shop([scenario("s"), configuration("s")]),
      after: shop([scenario("s")]),
      address: "testCase.t/configuration.c",
      prepare: (made) =>
        made.outside.call("POST /test-confs/:confId/executions", { params: { confId: 1 }, body: {} as never }),
      happens: setRunning,
    });
    expect(codes).toEqual(["LF4003"]);
    expect(await serviceBodies(rig)).toContain("configuration");
  });

  test("a delete of what is gone already is done", async () => {
    const { outcome } = await applyBoth({ ...dropped, happens: (rig) => send(rig, "DELETE", "/gateways/1") });
    expect([outcome.status, outcome.counts?.failed]).toEqual(["applied", 0]);
  });

  const renamed = {
    before: shop([gateway()]),
    after: shop([gateway({ name: "new" })]),
    address: "testCase.t/gateway.g",
  };

  test("a late update of what was changed is not", async () => {
    const happens = (rig: Rig, time: { now: number }) => {
      time.now += 11_000;
      send(rig, "PATCH", "/gateways/1", { name: "theirs" });
    };
    const { rig, codes } = await applyBoth({ ...renamed, happens, prepare: (made) => made.service.advance(5_000) });
    expect(codes).toEqual(["LF6002"]);
    expect(JSON.stringify(rig.service.snapshot().tables["gateway"])).toContain("theirs");
  });

  test("a late update of what was made anew under its id is not", async () => {
    const happens = (rig: Rig, time: { now: number }) => {
      time.now += 11_000;
      send(rig, "DELETE", "/gateways/1");
      send(rig, "POST", "/test-cases/1/gateways", { name: "g", url: "https://g.test" });
    };
    const { rig, codes } = await applyBoth({ ...renamed, happens, settings: { ids: "reuse" } });
    expect(codes).toEqual(["LF6002"]);
    expect(JSON.stringify(rig.service.snapshot().tables["gateway"])).not.toContain("new");
  });

  test("a description that another test case would take is taken back", async () => {
    const happens = (rig: Rig) => send(rig, "PUT", "/test-cases/1", { name: "theirs" });
    const { rig, codes } = await applyBoth({
      before: shop([]),
      after: shop([], { description: "new" }),
      address: "testCase.t",
      happens,
    });
    expect(codes).toEqual(["LF6002"]);
    expect(rig.service.snapshot().tables["testCase"]).toMatchObject([{ id: 1, name: "theirs" }]);
  });
});

/** A process that dies when the answer to a request comes that a test waits for; then another one. */
async function crashAfter(first: ReturnType<typeof shop>, second: ReturnType<typeof shop>, path: string, asked: Asked) {
  let isGone = false;
  let isArmed = false;
  const step = () => {
    if (isGone) throw new Gone("the process is gone");
    const last = made?.service.requests.at(-1);
    if (!isArmed || last?.method !== "POST" || !last.path.startsWith(path)) return;
    isGone = true;
    throw new Crash("power lost");
  };
  let made: Rig | undefined;
  const disk = crashDisk(step);
  const rig = makeRig({ files: disk.files, isDead: () => isGone, step });
  made = rig;
  if (first.nodes.size > 0) await rig.apply(first);
  isArmed = true;
  await rig.apply(second, asked).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  expect(isGone).toBe(true);
  isArmed = false;
  isGone = false;
  return rig.restart(disk.restart(false).files);
}

describe("a crash", () => {
  test("finds that a create is sent only after its intent was stored", async () => {
    const tree = shop([gateway()]);
    const rig = await crashAfter(shop([]), tree, "/test-cases/1/gateways", {});
    expect((await rig.stored())?.intents.map(({ address }) => address)).toEqual(["testCase.t/gateway.g"]);
    expect((await rig.apply(tree)).status).toBe("nothing");
    expect(await serviceBodies(rig)).toEqual(["gateway", "testCase"]);
  });

  test("finds that a replacement made first keeps both objects until the old one is gone", async () => {
    const tree = shop([scenario("s"), configuration("s")]);
    const rig = await crashAfter(tree, tree, "/test-cases/1/scripts", { replace: ["testCase.t/scenario.s"] });
    const stored = await rig.stored();
    expect(Object.keys(stored?.state.resources ?? {})).toContain("testCase.t/scenario.s.being-replaced");
    expect(stored?.intents.map(({ address }) => address)).toEqual(["testCase.t/scenario.s"]);
    expect((await rig.apply(tree)).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["configuration", "scenario", "testCase"]);
    expect((await rig.plan(tree)).plan?.changes).toEqual([]);
  });
});

describe("a write in doubt", () => {
  test("of a create whose answer was lost is not sent again when it happened", async () => {
    const rig = makeRig();
    await rig.apply(shop([]));
    await rig.setFaults([{ method: "POST", path: "/test-cases/:testCaseId/gateways", times: 1, drop: "after" }]);
    expect((await rig.apply(shop([gateway()]))).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["gateway", "testCase"]);
  });

  test("of a schedule that was perhaps made is looked for by the next run", async () => {
    const daily: Wish = {
      kind: "schedule",
      key: "d",
      fields: { scheduleType: "Recurring", recurringInterval: "Day" },
      below: [],
    };
    const tree = shop([scenario("s"), configuration("s", 10, [daily])]);
    const rig = makeRig();
    await rig.apply(shop([scenario("s"), configuration("s")]));
    await rig.setFaults([{ method: "PUT", path: "/test-confs/:confId", times: 9, drop: "after" }]);
    expect((await rig.apply(tree)).status).toBe("partial");
    expect((await rig.stored())?.intents.map(({ address }) => address)).toEqual([
      "testCase.t/configuration.c/schedule.d",
    ]);
    await rig.setFaults([]);
    await rig.apply(tree);
    expect((await serviceBodies(rig)).filter((kind) => kind === "schedule")).toHaveLength(1);
  });
});

describe("an apply", () => {
  const longer = shop([scenario("s"), configuration("s", 60)]);
  const shorter = shop([scenario("s"), configuration("s", 10)]);

  test("leaves alone what changed after it was agreed to", async () => {
    const rig = makeRig();
    await rig.apply(shorter);
    const confirm = async () => {
      send(rig, "PUT", "/test-confs/1", { durationSecs: 90 });
      return true;
    };
    const { status, diagnostics } = await rig.apply(longer, { confirm });
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(["partial", ["LF6002"]]);
    expect(rig.service.snapshot().tables["configuration"]).toMatchObject([{ durationSecs: 90 }]);
  });

  test("of a plan that was declined writes nothing", async () => {
    const rig = makeRig();
    await rig.apply(shorter);
    rig.takeWrites();
    expect((await rig.apply(longer, { confirm: async () => false })).status).toBe("declined");
    expect(rig.takeWrites()).toBe(0);
  });

  test("of a plan with an error writes nothing", async () => {
    const rig = makeRig();
    const twins = toTree(
      ["a", "b"].map((key): Wish => ({ kind: "testCase", key, fields: { name: "same" }, below: [] })),
    );
    expect([(await rig.apply(twins)).status, rig.takeWrites()]).toEqual(["failed", 0]);
  });

  test("by who lost the lock starts nothing more", async () => {
    const disk = crashDisk(() => undefined);
    const rig = makeRig({ files: disk.files });
    await rig.apply(shop([]));
    rig.takeWrites();
    const onEvent = ({ type }: ApplyEvent) => void (type === "apply_start" && disk.files.remove("/state.json.lock"));
    const outcome = await rig.apply(shop([scenario("a"), scenario("b"), scenario("c")]), { onEvent, parallelism: 1 });
    expect(outcome.counts).toMatchObject({ create: 0, failed: 1, not_attempted: 2 });
    expect(rig.takeWrites()).toBe(0);
  });

  test("skips a delete that hangs together with a failure", async () => {
    const rig = makeRig();
    await rig.apply(shop([scenario("s"), configuration("s"), gateway()]));
    await rig.setFaults([{ method: "DELETE", path: "/test-confs/:confId", times: 1, status: 400 }]);
    const outcome = await rig.apply(toTree([{ kind: "testCase", key: "other", fields: { name: "o" }, below: [] }]), {
      parallelism: 1,
    });
    expect(outcome.counts).toMatchObject({ create: 1, delete: 0, failed: 1, not_attempted: 3 });
    expect(await serviceBodies(rig)).toContain("gateway");
  });

  test("does not attempt what depends on a failure", async () => {
    const rig = makeRig();
    await rig.setFaults([{ method: "POST", path: "/test-cases", times: 1, status: 400 }]);
    const outcome = await rig.apply(shop([scenario("s"), gateway()]));
    expect(outcome.counts).toMatchObject({ create: 0, failed: 1, not_attempted: 2 });
  });
});

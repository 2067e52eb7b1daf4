import { describe, expect, test } from "vitest";
import { Crash, crashDisk, Gone } from "../support/crash-files.ts";
import { configuration, gateway, scenario, send, shop } from "../support/one-test-case.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { type Asked, makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

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
    let isBroken = false;
    const disk = crashDisk((label) => {
      if (isBroken && label.startsWith("append")) void disk.files.remove("/state.json.lock");
    });
    const rig = makeRig({ files: disk.files });
    await rig.apply(shop([]));
    rig.takeWrites();
    isBroken = true;
    const outcome = await rig.apply(shop([scenario("a"), scenario("b"), scenario("c")]), { parallelism: 1 });
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

import { describe, expect, test } from "vitest";
import type { ApplyEvent } from "../../src/apply/events.ts";
import type { Fault } from "../../src/service/index.ts";
import { configuration, gateway, scenario, send, shop } from "../support/one-test-case.ts";
import type { Wish } from "../support/random-project.ts";
import { type Asked, makeRig, type Rig, rigStart } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";
import { completeRun, startRun } from "../support/start-run.ts";

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
  await rig.system.sleep(1_000);
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

  test("a delete of what somebody made something below is not", async () => {
    const { rig, codes } = await applyBoth({
      before: shop([gateway()]),
      after: shop([]),
      address: "testCase.t/gateway.g",
      happens: (made) => send(made, "POST", "/test-cases/1/scripts", { name: "theirs", main: "1" }),
      asked: { destroy: true },
    });
    expect(codes).toEqual(["LF6002"]);
    expect(await serviceBodies(rig)).toEqual(["scenario", "testCase"]);
  });

  test("a delete of what was started is not", async () => {
    const { rig, codes } = await applyBoth({
      before: shop([scenario("s"), configuration("s")]),
      after: shop([scenario("s")]),
      address: "testCase.t/configuration.c",
      prepare: (made) => completeRun(made),
      happens: (made) => startRun(made),
    });
    expect(codes).toEqual(["LF4003"]);
    expect(await serviceBodies(rig)).toContain("configuration");
  });

  test("a delete of what is gone already is done", async () => {
    const { outcome } = await applyBoth({ ...dropped, happens: (rig) => send(rig, "DELETE", "/gateways/1") });
    expect([outcome.status, outcome.counts?.failed]).toEqual(["applied", 0]);
  });

  const passing404: readonly [string, readonly Fault[]][] = [
    ["the look before a delete", [{ method: "GET", path: "/gateways/:id", times: 1, status: 404 }]],
    ["a delete", [{ method: "DELETE", path: "/gateways/:id", times: 1, status: 404 }]],
    [
      "a delete that is sent again after a lost answer",
      [
        { method: "DELETE", path: "/gateways/:id", times: 1, drop: "before" },
        { method: "DELETE", path: "/gateways/:id", times: 1, after: 1, status: 404 },
      ],
    ],
  ];
  test.each(passing404)("a 404 to %s is not believed as long as the lists show the object", async (_, faults) => {
    const { rig, outcome } = await applyBoth({ ...dropped, prepare: (made) => made.setFaults(faults) });
    expect(await rig.setFaults([])).toBe(faults.length);
    expect([outcome.status, outcome.counts?.failed]).toEqual(["applied", 0]);
    expect(await serviceBodies(rig)).not.toContain("gateway");
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

  test.each([
    ["its text was changed", "Someone changed script", { main: "theirs" }, ["LF6002"]],
    ["only its name was changed back and forth", "", undefined, []],
  ])("a late update of a scenario is not when %s", async (_, found, theirs, expected) => {
    const happens = (rig: Rig, time: { now: number }) => {
      time.now += 11_000;
      send(rig, "PUT", "/scripts/1", { name: "other" });
      send(rig, "PUT", "/scripts/1", { name: "s", ...theirs });
    };
    const { rig, codes, outcome } = await applyBoth({
      before: shop([scenario("s", "old")]),
      after: shop([scenario("s", "new")]),
      address: "testCase.t/scenario.s",
      happens,
      prepare: (made) => made.service.advance(5_000),
    });
    expect(codes).toEqual(expected);
    expect(outcome.diagnostics.map(({ detail }) => detail).join()).toContain(found);
    expect(JSON.stringify(rig.service.snapshot().tables["scenario"])).toContain(theirs ? "theirs" : "new");
  });

  test("a late update of a data store whose file was changed is not", async () => {
    const stores = (contents: string): Wish => ({
      ...scenario("s"),
      below: [{ kind: "dataStore", key: "d.csv", fields: { name: "d.csv", contents }, below: [] }],
    });
    const happens = (rig: Rig, time: { now: number }) => {
      time.now += 11_000;
      send(rig, "PUT", "/data-stores/1/contents", { contents: Buffer.from("theirs").toString("base64") });
    };
    const { rig, codes } = await applyBoth({
      before: shop([stores("old")]),
      after: shop([stores("new")]),
      address: "testCase.t/scenario.s/dataStore.d.csv",
      happens,
      prepare: (made) => made.service.advance(5_000),
    });
    expect(codes).toEqual(["LF6002"]);
    const kept = await rig.outside.call("GET /data-stores/:id/download", { params: { id: 1 } });
    expect(new TextDecoder().decode(kept)).toBe("theirs");
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

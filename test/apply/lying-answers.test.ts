import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/service/index.ts";
import { loadFiles } from "../support/load-files.ts";
import { configuration, scenario, send, shop } from "../support/one-test-case.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

const nothing = shop([]);
const schedule = {
  kind: "schedule",
  key: "hourly",
  fields: { scheduleType: "Recurring", recurringInterval: "Hour", hour: 1 },
  below: [],
} as const;
const whole = shop([scenario("s"), configuration("s", 10, [schedule])]);

/** A rig with a project applied and these faults planned. */
async function applied(tree = whole, faults: readonly Fault[] = []): Promise<Rig> {
  const rig = makeRig();
  expect((await rig.apply(tree)).status).toBe("applied");
  await rig.setFaults(faults);
  return rig;
}

const isAsDeclared = async (rig: Rig, tree = whole) => (await rig.plan(tree)).plan?.operations.length === 0;

describe("a delete", () => {
  test("of an object that is missing by its id and listed is none, and it remains bound", async () => {
    const rig = await applied(whole, [
      { method: "GET", path: "/scripts/:id", status: 404 },
      { method: "GET", path: "/test-confs/:confId", status: 404 },
    ]);
    const { status, diagnostics } = await rig.apply(nothing);
    expect([status, diagnostics[0]?.code]).toEqual(["partial", "LF2005"]);
    expect(diagnostics[0]?.detail).toMatch(/missing when it is asked for by its id, and listed, so it was not deleted/);
    await rig.setFaults([]);
    expect(await isAsDeclared(rig)).toBe(true);
    expect((await rig.apply(nothing)).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["testCase"]);
  });

  test("that did nothing leaves all bound, with what is inline", async () => {
    const paths = ["/scripts/:id", "/test-confs/:confId"];
    const rig = await applied(
      whole,
      paths.map((path) => ({ method: "DELETE", path, status: 204 })),
    );
    expect((await rig.apply(nothing)).status).toBe("partial");
    await rig.setFaults([]);
    expect(await isAsDeclared(rig)).toBe(true);
    expect((await rig.stored())?.state.resources).toHaveProperty(["testCase.t/configuration.c/schedule.hourly"]);
  });
});

test("a late list is no reason to bind what was deleted, or to refuse a file", async () => {
  const rig = await applied(whole, [{ method: "DELETE", path: "/test-confs/:confId", staleReads: 1 }]);
  const { status, diagnostics } = await rig.apply(shop([scenario("s")]));
  expect([status, diagnostics]).toEqual(["applied", []]);

  const withData = async (line: string) =>
    (
      await loadFiles(
        `testCases: { t: { scenarios: { s: { script: s, dataStores: { u: { name: u.csv, contents: "${line}" } } } } } }`,
      )
    ).tree;
  const late = await applied(await withData("a,b"));
  await late.setFaults([{ method: "PUT", path: "/data-stores/:id/contents", staleReads: 1 }]);
  expect((await late.apply(await withData("a,b,c,d,e"))).status).toBe("applied");
  expect(await isAsDeclared(late, await withData("a,b,c,d,e"))).toBe(true);
});

describe("an update without an answer", () => {
  const before = shop([scenario("s"), configuration("s")]);
  const after = shop([scenario("s", "run(2)"), configuration("s", 20)]);
  const paths = ["/scripts/:id", "/test-confs/:confId"];
  const write = (more: Partial<Fault>): Fault[] => paths.map((path) => ({ method: "PUT", path, ...more }));

  test("is done where the object shows all that was sent", async () => {
    const rig = await applied(before, write({ drop: "after" }));
    const { status, diagnostics } = await rig.apply(after);
    expect([status, diagnostics]).toEqual(["applied", []]);
    await rig.setFaults([]);
    expect(await isAsDeclared(rig, after)).toBe(true);
  });

  test("is done beside schedules that did not change", async () => {
    const text = (of: string) =>
      `testCases: { t: { scenarios: { s: { script: s } }, configurations: { c: { scenario: s, concurrentClients: 1, ${of}, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }], schedules: { h: { scheduleType: Recurring, recurringInterval: Hour, hour: 1 } } } } } }`;
    const [first, second] = [text("durationSecs: 5"), text("durationSecs: 9")];
    const rig = await applied((await loadFiles(first)).tree, [
      { method: "PUT", path: "/test-confs/:confId", drop: "after" },
    ]);
    const changed = (await loadFiles(second)).tree;
    expect((await rig.apply(changed)).status).toBe("applied");
    await rig.setFaults([]);
    expect(await isAsDeclared(rig, changed)).toBe(true);
  });

  test.each([
    ["shows what it had", [{ drop: "before" as const }]],
    ["cannot be read", [{ drop: "after" as const }, { method: "GET", status: 500 }]],
  ])("has failed where the object %s", async (_, faults) => {
    const rig = await applied(
      before,
      faults.flatMap((fault) => write(fault)),
    );
    const { status, diagnostics } = await rig.apply(after);
    expect([status, ...diagnostics.map(({ code }) => code)]).toEqual(["partial", ...paths.map(() => "LF6001")]);
    await rig.setFaults([]);
    await rig.apply(after);
    expect(await isAsDeclared(rig, after)).toBe(true);
  });
});

describe("a secret", () => {
  const withToken = async (token: string, key = "v") => {
    const password = token === "" ? "" : ', password: "${env:T}"';
    const text = `vcsRoots: { ${key}: { name: V, url: "https://git.test/x.git", vcsAuthType: Username, username: u${password} } }`;
    return (await loadFiles(text, { env: { T: token } })).tree;
  };
  const write = { method: "PUT", path: "/vcs-roots/:id" };

  test("whose write was not answered is sent again", async () => {
    const [first, second] = [await withToken("first-1111"), await withToken("second-2222")];
    const rig = await applied(first, [{ ...write, drop: "after" }]);
    expect((await rig.apply(second)).status).toBe("partial");
    await rig.setFaults([]);
    // The service has the second one.
    expect((await rig.plan(first)).plan?.operations).toMatchObject([{ op: "update" }]);
    expect((await rig.apply(first)).status).toBe("applied");
    expect(await isAsDeclared(rig, first)).toBe(true);
  });

  test("whose write was not answered moves with its object, and is released like another", async () => {
    const rig = await applied(await withToken("first-1111"), [{ ...write, drop: "after" }]);
    await rig.apply(await withToken("second-2222"));
    await rig.setFaults([]);
    const moved = (await rig.plan(await withToken("second-2222", "w"))).plan;
    expect(moved?.changes).toMatchObject([{ address: "vcsRoot.w", previousAddress: "vcsRoot.v", action: "update" }]);
    const { diagnostics } = await rig.plan(await withToken(""));
    expect(diagnostics).toMatchObject([{ code: "LF3010" }]);
  });

  test("whose write was refused is as it was", async () => {
    const first = await withToken("first-1111");
    const rig = await applied(first, [{ ...write, status: 422 }]);
    const before = (await rig.stored())?.state.resources["vcsRoot.v"];
    expect((await rig.apply(await withToken("second-2222"))).status).toBe("partial");
    expect((await rig.stored())?.state.resources["vcsRoot.v"]).toEqual(before);
    await rig.setFaults([]);
    expect(await isAsDeclared(rig, first)).toBe(true);
  });
});

describe("a download of a data store", () => {
  const text =
    'testCases: { t: { scenarios: { s: { script: s, dataStores: { u.csv: { contents: "a,b\\n1,2\\n" } } } } } }';
  const download = { method: "GET", path: "/data-stores/:id/download" };

  test.each([
    ["a part of it", { body: "a,b" }],
    ["a page", { body: "<html>busy</html>", status: 200 }],
    ["nothing", { status: 204 }],
  ])("that is %s is not believed", async (_, answer) => {
    const withData = (await loadFiles(text)).tree;
    const rig = await applied(withData);
    await rig.system.sleep(1_000);
    send(rig, "PUT", "/data-stores/1", { name: "u.csv" });
    await rig.setFaults([{ ...download, status: 200, ...answer, times: 1 }]);
    expect(await isAsDeclared(rig, withData)).toBe(true);
    await rig.setFaults([{ ...download, status: 200, ...answer }]);
    await expect(rig.plan(withData)).rejects.toThrow("and the service says that it has 8");
  });
});

import { describe, expect, test } from "vitest";
import { Crash, crashDisk, Gone } from "../support/crash-files.ts";
import { loadFiles } from "../support/load-files.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] };
const gateway: Wish = { kind: "gateway", key: "g", fields: { name: "g", url: "https://g.test" }, below: [] };
const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 3 };
const configuration: Wish = {
  kind: "configuration",
  key: "c",
  fields: {
    name: "c",
    scenario: { ref: "testCase.t/scenario.s" },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs: 10,
    concurrentClients: 1,
  },
  below: [{ kind: "schedule", key: "d", fields: daily, below: [] }],
};
const shop = (...below: readonly Wish[]) => toTree([{ kind: "testCase", key: "t", fields: { name: "t" }, below }]);

/** Applies one project and then another; the power goes when the service has answered a request to this path. */
async function losePower(first: ReturnType<typeof shop>, second: ReturnType<typeof shop>, path: string): Promise<Rig> {
  let isArmed = false;
  let isGone = false;
  const step = () => {
    if (isGone) throw new Gone("the process is gone");
    if (!isArmed || made?.service.requests.at(-1)?.path !== path) return;
    isGone = true;
    throw new Crash("power lost");
  };
  let made: Rig | undefined;
  const disk = crashDisk(step);
  const rig = makeRig({ files: disk.files, isDead: () => isGone, step, outlives: true });
  made = rig;
  await rig.apply(first);
  isArmed = true;
  await rig.apply(second).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  expect(isGone).toBe(true);
  isArmed = false;
  isGone = false;
  return rig.restart(disk.restart(false).files);
}

const send = async (rig: Rig, method: string, path: string, body: Record<string, unknown> = {}) => {
  const { status } = await rig.service.handle({ method, path: `${path}?key=local`, body: body as never });
  expect(status).toBeLessThan(300);
};
const inDoubt = async (rig: Rig) => (await rig.stored())?.intents.map(({ address }) => address);

test("what was made and is not declared any more is found again, whatever else there is", async () => {
  const root: Wish = { kind: "vcsRoot", key: "r", fields: { name: "r", url: "https://git.test/a.git" }, below: [] };
  const rig = await losePower(shop(), toTree([root]), "/orgs/1/vcs-roots");
  await rig.apply(shop());
  expect((await rig.stored())?.intents).toEqual([]);
  expect(await serviceBodies(rig)).toEqual(["testCase"]);
});

test("a namesake that differs in what never changes in place is somebody else's", async () => {
  const rig = await losePower(shop(), shop(gateway), "/test-cases/1/gateways");
  await send(rig, "DELETE", "/gateways/1");
  await send(rig, "POST", "/test-cases/1/gateways", { name: "g", url: "https://theirs.test" });
  const { status, diagnostics } = await rig.apply(shop(gateway));
  expect([status, diagnostics.map(({ code }) => code)]).toEqual(["failed", ["LF3001"]]);
  expect(await serviceBodies(rig)).toEqual(["gateway", "testCase"]);
});

describe("of a field that is a secret in part", () => {
  const text = (zone: string) =>
    JSON.stringify({
      project: "p",
      service: { url: "memory:" },
      providers: {
        cloud: {
          providerType: "CloudOnDemand",
          metadata: { zone, cloudAccessKeyId: `\${env:KEY_ID}`, cloudSecretAccessKey: `\${env:KEY}` },
        },
      },
    });
  const env = { KEY_ID: "the id of the key", KEY: "the value of the key" };
  const cloud = async (zone: string) => (await loadFiles("", { env, files: { "loadform.yaml": text(zone) } })).tree;
  const names = async (rig: Rig) => (await serviceBodies(rig)).filter((kind) => kind === "provider");

  test("the rest tells a namesake from what was sent", async () => {
    const rig = await losePower(shop(), await cloud("a"), "/providers");
    await send(rig, "DELETE", "/providers/1");
    await send(rig, "POST", "/providers", { name: "cloud", organizationId: 1, providerType: "CloudOnDemand" });
    const { status, diagnostics } = await rig.apply(await cloud("a"));
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(["failed", ["LF3001"]]);
    expect(rig.service.snapshot().tables["provider"]?.at(-1)).toMatchObject({ metadata: {} });
  });

  test("what was sent is found again, and no secret is kept meanwhile", async () => {
    const rig = await losePower(shop(), await cloud("a"), "/providers");
    const [intent] = (await rig.stored())?.intents ?? [];
    expect(intent).toHaveProperty("sent.metadata", {
      zone: "a",
      cloudAccessKeyId: { $secret: "" },
      cloudSecretAccessKey: { $secret: "" },
    });
    expect((await rig.apply(await cloud("b"))).status).toBe("applied");
    expect(await names(rig)).toHaveLength(1);
    expect(rig.service.snapshot().tables["provider"]?.at(-1)).toMatchObject({ metadata: { zone: "b" } });
  });
});

describe("what may have been made already and cannot be told from another object", () => {
  test("stays in doubt while others are applied, until somebody settles it", async () => {
    const rig = await losePower(shop(), shop(scenario), "/test-cases/1/scripts");
    await send(rig, "POST", "/test-cases/1/scripts", { name: "s", main: "x" });
    const tree = shop(scenario, gateway);
    const { status, diagnostics } = await rig.apply(tree, { targets: ["testCase.t/gateway.g"] });
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(["partial", ["LF6005", "LF6004"]]);
    expect(await inDoubt(rig)).toEqual(["testCase.t/scenario.s"]);
    await send(rig, "DELETE", "/scripts/2");
    expect((await rig.apply(tree)).status).toBe("nothing");
    const stored = await rig.stored();
    expect([stored?.intents, stored?.state.resources["testCase.t/scenario.s"]?.id]).toEqual([[], 1]);
  });

  test("is not made again", async () => {
    const tree = shop(scenario, configuration);
    const rig = await losePower(shop(scenario), tree, "/test-cases/1/confs");
    await send(rig, "PUT", "/test-confs/1", { schedules: [{ id: 1, ...daily }, daily] });
    for (let tries = 0; tries < 2; tries++) {
      const { status, diagnostics } = await rig.apply(tree);
      expect([status, diagnostics.map(({ code }) => code)]).toEqual(["partial", ["LF6005", "LF6004", "LF6004"]]);
      expect(await inDoubt(rig)).toEqual(["testCase.t/configuration.c/schedule.d"]);
    }
    await send(rig, "PUT", "/test-confs/1", { schedules: [{ id: 1, ...daily }] });
    await rig.apply(tree);
    const stored = await rig.stored();
    const address = "testCase.t/configuration.c/schedule.d";
    expect([stored?.intents, stored?.state.resources[address]?.id]).toEqual([[], 1]);
    expect((await rig.plan(tree)).plan?.changes).toEqual([]);
  });
});

test("a file whose create was lost is not taken for one of the same name and size that was made outside meanwhile", async () => {
  const file: Wish = { kind: "dataStore", key: "d", fields: { name: "d.csv", contents: "a\n1\n" }, below: [] };
  const path = "/scripts/1/data-stores/contents";
  const theirs = { name: "d.csv", contents: Buffer.from("b\n2\n").toString("base64") };
  let isArmed = false;
  const rig: Rig = makeRig({
    outlives: true,
    isDead: () => false,
    step() {
      if (!isArmed || rig.service.requests.at(-1)?.path !== path) return;
      isArmed = false;
      void send(rig, "POST", path, theirs);
    },
  });
  await rig.apply(shop(scenario));
  await rig.setFaults([{ method: "POST", path: "/scripts/:id/data-stores/contents", times: 1, drop: "before" }]);
  isArmed = true;
  const outcome = await rig.apply(shop({ ...scenario, below: [file] }));
  expect(isArmed).toBe(false);
  expect([outcome.status, outcome.diagnostics.map(({ code }) => code)]).toEqual(["partial", ["LF6004"]]);
  await rig.apply(shop({ ...scenario, below: [file] }));
  const { body } = await rig.service.handle({ method: "GET", path: "/data-stores/1/download?key=local" });
  expect(Buffer.from(body() as Uint8Array).toString()).toBe("b\n2\n");
});

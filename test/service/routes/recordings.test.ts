import { afterEach, describe, expect, it } from "vitest";
import { makeRecordingRig, makeTarget, type RecordingRig, send, type Target } from "../support/recording-rig.ts";
import { fieldsOf, flat, makeShop, type Rig, start, type Way } from "../support/rig.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function shop(way: Way, settings = {}): Promise<Rig> {
  const rig = await makeShop({ way, settings });
  open.push(rig);
  return rig;
}

async function recording(options: Parameters<typeof makeRecordingRig>[0] = {}): Promise<RecordingRig> {
  const rig = await makeRecordingRig(options);
  open.push(rig);
  await rig.record();
  return rig;
}

/** A service in process whose gateway 2 leads to a target. */
async function inProcess(): Promise<{ readonly rig: Rig; readonly target: Target }> {
  const target = await makeTarget();
  open.push(target);
  const rig = await shop("in process");
  await rig.ok("POST", "/test-cases/1/gateways", { name: "Local", url: `${target.url}/app` });
  await rig.ok("POST", "/gateways/2/recordings", { name: "Take" });
  return { rig, target };
}

describe.each<Way>(["in process", "over HTTP"])("a recording, %s", (way) => {
  it("starts when it is created", async () => {
    const rig = await shop(way);
    expect(await rig.ok("POST", "/gateways/1/recordings", { name: "Take" })).toMatchObject({
      id: 1,
      name: "Take",
      running: true,
      startedAt: start,
      finishedAt: null,
      limitBreached: false,
      trafficSizeBytes: 0,
      trafficConnections: 0,
      script: null,
      gateway: { id: 1, keys: [{}] },
    });
  });

  it("runs alone on its gateway: a second is 409, after a stop it is not", async () => {
    const rig = await shop(way);
    await rig.ok("POST", "/gateways/1/recordings", { name: "A" });
    expect((await rig.call("POST", "/gateways/1/recordings", { name: "B" })).status).toBe(409);
    await rig.ok("PATCH", "/recordings/1/stop");
    expect(await rig.ok("POST", "/gateways/1/recordings", { name: "B" })).toMatchObject({ id: 2, running: true });
  });

  it("runs beside one of another gateway", async () => {
    const rig = await shop(way);
    await rig.ok("POST", "/test-cases/1/gateways", { name: "Other", url: "http://other.test" });
    for (const gateway of [1, 2])
      expect(await rig.ok("POST", `/gateways/${gateway}/recordings`, { name: "A" })).toMatchObject({ running: true });
  });

  it("is stopped once, and remains so by a second stop", async () => {
    const rig = await shop(way);
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    await rig.service.advance(5000);
    const stopped = { running: false, finishedAt: "2026-11-20T10:07:35.000Z" };
    expect(await rig.ok("PATCH", "/recordings/1/stop")).toMatchObject(stopped);
    await rig.service.advance(5000);
    expect(await rig.ok("PATCH", "/recording/1/stop")).toMatchObject(stopped);
    expect(await rig.ok("PUT", "/recordings/1/stop")).toMatchObject(stopped);
  });

  it("is renamed, found and deleted in both spellings", async () => {
    const rig = await shop(way);
    await rig.ok("POST", "/gateways/1/recordings?name=Take");
    expect(await rig.ok("PATCH", "/recording/1", { name: "Second" })).toMatchObject({ name: "Second", running: true });
    expect(await rig.ok("GET", "/recording/1")).toEqual(await rig.ok("GET", "/recordings/1"));
    expect((await rig.call("HEAD", "/recording/1")).status).toBe(200);
    expect((await rig.call("HEAD", "/recordings/1")).status).toBe(200);
    expect(await rig.ok("DELETE", "/recording/1")).toMatchObject({ id: 1, name: "Second" });
    expect((await rig.call("HEAD", "/recordings/1")).status).toBe(404);
    expect(await rig.ok("GET", "/gateways/1/recordings")).toEqual([]);
  });

  it("needs a name", async () => {
    const rig = await shop(way);
    expect(fieldsOf(await rig.call("POST", "/gateways/1/recordings", {}))).toEqual(["name"]);
  });

  it("shows no traffic unless asked, and an empty one before the first request", async () => {
    const rig = await shop(way);
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    expect(await rig.ok("GET", "/recordings/1")).not.toHaveProperty("traffic");
    expect(await rig.ok("GET", "/recordings/1?showTraffic=true&includeTests=true")).toMatchObject({
      traffic: [],
      configurations: [],
    });
    expect(await rig.ok("GET", "/gateways/1/recordings?showTraffic=true")).toMatchObject([{ traffic: [] }]);
    expect(await rig.ok("GET", "/recordings/1/traffic")).toEqual([]);
    expect(await rig.ok("GET", "/recording/1/traffic")).toEqual([]);
  });

  it("has no connection that was not recorded: 404", async () => {
    const rig = await shop(way);
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    expect((await rig.call("GET", "/recordings/1/traffic/00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect((await rig.call("GET", "/recordings/9/traffic")).status).toBe(404);
  });
});

describe("deleting a recording", () => {
  it("takes its traffic along, also with setting cascade: refuse, and leaves its scenario", async () => {
    const rig = await recording({ settings: { cascade: "refuse" } });
    await send(`${rig.proxy}/a`);
    await rig.ok("DELETE", "/recordings/1");
    expect(rig.service.snapshot().tables).not.toHaveProperty("traffic");
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({ sourceType: "Recording", sourceId: 1 });
  });

  it("of a gateway goes with the gateway", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    expect(await rig.ok("DELETE", "/gateways/1")).toMatchObject({ recordings: [{ name: "Take", running: true }] });
    expect(rig.service.snapshot().tables).not.toHaveProperty("traffic");
    expect((await send(`${rig.proxy}/a`)).status).toBe(404);
  });
});

describe("GET /recordings/:id with includeTests", () => {
  it("shows the configurations that run the scenario of the recording, and those only", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    await rig.ok("POST", "/test-cases/1/scripts", { name: "Other", main: "go()" });
    await rig.ok("POST", "/test-cases/1/confs", { ...flat, name: "Replays", scriptId: 1 });
    await rig.ok("POST", "/test-cases/1/confs", { ...flat, name: "Others", scriptId: 2 });
    expect((await rig.ok("GET", "/recordings/1?includeTests=true")).configurations).toMatchObject([
      { name: "Replays", script: { id: 1 } },
    ]);
  });
});

describe("a copy of a test case", () => {
  it("has the recordings with traffic and scenario, and none that runs", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    const copy = await rig.ok("POST", "/test-cases/1/copy", { name: "Copy" });
    const [gateway] = await rig.ok("GET", `/test-cases/${copy.id}/gateways`);
    expect(gateway.recordings).toMatchObject([{ id: 2, running: false, finishedAt: start, script: { sourceId: 2 } }]);
    const packets = await rig.ok("GET", "/recordings/2/traffic");
    expect(packets.map((each: { trafficType: string }) => each.trafficType)).toEqual(kinds);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ running: true, script: { id: 1, sourceId: 1 } });
  });
});

const kinds = ["ConnectionOpened", "DataSent", "DataReceived", "ConnectionClosed"];

describe("GET /recordings/:id/load", () => {
  it("http-get asks the target, below the gateway's url, records it, and answers DONE", async () => {
    const { rig, target } = await inProcess();
    const answer = await rig.service.handle({
      method: "GET",
      path: "/recordings/1/load?action=http-get&path=/items%3Fq=a%2520b&key=local",
    });
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/plain; charset=utf-8" } });
    expect(answer.body()).toBe("DONE");
    expect(target.seen).toMatchObject([{ method: "GET", url: "/app/items?q=a%20b" }]);
    const packets = await rig.ok("GET", "/recordings/1/traffic?includeData=true");
    expect(packets.map((each: { trafficType: string }) => each.trafficType)).toEqual(kinds);
    expect(packets[2]).toMatchObject({ httpStatus: 200, data: Buffer.from("answer").toString("base64") });
    expect((await rig.ok("GET", "/scripts/2")).main).toContain(`http.get("${target.url}/app/items?q=a%20b", {`);
  });

  it("http-get answers over HTTP and in the other spelling too", async () => {
    const rig = await recording();
    const sent = await send(`${rig.base}/recording/1/load?action=http-get&path=items&key=local`);
    expect(sent).toMatchObject({ status: 200, body: "DONE" });
    expect(sent.headers["content-type"]).toContain("text/plain");
    expect(rig.target.seen).toMatchObject([{ url: "/items" }]);
  });

  it("load-browser adds a step without asking anybody", async () => {
    const { rig, target } = await inProcess();
    await rig.ok("GET", "/recordings/1/load?action=load-browser&path=/start");
    await rig.ok("GET", "/recordings/1/load?action=http-get&path=/items");
    expect(target.seen).toMatchObject([{ url: "/app/items" }]);
    const { main } = await rig.ok("GET", "/scripts/2");
    expect(main).toMatch(/\/\/ 1\. As a browser loads it\n.*\/app\/start".*\/\/ 2\n.*\/app\/items"/s);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ trafficConnections: 1 });
  });

  it("stops afterwards with endRecording, the step being added first", async () => {
    for (const action of ["http-get", "load-browser"]) {
      const { rig } = await inProcess();
      await rig.ok("GET", `/recordings/1/load?action=${action}&path=/last&endRecording=true`);
      expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ running: false, finishedAt: start });
      expect((await rig.ok("GET", "/scripts/2")).main).toContain("/app/last");
    }
  });

  it.each([
    ["action=click&path=/a", ["action"]],
    ["path=/a", ["action"]],
    ["action=http-get", ["path"]],
    ["action=http-get&path=", ["path"]],
    ["", ["action", "path"]],
    ["action=http-get&path=http://elsewhere.test/", ["path"]],
    ["action=load-browser&path=//elsewhere.test/", ["path"]],
    ["action=http-get&path=/a%0D%0AX:%201", ["path"]],
    ["action=http-get&path=/a&endRecording=perhaps", ["endRecording"]],
  ])("is 400 with %j, and adds nothing", async (query, fields) => {
    const { rig, target } = await inProcess();
    const refused = await rig.call("GET", `/recordings/1/load?${query}`);
    expect([refused.status, fieldsOf(refused)]).toEqual([400, fields]);
    expect(target.seen).toEqual([]);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ running: true, script: null });
  });

  it.each(["http-get", "load-browser"])("is 409 with %s where the recording does not run", async (action) => {
    const { rig, target } = await inProcess();
    await rig.ok("PATCH", "/recordings/1/stop");
    const refused = await rig.call("GET", `/recordings/1/load?action=${action}&path=/a`);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("is not running")]);
    expect(target.seen).toEqual([]);
  });

  it("is 400 where the target cannot be reached, and says which", async () => {
    const { rig, target } = await inProcess();
    await target.close();
    const refused = await rig.call("GET", "/recordings/1/load?action=http-get&path=/a");
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`127.0.0.1:${target.port}`) },
    });
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ running: true, trafficConnections: 0 });
  });

  it("is 403 where the gateway leads beyond loopback, unless the host is allowed", async () => {
    const rig = await shop("in process");
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    const refused = await rig.call("GET", "/recordings/1/load?action=http-get&path=/a");
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("allowedHosts") } });
  });

  it("is 404 for a recording that does not exist", async () => {
    const rig = await shop("in process");
    expect((await rig.call("GET", "/recordings/7/load?action=http-get&path=/a")).status).toBe(404);
  });
});

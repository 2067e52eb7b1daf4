import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { makeRecordingRig, makeTarget, type RecordingRig, type Seen, send } from "../support/recording-rig.ts";
import { rigOf, start } from "../support/rig.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function recording(options: Parameters<typeof makeRecordingRig>[0] = {}): Promise<RecordingRig> {
  const rig = await makeRecordingRig(options);
  open.push(rig);
  await rig.record();
  return rig;
}

const traffic = (rig: RecordingRig, query = "") => rig.ok("GET", `/recordings/1/traffic${query}`);
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const secretHeaders = {
  Authorization: "Bearer s3cret",
  Cookie: "sid=c00kie",
  "X-Api-Key": "k3y",
  "X-Auth-Token": "s3cret",
  "X-CSRF-Token": "s3cret",
};
const setsCookie = {
  answer: (_: Seen, response: ServerResponse) => {
    response.setHeader("Set-Cookie", "sid=c00kie");
    response.end("answer");
  },
};

describe("the traffic of a recording", () => {
  it("is four packets for each request, under one UUID", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/items?x=1`, { method: "POST", headers: { "X-A": "1" }, body: "body" });
    const packets = await traffic(rig);
    const common = {
      trafficTimestamp: start,
      clientIp: "127.0.0.1",
      serverIp: "127.0.0.1",
      ssl: false,
      protocol: "Http",
      connectionId: expect.stringMatching(uuid),
    };
    expect(packets).toMatchObject([
      { ...common, id: 1, trafficType: "ConnectionOpened", length: 0 },
      { ...common, id: 2, trafficType: "DataSent", httpMethod: "POST", httpPath: "/items?x=1" },
      { ...common, id: 3, trafficType: "DataReceived", httpStatus: 200, httpStatusText: "OK" },
      { ...common, id: 4, trafficType: "ConnectionClosed", length: 0, closeReason: "ServerInitiated" },
    ]);
    expect(new Set(packets.map((each: { connectionId: string }) => each.connectionId)).size).toBe(1);
  });

  it("has headers as text with CRLF, and lengths of head and body", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`, { method: "PUT", headers: { "X-A": "1", "Content-Length": "4" }, body: "body" });
    const [, sent, received] = await traffic(rig);
    expect(sent.httpHeaders.split("\r\n")).toEqual([
      `Host: 127.0.0.1:${rig.target.port}`,
      "X-A: 1",
      "Content-Length: 4",
      "Connection: close",
    ]);
    expect(sent.length).toBe(`PUT /a HTTP/1.1\r\n${sent.httpHeaders}\r\n\r\nbody`.length);
    expect(received.length).toBe(`HTTP/1.1 200 OK\r\n${received.httpHeaders}\r\n\r\nanswer`.length);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({
      trafficConnections: 1,
      trafficSizeBytes: sent.length + received.length,
    });
  });

  it("shows bodies with includeData only, wherever it is shown", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`, { method: "POST", body: "bödy" });
    const data = [null, Buffer.from("bödy").toString("base64"), Buffer.from("answer").toString("base64"), null];
    const shown = [
      await traffic(rig, "?includeData=true"),
      (await rig.ok("GET", "/recordings/1?showTraffic=true&includeData=true")).traffic,
      (await rig.ok("GET", "/gateways/1/recordings?showTraffic=true&includeData=true"))[0].traffic,
    ];
    for (const packets of shown) expect(packets.map((each: { data: unknown }) => each.data)).toEqual(data);
    for (const packet of await traffic(rig)) expect(packet).not.toHaveProperty("data");
  });

  it("is found by connection, in both spellings", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    await send(`${rig.proxy}/b`);
    const all = await traffic(rig);
    const { connectionId } = all[4];
    expect(connectionId).not.toBe(all[0].connectionId);
    expect(await rig.ok("GET", `/recordings/1/traffic/${connectionId}`)).toEqual(all.slice(4));
    expect(await rig.ok("GET", `/recording/1/traffic/${connectionId.toUpperCase()}`)).toEqual(all.slice(4));
  });

  it("is captured for each request of one client connection, and of many at once", async () => {
    const rig = await recording();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => fetch(`${rig.proxy}/${index}`).then((each) => each.text())),
    );
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ trafficConnections: 20 });
    const packets: { connectionId: string; trafficType: string }[] = await traffic(rig);
    expect(packets).toHaveLength(80);
    for (const id of new Set(packets.map((each) => each.connectionId)))
      expect(packets.filter((each) => each.connectionId === id).map((each) => each.trafficType)).toEqual([
        "ConnectionOpened",
        "DataSent",
        "DataReceived",
        "ConnectionClosed",
      ]);
  });

  it("is captured only while a recording of that gateway runs", async () => {
    const rig = await makeRecordingRig();
    open.push(rig);
    await send(`${rig.proxy}/before`);
    await rig.record();
    await send(`${rig.proxy}/during`);
    await rig.ok("PATCH", "/recordings/1/stop");
    expect((await send(`${rig.proxy}/after`)).status).toBe(200);
    expect((await traffic(rig)).map((each: { httpPath: string }) => each.httpPath).filter(Boolean)).toEqual([
      "/during",
    ]);
    expect(rig.target.seen).toHaveLength(3);
  });

  it("holds the times of the service's clock", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    await rig.service.advance(1500);
    await send(`${rig.proxy}/b`);
    const times = (await traffic(rig)).map((each: { trafficTimestamp: string }) => each.trafficTimestamp);
    expect(times).toEqual([...Array(4).fill(start), ...Array(4).fill("2026-11-20T10:07:31.500Z")]);
  });

  it("is the same bytes for the same calls of two services", async () => {
    const target = await makeTarget((_, response) => void response.writeHead(200, { date: "now" }).end("answer"));
    open.push(target);
    const texts: string[] = [];
    for (let index = 0; index < 2; index++) {
      const service = createService({ clock: { mode: "frozen", now: start }, seed: 7 });
      const rig = await rigOf(service);
      open.push(rig);
      const { url } = await service.listen(0);
      await rig.ok("POST", "/test-cases", { name: "A", org: 1 });
      const { keys } = await rig.ok("POST", "/test-cases/1/gateways", { name: "G", url: target.url });
      await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
      await send(`${url}/_gw/${keys[0].key}/a`, { method: "POST", body: "b" });
      texts.push(JSON.stringify(service.snapshot()));
    }
    expect(texts[0]).toContain("ConnectionClosed");
    expect(texts[0]).toBe(texts[1]);
  });
});

describe("a recording over its cap", () => {
  it("stops with limitBreached; the proxy goes on forwarding", async () => {
    const rig = await recording({ settings: { recordingCap: 1000 } });
    await send(`${rig.proxy}/a`);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ running: true, limitBreached: false });
    expect((await send(`${rig.proxy}/b`, { method: "POST", body: "x".repeat(2000) })).status).toBe(200);
    const stopped = await rig.ok("GET", "/recordings/1");
    expect(stopped).toMatchObject({ running: false, limitBreached: true, finishedAt: start, trafficConnections: 2 });
    expect(stopped.trafficSizeBytes).toBeGreaterThan(2000);
    const packets = await traffic(rig, "?includeData=true");
    expect(packets.at(-1)).toMatchObject({ trafficType: "DataSent", data: null });
    expect((await send(`${rig.proxy}/c`)).status).toBe(200);
    expect(await rig.ok("GET", "/recordings/1")).toEqual(stopped);
    expect((await rig.ok("GET", "/scripts/1")).main).not.toContain("/b");
  });

  it("may be followed by another one", async () => {
    const rig = await recording({ settings: { recordingCap: 10 } });
    await send(`${rig.proxy}/a`);
    expect(await rig.ok("POST", "/gateways/1/recordings", { name: "B" })).toMatchObject({ id: 2, running: true });
  });
});

describe("credentials and cookies of recorded traffic", () => {
  it("are shown with includeData only", async () => {
    const rig = await recording(setsCookie);
    await send(`${rig.proxy}/a`, { headers: secretHeaders });
    expect(rig.target.seen[0]?.headers).toMatchObject({ authorization: "Bearer s3cret", cookie: "sid=c00kie" });
    const [, sent, received] = await traffic(rig);
    expect(sent.httpHeaders).toMatch(
      /Authorization: \*\*\*\r\nCookie: \*\*\*\r\nX-Api-Key: \*\*\*\r\nX-Auth-Token: \*\*\*\r\nX-CSRF-Token: \*\*\*\r\n/,
    );
    expect(received.httpHeaders).toMatch(/^Set-Cookie: \*\*\*\r\n/);
    const [, sentWhole, receivedWhole] = await traffic(rig, "?includeData=true");
    expect(sentWhole.httpHeaders).toContain("Authorization: Bearer s3cret\r\nCookie: sid=c00kie\r\nX-Api-Key: k3y");
    expect(receivedWhole.httpHeaders).toContain("Set-Cookie: sid=c00kie");
    expect(sentWhole.length).toBe(sent.length);
  });

  it("stand in no snapshot, no script and no fork", async () => {
    const rig = await recording(setsCookie);
    await send(`${rig.proxy}/a`, { headers: secretHeaders });
    expect(JSON.stringify(rig.service.snapshot())).not.toMatch(/s3cret|c00kie|k3y/);
    expect((await rig.ok("GET", "/scripts/1")).main).not.toMatch(/s3cret|c00kie|k3y/);
    const fork = await rigOf(rig.service.fork());
    open.push(fork);
    const [, sent] = await fork.ok("GET", "/recordings/1/traffic?includeData=true");
    expect(sent.httpHeaders).toContain("Authorization: ***");
  });

  it("stand in snapshots where the setting recordedSecrets asks for it", async () => {
    const rig = await recording({ ...setsCookie, settings: { recordedSecrets: "keep" } });
    await send(`${rig.proxy}/a`, { headers: secretHeaders });
    expect(JSON.stringify(rig.service.snapshot())).toMatch(/s3cret.*c00kie/);
    expect((await rig.ok("GET", "/scripts/1")).main).toContain('"Authorization": "Bearer s3cret",');
  });
});

describe("recorded traffic", () => {
  it("is restored from a snapshot byte for byte, and the recording goes on", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    await rig.service.reset();
    expect((await send(`${rig.proxy}/a`)).status).toBe(404);
    await rig.service.restore(snapshot);
    expect(JSON.stringify(rig.service.snapshot())).toBe(JSON.stringify(snapshot));
    await send(`${rig.proxy}/b`);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ running: true, trafficConnections: 2 });
    expect((await rig.ok("GET", "/scripts/1")).main).toMatch(/\/a".*\/b"/s);
  });

  it("is durable before the client has its answer, without secrets", async () => {
    const folder = mkdtempSync(join(tmpdir(), "recording-"));
    open.push({ close: () => rmSync(folder, { recursive: true }) });
    const data = join(folder, "state.json");
    const rig = await recording({ data });
    await send(`${rig.proxy}/a`, { headers: secretHeaders });
    const kept = () => ["", ".log"].map((end) => readFileSync(data + end, "utf8")).join("");
    expect(kept()).toContain("ConnectionClosed");
    expect(kept()).not.toMatch(/s3cret|c00kie|k3y/);
    const before = await traffic(rig);
    await rig.service.close();
    const again = await rigOf(createService({ data, clock: { mode: "frozen", now: start } }));
    open.push(again);
    expect(await again.ok("GET", "/recordings/1/traffic")).toEqual(before);
    expect(await again.ok("GET", "/recordings/1")).toMatchObject({ running: true, trafficConnections: 1 });
  });

  it("of a state of another shape is refused", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    snapshot.tables.traffic[0].trafficType = "Noise";
    await expect(rig.service.restore(snapshot)).rejects.toThrow(/tables\.traffic\[0\]\.trafficType: found "Noise"/);
  });

  it("of a state made before there was any is read", async () => {
    const rig = await recording();
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    expect(Object.keys(snapshot.tables.recording[0])).not.toContain("scriptId");
    await rig.service.restore(snapshot);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ script: null });
  });
});

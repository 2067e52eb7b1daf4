import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { makeRecordingRig, makeTarget, type RecordingRig, send } from "../support/recording-rig.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function rigWith(options: Parameters<typeof makeRecordingRig>[0] = {}): Promise<RecordingRig> {
  const rig = await makeRecordingRig(options);
  open.push(rig);
  return rig;
}

/** The key of a further gateway. */
async function keyOf(rig: RecordingRig, url: string): Promise<string> {
  const gateway = await rig.ok("POST", "/test-cases/1/gateways", { name: "Further", url });
  return gateway.keys[0].key;
}

describe("the recording proxy", () => {
  it("forwards method, path, query, headers and body, without the service's key", async () => {
    const rig = await rigWith();
    const headers = {
      "X-Trace": "7",
      "X-Api-Key": "the target's own",
      "Content-Type": "text/plain",
      Connection: "x-hop",
      "X-Hop": "1",
    };
    const answer = await send(`${rig.proxy}/items/%C3%A4?b=2&a=1&a=%20`, { method: "PATCH", headers, body: "héllo" });
    expect(answer).toMatchObject({ status: 200, body: "answer" });
    expect(rig.target.seen).toMatchObject([
      { method: "PATCH", url: "/items/%C3%A4?b=2&a=1&a=%20", body: "héllo", headers: { "x-trace": "7" } },
    ]);
    expect(rig.target.seen[0]?.headers).toMatchObject({
      "x-api-key": "the target's own",
      "content-type": "text/plain",
      host: `127.0.0.1:${rig.target.port}`,
    });
    expect(rig.target.seen[0]?.headers).not.toHaveProperty("x-hop");
  });

  it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("forwards %s", async (method) => {
    const rig = await rigWith();
    expect(await send(`${rig.proxy}/a`, { method })).toMatchObject({
      status: 200,
      body: method === "HEAD" ? "" : "answer",
    });
    expect(rig.target.seen).toMatchObject([{ method, url: "/a", body: "" }]);
  });

  it("is reached under /api, and by the host <key>.<anything>", async () => {
    const rig = await rigWith();
    await send(`${rig.base}/api/_gw/${rig.key}/a`);
    await send(`${rig.base}/b?c`, { headers: { Host: `${rig.key}.gateway.test` } });
    await send(`${rig.base}/test-cases`, { headers: { Host: `${rig.key.toUpperCase()}.localhost:8080` } });
    expect(rig.target.seen.map(({ url }) => url)).toEqual(["/a", "/b?c", "/test-cases"]);
    expect(rig.target.seen[1]?.headers.host).toBe(`127.0.0.1:${rig.target.port}`);
  });

  it("takes a host that begins with no key for the service itself", async () => {
    const rig = await rigWith();
    expect((await send(`${rig.base}/test-cases`, { headers: { Host: "abcd1234.localhost" } })).status).toBe(401);
    expect((await send(`${rig.base}/test-cases?key=local`, { headers: { Host: "service.localhost" } })).status).toBe(
      200,
    );
    expect((await send(`${rig.base}/test-cases?key=local`, { headers: { Host: "service.test" } })).status).toBe(403);
  });

  it("adds the path of the base url, and leads a bare key to its root", async () => {
    const rig = await rigWith({ path: "/app/" });
    await send(`${rig.proxy}/items`);
    expect(await send(`${rig.proxy}?x=1`)).toMatchObject({
      status: 308,
      headers: { location: `/_gw/${rig.key}/?x=1` },
    });
    await send(`${rig.proxy}/`);
    expect(rig.target.seen.map(({ url }) => url)).toEqual(["/app/items", "/app/"]);
  });

  it("passes on status, its text, headers that repeat and the body's bytes", async () => {
    const rig = await rigWith({
      answer: (_, response) => {
        response.writeHead(418, "Short and stout", ["X-A", "1", "X-A", "2", "Keep-Alive", "timeout=9"]);
        response.end(Buffer.from([0, 255, 128]));
      },
    });
    const response = await fetch(`${rig.proxy}/a`);
    expect([response.status, response.statusText, response.headers.get("x-a")]).toEqual([
      418,
      "Short and stout",
      "1, 2",
    ]);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 128]);
    expect(response.headers.get("keep-alive")).not.toBe("timeout=9");
  });

  it.each([204, 304])("passes on %i, which has no body", async (status) => {
    const rig = await rigWith({ answer: (_, response) => void response.writeHead(status).end() });
    await rig.record();
    expect(await send(`${rig.proxy}/a`)).toMatchObject({ status, body: "" });
  });

  it("streams an answer while it is made", async () => {
    let end = () => {};
    const rig = await rigWith({
      answer: (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("first");
        end = () => response.end("last");
      },
    });
    await rig.record();
    const reader = (await fetch(`${rig.proxy}/events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("first");
    end();
    expect((await reader?.read())?.value).toBe("last");
  });

  it("passes a large body in both directions", async () => {
    const rig = await rigWith({ answer: ({ body }, response) => void response.end(body) });
    await rig.record();
    const body = "0123456789abcdef".repeat(200_000);
    const answer = await send(`${rig.proxy}/echo`, { method: "POST", body });
    expect(answer.body === body).toBe(true);
  });

  it("passes a body of unknown length", async () => {
    const rig = await rigWith();
    await send(`${rig.proxy}/a`, { method: "DELETE", headers: { "Transfer-Encoding": "chunked" }, body: "chunks" });
    expect(rig.target.seen).toMatchObject([{ method: "DELETE", body: "chunks" }]);
  });

  it("says the target's own address in Referer and Origin", async () => {
    const rig = await rigWith({ path: "/app" });
    const headers = { Referer: `${rig.proxy}/page?x`, Origin: rig.base, Host: rig.base.slice(7) };
    await send(`${rig.proxy}/a`, { headers });
    await send(`${rig.proxy}/a`, { headers: { Referer: "http://elsewhere.test/", Origin: "http://elsewhere.test" } });
    expect(rig.target.seen[0]?.headers).toMatchObject({
      referer: `${rig.target.url}/app/page?x`,
      origin: rig.target.url,
    });
    expect(rig.target.seen[1]?.headers).toMatchObject({
      referer: "http://elsewhere.test/",
      origin: "http://elsewhere.test",
    });
  });

  it("reaches a target over https, whose certificate on loopback nobody signed", async () => {
    const { certificate, privateKey } = await import("../support/loopback-certificate.ts");
    const server = createTlsServer({ cert: certificate, key: privateKey }, (_, response) => response.end("secure"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({ close: () => server.close() });
    const rig = await rigWith();
    const key = await keyOf(rig, `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await rig.ok("POST", "/gateways/2/recordings", { name: "Secure" });
    expect(await send(`${rig.base}/_gw/${key}/a`)).toMatchObject({ status: 200, body: "secure" });
    expect(await rig.ok("GET", "/recordings/1/traffic")).toMatchObject([{ ssl: true }, {}, {}, {}]);
    expect((await rig.ok("GET", "/scripts/1")).main).toMatch(/const https = require\("https"\);.*https\.get\("https:/s);
  });

  it("is served while other routes are: faults, HEAD and the request log are what they were", async () => {
    const rig = await rigWith();
    await rig.ok("PUT", "/_loadform/faults", [{ method: "GET", path: "/test-cases", times: 1, status: 503 }]);
    expect((await send(`${rig.base}/test-cases?key=local`)).status).toBe(503);
    expect(await send(`${rig.proxy}/test-cases`)).toMatchObject({ status: 200, body: "answer" });
    expect(await send(`${rig.base}/test-cases/1?key=local`, { method: "HEAD" })).toMatchObject({
      status: 200,
      body: "",
    });
  });

  it("is logged without key and query values", async () => {
    const rig = await rigWith();
    await send(`${rig.proxy}/items?token=abc`, { method: "POST", body: "x" });
    const [entry] = await rig.ok("GET", "/_loadform/requests?path=/_gw/:key");
    expect(entry).toMatchObject({
      method: "POST",
      path: "/_gw/***/items",
      query: "token=***",
      status: 200,
      unknownFields: [],
    });
    expect(JSON.stringify(rig.service.requests)).not.toContain(rig.key);
  });

  it("ends with the service, though an answer is under way", async () => {
    const rig = await rigWith({ answer: (_, response) => void response.write("never ends") });
    await rig.record();
    const sent = expect(fetch(`${rig.proxy}/a`).then((response) => response.text())).rejects.toThrow();
    await expect.poll(() => rig.target.seen.length).toBe(1);
    await rig.service.close();
    await sent;
  });
});

describe("the recording proxy refuses", () => {
  it.each(["/_gw", "/_gw/", "/_gw/nosuchkey", "/_gw/nosuchkey/a", "/api/_gw/nosuchkey/a"])("%s: 404", async (path) => {
    const rig = await rigWith();
    const refused = await send(rig.base + path);
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([404, { code: "NOT_FOUND" }]);
    expect(refused.body).toContain("/_gw/<key>/");
  });

  it("a host beyond loopback: 403, unless the setting allows it", async () => {
    const rig = await rigWith({ settings: { allowedHosts: ["allowed.invalid"] } });
    const refused = await send(`${rig.base}/_gw/${await keyOf(rig, "http://shop.test")}/a`);
    expect([refused.status, refused.body]).toEqual([403, expect.stringMatching(/shop\.test.*allowedHosts/)]);
    const allowed = await send(`${rig.base}/_gw/${await keyOf(rig, "http://allowed.invalid")}/a`);
    expect([allowed.status, allowed.body]).toEqual([502, expect.stringContaining("allowed.invalid:80")]);
  });

  it("a target that does not listen: 502, and records nothing", async () => {
    const rig = await rigWith();
    await rig.record();
    await rig.target.close();
    const refused = await send(`${rig.proxy}/a`);
    expect([refused.status, refused.body]).toEqual([
      502,
      expect.stringMatching(/127\.0\.0\.1:\d+ could not be reached.*start it/),
    ]);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ trafficConnections: 0, script: null });
  });

  it("a target that hangs up: 502, and records how it ended", async () => {
    const rig = await rigWith({ answer: (_, response) => void response.destroy() });
    await rig.record();
    expect((await send(`${rig.proxy}/a`)).status).toBe(502);
    expect(await rig.ok("GET", "/recordings/1/traffic")).toMatchObject([
      { trafficType: "ConnectionOpened" },
      { trafficType: "DataSent" },
      { trafficType: "ConnectionClosed", closeReason: "Error" },
    ]);
  });

  it("what breaks off in the middle by breaking off itself", async () => {
    const rig = await rigWith({
      answer: (_, response) => {
        response.writeHead(200, { "content-length": 100 });
        response.write("half", () => response.destroy());
      },
    });
    await rig.record();
    await expect(send(`${rig.proxy}/a`)).rejects.toThrow();
    await expect.poll(async () => (await rig.ok("GET", "/recordings/1/traffic")).at(-1).closeReason).toBe("Error");
  });

  it("a web socket: 400", async () => {
    const rig = await rigWith();
    const headers = { Connection: "Upgrade", Upgrade: "websocket" };
    const refused = await send(`${rig.proxy}/socket`, { headers });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("web socket")]);
    expect(rig.target.seen).toEqual([]);
  });

  it.each([true, false])("a body beyond the limit: 413 (length announced: %s)", async (isAnnounced) => {
    const rig = await rigWith({ settings: { bodyLimit: 1000 } });
    const headers = isAnnounced ? {} : { "Transfer-Encoding": "chunked" };
    const refused = await send(`${rig.proxy}/a`, { method: "POST", headers, body: "x".repeat(1001) });
    expect([refused.status, refused.body]).toEqual([413, expect.stringContaining("1001 bytes")]);
    expect(rig.target.seen).toEqual([]);
  });

  it("a gateway that leads to its own proxy: 400", async () => {
    const rig = await rigWith();
    const key = await keyOf(rig, rig.proxy);
    expect((await send(`${rig.base}/_gw/${key}/a`)).body).toContain("comes from the proxy itself");
  });

  it("a recording's gateway that was deleted: 404", async () => {
    const rig = await rigWith();
    await rig.ok("DELETE", "/gateways/1");
    expect((await send(`${rig.proxy}/a`)).status).toBe(404);
  });

  it("lets a client that leaves go, and records that it left", async () => {
    const rig = await rigWith({ answer: () => undefined });
    await rig.record();
    const socket = connect(Number(new URL(rig.base).port), "127.0.0.1");
    socket.write(`GET /_gw/${rig.key}/slow HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect.poll(() => rig.target.seen.length).toBe(1);
    socket.destroy();
    await expect
      .poll(async () => (await rig.ok("GET", "/recordings/1/traffic")).at(-1)?.closeReason)
      .toBe("ClientInitiated");
    expect((await makeAndAsk()).status).toBe(200);
  });
});

async function makeAndAsk() {
  const target = await makeTarget();
  open.push(target);
  return await send(target.url);
}

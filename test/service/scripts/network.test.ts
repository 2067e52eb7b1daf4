import { createServer, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import type { Target } from "../../../src/service/settings.ts";
import { linesOf, logged, runText } from "../support/run-text.ts";

const target = (match: string, p50: number, more: Partial<Target> = {}): Target => ({
  match,
  latencyMs: { p50, p99: p50 },
  errorRate: 0,
  capacity: null,
  ...more,
});
const answering = (...targets: Target[]) => ({ options: { targets } });

describe("the simulated network", () => {
  it("answers with the latency of the first target that fits, a fifth of it to connect", async () => {
    const targets = answering(target("GET http://shop.test/slow*", 500), target("* http://shop.test/*", 100));
    const { requests, success } = await runText(
      'http.get("http://shop.test/slow?q=1"); http.request("http://shop.test/fast", { method: "PUT" }).end("data")',
      targets,
    );
    expect(success).toBe(true);
    expect(requests).toMatchObject([
      {
        resource: "GET http://shop.test/slow",
        url: "http://shop.test/slow?q=1",
        method: "GET",
        phase: "main",
        startMs: 0,
        connectionOpenMs: 100,
        firstSentMs: 100,
        firstReceivedMs: 500,
        lastReceivedMs: 500,
        connectionCloseMs: 500,
        status: 200,
        contentType: "application/json",
        packetsReceived: 1,
        success: true,
        error: null,
      },
      { resource: "PUT http://shop.test/fast", connectionOpenMs: 20, firstReceivedMs: 100 },
    ]);
    expect(requests[0]?.connectionId).not.toBe(requests[1]?.connectionId);
  });

  it("finds a target in any case of letters, as the model of the run does", async () => {
    const { requests } = await runText(
      'http.get("http://Shop.test/Cart")',
      answering(target("get http://Shop.test/cart", 500)),
    );
    expect(requests).toMatchObject([{ resource: "GET http://shop.test/Cart", firstReceivedMs: 500 }]);
  });

  it("takes 50 ms in the median where no target fits", async () => {
    const { requests } = await runText('for (let at = 0; at < 200; at++) http.get("http://shop.test/")');
    const times = requests.map(({ firstReceivedMs }) => firstReceivedMs ?? 0).sort((left, right) => left - right);
    expect(times).toHaveLength(200);
    expect(times[100]).toBeGreaterThan(40);
    expect(times[100]).toBeLessThan(62);
    expect(times[199]).toBeGreaterThan(100);
  });

  it("fails the target's share of requests with 500", async () => {
    const text = 'for (let at = 0; at < 400; at++) http.get("http://shop.test/")';
    const { requests, success } = await runText(text, answering(target("*", 10, { errorRate: 0.25 })));
    const failed = requests.filter(({ status }) => status === 500);
    expect(failed.length).toBeGreaterThan(60);
    expect(failed.length).toBeLessThan(140);
    expect(failed.every((each) => !each.success)).toBe(true);
    expect(success).toBe(false);
  });

  it("is that of Node's http: headers, body, status, agents, errors of use", async () => {
    const text = `
      const agent = new http.Agent({ keepAlive: true });
      const req = http.request({ hostname: "shop.test", path: "/a", method: "POST", headers: { "X-A": "1" }, agent }, (res) => {
        let body = ""; res.setEncoding("utf8");
        res.on("data", (part) => { body += part });
        res.on("end", () => log.info(res.statusCode, res.headers["content-type"], JSON.parse(body).url, res.complete));
      });
      req.write("abc"); req.end("def");
      log.info(req.getHeader("x-a"), http.STATUS_CODES[404], require("http") === http);
      try { http.get("ftp://shop.test/") } catch (e) { log.info(e.code) }
    `;
    expect(await logged(text)).toEqual([
      "1 Not Found true",
      "ERR_INVALID_PROTOCOL",
      "200 application/json http://shop.test/a true",
    ]);
  });

  it("counts the bytes that Node writes and reads", async () => {
    const { requests } = await runText('http.request("http://shop.test/", { method: "POST" }).end("x".repeat(1000))');
    expect(requests[0]?.bytesSent).toBeGreaterThan(1_000);
    expect(requests[0]?.bytesReceived).toBeGreaterThan(100);
  });

  it("serves https without a certificate, under its own label", async () => {
    const { requests } = await runText('https.get("https://shop.test:8443/a")');
    expect(requests).toMatchObject([{ resource: "GET https://shop.test:8443/a", status: 200, success: true }]);
  });

  it("answers fetch, with JSON, a body and headers", async () => {
    const text = `
      const answer = await fetch("http://shop.test/a?b", { method: "POST", body: JSON.stringify({ c: 1 }), headers: { "content-type": "application/json" } });
      log.info(answer.status, answer.ok, answer.url, answer.headers.get("content-type"), (await answer.json()).simulated);
      log.info((await fetch(new Request("http://shop.test/head", { method: "HEAD" }))).status);
    `;
    const run = await runText(text);
    expect(linesOf(run)).toEqual(["Info 200 true http://shop.test/a?b application/json true", "Info 200"]);
    expect(run.requests.map(({ resource }) => resource)).toEqual([
      "POST http://shop.test/a",
      "HEAD http://shop.test/head",
    ]);
  });

  it("lets fetch be aborted", async () => {
    const text =
      'try { await fetch("http://shop.test/", { signal: AbortSignal.timeout(20) }) } catch (e) { log.info(e.name) }';
    const run = await runText(text, answering(target("*", 1_000)));
    expect(linesOf(run)).toEqual(["Info TimeoutError"]);
    expect(run.requests).toMatchObject([{ success: false, connectionCloseMs: 20, connectionOpenMs: null }]);
  });

  it("lets a request time out", async () => {
    const text = `
      const req = http.get("http://shop.test/", { timeout: 300 });
      req.on("timeout", () => { log.info("timeout"); req.destroy(new Error("too slow")) });
      req.on("error", (e) => log.info(e.message));
    `;
    expect(await logged(text, answering(target("*", 1_000)))).toEqual(["timeout", "too slow"]);
  });

  it("echoes what a WebSocket sends", async () => {
    const text = `
      const socket = new WebSocket("ws://shop.test/chat?room=1");
      socket.on("open", () => { socket.send("hello"); socket.send(Buffer.alloc(70_000, 1)); });
      socket.onmessage = ({ data }) => { log.info(typeof data === "string" ? data : data.length); if (data !== "hello") socket.close(1000) };
      socket.addEventListener("close", ({ code }) => log.info("closed", code));
    `;
    const run = await runText(text, answering(target("GET ws://shop.test/chat*", 100)));
    expect(linesOf(run)).toEqual(["Info hello", "Info 70000", "Info closed 1000"]);
    expect(run.requests).toMatchObject([
      { resource: "GET ws://shop.test/chat", status: 101, connectionOpenMs: 20, firstReceivedMs: 100, success: true },
    ]);
  });

  it("echoes what net and tls send", async () => {
    const text = `
      for (const [name, port] of [["net", 80], ["tls", 443]]) {
        const socket = require(name).connect(port, "shop.test", () => socket.write("ping"));
        socket.on("data", (data) => { log.info(name, String(data)); socket.end() });
      }
    `;
    const run = await runText(text);
    expect([...linesOf(run)].sort()).toEqual(["Info net ping", "Info tls ping"]);
    expect(run.requests).toMatchObject([
      { resource: "CONNECT tcp://shop.test:80", success: true, status: null, bytesSent: 4, bytesReceived: 4 },
      { resource: "CONNECT tls://shop.test:443", success: true },
    ]);
  });

  it("has no servers and no sockets that are not measured", async () => {
    const text = `
      for (const go of [() => http.createServer(), () => new (require("net").Socket)(), () => http.get({ socketPath: "/run/x" })])
        try { go() } catch (e) { log.info(e.message) }
    `;
    expect(await logged(text)).toEqual([
      "a script makes requests; servers are not available in it",
      expect.stringContaining("found new Socket(); expected connect"),
      expect.stringContaining("found socketPath; expected a host"),
    ]);
  });

  it("lets a script mark its requests", async () => {
    const text = `
      http.get("http://shop.test/a", (res) => { res.resume(); res.on("end", () => results(res).markAsFailure()) });
      await new Promise((go) => setTimeout(go, 1_000));
      const b = await fetch("http://shop.test/b"); await b.text();
      results("GET http://shop.test/b").markAsFailure(); results("GET http://shop.test/b").markAsSuccess();
      results().setTraceStatus("interesting");
    `;
    expect((await runText(text)).requests).toMatchObject([
      { success: false, status: 200, traceStatus: null },
      { success: true, traceStatus: "interesting" },
    ]);
  });

  it("keeps what is still open when the run ends by force, without its close", async () => {
    const run = await runText(
      'http.get("http://shop.test/"); setTimeout(() => process.exit(), 5)',
      answering(target("*", 900)),
    );
    expect(run.requests).toMatchObject([{ success: false, connectionOpenMs: null, connectionCloseMs: null }]);
  });
});

describe("no network", () => {
  it("fails every request and says why", async () => {
    const text = `
      http.get("http://127.0.0.1/").on("error", (e) => log.info(e.message, e.code));
      try { await fetch("http://a.test/") } catch (e) { log.info(e.message, e.cause.message) }
      new WebSocket("ws://a.test/").on("error", (e) => log.info(e.message));
    `;
    const run = await runText(text, { options: { network: "deny" } });
    expect(linesOf(run)).toEqual([
      "Info GET http://127.0.0.1/ was not sent: this run has no network EACCES",
      "Info fetch failed GET http://a.test/ was not sent: this run has no network",
      "Info GET ws://a.test/ was not sent: this run has no network",
    ]);
    expect(run.success).toBe(false);
    expect(run.requests).toHaveLength(3);
    expect(run.requests.every((each) => !each.success && each.connectionOpenMs === null)).toBe(true);
  });

  it("fails the run when nobody handles it", async () => {
    const run = await runText('http.get("http://a.test/")', { options: { network: "deny" } });
    expect(run.failure).toContain("main failed: Error: GET http://a.test/ was not sent: this run has no network");
  });
});

describe("the loopback network", () => {
  let server: Server;
  let base = "";
  const seen: string[] = [];
  const loopback = { options: { network: "loopback" as const } };

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      if (request.url === "/moved") response.writeHead(302, { location: "/target" }).end();
      else if (request.url === "/missing") response.writeHead(404).end("no");
      else request.pipe(response.writeHead(200, { "content-type": "text/plain" }));
    });
    new WebSocketServer({ server }).on("connection", (socket) =>
      socket.on("message", (data) => socket.send(`${data}!`)),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterAll(() => void server.close());

  it("reaches a real server, measured by itself", async () => {
    const run = await runText(
      `const answer = await fetch("${base}/echo?x=1", { method: "POST", body: "hello" }); log.info(await answer.text())`,
      loopback,
    );
    expect(linesOf(run)).toEqual(["Info hello"]);
    expect(seen).toContain("POST /echo?x=1");
    const [request] = run.requests;
    expect(request).toMatchObject({
      resource: `POST ${base}/echo`,
      url: `${base}/echo?x=1`,
      status: 200,
      contentType: "text/plain",
      success: true,
    });
    const { connectionOpenMs, firstReceivedMs, connectionCloseMs, bytesSent = 0, bytesReceived = 0 } = request ?? {};
    expect([connectionOpenMs, firstReceivedMs, connectionCloseMs].every((ms) => typeof ms === "number")).toBe(true);
    expect(bytesSent).toBeGreaterThan(100);
    expect(bytesReceived).toBeGreaterThan(50);
  });

  it("follows redirects with fetch, each a request of its own", async () => {
    const run = await runText(`const a = await fetch("${base}/moved"); log.info(a.redirected, a.url)`, loopback);
    expect(linesOf(run)).toEqual([`Info true ${base}/target`]);
    expect(run.requests.map(({ status }) => status)).toEqual([302, 200]);
  });

  it("fails a request with a status of 400 and more", async () => {
    const run = await runText(`http.get("${base}/missing", (res) => log.info(res.statusCode))`, loopback);
    expect(linesOf(run)).toEqual(["Info 404"]);
    expect(run).toMatchObject({ success: false, failure: null, requests: [{ status: 404, success: false }] });
  });

  it("carries a real WebSocket", async () => {
    const text = `
      const socket = new WebSocket("${base.replace("http", "ws")}/chat");
      socket.on("open", () => socket.send("hi"));
      socket.on("message", (data) => { log.info(String(data)); socket.close() });
    `;
    const run = await runText(text, loopback);
    expect(linesOf(run)).toEqual(["Info hi!"]);
    expect(run.requests).toMatchObject([{ status: 101, success: true }]);
  });

  it("carries real TCP", async () => {
    const tcp = createTcpServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    const { port } = tcp.address() as { port: number };
    const text = `
      const socket = require("net").connect({ port: ${port}, host: "127.0.0.1" }, () => socket.end("ping"));
      socket.on("data", (data) => log.info(String(data)));
    `;
    const run = await runText(text, loopback);
    tcp.close();
    expect(linesOf(run)).toEqual(["Info ping"]);
    expect(run.requests).toMatchObject([{ bytesSent: 4, bytesReceived: 4, packetsReceived: 1, success: true }]);
  });

  it("takes real time", async () => {
    const run = await runText('await new Promise((go) => setTimeout(go, 40)); log.info("x")', loopback);
    expect(run.durationMs).toBeGreaterThanOrEqual(39);
    expect(run.durationMs).toBeLessThan(5_000);
  });

  it("says that nobody listens", async () => {
    const run = await runText('http.get("http://127.0.0.1:1/").on("error", (e) => log.info(e.code))', loopback);
    expect(linesOf(run)).toEqual(["Info ECONNREFUSED"]);
    expect(run.requests[0]?.error).toContain("ECONNREFUSED");
  });

  it.each([
    "http://192.0.2.1/",
    "http://example.test/",
    "http://[2001:db8::1]/",
    "http://0.0.0.0/",
    "http://127.0.0.1.example.test/",
  ])("does not reach %s", async (url) => {
    const text = `http.get("${url}").on("error", (e) => log.info(e.message))`;
    const [line] = await logged(text, loopback);
    expect(line).toMatch(/was not sent: found host \S+; expected loopback or a host of the setting allowedHosts$/);
  });

  it("does not reach another host by a lookup of its own", async () => {
    const lookup = '(host, options, found) => found(null, [{ address: "192.0.2.1", family: 4 }])';
    const text = `http.get("${base}/looked-up", { lookup: ${lookup} }, (res) => { res.resume(); log.info(res.statusCode) })`;
    expect(await logged(text, loopback)).toEqual(["200"]);
  });
});

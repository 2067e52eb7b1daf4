// merge: a real browser, for what the headers of the other tests keep out.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../../src/service/index.ts";
import { browserPath } from "../../support/browser.ts";

/** What a page of another origin may try without being asked; `AT` is the service. */
const attempts = `
const json = (body) => JSON.stringify(body);
const tries = [
  () => fetch("AT/test-cases?key=local", { method: "POST", mode: "no-cors", body: new Blob([json({ name: "evil", org: 1 })]) }),
  () => fetch("AT/test-cases?key=local", { method: "POST", mode: "no-cors", body: json({ name: "evil", org: 1 }) }),
  () => fetch("AT/scripts/1/run?key=local", { method: "POST", mode: "no-cors" }),
  () => fetch("AT/_loadform/reset?key=local", { method: "POST", mode: "no-cors" }),
  () => fetch("AT/_loadform/reset?key=local", { method: "POST" }),
  () => fetch("AT/test-cases", { headers: { "X-Api-Key": "local" } }).then((answer) => answer.text()).then((text) => read.push(text)),
  () => fetch("AT/_loadform/state?key=local").then((answer) => answer.text()).then((text) => read.push(text)),
  () => fetch("AT/_loadform/state?key=local", { mode: "no-cors" }),
  () => navigator.sendBeacon("AT/test-confs/1/executions?key=local", new Blob([json({})])),
  () => navigator.sendBeacon("AT/test-cases/1?key=local", "x"),
  () => new Promise((done) => {
    const image = new Image();
    image.onload = image.onerror = done;
    image.src = "AT/recordings/1/load?key=local&action=http-get&path=/";
  }),
  () => new Promise((done) => {
    const script = document.createElement("script");
    script.onload = script.onerror = done;
    script.src = "AT/data-stores/1/rows/iterators/evil?key=local";
    document.head.append(script);
  }),
  () => new Promise((done) => {
    const source = new EventSource("AT/_loadform/requests?key=local");
    source.onerror = () => { source.close(); done(); };
  }),
  () => new Promise((done) => {
    const socket = new WebSocket("AT/_loadform/state?key=local".replace("http", "ws"));
    socket.onerror = socket.onclose = done;
    socket.onopen = () => { read.push("a socket opened"); done(); };
  }),
  ...["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"].map((type) => () => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.name = "f" + Math.random();
    document.body.append(frame);
    const form = Object.assign(document.createElement("form"), { method: "POST", enctype: type, target: frame.name });
    form.action = "AT/_loadform/reset?key=local";
    form.innerHTML = '<input name="{&quot;name&quot;:&quot;evil&quot;,&quot;org&quot;:1,&quot;x&quot;:&quot;" value="&quot;}">';
    document.body.append(form);
    frame.onload = () => done();
    form.submit();
    setTimeout(done, 800);
  })),
  () => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = done;
    frame.src = "AT/test-cases?key=local";
    document.body.append(frame);
  }),
];
const read = [];
window.done = (async () => {
  for (const attempt of tries) await Promise.resolve().then(attempt).catch(() => undefined);
  return { tried: tries.length, read };
})();
`;

let service: Service;
let at = "";
let hostile: Server;
beforeAll(async () => {
  service = createService();
  const { port } = await service.listen(0);
  at = `http://127.0.0.1:${port}`;
  hostile = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><body><script>${attempts.replaceAll("AT", at)}</script>`);
  });
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  const call = async (method: string, path: string, body: object) =>
    (await service.handle({ method, path, headers: { "x-api-key": "local" }, body: body as never })).status;
  expect(await call("POST", "/test-cases", { name: "Shop", org: 1 })).toBe(200);
  expect(await call("POST", "/test-cases/1/scripts", { name: "Browse", main: 'console.log("ran")' })).toBe(200);
  expect(await call("POST", "/test-cases/1/gateways", { name: "Shop", url: "http://127.0.0.1:1" })).toBe(200);
  const form = new FormData();
  form.append("file", new File(["a\n1\n"], "u.csv"));
  expect(await call("POST", "/scripts/1/data-stores", form)).toBe(200);
});
afterAll(async () => {
  await service.close();
  hostile.closeAllConnections();
  hostile.close();
});

const hostilePort = () => (hostile.address() as AddressInfo).port;

describe.skipIf(browserPath === undefined)("a hostile page in a real browser", () => {
  async function drive(url: string, args: readonly string[] = []) {
    const browser = await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox", ...args] });
    try {
      const page = await browser.newPage();
      await page.goto(url);
      return (await page.evaluate("window.done")) as { readonly tried: number; readonly read: readonly string[] };
    } finally {
      await browser.close();
    }
  }

  const carriedOut = () =>
    service.requests.filter(({ status, path }) => status < 400 && !path.startsWith("/_loadform")).length;

  it.each([
    ["on another port", () => `http://127.0.0.1:${hostilePort()}/`],
    ["under another name of this machine", () => `http://localhost:${hostilePort()}/`],
  ])("changes and learns nothing: %s", async (_, url) => {
    const [before, answered] = [JSON.stringify(service.snapshot()), carriedOut()];
    const { tried, read } = await drive(url());
    expect([tried, read]).toEqual([18, []]);
    expect(carriedOut()).toBe(answered);
    expect(JSON.stringify(service.snapshot())).toBe(before);
  });

  it("changes and learns nothing when its own name leads to this machine by now", async () => {
    const [before, answered] = [JSON.stringify(service.snapshot()), carriedOut()];
    const rebound = new URL(at).port;
    const browser = await chromium.launch({
      executablePath: browserPath ?? "",
      args: ["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"],
    });
    const page = await browser.newPage();
    const opened = await page.goto(`http://evil.example:${rebound}/_loadform/console`);
    expect(opened?.status()).toBe(403);
    const statuses = await page.evaluate(`Promise.all([
      fetch("/test-cases?key=local"),
      fetch("/test-cases", { headers: { "X-Api-Key": "local" } }),
      fetch("/test-cases", { method: "POST", headers: { "X-Api-Key": "local", "Content-Type": "application/json" }, body: '{"name":"evil","org":1}' }),
    ]).then((answers) => answers.map(({ status }) => status))`);
    await browser.close();
    expect(statuses).toEqual([403, 403, 403]);
    expect(carriedOut()).toBe(answered);
    expect(JSON.stringify(service.snapshot())).toBe(before);
  });
});

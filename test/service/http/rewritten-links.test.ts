import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { makeRecordingRig, makeTarget, type RecordingRig, send } from "../support/recording-rig.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

interface Page {
  readonly html?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly path?: string;
}

async function rigOf({ html = "", headers = {}, status = 200, path = "" }: Page): Promise<RecordingRig> {
  const rig = await makeRecordingRig({
    path,
    answer: (_, response) => void response.writeHead(status, { "content-type": "text/html", ...headers }).end(html),
  });
  open.push(rig);
  return rig;
}

const keysOf = async (rig: RecordingRig): Promise<{ key: string; url: string; isPrimary: boolean }[]> =>
  (await rig.ok("GET", "/gateways/1")).keys;

describe("links of a page behind the proxy", () => {
  it("to another base url mint a key that is not the primary one, and lead through the proxy", async () => {
    const rig = await rigOf({ html: '<a href="http://other.test:81/a?b=1&amp;c#d">A</a>' });
    const { body } = await send(`${rig.proxy}/`);
    const keys = await keysOf(rig);
    expect(keys).toMatchObject([{ isPrimary: true }, { url: "http://other.test:81", isPrimary: false }]);
    expect(body).toBe(`<a href="/_gw/${keys[1]?.key}/a?b=1&amp;c#d">A</a>`);
  });

  it("mint one key for each base url, however often it is met", async () => {
    const rig = await rigOf({ html: '<a href="http://b.test/1"><a href="http://b.test/2"><a href="https://b.test/">' });
    await send(`${rig.proxy}/`);
    await send(`${rig.proxy}/`);
    expect((await keysOf(rig)).map(({ url }) => url)).toEqual([rig.target.url, "http://b.test", "https://b.test"]);
  });

  it("lead on through the proxy, to the second target too", async () => {
    const second = await makeTarget((_, response) => void response.end("second"));
    open.push(second);
    const rig = await rigOf({ html: `<a href='${second.url}/deep'>x</a>` });
    const [, link = ""] = /href='([^']*)'/.exec((await send(`${rig.proxy}/`)).body) ?? [];
    await rig.record();
    expect(await send(rig.base + link)).toMatchObject({ status: 200, body: "second" });
    expect(second.seen).toMatchObject([{ url: "/deep" }]);
    expect((await rig.ok("GET", "/recordings/1/traffic"))[1].httpHeaders).toContain(second.url.slice(7));
  });

  it("to the own base url, with or without its host, lead through the proxy and mint nothing", async () => {
    const rig = await rigOf({ html: "later" });
    const own = await makeRecordingRig({
      answer: ({ headers }, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(`<a href="http://${headers.host}/a"><img src=/b.png><form action='//${headers.host}/c'>`),
    });
    open.push(own);
    expect((await send(`${own.proxy}/`)).body).toBe(
      `<a href="/_gw/${own.key}/a"><img src="/_gw/${own.key}/b.png"><form action='/_gw/${own.key}/c'>`,
    );
    expect(await keysOf(own)).toHaveLength(1);
    expect((await send(`${rig.proxy}/`)).body).toBe("later");
  });

  it("that are relative, or no addresses, remain as they are", async () => {
    const html =
      '<a href="next"><a href="?q"><a href="#top"><a href="mailto:a@b.test"><a href="javascript:go()"><img src="data:image/png;base64,AA=="><p title="http://c.test/">http://d.test/</p><a href="http://">';
    const rig = await rigOf({ html });
    expect((await send(`${rig.proxy}/`)).body).toBe(html);
    expect(await keysOf(rig)).toHaveLength(1);
  });

  it("by host lead to the host of their key", async () => {
    const rig = await rigOf({ html: '<a href="/own"><a href="http://b.test/x">' });
    const { body } = await send(`${rig.base}/`, { headers: { Host: `${rig.key}.gw.test:8080` } });
    const [, other] = await keysOf(rig);
    expect(body).toBe(`<a href="http://${rig.key}.gw.test:8080/own"><a href="http://${other?.key}.gw.test:8080/x">`);
  });

  it("are taken below the path of their base url", async () => {
    const rig = await rigOf({ path: "/app", html: '<a href="/app/a"><a href="/app"><a href="/apple"><a href="/b">' });
    const { body } = await send(`${rig.proxy}/`);
    const [own, root] = await keysOf(rig);
    expect(root).toMatchObject({ url: rig.target.url, isPrimary: false });
    expect(body.match(/"[^"]*"/g)).toEqual(
      [`${own?.key}/a`, `${own?.key}/`, `${root?.key}/apple`, `${root?.key}/b`].map((each) => `"/_gw/${each}"`),
    );
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("are found in a page of encoding %s, which is answered without it", async (encoding, compress) => {
    const html = compress('<a href="/x">');
    const rig = await rigOf({ html, headers: { "content-encoding": encoding } });
    const answer = await send(`${rig.proxy}/`);
    expect(answer.body).toBe(`<a href="/_gw/${rig.key}/x">`);
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers["content-length"]).toBe(String(answer.body.length));
  });

  it("of an unknown encoding, or a damaged one, remain as they are", async () => {
    for (const encoding of ["zstd", "gzip", "constructor"]) {
      const rig = await rigOf({ html: '<a href="/x">', headers: { "content-encoding": encoding } });
      const answer = await send(`${rig.proxy}/`);
      expect([answer.body, answer.headers["content-encoding"]]).toEqual(['<a href="/x">', encoding]);
    }
  });

  it("leave bytes of any charset as they are", async () => {
    const bytes = Buffer.concat([
      Buffer.from([0xe4, 0xff, 0x00, 0xc3]),
      Buffer.from('<a href="/x">'),
      Buffer.from([0x80]),
    ]);
    const rig = await rigOf({ html: bytes });
    const received = Buffer.from(await (await fetch(`${rig.proxy}/`)).arrayBuffer());
    expect([...received.subarray(0, 4)]).toEqual([0xe4, 0xff, 0x00, 0xc3]);
    expect(received.at(-1)).toBe(0x80);
  });

  it("are not looked for in what is no page, or too large for one", async () => {
    const json = await rigOf({ html: '<a href="/x">', headers: { "content-type": "application/json" } });
    expect((await send(`${json.proxy}/`)).body).toBe('<a href="/x">');
    const html = `<a href="/x">${" ".repeat(9 * 1024 * 1024)}`;
    const large = await rigOf({ html });
    expect((await send(`${large.proxy}/`)).body === html).toBe(true);
  });

  it("are recorded as the target wrote them", async () => {
    const rig = await rigOf({ html: '<a href="http://b.test/x">' });
    await rig.record();
    await send(`${rig.proxy}/`);
    const [, , received] = await rig.ok("GET", "/recordings/1/traffic?includeData=true");
    expect(Buffer.from(received.data, "base64").toString()).toBe('<a href="http://b.test/x">');
  });

  it("mint at most 100 keys; what is met then remains as it is", async () => {
    const html = Array.from({ length: 120 }, (_, index) => `<a href="http://h${index}.test/">`).join("");
    const rig = await rigOf({ html });
    const { body } = await send(`${rig.proxy}/`);
    expect(await keysOf(rig)).toHaveLength(100);
    expect(body).toMatch(/"http:\/\/h119\.test\/">$/);
  });
});

describe("redirects behind the proxy", () => {
  it.each([301, 302, 307, 308])(
    "of status %i to another base url mint a key and lead through the proxy",
    async (status) => {
      const rig = await rigOf({ status, headers: { location: "http://b.test/x?y#z" } });
      const answer = await send(`${rig.proxy}/`);
      const [, other] = await keysOf(rig);
      expect(other).toMatchObject({ url: "http://b.test", isPrimary: false });
      expect(answer).toMatchObject({ status, headers: { location: `/_gw/${other?.key}/x?y#z` } });
    },
  );

  it("within the own base url lead through the proxy, relative ones remain", async () => {
    const root = await rigOf({ status: 302, headers: { location: "/login" } });
    expect((await send(`${root.proxy}/`)).headers.location).toBe(`/_gw/${root.key}/login`);
    const relative = await rigOf({ status: 302, headers: { location: "login" } });
    expect((await send(`${relative.proxy}/`)).headers.location).toBe("login");
  });

  it("to a host that must not be reached end in the proxy's refusal", async () => {
    const rig = await rigOf({ status: 302, headers: { location: "http://b.test/" } });
    const { location = "" } = (await send(`${rig.proxy}/`)).headers;
    expect((await send(rig.base + location)).status).toBe(403);
  });
});

describe("cookies behind the proxy", () => {
  it("belong to the proxy's host, and by path to their key only", async () => {
    const cookie = "a=b; Domain=shop.test; Path=/app/x; HttpOnly";
    const rig = await rigOf({ path: "/app", headers: { "set-cookie": cookie } });
    expect((await send(`${rig.proxy}/`)).headers["set-cookie"]).toEqual([`a=b; Path=/_gw/${rig.key}/x; HttpOnly`]);
    const byHost = await send(`${rig.base}/`, { headers: { Host: `${rig.key}.gw.test` } });
    expect(byHost.headers["set-cookie"]).toEqual(["a=b; Path=/x; HttpOnly"]);
  });
});

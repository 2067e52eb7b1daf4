import { execFile } from "node:child_process";
import http from "node:http";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { makeRecordingRig, type RecordingRig, type Seen, send } from "../support/recording-rig.ts";

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

const mainOf = async (rig: RecordingRig): Promise<string> => (await rig.ok("GET", "/scripts/1")).main;

/** Runs a script as the scripting API does: `http`, `params` and `require` are there; pauses are noted, not waited for. */
async function run(main: string, params: Readonly<Record<string, string>> = {}): Promise<readonly number[]> {
  const pauses: number[] = [];
  const setTimeout = (call: () => void, ms: number) => {
    pauses.push(ms);
    setImmediate(call);
  };
  const require = (name: string) => (name === "https" ? {} : expect.unreachable(name));
  await runInContext(main, createContext({ http, params, Buffer, setTimeout, require }));
  return pauses;
}

/** What of a request its sender decides. */
function essence({ method, url, rawHeaders, body }: Seen) {
  const framing = ["host", "connection", "content-length", "transfer-encoding"];
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 ? [] : [`${name}: ${rawHeaders[index + 1]}`]));
  const headers = pairs.filter((each) => !framing.includes(each.split(":")[0]?.toLowerCase() ?? ""));
  return { method, url, headers, body };
}

const json = { "Content-Type": "application/json", "X-Trace": "7" };

/** Three requests through the proxy. */
async function browse(rig: RecordingRig): Promise<void> {
  await send(`${rig.proxy}/items`, { headers: { Accept: "text/html" } });
  await send(`${rig.proxy}/cart`, { method: "POST", headers: json, body: '{"sku": "ä", "n": 1}\n' });
  await send(`${rig.proxy}/search?q=a%20b&q=c`, { headers: { "Accept-Language": "de" } });
}

describe("the script of a recording", () => {
  it("sends the same three requests that were recorded", async () => {
    const rig = await recording();
    await browse(rig);
    await rig.ok("PATCH", "/recordings/1/stop");
    const recorded = rig.target.seen.map(essence);
    expect(recorded).toMatchObject([
      { method: "GET", url: "/items" },
      { method: "POST", url: "/cart", body: '{"sku": "ä", "n": 1}\n' },
      { method: "GET", url: "/search?q=a%20b&q=c" },
    ]);
    await run(await mainOf(rig));
    expect(rig.target.seen.slice(3).map(essence)).toEqual(recorded);
    expect(rig.target.seen.map(({ headers }) => headers.host)).toEqual(Array(6).fill(rig.target.url.slice(7)));
  });

  it("runs in a process of its own too, and ends by itself", async () => {
    const rig = await recording();
    await browse(rig);
    const recorded = rig.target.seen.map(essence);
    const setUp = 'globalThis.http = require("node:http"); globalThis.params = {};';
    await promisify(execFile)(process.execPath, ["-e", `${setUp}\n${await mainOf(rig)}`]);
    expect(rig.target.seen.slice(3).map(essence)).toEqual(recorded);
  });

  it("is a scenario of the test case, of the recording's name", async () => {
    const rig = await recording();
    await browse(rig);
    expect(await rig.ok("GET", "/test-cases/1/scripts?down=true")).toMatchObject([
      {
        name: "Take",
        sourceType: "Recording",
        sourceId: 1,
        scriptType: "Code",
        language: "javascript",
        nodeVersion: "latest",
        hasInit: false,
        readonly: false,
        paramsConfig: [],
      },
    ]);
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({
      script: { id: 1, name: "Take", sourceType: "Recording" },
    });
  });

  it("comes with the first request, and is made anew with each further one until the recording is stopped", async () => {
    const rig = await recording();
    expect(await rig.ok("GET", "/test-cases/1/scripts")).toEqual([]);
    const counts: (string | undefined)[] = [];
    for (const path of ["/a", "/b", "/c"]) {
      await send(rig.proxy + path);
      counts.push((await mainOf(rig)).split("\n")[0]);
    }
    expect(counts).toEqual(["1 request", "2 requests", "3 requests"].map((each) => `// Recording 1, "Take": ${each}.`));
    await rig.ok("PATCH", "/recordings/1/stop");
    const main = await mainOf(rig);
    await send(`${rig.proxy}/d`);
    expect(await mainOf(rig)).toBe(main);
    await rig.ok("PUT", "/scripts/1", { main: "mine()" });
    expect(await mainOf(rig)).toBe("mine()");
  });

  it("is made anew where it was deleted meanwhile", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`);
    await rig.ok("DELETE", "/scripts/1");
    expect(await rig.ok("GET", "/recordings/1")).toMatchObject({ script: null });
    await send(`${rig.proxy}/b`);
    expect((await rig.ok("GET", "/scripts/2")).main).toMatch(/\/a".*\/b"/s);
  });

  it("pauses as long as passed between the requests", async () => {
    const rig = await recording();
    for (const ms of [0, 1500, 0, 250]) {
      await rig.service.advance(ms);
      await send(`${rig.proxy}/after-${ms}`);
    }
    expect(await run(await mainOf(rig))).toEqual([1500, 250]);
  });

  it("has the text that the same steps always make", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/items?x=1`, { headers: { Accept: "*/*" } });
    await rig.service.advance(1000);
    await send(`${rig.proxy}/cart`, { method: "POST", headers: { "X-A": ["1", "2"], Cookie: "a=b" }, body: "x" });
    expect((await mainOf(rig)).replaceAll(rig.target.url, "http://target.test")).toMatchInlineSnapshot(`
      "// Recording 1, "Take": 2 requests.
      // Made anew at each request until the recording is stopped; changes made before are lost.

      // Resolves when the answer has ended. A request that fails is counted as such, and the next one follows.
      const done = (request, body) =>
        new Promise((resolve) => {
          request.on("response", (response) => response.on("end", resolve).on("error", resolve).resume());
          request.on("error", resolve);
          request.end(body);
        });
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      // Credentials and cookies are not recorded: they come as parameters of the run.
      const secret = (name, key = name.toLowerCase()) => (params[key] ? { [name]: params[key] } : {});

      async function replay() {
        // 1
        await done(
          http.get("http://target.test/items?x=1", {
            headers: {
              "Accept": "*/*",
            },
          }),
        );
        await pause(1000);
        // 2
        await done(
          http.request("http://target.test/cart", {
            method: "POST",
            headers: {
              "X-A": ["1", "2"],
              ...secret("Cookie"),
            },
          }),
          "x",
        );
      }

      replay();
      "
    `);
  });

  it("takes credentials and cookies from parameters, and leaves out those that are not given", async () => {
    const rig = await recording();
    await send(`${rig.proxy}/a`, { headers: { Authorization: "Bearer s3cret", Cookie: "a=b" } });
    expect(await rig.ok("GET", "/scripts/1")).toMatchObject({
      paramsConfig: [
        { name: "authorization", required: false, encrypted: true },
        { name: "cookie", required: false, encrypted: true },
      ],
    });
    await run(await mainOf(rig), { authorization: "Bearer other" });
    expect(rig.target.seen[1]?.headers).toMatchObject({ authorization: "Bearer other" });
    expect(rig.target.seen[1]?.headers).not.toHaveProperty("cookie");
  });

  it("sends bytes that are no text, and headers that repeat or have odd names", async () => {
    const rig = await recording();
    const body = Buffer.from([0, 255, 128, 10]);
    await send(`${rig.proxy}/a`, { method: "PUT", headers: { "X-A": ["1", '2"'], ["__proto__"]: "p" }, body });
    const main = await mainOf(rig);
    expect(main).toContain(`Buffer.from("${body.toString("base64")}", "base64")`);
    await run(main);
    const [recorded, sent] = rig.target.seen.map(essence);
    expect(sent).toEqual(recorded);
    expect(recorded?.headers).toContain("__proto__: p");
  });

  it("goes on after a request that fails", async () => {
    const rig = await recording({
      answer: ({ url }, response) => void (url === "/a" ? response.destroy() : response.end()),
    });
    await send(`${rig.proxy}/a`);
    await send(`${rig.proxy}/b`);
    await run(await mainOf(rig));
    expect(rig.target.seen.map(({ url }) => url)).toEqual(["/a", "/b", "/a", "/b"]);
  });

  it("holds the requests in the order in which they were sent, though the first answer comes last", async () => {
    let first: (() => void) | undefined;
    const rig = await recording({
      answer: ({ url }, response) => {
        if (url === "/slow") first = () => response.end();
        else response.end();
      },
    });
    const slow = send(`${rig.proxy}/slow`);
    await expect.poll(() => first !== undefined).toBe(true);
    await send(`${rig.proxy}/fast`);
    first?.();
    await slow;
    expect(await mainOf(rig)).toMatch(/\/slow".*\/fast"/s);
  });

  it("holds no answer that came after the stop", async () => {
    let end: (() => void) | undefined;
    const rig = await recording({
      answer: (_, response) => {
        end = () => response.end("late");
      },
    });
    const late = send(`${rig.proxy}/late`);
    await expect.poll(() => end !== undefined).toBe(true);
    await rig.ok("PATCH", "/recordings/1/stop");
    end?.();
    expect(await late).toMatchObject({ status: 200, body: "late" });
    const packets = await rig.ok("GET", "/recordings/1/traffic");
    expect(packets.map((each: { trafficType: string }) => each.trafficType)).toEqual(["ConnectionOpened", "DataSent"]);
    expect(await mainOf(rig)).toContain("/late");
  });

  it("has a name of its own where siblings may not share theirs", async () => {
    const rig = await recording({ settings: { names: "unique" } });
    await rig.ok("POST", "/test-cases/1/scripts", { name: "Take", main: "go()" });
    await send(`${rig.proxy}/a`);
    expect((await rig.ok("GET", "/test-cases/1/scripts")).map((each: { name: string }) => each.name)).toEqual([
      "Take",
      "Take (recording 1)",
    ]);
  });

  it("is no way out of its comment for a recording's name", async () => {
    const rig = await makeRecordingRig({ settings: { nameCharacters: "any" } });
    open.push(rig);
    await rig.record('a\nthrow new Error("out")\u2028throw 1');
    await send(`${rig.proxy}/a`);
    await run(await mainOf(rig));
    expect(rig.target.seen).toHaveLength(2);
  });
});

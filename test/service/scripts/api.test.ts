import { describe, expect, it } from "vitest";
import { start } from "../support/rig.ts";
import { linesOf, logged, runText } from "../support/run-text.ts";

const smoke = { chunk: { id: -1 } };
const probe = { chunk: { id: 7 }, execution: { id: 3 } };

describe("a scenario", () => {
  it("runs init, main and teardown once each, in this order", async () => {
    const run = await runText('log.info("main", globalThis.token)', {
      init: 'globalThis.token = "t"; log.info("init")',
      teardown: 'log.info("teardown", token)',
    });
    expect(linesOf(run)).toEqual(["Info init", "Info main t", "Info teardown t"]);
    expect(run.success).toBe(true);
  });

  it("counts time from the beginning of main", async () => {
    const sleep = (ms: number) => `await new Promise((go) => setTimeout(go, ${ms})); log.info("${ms}")`;
    const run = await runText(sleep(200), { init: sleep(1_000), teardown: sleep(30) });
    expect(run).toMatchObject({ initMs: 1_000, durationMs: 200, totalMs: 1_230 });
    expect(run.logs.map(({ atMs }) => atMs)).toEqual([0, 200, 230]);
  });

  it("skips main when init failed, and runs teardown whatever happened", async () => {
    const run = await runText('log.info("main")', { init: 'throw new Error("no")', teardown: 'log.info("teardown")' });
    expect(linesOf(run)).toEqual(["Error init failed: Error: no (init.js:1:7)", "Info teardown"]);
    expect(run.failure).toContain("init failed");
  });

  it("ends when nothing of it remains, not when its text does", async () => {
    const run = await runText('setTimeout(() => log.info("timer"), 5_000); log.info("text")');
    expect(linesOf(run)).toEqual(["Info text", "Info timer"]);
    expect(run.durationMs).toBe(5_000);
  });

  it("may await at its top level, and return", async () => {
    expect(await logged('log.info(await Promise.resolve(1)); return; log.info("never")')).toEqual(["1"]);
  });

  it("may be TypeScript, with import, enum and types", async () => {
    const text = `
      import assert from "node:assert";
      import { format as words } from "util";
      enum Colour { Red = "red" }
      const n: number = 1 as number;
      assert.equal(n, 1);
      log.info(words("%s %d", Colour.Red, n satisfies number));
      await Promise.resolve();
    `;
    expect(await logged(text, { language: "typescript" })).toEqual(["red 1"]);
  });

  it("that is TypeScript says where it is wrong", async () => {
    const run = await runText("const a: = 1", { language: "typescript" });
    expect(run.failure).toBe("the script could not be compiled: SyntaxError: Unexpected token (main.ts:1:10)");
    expect(linesOf(run)).toEqual([`Error ${run.failure}`]);
  });

  it("may be JavaScript with import", async () => {
    expect(await logged('import { posix } from "node:path";\nlog.info(posix.join("a", "b"))')).toEqual(["a/b"]);
    expect(await logged('const { posix } = await import("path"); log.info(posix.sep)')).toEqual(["/"]);
  });
});

describe("what a script is given", () => {
  it("params are the parameters, and cannot be changed", async () => {
    const params = { "Base Url": "http://a.test", n: "2" };
    const text = 'params.n = 3; log.info(params["Base Url"], params.n, process.env.PARAM_BASEURL, process.env.PARAM_N)';
    expect(await logged(text, { params })).toEqual(["http://a.test 2 http://a.test 2"]);
  });

  it("the environment names the execution and the chunk", async () => {
    expect(await logged("log.info(process.env.EXECUTION_ID, process.env.CHUNK_ID)", { info: probe })).toEqual(["3 7"]);
  });

  it("info is what the run is about, with the folder for output", async () => {
    const info = { ...probe, iteration: 4, region: { id: 1, name: "cloud-us-east-1" } };
    const text = "log.info(info.iteration, info.region.name, info.chunk.id, info.outputDir)";
    expect(await logged(text, { info })).toEqual(["4 cloud-us-east-1 7 /output"]);
  });

  it("isSmokeTest follows from the chunk, isLocal is false", async () => {
    const text = "log.info(isSmokeTest, isLocal)";
    expect(await logged(text, { info: smoke })).toEqual(["true false"]);
    expect(await logged(text, { info: probe })).toEqual(["false false"]);
  });

  it("moment is there without require and with it", async () => {
    const text = 'log.info(moment("2026-01-31").add(1, "month").format("YYYY-MM-DD"), require("moment") === moment)';
    expect(await logged(text)).toEqual(["2026-02-28 true"]);
    expect(await logged("log.info(moment.utc().toISOString())")).toEqual([start]);
  });

  it("modules of Node that do no harm are there, with node: and without", async () => {
    const names = ["assert", "buffer", "crypto", "events", "path", "querystring", "stream", "url", "util", "zlib"];
    const text = `for (const name of ${JSON.stringify(names)}) log.info(typeof require(name), require("node:" + name) === require(name))`;
    expect(new Set(await logged(text))).toEqual(new Set(["object true", "function true"]));
  });

  it("work of other threads of Node is waited for, and takes no time", async () => {
    const text = `
      const { gzip, gunzipSync } = require("zlib");
      gzip("packed", (_, bytes) => log.info(gunzipSync(bytes).toString(), Date.now() - info.at));
      setTimeout(() => log.info("timer"), 1);
    `;
    expect(await logged(text, { info: { ...smoke, at: Date.parse(start) } })).toEqual(["packed 0", "timer"]);
  });

  it("files below info.outputDir are kept", async () => {
    const run = await runText(`
      const fs = require("fs");
      fs.mkdirSync(info.outputDir + "/a", { recursive: true });
      fs.writeFileSync(info.outputDir + "/a/one.txt", "1");
      fs.appendFileSync("a/one.txt", "2");
      await require("fs/promises").writeFile("two.bin", Buffer.from([0, 255]));
      fs.writeFile("three.txt", "3", (error) => log.info(error, fs.readFileSync("a/one.txt", "utf8"), fs.existsSync("nope")));
    `);
    expect(linesOf(run)).toEqual(["Info null 12 false"]);
    const kept = run.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("hex")]);
    expect(kept).toEqual([
      ["a/one.txt", "3132"],
      ["two.bin", "00ff"],
      ["three.txt", "33"],
    ]);
  });

  it("files have at most 8 MB together", async () => {
    const text = 'try { require("fs").writeFileSync("x", Buffer.alloc(9e6)) } catch (e) { log.info(e.code) }';
    expect(await logged(text)).toEqual(["ENOSPC"]);
  });
});

describe("log", () => {
  it("has five levels; trace is written in smoke runs only", async () => {
    const text = 'log.trace("t"); log.debug("d"); log.info("i"); log.error("e")';
    expect(linesOf(await runText(text))).toEqual(["Trace t", "Debug d", "Info i", "Error e"]);
    expect(linesOf(await runText(text, { info: probe }))).toEqual(["Debug d", "Info i", "Error e"]);
  });

  it("puts values together as console does", async () => {
    expect(await logged('log.info("%s is %d", "a", 1, { b: [2] })')).toEqual(["a is 1 { b: [ 2 ] }"]);
  });

  it("error does not fail the run, fatal ends it", async () => {
    expect((await runText('log.error("e")')).success).toBe(true);
    const run = await runText('log.fatal("no way"); log.info("after")', { teardown: 'log.info("teardown")' });
    expect(linesOf(run)).toEqual(["Fatal no way", "Info teardown"]);
    expect(run).toMatchObject({ success: false, failure: "the script logged as fatal: no way" });
  });
});

describe("results", () => {
  const metric = { namespace: "User", key: null, units: null, resource: null, url: null, phase: "main", atMs: 0 };

  it.each([
    ['counter("c")', { metricType: "Counter", name: "c", value: 1 }],
    ['counter("c", 2, "things")', { metricType: "Counter", name: "c", value: 2, units: "things" }],
    ['counter({ name: "c" })', { metricType: "Counter", name: "c", value: 1 }],
    [
      'counter({ namespace: "Shop", name: "c", val: 3, units: "u" })',
      { metricType: "Counter", namespace: "Shop", name: "c", value: 3, units: "u" },
    ],
    ['timing("t", 12)', { metricType: "Timing", name: "t", value: 12, units: "ms" }],
    ['timing({ name: "t", val: 12 })', { metricType: "Timing", name: "t", value: 12, units: "ms" }],
    ['timing("t", 12, "s")', { metricType: "Timing", name: "t", value: 12, units: "s" }],
    ['histogram("h", "k")', { metricType: "Histogram", name: "h", key: "k", value: 1 }],
    ['histogram({ name: "h", key: 200 })', { metricType: "Histogram", name: "h", key: "200", value: 1 }],
    ['metered("m", "k", 1.5, "MB")', { metricType: "Metered", name: "m", key: "k", value: 1.5, units: "MB" }],
    ['metered({ name: "m", key: "k", val: 0 })', { metricType: "Metered", name: "m", key: "k", value: 0 }],
  ])("().%s is reported", async (call, expected) => {
    expect((await runText(`results().${call}`)).metrics).toEqual([{ ...metric, ...expected }]);
  });

  it("of a resource and a url say so", async () => {
    const { metrics } = await runText('results("GET http://a.test/", "http://a.test/?b").counter("c")');
    expect(metrics).toEqual([
      {
        ...metric,
        metricType: "Counter",
        name: "c",
        value: 1,
        resource: "GET http://a.test/",
        url: "http://a.test/?b",
      },
    ]);
  });

  it.each([
    ['counter("")', "1 to 255 characters"],
    ["counter(`${'x'.repeat(256)}`)", "1 to 255 characters"],
    ['counter("a-b")', "without - and __"],
    ['counter("a__b")', "without - and __"],
    ['counter({ namespace: "a-b", name: "c" })', "without - and __"],
    ['counter({ namespace: "System", name: "c" })', "namespace System"],
    ['counter("c", "many")', "no number"],
    ['timing("t")', "no number"],
    ['histogram("h")', "no key"],
    ['metered({ name: "m", val: 1 })', "no key"],
  ])("().%s is an Error line and is not counted", async (call, said) => {
    const run = await runText(`results().${call}`);
    expect(run.metrics).toEqual([]);
    expect(linesOf(run)).toEqual([expect.stringMatching(/^Error found .*; this value is not counted$/)]);
    expect(linesOf(run)[0]).toContain(said);
    expect(run.success).toBe(true);
  });

  it("keep to one type for each name of a namespace", async () => {
    const run = await runText(
      'results().counter("a"); results().timing("a", 1); results().timing({ namespace: "B", name: "a", val: 1 })',
    );
    expect(run.metrics.map(({ metricType, namespace }) => [metricType, namespace])).toEqual([
      ["Counter", "User"],
      ["Timing", "B"],
    ]);
    expect(linesOf(run)[0]).toContain('found Timing "a", which is a Counter in namespace User');
  });

  it("that users share are those of this run", async () => {
    const text = `
      results().counter("c", 2); results().histogram("h", "k", 3);
      log.info(await results.get("c"), await results.get("h", "k"), await results.get("none"));
      log.info(await results.incrementAndWaitForValue("c"), await results.waitForValue("c", 100), await results.waitForCondition("c", () => false));
      log.info(await results.barrier("c", 5), Date.now() - info.at);
    `;
    expect(await logged(text, { info: { ...smoke, at: Date.parse(start) } })).toEqual(["2 3 0", "3 3 3", "3 0"]);
  });
});

describe("stopwatch, execute and events", () => {
  it("stopwatch reports how long a function took, by promise and by done", async () => {
    const { metrics } = await runText(`
      const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
      await stopwatch(() => sleep(30), { name: "first" });
      await stopwatch((done) => void setTimeout(done, 40), "second");
    `);
    expect(metrics.map(({ metricType, name, value, units }) => [metricType, name, value, units])).toEqual([
      ["Timing", "first", 30, "ms"],
      ["Timing", "second", 40, "ms"],
    ]);
  });

  it("execute waits for finished to be called", async () => {
    expect(await logged('await execute((finished) => setTimeout(finished, 9)); log.info("then")')).toEqual(["then"]);
    expect(await logged('await execute(async () => log.info("now"))')).toEqual(["now"]);
  });

  it("events reach those who listen", async () => {
    expect(await logged('events.on("sold", (what) => log.info(what)); events.emit("sold", "tea")')).toEqual(["tea"]);
  });

  it("waitForFinish ends with events.finish, or when the run is expected to end, and at once in a smoke run", async () => {
    const text = 'await waitForFinish(); log.info("end")';
    const info = { ...probe, expectedFinishTimestamp: Date.parse(start) + 7_000 };
    expect((await runText(text, { info })).durationMs).toBe(7_000);
    expect((await runText(`setTimeout(() => events.finish(), 50); ${text}`, { info })).logs[0]?.atMs).toBe(50);
    expect((await runText(text, { info: { ...info, ...smoke } })).logs[0]?.atMs).toBe(0);
  });
});

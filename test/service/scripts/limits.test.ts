// slow: limits are waited for
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../support/deep.ts";
import { slownessNow } from "../../support/slowness-now.ts";
import { linesOf, logged, runText } from "../support/run-text.ts";

const short = { options: { limits: { ms: 700 } } };

/** A run that ended before its end: a reason, the same as a line of its log. */
async function failed(main: string, around: Parameters<typeof runText>[1] = {}) {
  const run = await runText(main, around);
  expect(run.success).toBe(false);
  expect(run.failure).not.toBeNull();
  expect(linesOf(run)).toContain(`Error ${run.failure}`);
  return run;
}

describe("a script that does harm (API 1, Scenarios: POST /scripts/:id/run)", () => {
  it("is stopped when it never ends, and what it logged before is kept", async () => {
    // It has to begin within its limit, however busy the machine is.
    const ms = Math.ceil(700 * (await slownessNow()));
    const run = await failed('log.info("before"); for (;;) {}', { options: { limits: { ms } } });
    expect(run.failure).toContain(`stopped after ${ms / 1000} s`);
    expect(linesOf(run)[0]).toBe("Info before");
  });

  it("is stopped when it waits without end for another thread", async () => {
    const run = await failed("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", short);
    expect(run.failure).toContain("stopped after");
  });

  it("is stopped when promises follow each other without end", async () => {
    const run = await failed("const on = () => Promise.resolve().then(on); on();", short);
    expect(run.failure).toContain("the script was stopped");
  });

  it("is stopped when its heap is more than 64 MB", async () => {
    const run = await failed("const all = []; for (;;) all.push(new Array(1000).fill({}))");
    expect(run.failure).toContain("more than 64 MB");
  });

  it("is stopped when its buffers, which lie outside of the heap, are too many", async () => {
    const around = { options: { limits: { growthMb: 100, ms: 10_000 } } };
    const text = "const all = []; for (let at = 0; at < 400; at++) { all.push(Buffer.alloc(1e6, 1)); await null }";
    const run = await failed(`${text}; for (;;) {}`, around);
    expect(run.failure).toContain("grew by more than 100 MB");
  });

  it("fails when it throws, with the place", async () => {
    const run = await failed('log.info("one");\n  throw new TypeError("no such thing")');
    expect(run.failure).toBe("main failed: TypeError: no such thing (main.js:2:9)");
  });

  it("fails when a callback throws", async () => {
    const run = await failed('setTimeout(() => { throw new Error("late") }, 5)');
    expect(run.failure).toContain("main failed: Error: late (main.js:1:26)");
  });

  it("fails when a promise is rejected and nobody looks", async () => {
    const run = await failed('Promise.reject(new Error("unseen")); await new Promise((go) => setTimeout(go, 50))');
    expect(run.failure).toContain("Error: unseen");
  });

  const thrown = [
    ["null", "threw null"],
    ['"text"', 'threw "text"'],
    ["Object.create(null)", "threw something that cannot be read"],
    ["{ get message() { throw 1 } }", "threw something that cannot be read"],
    ["new Proxy({}, { has() { throw 1 } })", "threw something that cannot be read"],
    ["Symbol('s')", "threw Symbol(s)"],
  ] as const;
  it.each(sampleOf(thrown, 4))("fails when it throws %s", async (value, said) => {
    expect((await failed(`throw ${value}`)).failure).toBe(`main failed: ${said}`);
  });

  it("fails when it is no JavaScript, with the line", async () => {
    expect((await failed("log.info(1);\nconst = 2")).failure).toMatch(/^main failed: SyntaxError: .*main\.js:2/);
  });

  it("fails when it calls itself without end", async () => {
    expect((await failed("const deep = () => deep() + 1; deep()")).failure).toContain(
      "Maximum call stack size exceeded",
    );
  });

  it("ends where it calls process.exit", async () => {
    const run = await failed('log.info("before"); process.exit(3); log.info("after")');
    expect(run.failure).toBe("the script called process.exit(3), which ends the iteration");
    expect(linesOf(run)).toEqual(["Info before", `Error ${run.failure}`]);
  });

  it("ends where it calls process.exit, even when it catches that", async () => {
    const run = await failed('try { process.exit() } catch {} log.info("after"); results().counter("after")');
    expect(linesOf(run)).toHaveLength(1);
    expect(run.metrics).toEqual([]);
  });

  it("fails when it waits for a promise that nothing settles", async () => {
    expect((await failed("await new Promise(() => {})")).failure).toBe(
      "main waits for a promise that nothing settles any more",
    );
  });

  it("fails when it goes on for more than an hour of its own time", async () => {
    expect((await failed("setInterval(() => {}, 60_000)")).failure).toContain("after an hour of its own time");
  });

  it("fails when its bytes are no text", async () => {
    expect((await failed("\0\uD800")).failure).toContain("SyntaxError");
  });

  it("gains nothing by closing the function around it", async () => {
    const run = await runText('}); log.info("outside"); (async function () {');
    expect([run.failure, linesOf(run)]).toEqual([null, ["Info outside"]]);
  });

  it("harms no script that is run after all of these", async () => {
    expect(await logged('log.info("still here")')).toEqual(["still here"]);
  });
});

describe("what a script prints", () => {
  it("is bounded, and a line says so", async () => {
    const run = await runText('for (let at = 0; at < 100_000; at++) console.log("x".repeat(100))');
    expect(run.failure).toBeNull();
    expect(run.logs).toHaveLength(1_001);
    expect(linesOf(run).at(-1)).toContain("Error the log is full: more than 1000 lines or 256 KB");
  });

  it("is cut where one line is megabytes long", async () => {
    const [line] = await logged('log.info("x".repeat(5_000_000))');
    expect(line).toHaveLength(10_000 + "… (cut)".length);
  });

  it("goes to no stdout of the service", async () => {
    const written: unknown[] = [];
    const write = process.stdout.write;
    process.stdout.write = ((chunk: unknown) => written.push(chunk) > 0) as typeof write;
    try {
      expect(await logged('process.stdout.write("a\\n"); console.log("b", { c: 1 })')).toEqual(["a", "b { c: 1 }"]);
    } finally {
      process.stdout.write = write;
    }
    expect(written).toEqual([]);
  });

  it("is bounded for requests and metrics too", async () => {
    const run = await runText('for (let at = 0; at < 12_000; at++) results().counter("many")');
    expect(run.metrics).toHaveLength(10_000);
    expect(linesOf(run)).toEqual(["Error more than 10000 metrics in one iteration; what follows is not kept"]);
  });
});

describe("a script does not get out of its thread", () => {
  const tried = (names: readonly string[], told: "message" | "code") =>
    `for (const name of ${JSON.stringify(names)}) try { require(name); log.info(name) } catch (e) { log.info(e.${told}) }`;

  it("by require of a module that does harm", async () => {
    const names = ["child_process", "worker_threads", "os", "vm", "module", "cluster", "dgram", "dns"];
    names.push("inspector", "v8");
    const lines = await logged(tried(names, "message"));
    expect(lines.map((line) => line.replace(/assert, buffer, crypto, events, fs.*/, "…"))).toEqual(
      names.map((name) => expect.stringMatching(new RegExp(`^found require\\("${name}"\\); expected one of …`))),
    );
  });

  it("by require of what is no module", async () => {
    const names = ["node:child_process", "./secret.js", "__proto__", "constructor", "toString"];
    expect(await logged(tried(names, "code"))).toEqual(names.map(() => "MODULE_NOT_FOUND"));
  });

  it("by import()", async () => {
    const [line] = await logged('try { await import("node:child_process") } catch (e) { log.info(e.message) }');
    expect(line).toContain('found require("node:child_process")');
  });

  it("by import() in text that it makes", async () => {
    const text = 'const go = new Function("return imp" + "ort(\\"node:fs\\")"); ';
    expect(await logged(`${text} try { await go(); log.info("out") } catch (e) { log.info("in") }`)).toEqual(["in"]);
  });

  it("by what global functions see", async () => {
    const seen = [
      "process.binding",
      "process.mainModule",
      "process.getBuiltinModule",
      "process.kill",
      "module",
      "postMessage",
    ];
    const text = `(name) => { try { return typeof new Function("return " + name)() } catch { return "undefined" } }`;
    expect(await logged(`const see = ${text}; log.info(${JSON.stringify(seen)}.map(see).join())`)).toEqual([
      seen.map(() => "undefined").join(),
    ]);
  });

  it("by its environment", async () => {
    const [line] = await logged("log.info(JSON.stringify(process.env))", { params: { "Base Url": "http://a.test" } });
    expect(JSON.parse(line ?? "")).toEqual({ PARAM_BASEURL: "http://a.test", CHUNK_ID: "-1", EXECUTION_ID: "-1" });
  });

  it("by prototypes that it changes", async () => {
    const run = await runText(`
      Object.prototype.kind = "request";
      Array.prototype.push = () => { throw 1 };
      Function.prototype.call = () => 1;
      Map.prototype.get = () => undefined;
      JSON.stringify = () => "no";
      log.info("done");
    `);
    expect([run.failure, ...linesOf(run)].filter((each) => each !== null)).not.toEqual([]);
    expect(({} as { kind?: string }).kind).toBeUndefined();
    expect(await logged('log.info("clean")')).toEqual(["clean"]);
  });

  it("by files outside of info.outputDir", async () => {
    const paths = ["/etc/passwd", "../../etc/passwd", "/output/../etc/passwd", "/outputs/x", "file:///etc/passwd"];
    const text = `for (const path of ${JSON.stringify(paths)}) try { require("fs").readFileSync(path); log.info("read") } catch (e) { log.info(e.code) }`;
    expect(await logged(text)).toEqual(paths.map((path) => (path.startsWith("file") ? "ENOENT" : "EACCES")));
  });

  it("by constructors of what it is given, to a network that it may not reach", async () => {
    const text = `
      const made = http.get("http://shop.test/");
      made.on("response", (r) => r.resume());
      await new Promise((go) => made.on("close", go));
      const direct = new made.constructor({ host: "192.0.2.7", port: 80 });
      direct.on("error", (e) => log.info(e.message));
      direct.end();
    `;
    expect(await logged(text)).toEqual(["this run reaches no such place"]);
  });
});

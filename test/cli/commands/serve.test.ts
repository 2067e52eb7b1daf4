import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cpuMsOf } from "../../support/cpu-time.ts";
import { mergeTest } from "../../support/merge-test.ts";
import { freshFolder, runCli, startCli } from "../../support/run-cli.ts";
import { startService } from "../../support/served-project.ts";

const serve = async (...args: string[]) => {
  const { call, ...service } = await startService(...args);
  return { ...service, call, get: (path: string) => call("GET", path) };
};

describe("serve", () => {
  it("first says where it listens, and then it does", async () => {
    const { child, ready, get, stop } = await serve("--api-key", "other");
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      apiKey: "other",
      pid: child.pid,
    });
    expect((await get("/test-cases")).body).toEqual([]);
    expect((await fetch(`${ready.url}/test-cases`)).status).toBe(401);
    expect(await stop("SIGTERM")).toBe(143);
  });

  mergeTest("names its console and its docs by addresses that a browser can open", async () => {
    const child = await startCli(["serve", "--port", "0", "--api-key", "other"]);
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const [console, docs] = /Console: (\S+), docs: (\S+)/.exec(line.toString("utf8"))?.slice(1) ?? [];
    expect(await (await fetch(console ?? "")).text()).toContain("<title>Console of the bundled service</title>");
    expect(await (await fetch(docs ?? "")).text()).toContain("First two minutes");
    child.kill("SIGTERM");
    await once(child, "close");
  });

  it("ends on SIGINT too, with its own code", async () => {
    const { stop } = await serve();
    expect(await stop("SIGINT")).toBe(130);
  });

  mergeTest("ends while a script is in a native call, which nothing interrupts", async () => {
    const data = join(freshFolder(), "service.json");
    const { child, call, stop } = await startService("--data", data);
    await call("POST", "/test-cases", { name: "Checkout", org: 1 });
    const main = 'require("crypto").pbkdf2Sync("a", "b", 2e8, 64, "sha512")';
    await call("POST", "/test-cases/1/scripts", { name: "Browse", main });
    const cut = expect(call("POST", "/scripts/1/run", {})).rejects.toThrow();
    // To begin a script takes less than 10 ms, a call that computes has all of a core.
    const before = cpuMsOf(child.pid ?? 0);
    await expect.poll(() => cpuMsOf(child.pid ?? 0) - before, { timeout: 60_000 }).toBeGreaterThan(1500);
    const start = performance.now();
    expect(await stop("SIGTERM")).toBeNull();
    expect(child.signalCode).toBe("SIGTERM");
    await cut;
    // The call takes more than a minute.
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(readFileSync(data, "utf8")).toContain("Browse");
  });

  it("keeps its data in a file over a restart", async () => {
    const data = join(freshFolder(), "service.json");
    const seed = join(freshFolder(), "seed.yaml");
    writeFileSync(seed, 'project: seed\nservice: { url: "memory:" }\ntestCases: { checkout: { name: Checkout } }\n');
    const first = await serve("--data", data, "--seed", seed);
    expect((await first.get("/test-cases")).body).toMatchObject([{ name: "Checkout" }]);
    await first.stop("SIGTERM");
    expect(existsSync(data)).toBe(true);
    writeFileSync(seed, 'project: seed\nservice: { url: "memory:" }\ntestCases: { search: { name: Search } }\n');
    const second = await serve("--data", data, "--seed", seed);
    expect((await second.get("/test-cases")).body).toMatchObject([{ name: "Checkout" }]);
    await second.call("POST", "/_loadform/reset");
    expect((await second.get("/test-cases")).body).toMatchObject([{ name: "Search" }]);
    await second.stop("SIGTERM");
  });

  it("refuses to start on a seed that is not sound", async () => {
    const seed = join(freshFolder(), "seed.yaml");
    writeFileSync(seed, "testCases\n");
    const { code, stdout } = await runCli(["serve", "--port", "0", "--json", "--seed", seed]);
    expect(code).toBe(1);
    const summary = "seed.yaml is not a project";
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ code: "LF1102", summary, file: "seed.yaml" }] });
  });

  it("says all that is wrong with the settings of a seed, and refusals of its objects, at their lines", async () => {
    const seed = join(freshFolder(), "shop.yaml");
    const problemsOf = async (text: string, ...more: readonly string[]) => {
      writeFileSync(seed, text);
      const { code, stdout } = await runCli(["serve", "--port", "0", "--json", "--seed", seed, ...more]);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: Record<string, unknown>[] };
      return [code, ...diagnostics.map((each) => [each["code"], each["file"], each["line"]])];
    };
    expect(await problemsOf("project: p\nsettings:\n  bogus: 1\n  accountMaximum: -1\n")).toEqual([
      1,
      ["LF1104", "shop.yaml", 3],
      ["LF1104", "shop.yaml", 4],
    ]);
    for (const more of [[], ["--live"]])
      expect(await problemsOf("project: p\nsettings: 5\n", ...more)).toEqual([1, ["LF1104", "shop.yaml", 2]]);
    const runner = "providers: [{ provider: { id: 0 }, regions: [nope] }]";
    const load = `c: { scenario: s, durationSecs: 60, concurrentClients: 1, ${runner} }`;
    const testCase = `testCases:\n  a:\n    scenarios: { s: { script: "1" } }\n    configurations:\n      ${load}\n`;
    expect(await problemsOf(`project: p\n${testCase}`)).toEqual([1, ["LF3009", "shop.yaml", 6]]);
  });

  it("is seeded with the header that its settings name", async () => {
    const seed = join(freshFolder(), "seed.yaml");
    writeFileSync(seed, "project: p\nsettings: { authHeader: X-Other }\ntestCases: { checkout: { name: Checkout } }\n");
    const { ready, get, stop } = await serve("--seed", seed);
    expect((await get("/test-cases")).status).toBe(401);
    const answer = await fetch(`${ready.url}/test-cases`, { headers: { "x-other": ready.apiKey } });
    expect(await answer.json()).toMatchObject([{ name: "Checkout" }]);
    await stop("SIGTERM");
  });

  it("says that a seed is not there, whatever else stands beside it", async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, "cdktf.json"), "{}");
    const { code, stderr } = await runCli(["serve", "--port", "0", "--seed", join(folder, "seed.yaml")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("the seed cannot be read")]);
  });

  it("says that a seed at the top of the disk does not exist", async () => {
    const { code, stderr } = await runCli(["serve", "--port", "0", "--seed", "/nope"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no file /nope")]);
    expect(stderr).not.toContain("outside the project");
  });

  it("leaves a file alone that is not its own, or that another process uses", async () => {
    const foreign = join(freshFolder(), "notes.json");
    writeFileSync(foreign, '{"a":1}\n');
    const refused = await runCli(["serve", "--port", "0", "--data", foreign]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("LF5003")]);
    expect(readFileSync(foreign, "utf8")).toBe('{"a":1}\n');
    const data = join(freshFolder(), "service.json");
    const { stop } = await serve("--data", data);
    const second = await runCli(["serve", "--port", "0", "--data", data]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("LF5003")]);
    await stop("SIGTERM");
  });

  it.each([[" "], [" mine "], ["ключ"]])(
    "refuses a key that no client could send, and shows it not: %j",
    async (key) => {
      const data = join(freshFolder(), "kept.json");
      const { code, stderr } = await runCli(["serve", "--port", "0", "--data", data, "--api-key", key]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/an(?: empty)? apiKey/)]);
      expect(stderr).not.toMatch(/defect|mine|ключ/);
      expect(existsSync(data)).toBe(false);
    },
  );

  it("says that its port is taken", async () => {
    const { ready, stop } = await serve();
    const { code, stderr } = await runCli(["serve", "--port", new URL(ready.url).port]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is taken")]);
    await stop("SIGTERM");
  });

  mergeTest("runs scripts beyond loopback with --allow-scripts only", async () => {
    const run = async (...flags: string[]) => {
      const { ready, stop } = await serve("--host", "0.0.0.0", "--api-key", "own", ...flags);
      const port = new URL(ready.url).port;
      const post = async (path: string, body: object) => {
        const headers = { "x-api-key": "own", "content-type": "application/json" };
        const url = `http://127.0.0.1:${port}${path}`;
        return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
      };
      await post("/test-cases", { name: "Checkout", org: 1 });
      await post("/test-cases/1/scripts", { name: "Browse", main: 'log.info("ran")' });
      const { success, logs } = (await post("/scripts/1/run", {})) as { success: boolean; logs: { message: string }[] };
      await stop("SIGTERM");
      return [success, logs.map(({ message }) => message).join()];
    };
    expect(await run("--allow-scripts", "--live")).toEqual([true, "ran"]);
    expect(await run()).toEqual([false, expect.stringContaining("started with --allow-scripts")]);
  });

  it("does not listen beyond loopback with the key that everybody knows", async () => {
    const { code, stderr } = await runCli(["serve", "--host", "0.0.0.0", "--port", "0"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--api-key")]);
  });
});

describe("the data file of serve", () => {
  it("is refused at once where its folder cannot be made", async () => {
    const { code, stderr } = await runCli(["serve", "--port", "0", "--data", "/proc/nope/x.json"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF5003")]);
    expect(stderr).toContain("found no folder /proc/nope, and it cannot be made");
  });

  it("is one, by whatever link it is named", async () => {
    const folder = freshFolder();
    const [data, link, hard] = ["d.json", "l.json", "h.json"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    symlinkSync("d.json", link);
    const { call, stop } = await startService("--data", link);
    expect((await call("POST", "/test-cases", { name: "by link", org: 1 })).status).toBe(200);
    const second = await runCli(["serve", "--port", "0", "--data", data]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("in use by process")]);
    expect(await stop("SIGTERM")).toBe(143);
    expect(readFileSync(data, "utf8")).toContain("by link");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    linkSync(data, hard);
    const third = await runCli(["serve", "--port", "0", "--data", hard]);
    expect([third.code, third.stderr]).toEqual([1, expect.stringMatching(/2 names \(hard\s+links\); expected one/)]);
  });

  mergeTest("remains with its log when a full disk keeps them from being folded, and says so", async () => {
    const small = join(freshFolder(), "small");
    mkdirSync(small);
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=200k", "tmpfs", small]).status !== 0) {
      process.stderr.write("SKIPPED: no small disk can be mounted here, so none was filled\n");
      return;
    }
    try {
      const data = join(small, "d.json");
      const { child, call, stop } = await startService("--data", data);
      for (const name of ["one", "two"]) await call("POST", "/test-cases", { name, org: 1 });
      spawnSync("sh", ["-c", `cat /dev/zero > ${join(small, "filler")}`]);
      const output: string[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => void output.push(String(chunk)));
      expect(
        await call("POST", "/test-cases", { name: "x".repeat(200), org: 1, description: "y".repeat(5000) }),
      ).toMatchObject({
        status: 507,
        body: { message: expect.stringContaining("ENOSPC") },
      });
      expect((await call("GET", "/test-cases")).body).toHaveLength(2);
      expect(await stop("SIGTERM")).toBe(1);
      expect(output.join("")).toMatch(/LF5003[\s\S]*Nothing that was answered is lost/);
      expect(output.join("")).not.toContain("defect");
      expect(readdirSync(small).sort()).toEqual(["d.json", "d.json.log", "filler"]);
      rmSync(join(small, "filler"));
      const again = await startService("--data", data);
      expect((await again.call("GET", "/test-cases")).body).toMatchObject([{ name: "one" }, { name: "two" }]);
      expect(await again.stop("SIGTERM")).toBe(143);
    } finally {
      spawnSync("umount", [small]);
    }
  });
});

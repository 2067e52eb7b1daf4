// merge: a real watcher for half a minute; test/watch/process/run-check.test.ts proves each limit by itself
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { slownessNow } from "../support/slowness-now.ts";
import { startWatcher } from "../support/watched-repository.ts";

const service = sharedService();

/** A program that looks for secrets, leaves a process behind, writes a gigabyte and never ends. */
const program = (report: string) => `
import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, writeSync } from "node:fs";
const fds = readdirSync("/proc/self/fd").map((fd) => { try { return readFileSync("/proc/self/fdinfo/" + fd, "utf8"); } catch { return ""; } });
appendFileSync(${JSON.stringify(report)}, JSON.stringify([process.env, process.argv, readFileSync("/proc/self/environ", "utf8"), fds]) + "\\n");
spawn(process.execPath, ["-e", "setInterval(() => {}, 1000) // left-by-hostile"], { stdio: "inherit" }).unref();
const part = Buffer.alloc(1 << 20, "x");
for (let written = 0; written < 1024; written++) try { writeSync(1, part); } catch {}
for (;;) {}
`;

interface Line {
  readonly at: string;
  readonly project: string;
  readonly state: string;
  readonly reason?: string;
  readonly ms: number;
}

test("a hostile project is ended at its limits, finds no secret, and slows no other one", async () => {
  // On a busy machine a check takes longer, and the interval with it.
  const intervalSecs = Math.min(15, Math.max(3, Math.ceil(1.5 * (await slownessNow()))));
  const timeoutSecs = 2 * intervalSecs;
  const work = freshFolder();
  const report = join(freshFolder(), "found.txt");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", "-C", work, ...args], {
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(work, "loadform.config.ts"), program(report));
  git("add", "-A");
  git("commit", "-q", "-m", "x");
  const good = ["a", "b", "c"].map((name) => {
    const dir = freshFolder();
    const document = { project: name, service: { url: service.ready.url }, testCases: { [name]: {} } };
    writeFileSync(join(dir, "loadform.yaml"), JSON.stringify(document));
    return { name, dir, heal: "git", interval: intervalSecs, pass: { LOADFORM_API_KEY: "${env:GOOD_KEY}" } };
  });
  const hostile = {
    ...{ name: "hostile", target: service.ready.url, interval: intervalSecs, timeoutSecs, allowPrograms: true },
    git: { url: `file://${work}`, branch: "main" },
    pass: { LOADFORM_API_KEY: "its-own-key" },
  };
  const secrets = { GOOD_KEY: service.ready.apiKey, TOKEN: "token-of-the-page", HOOK_SECRET: "secret-of-hooks" };
  const listen = { address: "127.0.0.1:0", token: "${env:TOKEN}", hooks: { secret: "${env:HOOK_SECRET}" } };
  const config = { projects: [...good, hostile], listen };
  const { child, said } = await startWatcher(config, { ...secrets, OF_THE_WATCHER: "some-other-secret" }, ["--json"]);
  const lines = (name: string) =>
    said()
      .split("\n")
      .flatMap((line) => (line.startsWith('{"at"') && line.endsWith("}") ? [JSON.parse(line) as Line] : []))
      .filter(({ project }) => project === name);
  try {
    // Each of its checks takes a core for all of its time.
    const seen = () => [lines("hostile").length > 0, ...good.map(({ name }) => lines(name).length > 3)];
    await vi.waitFor(() => expect(seen()).not.toContain(false), 20 * intervalSecs * 1000);
    expect(new Set(lines("hostile").map(({ state }) => state))).toEqual(new Set(["failed"]));
    expect(lines("hostile")[0]).toMatchObject({ reason: "the check ended without a result" });
    expect(lines("hostile")[0]?.ms).toBeGreaterThanOrEqual(timeoutSecs * 1000);
    for (const { name } of good) {
      const moments = lines(name).map(({ at }) => Date.parse(at));
      const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
      expect(lines(name).at(-1)?.state).toBe("in-sync");
      expect(gaps.length, name).toBeGreaterThan(2);
      expect(Math.max(...gaps), `${name}: ${gaps.join(", ")}`).toBeLessThanOrEqual(2 * intervalSecs * 1000);
    }
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  }
  const looked = readFileSync(report, "utf8");
  expect(looked).toContain("its-own-key");
  // What serves the start of a check reaches no program of a project.
  expect(Object.keys(JSON.parse(looked.split("\n")[0] ?? "")[0])).not.toContain("GLIBC_TUNABLES");
  for (const secret of [
    "token-of-the-page",
    "secret-of-hooks",
    "some-other-secret",
    "GOOD_KEY",
    "TOKEN",
    "HOOK_SECRET",
  ])
    expect(looked).not.toContain(secret);
  await vi.waitFor(() => expect(leftBehind()).toEqual([]), 10_000);
});

function leftBehind(): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes("left-by-hostile");
    } catch {
      return false;
    }
  });
}

test("a program that computes for ever ends with the watcher", async () => {
  const dir = freshFolder();
  const begun = join(dir, "begun");
  const text = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(begun)}, String(process.pid));\nfor (;;) {}\n`;
  writeFileSync(join(dir, "loadform.config.ts"), text);
  const watcher = await startCli(["watch", dir]);
  const ended = new Promise((resolve) => watcher.once("exit", resolve));
  const pid = await vi.waitFor(() => Number(readFileSync(begun, "utf8") || expect.unreachable()), 30_000);
  watcher.kill("SIGTERM");
  expect(await ended).toBe(143);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 5000);
});

test("an address that nothing can listen at is refused, though a watcher that ends by itself serves nothing", async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), `project: p\nservice: { url: "memory:" }\n`);
  const { code, stderr } = await runCli(["watch", ".", "--once", "--listen", "nonsense"], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining("LF9001: the address to listen at is not valid")]);
});

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CheckResult } from "../../../src/watch/check-result.ts";
import { checkVariables } from "../../../src/watch/process/check-variables.ts";
import { runCheck } from "../../../src/watch/process/run-check.ts";
import { timesOf } from "../../support/deep.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loadform-run-check-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const found = {
  ...{
    documents: "d",
    difference: "x",
    objects: 1,
    findings: [],
    unrecorded: [],
    blocked: [],
    warnings: [],
    plan: "",
    requests: 2,
  },
};

interface Run {
  readonly timeoutSecs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs a program in the place of a check. */
async function run(program: string, { timeoutSecs = 20, env = {}, secrets = [], signal }: Run = {}) {
  const entry = join(folder, "check.mjs");
  const head = `import { createWriteStream, writeFileSync } from "node:fs"; import { spawn } from "node:child_process"; import { createInterface } from "node:readline";
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator](); const next = async () => JSON.parse((await lines.next()).value ?? "null");
const pipe = createWriteStream("", { fd: 3 }); const say = (line) => new Promise((done) => pipe.write(JSON.stringify(line) + "\\n", done));
const found = ${JSON.stringify(found)}; const here = ${JSON.stringify(folder)};
`;
  writeFileSync(entry, head + program);
  const seen: unknown[] = [];
  const began = Date.now();
  const result = await runCheck({
    ...{ spawn, entry, secrets, timeoutSecs },
    env: { PATH: process.env["PATH"] ?? "", ...env },
    request: { dir: folder, prune: false, allowPrograms: true, isCheckout: false },
    compared: (each) => {
      seen.push(each);
      return ["testCase.a"];
    },
    signal: signal ?? new AbortController().signal,
  });
  return { result, seen, ms: Date.now() - began };
}

test("one that the system does not start is a result, and shows no value", async () => {
  for (const env of [{ A: "secret-".repeat(40_000) }, { A: "secret-\u0000" }]) {
    const { result } = await run("", { env });
    expect(result).toMatchObject({ is: "failed", diagnostics: [{ summary: "the check could not be started" }] });
    expect(JSON.stringify(result)).not.toContain("secret-");
  }
});

test("a time limit beyond what a timer can wait is none", async () => {
  const { result } = await run('await say({ says: "ended", result: { is: "checked", found } }); process.exit();', {
    timeoutSecs: 2_592_000,
  });
  expect(result.is).toBe("checked");
});

const detail = (result: CheckResult) =>
  result.is === "failed" ? `${result.diagnostics[0]?.code} ${result.diagnostics[0]?.detail}` : result.is;
/** Processes that were killed end a moment later. */
const ended = (pids: readonly number[]) => vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 20_000);
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

/** The pipe, socket or file behind a descriptor; what every process has open is none of ours. */
const linkOf = (path: string): readonly string[] => {
  try {
    return [readlinkSync(path)].filter((each) => /^(socket|pipe):|^\/(?!dev)/.test(each));
  } catch {
    return [];
  }
};

const openIn = (pid: string) => readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`));

describe("the process of a check", () => {
  test("is told the request, says what it found, is answered and ends with a result", async () => {
    const { result, seen } = await run(`
      const { request } = await next();
      await say({ says: "compared", found });
      const { heal } = await next();
      await say({ says: "ended", result: { is: "checked", found: { ...found, plan: JSON.stringify([request.dir, heal]) } } });
      process.exit(0);`);
    expect(seen).toEqual([found]);
    expect(result).toMatchObject({ is: "checked", found: { plan: JSON.stringify([folder, ["testCase.a"]]) } });
  });

  test("is failed when it ends without a result, with its last words but without what it was passed", async () => {
    const { result } = await run(
      `process.stderr.write("line\\nkey is hidden-value-1\\n"); process.exitCode = 3; process.exit();`,
      { secrets: ["hidden-value-1"] },
    );
    expect(detail(result)).toMatch(/^LF8004 Its process ended with code 3\. Its last words: key is \(sensitive\)$/);
  });

  test.each([
    ["another shape", `await say({ says: "compared", found: { findings: [7] } }); await new Promise(() => {});`],
    ["no JSON", `pipe.write("hello\\n"); await new Promise(() => {});`],
    [
      "a second comparison",
      `await say({ says: "compared", found }); await say({ says: "compared", found }); setInterval(() => {}, 1000);`,
    ],
  ])("is ended when it says %s", async (_, program) => {
    expect(detail((await run(program)).result)).toContain("LF8004 It said something that is no part of a check");
  });

  test("gets no variable, argument or descriptor but its own", async () => {
    // A descriptor that whoever started this process left open to it is none of ours.
    const given = openIn(String(process.ppid));
    const openHere = openIn("self").filter((each) => !given.includes(each));
    const env = checkVariables(
      {
        ...process.env,
        HOME: "/home/w",
        LC_ALL: "C",
        LOADFORM_LIMITS: "/l.yaml",
        OTHER_KEY: "secret-1",
        LOADFORM_WATCH_TOKEN: "secret-2",
        LOADFORM_QUEUE: "secret-3",
        HTTPS_PROXY: "http://p",
      },
      { is: "pass", pass: { LOADFORM_API_KEY: "mine" } },
    );
    await run(
      `import { readdirSync, readlinkSync } from "node:fs";
      const fds = readdirSync("/proc/self/fd").flatMap((fd) => { try { return [readlinkSync("/proc/self/fd/" + fd)]; } catch { return []; } });
      writeFileSync(here + "/seen", JSON.stringify({ env: process.env, argv: process.argv.slice(2), execArgv: process.execArgv, fds })); process.exit();`,
      { env },
    );
    const seen = JSON.parse(readFileSync(join(folder, "seen"), "utf8"));
    expect(seen.env).toMatchObject({
      HOME: "/home/w",
      LC_ALL: "C",
      LOADFORM_LIMITS: "/l.yaml",
      LOADFORM_API_KEY: "mine",
      HTTPS_PROXY: "http://p",
    });
    expect([JSON.stringify(seen).includes("secret-"), seen.argv, seen.execArgv]).toEqual([false, [], []]);
    const inherited = seen.fds.filter((each: string) => openHere.includes(each));
    const files = seen.fds.filter(
      (each: string) => each.startsWith("/") && !each.startsWith("/proc") && !each.startsWith("/dev"),
    );
    expect([files, inherited]).toEqual([[], []]);
  });

  test("of a folder of the command line gets the watcher's variables without its secrets", () => {
    const env = { A: "1", LOADFORM_WATCH_TOKEN: "t", LOADFORM_QUEUE: "q", SLACK_WEBHOOK: "s" };
    expect(checkVariables(env, { is: "watchers", without: ["SLACK_WEBHOOK"] })).toEqual({ A: "1" });
  });
});

describe("a hostile check", () => {
  test("that never ends is ended after its time, with everything that it forked", async () => {
    const { result, ms } = await run(
      `process.on("SIGTERM", () => {});
      const child = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "inherit" });
      writeFileSync(here + "/pids", JSON.stringify([process.pid, child.pid]));
      // As "while (true) {}", but without a core.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
      { timeoutSecs: 1 },
    );
    expect(detail(result)).toBe("LF8004 It took longer than 1 s (timeoutSecs).");
    expect(ms).toBeLessThan(20_000);
    await ended(JSON.parse(readFileSync(join(folder, "pids"), "utf8")) as number[]);
  });

  test("that leaves processes behind ends with them, though they hold its pipes", async () => {
    const { result, ms } = await run(
      `const child = spawn("sleep", ["60"], { stdio: "inherit" });
      writeFileSync(here + "/pids", JSON.stringify([child.pid]));
      await say({ says: "ended", result: { is: "checked", found } });
      process.exit(0);`,
    );
    expect([result.is, ms < 10_000]).toEqual(["checked", true]);
    await ended(JSON.parse(readFileSync(join(folder, "pids"), "utf8")) as number[]);
  });

  test("that prints up to a gigabyte is read to its end, and 10 MB of it are kept", async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const { result } = await run(
      `const block = Buffer.alloc(1_000_000, 97);
      const write = (stream) => new Promise((done) => stream.write(block, done));
      for (let count = 0; count < ${timesOf({ few: 500 })}; count++) await Promise.all([write(process.stdout), write(process.stderr)]);
      await say({ says: "ended", result: { is: "checked", found } });
      process.exit(0);`,
      { timeoutSecs: 100 },
    );
    clearInterval(timer);
    expect([result.is, most - before < 150_000_000]).toEqual(["checked", true]);
  });

  test("that says too much is ended", async () => {
    const { result } = await run(
      `const block = "x".repeat(1_000_000); while (true) await new Promise((done) => pipe.write(block, done));`,
    );
    expect(detail(result)).toContain("LF8004 It said more than 16 MB");
  });
});

describe("the end of the watcher", () => {
  test("lets a check end by itself, and begins none afterwards", async () => {
    const ending = new AbortController();
    const running = run(
      `process.on("SIGTERM", async () => { await say({ says: "ended", result: { is: "checked", found } }); writeFileSync(here + "/ended", ""); process.exit(143); });
      writeFileSync(here + "/begun", "");
      setInterval(() => {}, 1000);`,
      { signal: ending.signal },
    );
    while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 20));
    ending.abort();
    expect([(await running).result.is, existsSync(join(folder, "ended"))]).toEqual(["checked", true]);
    expect(detail((await run("", { signal: ending.signal })).result)).toContain("LF8004 The check was not begun");
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { mergeTest } from "../support/merge-test.ts";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { slownessNow } from "../support/slowness-now.ts";
import { beginOfLastCheck, pushHook } from "../support/watched-repository.ts";

const service = sharedService();
const environment = () => ({ LOADFORM_API_KEY: service.ready.apiKey });
const project = (clients: number, more = "") => `project: shop
service: { url: "${service.ready.url}" }
${more}
testCases:
  checkout:
    scenarios: { browse: { script: "const a = 1;" } }
    configurations:
      smoke: { scenario: browse, concurrentClients: ${clients}, durationSecs: 5, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }
`;
const clients = async () =>
  ((await service.call("GET", "/test-confs/1")).body as { concurrentClients: number }).concurrentClients;

function applied(): string {
  const cwd = freshFolder();
  mkdirSync(join(cwd, "shop"));
  writeFileSync(join(cwd, "shop", "loadform.yaml"), project(3));
  return cwd;
}

describe("loadform watch", () => {
  test("heals with --once what drifted in a folder, and exits by what is left", async () => {
    const cwd = applied();
    const run = (...args: string[]) => runCli(["watch", "shop", "--once", ...args], { cwd, env: environment() });
    const fresh = await run();
    expect([fresh.code, fresh.stdout, fresh.stderr]).toEqual([
      2,
      expect.stringMatching(/ shop: out-of-sync \(.*3 not applied/),
      "",
    ]);
    expect((await run("--heal", "all")).stdout).toMatch(/ shop: in-sync \(healed 3 objects/);
    await service.call("PUT", "/test-confs/1", { concurrentClients: 7 });
    const seen = await run("--heal", "git");
    expect([seen.code, seen.stdout]).toEqual([2, expect.stringMatching(/ shop: drifted \(.*1 changed outside/)]);
    const healed = await run("--heal", "drift", "--json");
    expect(healed.code).toBe(0);
    expect(JSON.parse(healed.stdout)).toMatchObject({ projects: [{ name: "shop", state: "in-sync", commit: null }] });
    expect(await clients()).toBe(3);
    const memory = JSON.parse(readFileSync(join(cwd, ".loadform/watch.json"), "utf8"));
    expect(memory.projects.shop.history.map(({ state }: { state: string }) => state)).toEqual([
      "in-sync",
      "drifted",
      "in-sync",
      "out-of-sync",
    ]);
  });

  mergeTest("applies the commits of a repository, and only to its target", async () => {
    const cwd = freshFolder();
    const work = join(cwd, "work");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
        cwd: work,
        encoding: "utf8",
      }).trim();
    mkdirSync(join(work, "load"), { recursive: true });
    git("init", "-q", "-b", "main");
    const commit = (clients: number) => {
      writeFileSync(join(work, "load/loadform.yaml"), project(clients, "state: { backend: git, branch: state }"));
      git("add", "-A");
      git("commit", "-q", "-m", "x");
      execFileSync("git", ["push", "-q", join(cwd, "bare.git"), "main"], { cwd: work });
      return git("rev-parse", "HEAD");
    };
    execFileSync("git", ["init", "-q", "--bare", join(cwd, "bare.git")]);
    const first = commit(3);
    const config = (target: string) =>
      writeFileSync(
        join(cwd, "watch.yaml"),
        `projects: [{ name: shop, git: { url: ./bare.git, branch: main, path: load }, target: "${target}", heal: git, pass: { LOADFORM_API_KEY: "\${env:SHOP_KEY}", GIT_AUTHOR_NAME: w, GIT_AUTHOR_EMAIL: w@example.com, GIT_COMMITTER_NAME: w, GIT_COMMITTER_EMAIL: w@example.com } }]`,
      );
    const run = async () => {
      const ended = await runCli(["watch", "--config", "watch.yaml", "--once", "--json"], {
        cwd,
        env: { SHOP_KEY: service.ready.apiKey },
      });
      return { ...ended, shop: JSON.parse(ended.stdout).projects[0] };
    };
    config(service.ready.url);
    expect((await run()).shop).toMatchObject({ state: "in-sync", commit: { applied: first, wanted: first } });
    const second = commit(5);
    expect((await run()).shop).toMatchObject({ state: "in-sync", commit: { applied: second } });
    expect(await clients()).toBe(5);
    config("https://load.example.com/api");
    const other = await run();
    expect([other.code, other.shop]).toMatchObject([
      3,
      { state: "blocked", reason: expect.stringContaining("another service") },
    ]);
  });

  mergeTest("checks again and again until SIGTERM, and exits 143", async () => {
    const cwd = applied();
    const child = await startCli(["watch", "shop", "--interval", "1", "--heal", "all", "--json"], {
      cwd,
      env: environment(),
    });
    const lines: { state: string }[] = [];
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (part: Buffer) => {
        for (const line of part.toString().trim().split("\n")) lines.push(JSON.parse(line));
        if (lines.length >= 3) resolve();
      });
    });
    child.kill("SIGTERM");
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, new Set(lines.map(({ state }) => state))]).toEqual([143, new Set(["in-sync"])]);
    expect(existsSync(join(cwd, ".loadform/watch.json"))).toBe(true);
  });

  test("shows what it watches, checks what a push names within a second, and tells who wants to know, without a secret", async () => {
    const told: { readonly url: string; readonly body: unknown }[] = [];
    const receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => {
        body += part.toString();
      });
      request.on("end", () => {
        told.push({ url: request.url ?? "", body: JSON.parse(body) });
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { port } = receiver.address() as AddressInfo;
    const cwd = applied();
    const work = join(cwd, "shop");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: work });
    writeFileSync(join(work, "loadform.yaml"), project(3, "state: { backend: git, branch: state }"));
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "x");
    git("clone", "-q", "--bare", work, join(cwd, "bare.git"));
    writeFileSync(
      join(cwd, "watch.yaml"),
      `projects: [{ name: shop, git: { url: "file://${cwd}/bare.git", branch: main }, target: "${service.ready.url}", heal: git, interval: 3600,
  pass: { LOADFORM_API_KEY: "\${env:SHOP_KEY}", GIT_AUTHOR_NAME: w, GIT_AUTHOR_EMAIL: w@example.com, GIT_COMMITTER_NAME: w, GIT_COMMITTER_EMAIL: w@example.com } }]
notify: [{ webhook: "\${env:HOOK}", on: [healed, in-sync, failed] }]
listen: { address: "127.0.0.1:0", token: "\${env:TOKEN}", hooks: { secret: "\${env:HOOK_SECRET}" } }
`,
    );
    const env = {
      SHOP_KEY: service.ready.apiKey,
      HOOK: `http://127.0.0.1:${port}/a-secret-path`,
      TOKEN: "a-long-token",
      HOOK_SECRET: "a-hook-secret",
    };
    const child = await startCli(["watch", "--config", "watch.yaml"], { cwd, env });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part: Buffer) => {
      out += part.toString();
    });
    child.stderr.on("data", (part: Buffer) => {
      err += part.toString();
    });
    const url = await vi.waitFor(() => /Status: (http:\S+)/.exec(err)?.[1] ?? expect.unreachable(), 60_000);
    const status = async () => {
      const answer = await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${env.TOKEN}` } });
      return (
        (await answer.json()) as { projects: readonly { readonly state: string; readonly lastCheckAt: string }[] }
      ).projects[0];
    };
    // Each look takes some of the time of the check that it waits for.
    const patient = { timeout: 60_000, interval: 250 };
    await vi.waitFor(async () => expect(await status()).toMatchObject({ state: "in-sync" }), patient);
    expect((await fetch(`${url}/api/status`)).status).toBe(401);
    const before = await status();
    await service.call("PUT", "/test-confs/1", { concurrentClients: 9 });
    const pushed = Date.now();
    expect(await pushHook(url, { repository: `file://${cwd}/bare.git`, secret: env.HOOK_SECRET })).toBe(202);
    const seen = await vi.waitFor(async () => {
      const now = await status();
      expect(now?.lastCheckAt).not.toBe(before?.lastCheckAt);
      return now;
    }, patient);
    expect(seen?.state).toBe("drifted");
    expect(await beginOfLastCheck(url, { project: "shop", token: env.TOKEN })).toBeLessThan(
      pushed + 1_000 * (await slownessNow()),
    );
    await vi.waitFor(() => expect(told).toHaveLength(1), 60_000);
    expect(told[0]).toMatchObject({ url: "/a-secret-path", body: { project: "shop", state: "in-sync" } });
    child.kill("SIGTERM");
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(143);
    receiver.close();
    const written =
      out +
      err +
      JSON.stringify(told.map((each) => each.body)) +
      readFileSync(join(cwd, ".loadform/watch.json"), "utf8");
    for (const secret of Object.values(env).filter((each) => each !== "local")) expect(written).not.toContain(secret);
  });

  test("shows the line of a folder's problem", async () => {
    const cwd = applied();
    writeFileSync(join(cwd, "shop", "loadform.yaml"), 'project: shop\nservice: { url: "memory:" }\ntestCasse: {}\n');
    const { code, stdout, stderr } = await runCli(["watch", "shop", "--once"], { cwd, env: environment() });
    expect([code, stdout]).toEqual([1, expect.stringContaining("shop: failed (unknown key testCasse")]);
    expect(stderr).toContain("    3 | testCasse: {}\n      | ^");
  });

  test("refuses what is wrong, before anything is checked", async () => {
    const cwd = applied();
    const run = (...args: string[]) => runCli(["watch", ...args], { cwd, env: environment() });
    expect([
      await run("shop", "--queue"),
      await run("--config", "none.yaml"),
      await run("shop", "./shop"),
    ]).toMatchObject([
      { code: 1, stderr: expect.stringContaining("LF8006") },
      { code: 1, stderr: expect.stringContaining("LF1002") },
      { code: 1, stderr: expect.stringContaining("there are two projects shop") },
    ]);
  });
});

test("a check reads a program to its end and waits for nothing else", async () => {
  const cwd = freshFolder();
  const program = `import { App, TestCase } from "loadform";
const app = new App({ project: "made", service: { url: "${service.ready.url}" } });
console.error("a word", process.stdin.isTTY === true);
new TestCase(app, "made", {});
export default app;
`;
  writeFileSync(join(cwd, "loadform.config.ts"), program);
  const { code, stdout, stderr } = await runCli(["watch", "--once"], { cwd, env: environment() });
  expect([code, stdout, stderr]).toEqual([2, expect.stringMatching(/ out-of-sync \(.*1 not applied/), ""]);
});

test("--env and --var are for the folders of the command line", async () => {
  const cwd = freshFolder();
  const text = `project: chosen
service: { url: "${service.ready.url}" }
variables: { word: {} }
environments: { staging: {} }
testCases: { chosen: { name: "\${var:environment}-\${var:word}" } }
`;
  writeFileSync(join(cwd, "loadform.yaml"), text);
  const flags = ["--env", "staging", "--var", "word=a"];
  const { code, stdout, stderr } = await runCli(["watch", "--once", "--heal", "all", ...flags], {
    cwd,
    env: environment(),
  });
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/ in-sync \(healed 1 object/), ""]);
  const names = ((await service.call("GET", "/test-cases")).body as readonly { name: string }[]).map(
    ({ name }) => name,
  );
  expect(names).toContain("staging-a");
  const unknown = await runCli(["watch", "--once", ...flags, "--var", "wrod=b"], { cwd, env: environment() });
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("LF1302")]);
});

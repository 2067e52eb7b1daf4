import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { freshFolder, runProcess } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { startWatcher } from "../support/watched-repository.ts";

const service = sharedService();

/** A project of a watcher whose repository has no word of a state, so that it would be in the checkout. */
function projectFromGit() {
  const work = freshFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", "-C", work, ...args]);
  const document = { project: "shop", service: { url: service.ready.url }, testCases: { checkout: {} } };
  git("init", "-q", "-b", "main");
  writeFileSync(join(work, "loadform.yaml"), JSON.stringify(document));
  git("add", "-A");
  git("commit", "-q", "-m", "x");
  return {
    ...{ name: "shop", target: service.ready.url, git: { url: `file://${work}`, branch: "main" } },
    pass: { LOADFORM_API_KEY: "${env:KEY}" },
  };
}

test("a state in the checkout is told at each start of the watcher, not at the first alone", async () => {
  const cwd = freshFolder();
  const projects = [projectFromGit()];
  writeFileSync(join(cwd, "watch.yaml"), JSON.stringify({ projects }));
  const run = () => runProcess(["watch", "--config", "watch.yaml"], { cwd, env: { KEY: service.ready.apiKey } });
  for (const { code, stderr } of [await run(), await run()])
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF8007")]);
});

test("flags of folders are refused beside a file of projects alone", async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "watch.yaml"), JSON.stringify({ projects: [projectFromGit()] }));
  const env = { KEY: service.ready.apiKey, LOADFORM_ENV: "prod" };
  const run = (...flags: string[]) => runProcess(["watch", "--once", "--config", "watch.yaml", ...flags], { cwd, env });
  const { code, stderr } = await run("--env", "prod", "--var", "users=1");
  expect([code, stderr]).toEqual([1, expect.stringContaining("--env and --var would have no effect")]);
  expect((await run()).stderr).not.toContain("no effect");
});

test("a state in the checkout ends the watcher with exit code 1 though its project was suspended meanwhile", async () => {
  const tools = freshFolder();
  const [begun, released] = [join(tools, "begun"), join(tools, "released")];
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  // A slow forge: git waits before the first word to it.
  const waiting = `case " $* " in *" fetch "*) touch ${begun}; while [ ! -e ${released} ]; do sleep 0.05; done;; esac`;
  writeFileSync(join(tools, "git"), `#!/bin/sh\n${waiting}\nexec ${git} "$@"\n`, { mode: 0o755 });
  const projects = [projectFromGit()];
  const listen = { address: "127.0.0.1:0", token: "${env:TOKEN}" };
  const env = { KEY: service.ready.apiKey, TOKEN: "t", PATH: `${tools}:${process.env["PATH"]}` };
  const { child, said } = await startWatcher({ projects, listen }, env, []);
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    const url = await vi.waitFor(() => /Status: (http:\S+)/.exec(said())?.[1] ?? expect.unreachable(), 20_000);
    await vi.waitFor(() => expect(existsSync(begun)).toBe(true), 30_000);
    const headers = { authorization: "Bearer t", "content-type": "application/json" };
    const asked = await fetch(`${url}/api/projects/shop/suspend`, { method: "POST", headers, body: "{}" });
    expect(asked.ok).toBe(true);
    writeFileSync(released, "");
    expect([await ended, said()]).toEqual([1, expect.stringContaining("LF8007")]);
    expect(said()).toContain("shop: suspended");
  } finally {
    child.kill("SIGKILL");
  }
});

test("--timeout is for each request of a check", async () => {
  const cwd = freshFolder();
  const document = { project: "slow", service: { url: service.ready.url }, testCases: { checkout: {} } };
  writeFileSync(join(cwd, "loadform.yaml"), JSON.stringify(document));
  await service.call("PUT", "/_loadform/faults", [{ method: "GET", path: "/orgs/:orgId/test-cases", delayMs: 20_000 }]);
  const env = { LOADFORM_API_KEY: service.ready.apiKey };
  const { code, stderr } = await runProcess(["watch", "--once", "--timeout", "1"], { cwd, env });
  await service.call("PUT", "/_loadform/faults", []);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/came within 1000 ms/)]);
});

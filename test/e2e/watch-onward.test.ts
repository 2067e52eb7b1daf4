// merge: what watch.test.ts and refused-watch.test.ts show, with an example of ours and over several commits.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runProcess, startCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";

const service = sharedService();
const environment = () => ({ LOADFORM_API_KEY: service.ready.apiKey });
const project = (more: string) => `project: shop
service: { url: "${service.ready.url}" }
${more}
testCases: { checkout: {} }
`;

test("looks after examples/webshop as examples/watch says, in every hour but that of its suspension", async () => {
  const cwd = freshFolder();
  copyExample("webshop", join(cwd, "webshop"));
  copyExample("watch", join(cwd, "watch"));
  const applied = await runProcess(["apply", "webshop", "--auto-approve"], { cwd });
  expect(applied.code).toBe(0);
  const once = await runProcess(["watch", "--config", "watch/watch.yaml", "--once", "--json"], { cwd });
  expect([once.code, once.stderr]).toEqual([0, ""]);
  expect(JSON.parse(once.stdout).projects).toMatchObject([
    { name: "webshop", state: expect.stringMatching(/^(in-sync|suspended)$/) },
  ]);
});

test("ends where a project from git has its state in the checkout, unless only a later commit brings that", async () => {
  const cwd = freshFolder();
  const work = join(cwd, "work");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: work });
  mkdirSync(work);
  git("init", "-q", "-b", "main");
  const commit = (more: string) => {
    writeFileSync(join(work, "loadform.yaml"), project(more));
    git("add", "-A");
    git("commit", "-q", "-m", "x");
  };
  commit("");
  writeFileSync(
    join(cwd, "watch.yaml"),
    JSON.stringify({
      projects: [
        {
          ...{ name: "shop", target: service.ready.url, interval: 1 },
          git: { url: `file://${work}`, branch: "main" },
          pass: { LOADFORM_API_KEY: "${env:LOADFORM_API_KEY}" },
        },
      ],
    }),
  );
  const ended = await runProcess(["watch", "--config", "watch.yaml"], { cwd, env: environment() });
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining("LF8007")]);
  commit("state: { backend: git, branch: state }");
  const child = await startCli(["watch", "--config", "watch.yaml", "--json"], { cwd, env: environment() });
  const states: string[] = [];
  child.stdout.on("data", (part: Buffer) => {
    for (const line of part.toString().trim().split("\n")) states.push(JSON.parse(line).state);
  });
  await vi.waitFor(() => expect(states).toContain("out-of-sync"), 20_000);
  commit("");
  await vi.waitFor(() => expect(states.filter((state) => state === "failed").length).toBeGreaterThan(1), 20_000);
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(143);
});

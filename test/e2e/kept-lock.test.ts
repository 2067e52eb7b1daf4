import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { startStateServer } from "../support/state-server.ts";

const service = sharedService();
const openState = (address: string) => ({ backend: "http", address });

test("an apply whose lock cannot be given back says what it did, and the command that breaks the lock", async () => {
  const server = await startStateServer("plain");
  const text = {
    project: "kept",
    state: openState(server.address),
    environments: { staging: {} },
    testCases: { kept: {} },
  };
  const { run } = servedProject(service, JSON.stringify(text));
  server.fail({ method: "UNLOCK", times: 5, status: 500 });
  const applied = await run("apply", "--env", "staging", "--auto-approve");
  expect([applied.code, applied.stdout]).toEqual([1, expect.stringContaining("Applied: 1 created, 0 updated")]);
  const way = /loadform (state unlock (\S+) --env staging)/.exec(applied.stderr.replaceAll(/\s+/g, " "));
  expect(way?.[2]).toBe(server.lock()?.["ID"]);
  expect((await run("plan", "--env", "staging")).stdout).toContain("No changes");
  expect((await run(...(way?.[1] ?? "").split(" "))).stdout).toContain("Broke the lock");
  server.fail({ method: "UNLOCK", times: 5, status: 500 });
  const streamed = await run("destroy", "--env", "staging", "--auto-approve", "--json");
  expect(JSON.parse(streamed.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    type: "change_summary",
    delete: 1,
  });
  await server.close();
});

test("an import whose lock cannot be given back says what it wrote", async () => {
  const server = await startStateServer("plain");
  await service.call("POST", "/test-cases", { name: "Made by hand", org: 1 });
  const { run } = servedProject(service, `project: kept\nstate: ${JSON.stringify(openState(server.address))}\n`);
  server.fail({ method: "UNLOCK", times: 5, status: 500 });
  const imported = await run("import", "--test-case", "Made by hand");
  expect([imported.code, imported.stdout]).toEqual([1, expect.stringContaining("Imported 1 object")]);
  expect(imported.stderr).toContain("loadform state unlock");
  expect((await run("plan")).stdout).toContain("No changes: 1 object");
  await server.close();
});

test.runIf(process.platform === "linux")("a killed holder that nobody waits for has no lock any more", async () => {
  const text = (...names: readonly string[]) =>
    JSON.stringify({ project: "zombie", testCases: Object.fromEntries(names.map((name) => [name, {}])) });
  const { cwd, run, write } = servedProject(service, text("first"));
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  write(text("first", "second"));
  await service.call("PUT", "/_loadform/faults", [{ method: "POST", path: "/test-cases", delayMs: 60_000, times: 1 }]);
  const env = { ...process.env, LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: service.ready.apiKey };
  // The shell becomes a program that does not ask how the apply ended.
  const script = ['"$@" & echo $!; exec sleep 60', "sh", process.execPath, await builtCli()];
  // A look below has the lock for a moment, too.
  const parent = spawn("sh", ["-c", ...script, "apply", "--auto-approve", "--lock-timeout", "30"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [pid] = (await once(parent.stdout, "data")) as [Buffer];
    // Nothing is bound there: it is refused with 1 once it has the lock.
    const removed = async () => (await run("state", "rm", "testCase.none")).code;
    await vi.waitFor(async () => expect(await removed()).toBe(4), { timeout: 20_000, interval: 100 });
    process.kill(Number(String(pid).split("\n")[0]), "SIGKILL");
    await vi.waitFor(async () => expect(await removed()).toBe(1), 5_000);
  } finally {
    parent.kill("SIGKILL");
    await service.call("PUT", "/_loadform/faults", []);
  }
});

import { expect, test } from "vitest";
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

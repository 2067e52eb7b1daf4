import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { reaching } from "./example-folder.ts";
import { takeRequests, writesOf } from "./request-log.ts";

const text = `project: small
testCases:
  checkout:
    scenarios:
      browse: { script: "run();" }
    gateways:
      shop: { url: "https://shop.test" }
`;
const addresses = ["testCase.checkout", "testCase.checkout/gateway.shop", "testCase.checkout/scenario.browse"];

const service = sharedService();

/** A small project as it was applied just now. */
async function applied() {
  const project = servedProject(service, text);
  expect((await project.run("apply", "--auto-approve")).code).toBe(0);
  await takeRequests(service);
  const json = async (...args: readonly string[]) =>
    JSON.parse((await project.run(...args, "--json")).stdout) as Readonly<Record<string, unknown>>;
  const push = (input: string) => runCli(["state", "push"], { cwd: project.cwd, env: reaching(service), input });
  return { ...project, json, push };
}

describe("state", () => {
  test("list and show tell what is bound, and write nothing", async () => {
    const { run, json } = await applied();
    expect((await run("state", "list")).stdout).toBe(`${addresses.join("\n")}\n`);
    expect(await json("state", "show", "testCase.checkout/gateway.shop")).toMatchObject({
      kind: "gateway",
      id: 1,
      parent: 1,
      applied: { url: "https://shop.test" },
    });
    expect(writesOf(await takeRequests(service))).toEqual([]);
  });

  test("mv follows a renamed key, so that nothing is made or deleted", async () => {
    const { run, write } = await applied();
    const moved = await run("state", "mv", "testCase.checkout/scenario.browse", "testCase.checkout/scenario.look");
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining("Moved 1 binding")]);
    write(text.replace('browse: { script: "run();" }', 'look: { name: browse, script: "run();" }'));
    const plan = await run("plan", "--detailed-exitcode");
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringMatching(/^No changes/)]);
    const wrong = await run("state", "mv", "testCase.checkout/gateway.shop", "testCase.checkout/scenario.shop");
    expect(wrong.code).toBe(1);
  });

  test("mv is followed by what refers to the object, so that its own key may change next", async () => {
    const { run, write } = await applied();
    const peak = `    configurations:
      peak: { scenario: browse, concurrentClients: 1, durationSecs: 10, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }
`;
    write(text + peak);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    await run("state", "mv", "testCase.checkout/scenario.browse", "testCase.checkout/scenario.look");
    const renamed = (text + peak)
      .replace("browse: {", "look: { name: browse,")
      .replace("scenario: browse", "scenario: look");
    write(renamed.replace("peak: {", "top: { name: peak,"));
    const plan = await run("plan");
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("1 to move")]);
    expect(plan.stdout).toContain("0 to create, 0 to update, 0 to delete");
  });

  test("rm forgets without deleting; what is forgotten is not taken over silently, but by --adopt", async () => {
    const { run } = await applied();
    expect((await run("state", "rm", "testCase.checkout/gateway.shop")).code).toBe(0);
    expect((await service.call("GET", "/gateways/1")).status).toBe(200);
    const plan = await run("plan");
    expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining("LF3001")]);
    const adopted = await run("apply", "--auto-approve", "--adopt", "exact");
    expect(adopted.code).toBe(0);
    expect(writesOf(await takeRequests(service))).toEqual([]);
    expect((await run("state", "list")).stdout).toBe(`${addresses.join("\n")}\n`);
  });

  test("show and rm take globs; one that matches nothing is refused with what is near", async () => {
    const { run, json } = await applied();
    const shown = await json("state", "show", "testCase.checkout/**");
    expect(Object.keys(shown["resources"] as object)).toEqual(addresses);
    expect(await json("state", "show", "*.checkout/gateway.*")).toMatchObject({
      resources: { [addresses[1] ?? ""]: { id: 1 } },
    });
    const near = "Did you mean testCase.checkout?";
    for (const args of [
      ["show", "testCase.chekout"],
      ["show", "testCase.chekout/**"],
      ["rm", "testCase.chekout*"],
    ]) {
      const { code, stderr } = await run("state", ...args);
      expect([code, stderr.match(/LF5005/g)?.length, stderr.match(/Did\s+you\s+mean/g)?.length]).toEqual([1, 1, 1]);
      expect(stderr.replace(/\s+/g, " ")).toContain(near);
    }
    expect((await run("state", "rm", "testCase.checkout/gateway.*")).stdout).toContain(
      "Forgot testCase.checkout/gateway.shop.",
    );
    expect((await run("state", "list")).stdout).toBe(`${addresses[0]}\n${addresses[2]}\n`);
    expect((await run("state", "rm", "*.checkout")).code).toBe(0);
    expect((await run("state", "list")).stdout.trim()).toBe("");
  });

  test("at whose place a folder stands is named as such, and is no defect", async () => {
    const { cwd, run } = servedProject(service, text);
    mkdirSync(join(cwd, ".loadform", "state.json"), { recursive: true });
    for (const args of [["plan"], ["state", "list"], ["apply", "--auto-approve"]]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/LF5003[\s\S]*state\.json\s+is\s+a\s+folder/)]);
    }
  });

  test("beside which a folder has the name of its lock is refused with that name", async () => {
    const { cwd, run } = servedProject(service, text);
    mkdirSync(join(cwd, ".loadform", "state.json.lock"), { recursive: true });
    const { code, stderr } = await run("apply", "--auto-approve");
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("its .lock or .journal is")]);
  });

  test("pull and push carry it over, but neither an older one nor another project's", async () => {
    const { run, push } = await applied();
    const pulled = (await run("state", "pull")).stdout;
    const state = JSON.parse(pulled) as { readonly serial: number; readonly lineage: string };
    expect((await push(pulled)).code).toBe(0);
    expect((await push(pulled)).code).toBe(1);
    const foreign = await push(JSON.stringify({ ...state, serial: 99, lineage: "other" }));
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("LF5002")]);
    expect((await push("not a state")).code).toBe(1);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("that is lost is rebound by --adopt exact, without a write", async () => {
    const { cwd, run } = await applied();
    writeFileSync(join(cwd, ".loadform", "state.json"), "");
    const damaged = await run("plan");
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining("LF5002")]);
    const fresh = servedProject(service, text);
    expect((await fresh.run("apply", "--auto-approve", "--adopt", "exact")).code).toBe(0);
    expect(writesOf(await takeRequests(service))).toEqual([]);
    expect((await fresh.run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

describe("a lock", () => {
  /** Starts an apply that holds its lock for a while, and waits until it has it. */
  async function applySlowly(delayMs: number) {
    const project = servedProject(service, text);
    const slow = { method: "POST", path: "/test-cases/:testCaseId/scripts", delayMs };
    await service.call("PUT", "/_loadform/faults", [slow]);
    const child = await project.start("apply", "--auto-approve");
    const closed = once(child, "close");
    await once(createInterface({ input: child.stderr }), "line");
    return { ...project, child, closed };
  }

  test("that is held stops apply, destroy and state commands with exit 4 and says who holds it", async () => {
    const { run, child, closed } = await applySlowly(8_000);
    for (const args of [
      ["apply", "--auto-approve"],
      ["destroy", "--auto-approve"],
      ["state", "rm", addresses[0] ?? ""],
    ]) {
      const { code, stderr } = await run(...args);
      expect([args[0], code, stderr]).toEqual([args[0], 4, expect.stringContaining("LF5001")]);
      for (const word of [hostname(), "apply", "20", "loadform state unlock"]) expect(stderr).toContain(word);
    }
    const json = await run("apply", "--auto-approve", "--json");
    expect([json.code, json.stdout]).toEqual([4, expect.stringContaining('"code":"LF5001"')]);
    expect((await run("plan")).code).toBe(0);
    child.kill("SIGKILL");
    await closed;
  });

  test("of a killed apply is broken by the next one itself", async () => {
    const { cwd, run, child, closed } = await applySlowly(2_000);
    child.kill("SIGKILL");
    await closed;
    expect(existsSync(join(cwd, ".loadform", "state.json.lock"))).toBe(true);
    await service.call("DELETE", "/_loadform/faults");
    const { code } = await run("apply", "--auto-approve");
    expect([code, existsSync(join(cwd, ".loadform", "state.json.lock"))]).toEqual([0, false]);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("of another host stays until state unlock with its id breaks it", async () => {
    const { cwd, run } = await applied();
    const lock = { id: "lock-7", operation: "apply", who: "ada@elsewhere", created: "2026-11-21T09:00:00.000Z" };
    writeFileSync(join(cwd, ".loadform", "state.json.lock"), JSON.stringify({ ...lock, host: "elsewhere", pid: 1 }));
    const held = await run("apply", "--auto-approve");
    expect([held.code, held.stderr]).toEqual([4, expect.stringContaining("ada@elsewhere")]);
    const wrong = await run("state", "unlock", "lock-8");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/ada@elsewhere[\s\S]*state unlock lock-7/)]);
    expect((await run("apply", "--auto-approve")).code).toBe(4);
    const broken = await run("state", "unlock", "lock-7");
    expect([broken.code, broken.stdout]).toEqual([0, expect.stringContaining("ada@elsewhere")]);
    expect(await run("state", "unlock", "lock-7")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no lock"),
    });
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });
});

describe("partial failure", () => {
  test("is exit 6; what does not depend on it is done, what does is not attempted, and the next apply ends it", async () => {
    const project = servedProject(
      service,
      text.replace('script: "run();"', 'script: "run();", dataStores: { a.csv: { contents: "a" } }'),
    );
    const refuse = {
      method: "POST",
      path: "/test-cases/:testCaseId/scripts",
      status: 422,
      body: { message: "no room" },
    };
    await service.call("PUT", "/_loadform/faults", [{ ...refuse, times: 1 }]);
    const { code, stdout, stderr } = await project.run("apply", "--auto-approve");
    expect([code, stdout]).toEqual([6, expect.stringContaining("2 created, 0 updated, 0 deleted, 1 failed")]);
    expect(stderr).toContain("no room");
    expect(stderr).toMatch(/loadform\.yaml:5:\d+/);
    expect(stderr).toMatch(/not attempted testCase\.checkout\/scenario\.browse\/dataStore\.a\.csv/);
    const next = await project.run("apply", "--auto-approve");
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining("Applied: 2 created")]);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("of a create that always fails comes after five tries of sending it", async () => {
    const project = servedProject(service, text);
    await service.call("PUT", "/_loadform/faults", [{ method: "POST", path: "/test-cases", status: 500 }]);
    const { code, stderr } = await project.run("apply", "--auto-approve");
    expect([code, stderr]).toEqual([6, expect.stringContaining("LF6001")]);
    expect((await service.call("GET", "/_loadform/faults")).body).toMatchObject([{ hits: 5 }]);
  });

  test("that may still come right is told as a wait", async () => {
    const project = servedProject(service, text);
    const fault = { method: "POST", path: "/test-cases/:testCaseId/scripts", status: 500 };
    await service.call("PUT", "/_loadform/faults", [fault]);
    const child = await project.start("apply", "--auto-approve");
    const closed = once(child, "close");
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (line.startsWith("Waiting")) child.kill("SIGKILL");
    }
    await closed;
    // On a busy machine it says more before it is killed.
    expect(lines.find((line) => line.startsWith("Waiting"))).toMatch(
      /^Waiting \d+ s before testCase\.checkout\/scenario\.browse is sent again/,
    );
  });

  test("does not come of answers that are late, cut or refused for a while", async () => {
    const project = servedProject(service, text);
    await service.call("PUT", "/_loadform/faults", [
      { method: "GET", path: "/orgs/:orgId/test-cases", times: 2, status: 503 },
      { method: "POST", path: "/test-cases", times: 1, status: 429, retryAfterSecs: 0 },
      { method: "POST", path: "/test-cases/:testCaseId/gateways", times: 1, drop: "after" },
    ]);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    expect((await service.call("GET", "/test-cases/1/gateways")).body).toHaveLength(1);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

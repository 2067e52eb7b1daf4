import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startService } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { exampleFolder, reaching } from "./example-folder.ts";
import { takeRequests, writesOf } from "./request-log.ts";

const service = sharedService();

const limit = "testCase.checkout/configuration.limit";
const shop = 'shop: { name: Shop, url: "${var:shopUrl}" }';
const protectedShop = shop.replace("{ name", "{ protect: true, name");

/** The example as it was applied just now, and a command that has to be blocked before its first write. */
async function appliedExample() {
  const folder = exampleFolder("webshop", reaching(service));
  // At noon, so that no clock that goes an hour forward comes upon the nightly run, whenever this test is run.
  const noon = { mode: "frozen", now: "2026-01-05T12:00:00Z" };
  expect((await service.call("PUT", "/_loadform/clock", noon)).status).toBe(200);
  expect((await folder.run("apply", "--auto-approve")).code).toBe(0);
  const blocked = async (...args: readonly string[]) => {
    await takeRequests(service);
    const { code, stdout, stderr } = await folder.run(...args);
    expect([code, stderr]).toEqual([3, expect.stringContaining("Blocked: ")]);
    expect(writesOf(await takeRequests(service))).toEqual([]);
    return { stdout, stderr, codes: [...stderr.matchAll(/^error (LF\d+)/gm)].map(([, found]) => found) };
  };
  return { ...folder, blocked };
}

/** A run of the configuration that has only just started. An apply creates configurations at the same time, so any id may be its. */
async function startRun(): Promise<void> {
  const { body } = await service.call("GET", "/test-cases/1/confs");
  const found = (body as readonly { readonly id: number; readonly name: string }[]).find(
    ({ name }) => name === "Where it breaks",
  );
  expect((await service.call("POST", `/test-confs/${found?.id}/executions`, {})).status).toBe(200);
}

/** A run of the configuration that has completed. */
async function completeRun(): Promise<void> {
  await startRun();
  expect((await service.call("POST", "/_loadform/clock/advance", { ms: 3_600_000 })).status).toBe(200);
}

describe("a guard blocks with exit 3 and without a write", () => {
  test("protect: by the state, block or no block, until protect: false was applied", async () => {
    const { edit, run, blocked } = await appliedExample();
    edit("load/checkout.yaml", shop, protectedShop);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    expect((await blocked("destroy", "--auto-approve", "--force-threshold")).codes).toEqual(["LF4001"]);
    const replaced = await blocked("apply", "--auto-approve", "--replace", "testCase.checkout/gateway.shop");
    expect(replaced.codes).toEqual(["LF4001"]);
    expect(replaced.stderr).toMatch(
      /load\/checkout\.yaml:\d+:7 \(testCase\.checkout\/gateway\.shop\)\n +\d+ \| +shop:/,
    );
    edit("load/checkout.yaml", `    gateways:\n      ${protectedShop}\n`, "");
    expect((await blocked("plan")).codes).toEqual(["LF4001"]);
    expect((await blocked("apply", "--auto-approve")).codes).toEqual(["LF4001"]);
    edit("load/checkout.yaml", "    configurations:", `    gateways:\n      ${shop}\n    configurations:`);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    edit("load/checkout.yaml", `    gateways:\n      ${shop}\n`, "");
    const gone = await run("apply", "--auto-approve");
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining("1 deleted.")]);
  });

  test("threshold: not for destroy, which deletes all by definition", async () => {
    const { run } = await appliedExample();
    const { code, stdout } = await run("destroy", "--auto-approve");
    expect([code, stdout]).toEqual([0, expect.stringContaining("13 to delete")]);
  });

  test("empty: a project that declares nothing any more, whatever flags are given", async () => {
    const { cwd, blocked } = await appliedExample();
    const head = `project: webshop\nservice: { url: "memory:.loadform/service.json" }\n`;
    writeFileSync(join(cwd, "loadform.yaml"), head);
    const { codes } = await blocked("apply", "--auto-approve", "--force-threshold", "--allow-destroy", "**");
    expect(codes).toEqual(["LF4005"]);
  });

  test("integrity: an include that matches nothing is exit 1 and deletes nothing", async () => {
    const { edit, run } = await appliedExample();
    edit("loadform.yaml", "[load/**/*.yaml]", '["moved/*.yaml"]');
    await takeRequests(service);
    expect((await run("apply", "--auto-approve", "--force-threshold")).code).toBe(1);
    expect(writesOf(await takeRequests(service))).toEqual([]);
  });

  test("history: executions keep their configuration, until --allow-destroy names it", async () => {
    const { run, blocked } = await appliedExample();
    await completeRun();
    const { codes, stdout } = await blocked("destroy", "--auto-approve", "--force-threshold");
    expect(codes).toEqual(["LF4002"]);
    expect(stdout).toContain("! would be lost: 1 execution");
    const other = "testCase.checkout/configuration.peak";
    await blocked("destroy", "--auto-approve", "--force-threshold", "--allow-destroy", other);
    expect((await run("destroy", "--auto-approve", "--force-threshold", "--allow-destroy", limit)).code).toBe(0);
    expect((await service.call("GET", "/test-cases")).body).toEqual([]);
  });

  test("a saved plan: what is printed with it carries it out, and where no flag does, that is said", async () => {
    const { edit, run, blocked } = await appliedExample();
    await completeRun();
    const { stderr } = await blocked("plan", "--replace", limit, "--out", "plan.json");
    const flags = `--allow-destroy ${limit}`;
    const words = `Saved the plan, but it is blocked. To allow what the messages above name: loadform apply plan.json ${flags}\n`;
    expect(stderr.endsWith(words)).toBe(true);
    await blocked("apply", "plan.json");
    expect((await run("apply", "plan.json", ...flags.split(" "))).code).toBe(0);
    edit("load/checkout.yaml", shop, protectedShop);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    const kept = await blocked("plan", "--destroy", "--out", "plan.json");
    expect(kept.stderr).toMatch(/Saved the plan, but it is blocked, and no flag overrides every guard: .*\n$/);
  });

  test("history: a replacement would lose it too, and the plan says how much", async () => {
    const { run, blocked } = await appliedExample();
    await completeRun();
    await completeRun();
    await blocked("apply", "--auto-approve", "--replace", limit);
    const { code, stdout } = await run("plan", "--json", "--replace", limit);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      resource_changes: [{ address: limit, risks: ["2 executions"] }],
      diagnostics: [{ code: "LF4002", address: limit }],
    });
  });

  test("running: whatever flags are given", async () => {
    const { blocked } = await appliedExample();
    await startRun();
    const flags = ["--auto-approve", "--force-threshold", "--allow-destroy", "**"];
    expect((await blocked("destroy", ...flags)).codes).toEqual(["LF4003"]);
    expect((await blocked("apply", "--replace", limit, ...flags)).codes).toEqual(["LF4003"]);
  });

  test("target: a state of another service, until state retarget", async () => {
    const { run } = await appliedExample();
    const other = await startService();
    try {
      const there = exampleFolder("webshop", reaching(other));
      writeFileSync(join(there.cwd, "copied.json"), (await run("state", "pull")).stdout);
      there.edit("loadform.yaml", "project: webshop", "project: webshop\nstate: copied.json");
      for (const command of ["plan", "apply", "destroy"]) {
        const { code, stderr } = await there.run(command, ...(command === "plan" ? [] : ["--auto-approve"]));
        expect([command, code, stderr]).toEqual([command, 3, expect.stringContaining("LF4006")]);
      }
      expect(writesOf(await takeRequests(other))).toEqual([]);
      const moved = await there.run("state", "retarget");
      expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining(other.ready.url)]);
      const gone = await there.run("apply", "--auto-approve");
      expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining("LF4008")]);
      const { code, stdout } = await there.run("apply", "--auto-approve", "--force-threshold");
      expect([code, stdout]).toEqual([0, expect.stringContaining("11 created")]);
    } finally {
      await other.stop("SIGTERM");
    }
    // The first service is as it was.
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

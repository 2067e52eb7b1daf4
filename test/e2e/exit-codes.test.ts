import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const text = `project: small
testCases:
  checkout:
    protect: true
    scenarios:
      browse: { script: "run();" }
`;

describe("the exit code", () => {
  const service = sharedService();

  const refuse = {
    method: "POST",
    path: "/test-cases/:testCaseId/scripts",
    status: 409,
    body: { code: "TAKEN", message: "no room" },
  };

  it("is 1 when the service refuses the key", async () => {
    const { cwd } = servedProject(service, text);
    const { code, stderr } = await runCli(["plan"], {
      cwd,
      env: { LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: "wrong-key-77" },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF2002")]);
    expect(stderr).not.toContain("wrong-key-77");
  });

  it("is 1 for an object that exists already, and the plan is not shown", async () => {
    await service.call("POST", "/test-cases", { name: "checkout", org: 1 });
    const { code, stdout, stderr } = await servedProject(service, text).run("plan");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("LF3001");
  });

  it("is 3 when a guard blocks, for plan, apply and destroy, and nothing is written", async () => {
    const project = servedProject(service, text);
    await project.run("apply", "--auto-approve");
    const runs = [
      await project.run("plan", "--destroy", "--json"),
      await project.run("destroy", "--auto-approve"),
      await project.run("destroy", "--auto-approve", "--json"),
    ] as const;
    expect(runs.map(({ code }) => code)).toEqual([3, 3, 3]);
    expect(JSON.parse(runs[0].stdout)).toMatchObject({ summary: { delete: 2 }, diagnostics: [{ code: "LF4001" }] });
    expect(runs[1].stderr).toContain("Blocked: nothing was written.");
    expect(runs[2].stdout.trimEnd().split("\n").at(-1)).toContain('"delete":0');
    expect((await service.call("GET", "/test-cases")).body).toHaveLength(1);
  });

  it("is 6 when some objects fail, and the rest is done", async () => {
    await service.call("PUT", "/_loadform/faults", [refuse]);
    const project = servedProject(service, text);
    const { code, stdout, stderr } = await project.run("apply", "--auto-approve");
    expect([code, stdout.split("\n").at(-2)]).toEqual([
      6,
      "Applied in part: 1 created, 0 updated, 0 deleted, 1 failed.",
    ]);
    expect(stderr).toContain("failed testCase.checkout/scenario.browse");
    expect(stderr).toContain("no room");
    await service.call("DELETE", "/_loadform/faults");
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
  });

  it("is 6 with a failure told once, as a line", async () => {
    await service.call("PUT", "/_loadform/faults", [refuse]);
    const { code, stdout } = await servedProject(service, text).run("apply", "--auto-approve", "--json");
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; diagnostic?: object });
    expect(code).toBe(6);
    expect(events.filter(({ diagnostic }) => diagnostic !== undefined).map(({ type }) => type)).toEqual([
      "apply_errored",
    ]);
    expect(events.at(-1)).toEqual({
      type: "change_summary",
      create: 1,
      update: 0,
      delete: 0,
      failed: 1,
      not_attempted: 0,
    });
  });

  it("is 0 for an empty apply and an empty destroy without a terminal", async () => {
    const project = servedProject(service, text.replace("    protect: true\n", ""));
    await project.run("apply", "--auto-approve");
    expect((await project.run("apply")).code).toBe(0);
    expect((await project.run("destroy")).code).toBe(1);
    expect((await project.run("destroy", "--auto-approve")).code).toBe(0);
    const again = await project.run("destroy");
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^No changes/)]);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, runProcess } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { folderOf, namedProject } from "../support/small-project.ts";

describe("several projects in one command", () => {
  const service = sharedService();

  it("are planned and applied with one blocked and one failing, and are in sync at the end", async () => {
    const { url, apiKey } = service.ready;
    const names = ["a", "b", "c", "d"];
    const protect = namedProject("b", url).replace("  b:\n", "  b:\n    protect: true\n");
    const cwd = folderOf(
      Object.fromEntries(names.map((name) => [`tests/${name}/loadform.yaml`, namedProject(name, url)])),
    );
    const write = (name: string, text: string) => writeFileSync(join(cwd, `tests/${name}/loadform.yaml`), text);
    write("b", protect);
    const env = { LOADFORM_API_KEY: apiKey };
    const run = (...args: string[]) => runCli(args, { cwd, env });
    expect((await run("apply", "tests/b", "--auto-approve")).code).toBe(0);
    write("b", protect.replace(/testCases:[\s\S]*/, ""));
    const planned = await run("plan", "tests/*", "--json", "--detailed-exitcode");
    const { projects } = JSON.parse(planned.stdout) as { readonly projects: readonly { readonly requests: number }[] };
    expect(planned.code).toBe(3);
    const requests = projects.reduce((sum, each) => sum + each.requests, 0);
    expect([projects.length, requests]).toEqual([4, 2]);
    // The first create of a scenario is refused: that of a, which is applied in part.
    const refusal = { status: 403, body: { code: "NO", message: "not now" }, times: 1 };
    const fault = { method: "POST", path: "/test-cases/:testCaseId/scripts", ...refusal };
    expect((await service.call("PUT", "/_loadform/faults", [fault])).status).toBe(200);
    const applied = await runProcess(["apply", "tests/*", "--auto-approve"], { cwd, env });
    expect([applied.code, applied.stdout]).toEqual([
      6,
      expect.stringContaining("4 projects: 1 applied in part, 1 left out (blocked), 2 applied."),
    ]);
    write("b", protect);
    const again = await run("apply", "tests/*", "--auto-approve", "--json");
    const lines = again.stdout.trim().split("\n");
    expect([again.code, JSON.parse(lines.at(-1) ?? "")]).toEqual([
      0,
      { type: "change_summary", create: 1, update: 0, delete: 0, failed: 0, not_attempted: 0 },
    ]);
    expect((await run("plan", "tests/*", "--detailed-exitcode")).code).toBe(0);
  });

  it("are not begun after one has failed with --fail-fast", async () => {
    const { url, apiKey } = service.ready;
    const cwd = folderOf({
      "tests/a/loadform.yaml": namedProject("a", url),
      "tests/b/loadform.yaml": namedProject("b", url),
    });
    const refusal = { status: 403, body: { code: "NO", message: "not now" }, times: 1 };
    const fault = { method: "POST", path: "/test-cases", ...refusal };
    expect((await service.call("PUT", "/_loadform/faults", [fault])).status).toBe(200);
    const run = (...args: string[]) => runCli(args, { cwd, env: { LOADFORM_API_KEY: apiKey } });
    const { code, stdout } = await run("apply", "tests/*", "--auto-approve", "--fail-fast");
    expect([code, stdout]).toEqual([6, expect.stringContaining("1 applied in part, 1 not attempted.")]);
    expect(await service.call("GET", "/test-cases")).toMatchObject({ body: [] });
  });
});

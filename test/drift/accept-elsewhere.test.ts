import { describe, expect, it } from "vitest";
import { appliedProject as applied, type Listed, load } from "../support/applied-project.ts";
import { sharedService } from "../support/shared-service.ts";

describe("drift --accept of what is tied to something elsewhere", () => {
  const service = sharedService();
  const appliedProject = (text = load) => applied(service, text);

  it("changes what stands in a file that carries on with an object of another one, and takes out both parts", async () => {
    const project = await appliedProject();
    const more =
      "testCases:\n  checkout:\n    scenarios:\n      later: { script: later(); } # added\n    configurations:\n      smoke:\n        schedules:\n          noon: { scheduleType: Recurring, recurringInterval: Day, hour: 12 }\n";
    project.put("load/b.yaml", more);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    await service.call("PUT", `/scripts/${project.idOf("scenarios", "pay")}`, { name: "Pay" });
    const later = await service.call("PUT", "/scripts/4", { main: "soon();" });
    expect(later.body).toMatchObject({ name: "later" });
    const { code, stderr } = await project.run("drift", "--accept", "*/scenario.later");
    expect([code, stderr, project.read()]).toEqual([2, "", load]);
    expect(project.read("load/b.yaml")).toBe(more.replace("later(); }", "soon(); }"));
    await service.call("DELETE", "/test-cases/1");
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    // One of the two remains, empty, for an include without a match is an error.
    expect(() => project.read()).toThrow("ENOENT");
    expect(project.read("load/b.yaml")).not.toContain("checkout");
  });

  it("deletes files that nothing uses any more, and leaves those that were never applied as they are", async () => {
    const project = await appliedProject();
    project.put("scripts/browse.js", "edited();\n");
    await service.call("DELETE", "/test-cases/1");
    const { code, stdout } = await project.run("drift", "--accept", "**");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        "  ! scripts/browse.js remains: it differs from what was applied; delete it if it is not needed\n",
      ),
    ]);
    expect(stdout).toContain("  - scripts/pay.js deleted: nothing in the project uses it any more\n");
    expect(project.read("scripts/browse.js")).toBe("edited();\n");
    expect(() => project.read("scripts/pay.js")).toThrow("ENOENT");
  });

  it("finds a pause of a schedule only where the project says that it is active", async () => {
    const declared = (active: string) =>
      load.replace(
        "    configurations:\n",
        `    configurations:\n      timed: { <<: &base { scenario: browse, concurrentClients: 1, durationSecs: 60, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }, schedules: { nightly: { scheduleType: Recurring, recurringInterval: Day, hour: 2${active} } } }\n`,
      );
    for (const [active, code] of [
      ["", 0],
      [", active: true", 2],
    ] as const) {
      await service.call("POST", "/_loadform/reset");
      const project = await appliedProject(declared(active));
      const paused = await service.call("PUT", "/test-schedules/1", { active: false });
      expect(paused.status).toBeLessThan(300);
      expect((await project.run("drift")).code).toBe(code);
    }
  });

  it("compares what is made of a file and other text, of a file that several use, and of a secret", async () => {
    const text =
      'vcsRoots:\n  v:\n    url: "https://git.example.com/x.git"\n    vcsAuthType: Username\n    username: ci\n    password: ${file:../scripts/pay.js}\ntestCases:\n  c:\n    scenarios:\n      one: { script: "${file:../scripts/browse.js}// one" }\n      two: { script: "${file:../scripts/init.js}// two" }\n      three: { script: "${file:../scripts/init.js}" }\n';
    const remaining = async (edited?: string) => {
      await service.call("POST", "/_loadform/reset");
      const project = await appliedProject(text);
      if (edited !== undefined) project.put(edited, "edited();\n");
      await service.call("DELETE", "/test-cases/1");
      await service.call("DELETE", "/vcs-roots/1");
      const { stdout } = await project.run("drift", "--json", "--accept", "**");
      return JSON.parse(stdout).accepted;
    };
    const all = ["scripts/browse.js", "scripts/init.js", "scripts/pay.js"];
    expect(await remaining()).toMatchObject({ deleted: all, remaining: [] });
    for (const path of all)
      expect(await remaining(path)).toMatchObject({ deleted: all.filter((each) => each !== path), remaining: [path] });
  });

  it("leaves out the secret of the old variant, which is gone at the service too", async () => {
    const text =
      'vcsRoots:\n  v:\n    url: "https://git.example.com/x.git"\n    vcsAuthType: Username # how\n    username: ci\n    password: ${env:REGION}\n';
    const project = await appliedProject(text);
    await service.call("PUT", "/vcs-roots/1", { vcsAuthType: "None" });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect(project.read()).toBe(
      'vcsRoots:\n  v:\n    url: "https://git.example.com/x.git"\n    vcsAuthType: None # how\n',
    );
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("refers by id to what somebody made outside and nobody declares", async () => {
    const project = await appliedProject();
    const made = await service.call("POST", "/test-cases/1/scripts", { name: "theirs", main: "x" });
    const { id } = made.body as Listed;
    await project.edit("long", { scriptId: id });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect(project.read()).toBe(
      load.replace("<<: *smoke, durationSecs", `<<: *smoke, scenario: { id: ${id} }, durationSecs`),
    );
    await project.edit("smoke", { scriptId: id });
    expect(await project.run("drift", "--accept", "*/configuration.smoke")).toMatchObject({ code: 0, stderr: "" });
    expect(project.read()).toContain(`        scenario: { id: ${id} }\n`);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});

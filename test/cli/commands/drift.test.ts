import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedProject } from "../../support/served-project.ts";
import { sharedService } from "../../support/shared-service.ts";

const text = `project: shop
testCases:
  checkout:
    description: Buying path
    scenarios:
      browse: { script: "run();", ignore: [language] , language: javascript }
    gateways:
      shop: { url: "https://shop.example.com" }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 20
        durationSecs: 60
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
`;

interface Listed {
  readonly id: number;
}

describe("drift", () => {
  const service = sharedService();

  const idsOf = async () => {
    const cases = (await service.call("GET", "/test-cases?down=true")).body as (Listed & {
      readonly configurations: readonly Listed[];
      readonly scenarios: readonly Listed[];
      readonly gateways: readonly Listed[];
    })[];
    const [own] = cases;
    if (own === undefined) throw new Error("nothing was applied");
    const [configuration, script, gateway] = [own.configurations[0], own.scenarios[0], own.gateways[0]];
    return { testCase: own.id, configuration: configuration?.id, script: script?.id, gateway: gateway?.id };
  };

  const appliedProject = async () => {
    const project = servedProject(service, text);
    expect(await project.run("apply", "--auto-approve")).toMatchObject({ code: 0 });
    return { ...project, ids: await idsOf() };
  };

  it("is none, exit 0, right after an apply, and neither locks nor writes", async () => {
    const project = await appliedProject();
    const before = (await service.call("GET", "/_loadform/requests")).body as readonly unknown[];
    const { code, stdout } = await project.run("drift");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No drift\. \d+ requests?\.\n$/)]);
    const log = (await service.call("GET", "/_loadform/requests")).body as readonly { readonly method: string }[];
    expect(log.slice(before.length).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("neither shows nor writes a secret of the project that somebody put into another value", async () => {
    const env = { TOKEN: "hunter2-token" };
    const secret =
      "vcsRoots:\n  r: { url: https://git.example.com/a.git, vcsAuthType: Username, username: ci, password: '${env:TOKEN}' }\n";
    const project = servedProject(service, text + secret, env);
    expect(await project.run("apply", "--auto-approve")).toMatchObject({ code: 0 });
    const { gateway, script } = await idsOf();
    await service.call("PATCH", `/gateways/${gateway}`, { name: "shop of hunter2-token" });
    await service.call("PUT", `/scripts/${script}`, { main: "log('hunter2-token');" });
    const asked = [
      ["plan"],
      ["plan", "--json"],
      ["plan", "--out", "saved.json"],
      ["drift"],
      ["drift", "--json"],
      ["drift", "--accept", "**"],
    ];
    for (const args of [...asked, ["apply", "--auto-approve", "--json"]]) {
      const { stdout, stderr } = await project.run(...args);
      expect([args, `${stdout}${stderr}`]).toEqual([args, expect.not.stringContaining("hunter2")]);
      expect(`${stdout}${stderr}`).toContain(
        args[1] === "--accept" ? "contains a secret of the project" : "(sensitive)",
      );
    }
    const read = (file: string) => readFileSync(join(project.cwd, file), "utf8");
    expect([read("loadform.yaml"), read("saved.json")]).toEqual([
      text + secret,
      expect.not.stringContaining("hunter2"),
    ]);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("shows what moved outside field by field with both ways out, exit 2", async () => {
    const project = await appliedProject();
    await service.call("PUT", `/test-confs/${project.ids.configuration}`, { concurrentClients: 99 });
    await service.call("DELETE", `/gateways/${project.ids.gateway}`);
    const { code, stdout } = await project.run("drift");
    expect(code).toBe(2);
    expect(stdout).toContain("~ testCase.checkout/configuration.smoke (id");
    expect(stdout).toContain("~ concurrentClients: 20 → 99  (drift)");
    expect(stdout).toContain("- testCase.checkout/gateway.shop (deleted outside)");
    expect(stdout).toContain("Drift: 1 object changed (1 field), 1 deleted.");
    expect(stdout).toContain("  loadform apply --target testCase.checkout/configuration.smoke\n");
    expect(stdout).toContain("  loadform drift --accept testCase.checkout/configuration.smoke\n");
  });

  it("tells drift, change and both apart, and a change alone is no drift", async () => {
    const project = await appliedProject();
    project.write(text.replace("durationSecs: 60", "durationSecs: 90"));
    const calm = await project.run("drift", "--json");
    expect(calm.code).toBe(0);
    expect(JSON.parse(calm.stdout)).toMatchObject({
      resource_drift: [],
      resource_changes: [{ fields: [{ field: "durationSecs", class: "change", live: 60, desired: 90 }] }],
    });
    const { configuration, testCase } = project.ids;
    await service.call("PUT", `/test-confs/${configuration}`, { concurrentClients: 99, durationSecs: 75 });
    await service.call("POST", "/test-cases", { name: "checkout", org: 1, description: "By hand" });
    const { code, stdout } = await project.run("drift", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      resource_drift: [
        {
          address: "testCase.checkout",
          type: "loadform_test_case",
          change: { actions: ["update"], before: { description: "Buying path" }, after: { description: "By hand" } },
          fields: [{ field: "description", class: "drift", applied: "Buying path", live: "By hand" }],
        },
        {
          address: "testCase.checkout/configuration.smoke",
          fields: [
            { field: "concurrentClients", class: "drift", applied: 20, live: 99, desired: 20 },
            { field: "durationSecs", class: "both", applied: 60, live: 75, desired: 90 },
          ],
        },
      ],
      summary: { changed_outside: 2, deleted_outside: 0, fields: { drift: 2, both: 1 } },
      diagnostics: [],
    });
    expect(testCase).toBeGreaterThan(0);
  });

  it("leaves fields under ignore alone, as a plan does, until they are not ignored any more", async () => {
    const project = await appliedProject();
    await service.call("PUT", `/scripts/${project.ids.script}`, { language: "typescript" });
    expect(await project.run("drift")).toMatchObject({ code: 0, stdout: expect.stringContaining("No drift.") });
    const planned = await project.run("plan");
    expect([planned.code, planned.stdout]).toEqual([0, expect.not.stringContaining("Changed outside")]);
    expect(JSON.parse((await project.run("plan", "--json")).stdout)).toMatchObject({ resource_drift: [] });
    project.write(text.replace("ignore: [language] , ", ""));
    const moved = JSON.parse((await project.run("plan", "--json")).stdout) as object;
    expect(moved).toMatchObject({ resource_drift: [{ address: "testCase.checkout/scenario.browse" }] });
    expect((await project.run("drift")).code).toBe(2);
  });

  it("lists foreign objects on request, which are no drift", async () => {
    const project = await appliedProject();
    await service.call("POST", `/test-cases/${project.ids.testCase}/gateways`, { name: "x", url: "https://x.test" });
    expect((await project.run("drift")).stdout).not.toContain('"x"');
    const { code, stdout } = await project.run("drift", "--show-unmanaged");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/gateway#\d+ "x" below testCase\.checkout/)]);
    const { unmanaged } = JSON.parse((await project.run("drift", "--show-unmanaged", "--json")).stdout) as {
      readonly unmanaged: readonly unknown[];
    };
    expect(unmanaged).toMatchObject([{ type: "loadform_gateway", name: "x", parent: "testCase.checkout" }]);
  });

  it("counts what appeared below unmanaged: delete", async () => {
    const project = await appliedProject();
    project.write(text.replace("description: Buying path", "description: Buying path\n    unmanaged: delete"));
    await service.call("POST", `/test-cases/${project.ids.testCase}/gateways`, { name: "x", url: "https://x.test" });
    const { code, stdout } = await project.run("drift");
    expect([code, stdout]).toEqual([2, expect.stringContaining("added outside, not declared")]);
  });

  it("writes Markdown for an issue, drift or not", async () => {
    const project = await appliedProject();
    const markdown = () => readFileSync(join(project.cwd, "drift.md"), "utf8");
    expect((await project.run("drift", "--markdown", "drift.md")).code).toBe(0);
    expect(markdown()).toContain("**No drift.**");
    await service.call("PUT", `/test-confs/${project.ids.configuration}`, { concurrentClients: 99 });
    expect((await project.run("drift", "--markdown", "drift.md")).code).toBe(2);
    expect(markdown()).toMatch(/^<!-- loadform-drift \. -->\n/);
    expect(markdown()).toContain("| `testCase.checkout/configuration.smoke` |");
    expect(markdown()).toContain("loadform drift --accept testCase.checkout/configuration.smoke");
  });

  it("is exit 3 for a state of another target, and exit 1 for a project with errors", async () => {
    const project = await appliedProject();
    const state = join(project.cwd, ".loadform/state.json");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(
      state,
      readFileSync(state, "utf8")
        .replace('"organization": 1', '"organization": 7')
        .replace('"organization":1', '"organization":7')
        .replace(/,\s*"checksum": ?"[^"]*"/, ""),
    );
    const { code, stderr } = await project.run("drift");
    expect([code, stderr]).toEqual([3, expect.stringContaining("LF4006")]);
    project.write(text.replace("durationSecs: 60", "durationSecs: soon"));
    expect((await project.run("drift")).code).toBe(1);
  });
});

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const main = `project: shop
include: ["load/*.yaml"]
`;
const load = `testCases:
  shop:
    scenarios:
      browse: { script: "browse();" }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 5
        durationSecs: 60
        providers:
          - { provider: grid, regions: [dc-1] }
          - { provider: { id: 0 }, regions: [cloud-us-east-1] }
providers: { grid: { providerType: Shared } }
regions: { dc1: { name: dc-1, provider: grid } }
`;

describe("a plan", () => {
  const service = sharedService();

  function project(text = load) {
    const made = servedProject(service, main);
    const put = (path: string, content: string) => {
      mkdirSync(join(made.cwd, path, ".."), { recursive: true });
      writeFileSync(join(made.cwd, path), content);
    };
    put("load/shop.yaml", text);
    put("load/other.yaml", "testCases: { other: {} }\n");
    return { ...made, put };
  }

  it("refuses a region that the grid does not have, at its place, with the list and what was most likely meant", async () => {
    const { code, stderr } = await project(load.replace("[cloud-us-east-1]", "[us-east-1, cloud-us-east-1]")).run(
      "plan",
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining("there is no region us-east-1")]);
    expect(stderr).toContain("load/shop.yaml:12:46");
    expect(stderr).toMatch(
      /Public Shared Grid has no region "us-east-1"\. It has [^"]*Did\s+you\s+mean\s+cloud-us-east-1\?/,
    );
  });

  it("refuses a provider that the service does not have in the same way", async () => {
    const text = load.replace("{ provider: { id: 0 }", "{ provider: { name: Public Shard Grid }");
    const { code, stderr } = await project(text).run("plan");
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF3009")]);
    expect(stderr).toContain("load/shop.yaml:12:33");
    expect(stderr.replace(/\s+/g, " ")).toContain(
      'The service has "Public Shared Grid" (id 0). Did you mean Public Shared Grid?',
    );
  });

  it("takes regions that it declares itself, before and after they are made", async () => {
    const made = project();
    expect((await made.run("apply", "--auto-approve")).code).toBe(0);
    made.put("load/shop.yaml", load.replace("durationSecs: 60", "durationSecs: 61"));
    expect(await made.run("plan")).toMatchObject({ code: 0, stderr: "" });
    made.put("load/shop.yaml", load.replace("dc-1]", "dc-2]"));
    expect((await made.run("plan")).stderr).toContain('grid has no region "dc-2". It has dc-1. Did you mean dc-1?');
    expect((await made.run("destroy", "--auto-approve", "--allow-destroy", "**")).code).toBe(0);
  });

  it("names the file that was moved out of every include when it would delete what that declares", async () => {
    const made = project();
    expect((await made.run("apply", "--auto-approve")).code).toBe(0);
    mkdirSync(join(made.cwd, "load/team-a"));
    renameSync(join(made.cwd, "load/shop.yaml"), join(made.cwd, "load/team-a/shop.yaml"));
    made.put("load/team-a/notes.yaml", "testCases: { third: {} }\n");
    const { stderr } = await made.run("plan");
    expect(stderr).toContain("LF1011: load/team-a/shop.yaml is not included");
    expect(stderr).toContain('as in: include: ["load/**/*.yaml"]');
    expect(stderr).not.toContain("notes.yaml");
    made.put("loadform.yaml", main.replace("load/*.yaml", "load/**/*.yaml"));
    expect((await made.run("plan", "--target", "testCase.shop/**", "--detailed-exitcode")).code).toBe(0);
  });

  it("warns of a Step profile that never steps, and plans it", async () => {
    const text = load.replace(
      "durationSecs: 60",
      "durationSecs: 60\n        profileType: Step\n        startConcurrentClients: 5\n        step: 5",
    );
    const { code, stderr } = await project(text).run("validate");
    expect([code, stderr]).toEqual([0, expect.stringContaining("LF1204: a Step profile that never steps")]);
    const steps = await project(
      text.replace("concurrentClients: 5\n        duration", "concurrentClients: 9\n        duration"),
    ).run("validate");
    expect(steps.stderr).not.toContain("LF1204");
  });

  it("warns of a parameter that no run would have, and leaves reading scripts to validate", async () => {
    const made = project(
      load.replace('"browse();"', '"${file:../browse.js}", paramsConfig: [{ name: shopUrl, required: true }]'),
    );
    made.put("browse.js", "browse(;\n");
    const [plan, validated] = [await made.run("plan"), await made.run("validate")];
    expect([plan.code, plan.stderr]).toEqual([0, expect.stringContaining("LF1205: required parameter shopUrl")]);
    expect(plan.stderr).not.toContain("LF1206");
    expect([validated.code, validated.stderr]).toEqual([0, expect.stringContaining("LF1206: script is not Java")]);
    expect(validated.stderr).toContain("browse.js:1:8 (testCase.shop/scenario.browse)");
    expect(validated.stderr).toMatch(/\n2 warnings\n/);
  });
});

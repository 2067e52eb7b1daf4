import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const service = sharedService();

const project = (said: string) => `project: p
service: { url: "memory:" }
${said}
testCases:
  shop:
    name: Shop
    gateways:
      g: { url: "https://ours.test" }
`;
const saying = (said: string) => project("").replace("    name: Shop\n", `    name: Shop\n    unmanaged: ${said}\n`);

/** The project as applied, and a gateway and a scenario of somebody else in its test case. */
async function shared() {
  const made = servedProject(service, project(""));
  expect((await made.run("apply", "--auto-approve")).code).toBe(0);
  await service.call("POST", "/test-cases/1/gateways", { name: "theirs", url: "https://theirs.test" });
  await service.call("POST", "/test-cases/1/scripts", { name: "by hand", main: "run()" });
  return made;
}

const left = async () => {
  const { body } = await service.call("GET", "/test-cases/1?down=true");
  const { gateways, scripts, scenarios } = body as Record<string, readonly { readonly name: string }[] | undefined>;
  return [...(gateways ?? []), ...(scripts ?? scenarios ?? [])].map(({ name }) => name);
};

describe("what nobody declared", () => {
  test("is only listed, on request, as long as the test case does not say unmanaged: delete", async () => {
    const { run, write } = await shared();
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    const listed = await run("plan", "--show-unmanaged");
    expect(listed.stdout).toContain('gateway#2 "theirs" below testCase.shop');
    write(saying("keep"));
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    write(saying("gone"));
    expect((await run("plan")).stderr).toContain("LF1104");
  });

  test.each([
    ["in YAML", (_cwd: string, write: (text: string) => void) => write(saying("delete"))],
    [
      "as a default of every test case",
      (_cwd: string, write: (text: string) => void) => write(project("defaults: { testCase: { unmanaged: delete } }")),
    ],
  ])("goes with an apply once the test case says so %s: shown, confirmed, gone", async (_, say) => {
    const { run, write, cwd } = await shared();
    say(cwd, write);
    const { stdout, code } = await run("plan", "--detailed-exitcode");
    expect(code).toBe(2);
    expect(stdout).toContain('- testCase.shop/gateway#2 "theirs" (id 2; unmanaged)');
    expect(stdout).toContain('- testCase.shop/scenario#1 "by hand" (id 1; unmanaged)');
    expect(stdout).toContain("Plan: 0 to create, 0 to update, 2 to delete");
    const unasked = await run("apply");
    expect([unasked.code, await left()]).toEqual([1, ["g", "theirs", "by hand"]]);
    const applied = await run("apply", "--auto-approve");
    expect([applied.code, await left()]).toEqual([0, ["g"]]);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect((await run("state", "list")).stdout.trim().split("\n")).toHaveLength(2);
  });

  test("goes from a TypeScript project too", async () => {
    const { run, cwd } = await shared();
    const program = `import { App, Gateway, TestCase } from "loadform";
const app = new App({ project: "p", service: { url: "memory:" } });
const shop = new TestCase(app, "shop", { name: "Shop", unmanaged: "delete" });
new Gateway(shop, "g", { url: "https://ours.test" });
export default app;
`;
    writeFileSync(join(cwd, "loadform.config.ts"), program);
    expect((await run("apply", "--auto-approve")).stderr).not.toContain("error");
    expect(await left()).toEqual(["g"]);
  });

  test("is a delete with its reason in the plan's document, and in a saved plan that is applied", async () => {
    const { run, write } = await shared();
    write(saying("delete"));
    const { stdout } = await run("plan", "--json", "--out", "plan.json");
    expect(JSON.parse(stdout)).toMatchObject({
      resource_changes: [
        {
          address: "testCase.shop/gateway#2",
          type: "loadform_gateway",
          name: "theirs",
          change: { actions: ["delete"], before: { name: "theirs" }, after: null },
          action_reason: "delete_because_unmanaged",
        },
        { address: "testCase.shop/scenario#1", name: "by hand", change: { actions: ["delete"] } },
      ],
      unmanaged: [],
      summary: { delete: 2 },
    });
    write("project: p\nnothing: here\n");
    expect((await run("apply", "plan.json")).code).toBe(0);
    expect(await left()).toEqual(["g"]);
  });

  test("stays when it holds history, until --allow-destroy names it by its live address", async () => {
    const { run, write } = await shared();
    write(saying("delete"));
    await service.call("POST", "/gateways/2/recordings", { name: "r" });
    await service.call("PATCH", "/recordings/1/stop");
    const blocked = await run("apply", "--auto-approve");
    expect([blocked.code, await left()]).toEqual([3, ["g", "theirs", "by hand"]]);
    expect(blocked.stdout).toContain("would be lost: 1 recording");
    const [, address = ""] = /--allow-destroy '([^']+)'/.exec(blocked.stderr.replaceAll(/\s+/g, " ")) ?? [];
    expect(address).toBe("testCase.shop/gateway#2");
    expect((await run("apply", "--auto-approve", "--allow-destroy", address)).code).toBe(0);
    expect(await left()).toEqual(["g"]);
  });
});

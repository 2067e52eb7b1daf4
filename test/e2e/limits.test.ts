import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { projectFolder } from "../support/small-project.ts";

const head = 'project: shop\nservice: { url: "memory:.loadform/service.json" }\n';
const objects = `testCases:
  shop:
    scenarios: { browse: { script: "run();" } }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 40
        durationSecs: 600
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1, cloud-eu-west-1] }]
        schedules: { nightly: { scheduleType: Recurring, recurringInterval: Day, hour: 2 } }
`;
const tight = "users: { atPeak: 79 }";
const wide = "users: { atPeak: 80 }";

/** A project with limits of its own, and a file with others from outside. */
function limited(own?: string, outside?: string) {
  const cwd = projectFolder(`${head}${own === undefined ? "" : `limits: { ${own} }\n`}${objects}`);
  if (outside !== undefined) writeFileSync(join(cwd, "limits.yaml"), outside);
  const env = outside === undefined ? {} : { LOADFORM_LIMITS: "limits.yaml" };
  const run = (...args: readonly string[]) => runCli(args, { cwd, env });
  return { cwd, run };
}

const found = (text: string) => [...text.matchAll(/^(?:error|warning) (LF\d+)/gm)].map(([, code]) => code);

describe("a limit", () => {
  test.each([
    ["of the project", limited(tight)],
    ["of $LOADFORM_LIMITS", limited(undefined, tight)],
    ["of $LOADFORM_LIMITS, whatever the project's own only warn about", limited(`${tight}, enforce: warn`, tight)],
  ])("%s holds validate, plan and apply with exit 3, and nothing is written", async (_, { run }) => {
    for (const args of [
      ["validate"],
      ["plan"],
      ["plan", "--target", "testCase.shop/scenario.*"],
      ["apply", "--auto-approve"],
    ]) {
      const { code, stderr } = await run(...args);
      expect([args[0], code, found(stderr)]).toEqual([args[0], 3, ["LF4009"]]);
      expect(stderr).toContain("80 users at peak, above the limit of 79");
    }
    expect((await run("state", "list")).stdout).not.toContain("testCase");
  });

  test("that is as much as is declared allows it, and destroy is not held", async () => {
    const { cwd, run } = limited(wide);
    expect((await run("validate")).code).toBe(0);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    writeFileSync(join(cwd, "loadform.yaml"), `${head}limits: { ${tight} }\n${objects}`);
    expect((await run("plan")).code).toBe(3);
    expect((await run("apply", "--auto-approve")).code).toBe(3);
    expect((await run("drift")).code).toBe(0);
    expect((await run("destroy", "--auto-approve")).code).toBe(0);
  });

  test("that enforces by a warning stops nothing", async () => {
    const { run } = limited(`${tight}, enforce: warn`);
    for (const args of [["validate"], ["plan"], ["apply", "--auto-approve"]]) {
      const { code, stderr } = await run(...args);
      expect([args[0], code, found(stderr)]).toEqual([args[0], 0, ["LF4009"]]);
    }
  });

  test("is found again where nothing else has changed", async () => {
    const { run } = limited(`${tight}, enforce: warn`);
    await run("apply", "--auto-approve");
    for (const round of [1, 2, 3]) expect([round, found((await run("plan")).stderr)]).toEqual([round, ["LF4009"]]);
  });

  test("says in JSON what it found, and is no part of the digest", async () => {
    const { run } = limited(tight);
    const validated = JSON.parse((await run("validate", "--json")).stdout);
    expect(validated).toMatchObject({ valid: false, diagnostics: [{ code: "LF4009", severity: "error", line: 13 }] });
    const planned = JSON.parse((await run("plan", "--json")).stdout);
    expect(planned.diagnostics).toMatchObject([{ code: "LF4009", file: "loadform.yaml" }]);
    const free = JSON.parse((await limited().run("plan", "--json")).stdout);
    expect([planned.digest, free.diagnostics]).toEqual([free.digest, []]);
  });
});

describe("$LOADFORM_LIMITS", () => {
  test.each([
    ["a file that is not there", "limits: {}", "elsewhere.yaml", "LF1002"],
    ["an unknown key", "user: { atPeak: 1 }", "limits.yaml", "LF1101"],
    ["a wrong type", "users: { atPeak: one }", "limits.yaml", "LF1102"],
    ["enforce", "enforce: warn", "limits.yaml", "LF1101"],
  ])("with %s is exit 1 everywhere", async (_, text, file, code) => {
    const { cwd } = limited(undefined, text);
    for (const args of [["validate"], ["plan"], ["apply", "--auto-approve"]]) {
      const { code: exit, stderr } = await runCli(args, { cwd, env: { LOADFORM_LIMITS: file } });
      expect([args[0], exit, found(stderr)]).toEqual([args[0], 1, [code]]);
    }
  });

  test("does not hide what is wrong with the project", async () => {
    const { cwd, run } = limited(undefined, tight);
    writeFileSync(join(cwd, "loadform.yaml"), `${head}${objects.replace("durationSecs: 600", "durationSecs: x")}`);
    const { code, stderr } = await run("validate");
    expect([code, found(stderr)]).toEqual([1, ["LF1102"]]);
  });
});

describe("a saved plan", () => {
  test("is held by the limits of where it is applied", async () => {
    const { cwd, run } = limited();
    expect((await run("plan", "--out", "p.json")).code).toBe(0);
    writeFileSync(join(cwd, "limits.yaml"), tight);
    const applied = await runCli(["apply", "p.json"], { cwd, env: { LOADFORM_LIMITS: "limits.yaml" } });
    expect([applied.code, found(applied.stderr)]).toEqual([3, ["LF4009"]]);
    expect(applied.stderr).toContain("testCase.shop/configuration.smoke/schedule.nightly: 80 users");
    writeFileSync(join(cwd, "limits.yaml"), "users: [");
    expect((await runCli(["apply", "p.json"], { cwd, env: { LOADFORM_LIMITS: "limits.yaml" } })).code).toBe(1);
    expect((await run("apply", "p.json")).code).toBe(0);
    writeFileSync(join(cwd, "limits.yaml"), tight);
    await run("plan", "--out", "empty.json");
    const empty = await runCli(["apply", "empty.json"], { cwd, env: { LOADFORM_LIMITS: "limits.yaml" } });
    expect(empty.code).toBe(3);
  });

  test("that the project's own limits block is shown with them, and is not applied", async () => {
    const { run } = limited(tight);
    const planned = await run("plan", "--out", "p.json");
    expect([planned.code, planned.stderr]).toEqual([3, expect.stringContaining("no flag overrides every guard")]);
    const shown = await run("show", "p.json");
    expect([shown.code, found(shown.stderr)]).toEqual([0, ["LF4009"]]);
    const applied = await run("apply", "p.json");
    expect([applied.code, found(applied.stderr), applied.stderr]).toEqual([
      3,
      ["LF4009"],
      expect.stringContaining("Blocked: nothing was written."),
    ]);
  });

  test("of a destroy is not held", async () => {
    const { cwd, run } = limited(wide);
    await run("apply", "--auto-approve");
    expect((await run("plan", "--destroy", "--out", "p.json")).code).toBe(0);
    writeFileSync(join(cwd, "limits.yaml"), tight);
    expect((await runCli(["apply", "p.json"], { cwd, env: { LOADFORM_LIMITS: "limits.yaml" } })).code).toBe(0);
  });

  test("by --digest is held too", async () => {
    const { cwd, run } = limited();
    const { digest } = JSON.parse((await run("plan", "--json")).stdout) as { digest: string };
    writeFileSync(join(cwd, "limits.yaml"), tight);
    const applied = await runCli(["apply", "--digest", digest], { cwd, env: { LOADFORM_LIMITS: "limits.yaml" } });
    expect([applied.code, found(applied.stderr)]).toEqual([3, ["LF4009"]]);
    expect((await run("apply", "--digest", digest)).code).toBe(0);
  });

  test("contains no figure that comes from the environment, and says so where it would have to be compared", async () => {
    const { cwd } = limited(tight.replace("79", "9000"));
    const text = readFileSync(join(cwd, "loadform.yaml"), "utf8");
    writeFileSync(join(cwd, "loadform.yaml"), text.replace("Clients: 40", 'Clients: "${env:USERS}"'));
    const env = { USERS: "4217" };
    expect((await runCli(["plan", "--out", "p.json"], { cwd, env })).code).toBe(0);
    expect(readFileSync(join(cwd, "p.json"), "utf8")).not.toMatch(/4217|8434/);
    const applied = await runCli(["apply", "p.json"], { cwd, env });
    expect([applied.code, applied.stderr]).toEqual([3, expect.stringContaining("cannot be checked")]);
    expect((await runCli(["apply", "--auto-approve"], { cwd, env })).code).toBe(0);
  });
});

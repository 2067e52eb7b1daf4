import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appliedProject as applied, load, main } from "../support/applied-project.ts";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

describe("drift --accept", () => {
  const service = sharedService();
  const appliedProject = (text = load) => applied(service, text);
  const describeCase = (description: string) =>
    service.call("POST", "/test-cases", { name: "checkout", org: 1, description });

  it("changes the one value in its file and nothing else; then there is no drift and nothing to apply", async () => {
    const project = await appliedProject();
    await describeCase('By hand: "x" # y');
    const { code, stdout } = await project.run("drift", "--accept", "testCase.checkout");
    expect(stdout).toContain("  ~ testCase.checkout description in load/a.yaml\n");
    expect(stdout).toContain("  ! other environments read the same files (staging): plan them, too\n");
    expect([code, project.read()]).toEqual([0, load.replace("Buying path   #", `'By hand: "x" # y'   #`)]);
    expect(project.read("loadform.yaml")).toBe(main);
    expect((await project.run("drift")).code).toBe(0);
    const plan = await project.run("plan", "--detailed-exitcode");
    expect([plan.code, plan.stdout]).toEqual([
      0,
      expect.stringMatching(/ ~ description: .* {2}\(already declared\)\n/),
    ]);
    // The next apply remembers it, with nothing to do.
    await project.run("apply", "--auto-approve");
    expect((await project.run("plan")).stdout).not.toContain("Changed outside");
  });

  it("is put back without a word of what lies below, unless that would change too", async () => {
    const project = await appliedProject();
    await describeCase("x");
    await project.edit("long", { durationSecs: 601 });
    const back = ["--target", "testCase.checkout", "--target", "testCase.checkout/configuration.long"];
    const both = await project.run("plan", ...back);
    expect([both.code, both.stderr]).toEqual([0, ""]);
    const narrow = await project.run("apply", "--auto-approve", "--target", "testCase.checkout");
    expect([narrow.code, narrow.stderr.replace(/\s+/g, " ")]).toEqual([
      0,
      expect.stringContaining("not the object below that would change, too"),
    ]);
    expect((await project.run("plan", "--target", "testCase.checkout")).stderr).toContain("LF3007");
    expect((await project.run("apply", "--auto-approve", "--target", "**/configuration.long")).code).toBe(0);
    await describeCase("y");
    const alone = await project.run("apply", "--auto-approve", "--target", "testCase.checkout");
    expect([alone.code, alone.stderr]).toEqual([0, expect.not.stringContaining("LF3007")]);
  });

  it("overrides what comes from a merge key or from defaults in the object", async () => {
    const project = await appliedProject();
    await project.edit("peak", { durationSecs: 75, iterationSleepSecs: 6 });
    await project.edit("long", { iterationSleepSecs: 9 });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect(project.read()).toBe(
      load
        .replace(
          "        concurrentClients: 100\n",
          "        concurrentClients: 100\n        durationSecs: 75\n        iterationSleepSecs: 6\n",
        )
        .replace("concurrentClients: 7 }", "concurrentClients: 7, iterationSleepSecs: 9 }"),
    );
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("lets others keep what they share with a value that is accepted", async () => {
    const project = await appliedProject();
    await project.edit("smoke", { durationSecs: 61 });
    const { code, stdout } = await project.run("drift", "--accept", "**");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("  = testCase.checkout/configuration.peak durationSecs"),
    ]);
    expect(project.read()).toBe(
      load
        .replace("durationSecs: 60   #", "durationSecs: 61   #")
        .replace("        concurrentClients: 100\n", "        concurrentClients: 100\n        durationSecs: 60\n"),
    );
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("writes nothing when somebody else would change too who cannot keep it", async () => {
    const text = load
      .replace("        scenario: browse\n", "        scenario: browse\n        rampupSecs: 7\n")
      .replace("durationSecs: 60 ", 'durationSecs: "${var:users}0" ');
    const project = await appliedProject(text);
    await project.edit("smoke", { durationSecs: null, iterations: 3 });
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/LF\d+/)]);
    expect(project.read()).toBe(text);
  });

  it("refuses what comes from a variable, the environment or an environment's patch, and says where", async () => {
    const project = await appliedProject();
    await project.edit("smoke", { concurrentClients: 21, scriptParams: JSON.stringify({ region: "us-other-9" }) });
    await describeCase("x");
    const { stdout } = await project.run("drift");
    expect(stdout).toContain("  loadform drift --accept testCase.checkout\nTo keep");
    expect(stdout).not.toContain("--accept testCase.checkout/configuration.smoke");
    const smoke = "  testCase.checkout/configuration.smoke";
    expect(stdout).toContain(`${smoke} concurrentClients: change the variable users (loadform.yaml:4)\n`);
    expect(stdout).toContain(`${smoke} scriptParams: change the environment variable REGION\n`);
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, project.read()]).toEqual([1, load]);
    expect(stderr).toContain("load/a.yaml:19:28");
    expect(stderr.replace(/\s+/g, " ")).toContain("Change the variable users (loadform.yaml:4), or put back");
    expect(stderr).toContain("its value comes from ${var:users}");
    expect(stderr).toContain("its value comes from ${env:REGION}");
    expect(stderr).not.toMatch(/eu-secret-1|us-other-9/);
    // What one environment binds another one does not take over.
    expect((await project.run("state", "rm", "**")).code).toBe(0);
    const staging = await project.run("apply", "--env", "staging", "--auto-approve", "--adopt", "name");
    expect(staging.code).toBe(0);
    await describeCase("y");
    const patched = await project.run("drift", "--env", "staging", "--accept", "testCase.checkout");
    expect([patched.code, patched.stderr]).toEqual([1, expect.stringMatching(/the patch of\s+the environment/)]);
    expect(patched.stderr.replace(/\s+/g, " ")).toContain("loadform apply --env staging --target 'testCase.checkout'");
    expect(project.read("loadform.yaml")).toBe(main);
  });

  it("writes a script's text into its file to the byte, and not into one that others use", async () => {
    const project = await appliedProject();
    const text = "// é\r\nbrowse( );\n\n";
    await service.call("PUT", `/scripts/${project.idOf("scenarios", "Browse")}`, { main: text });
    expect(await project.run("drift", "--accept", "*/scenario.browse")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(" script in scripts/browse.js\n"),
    });
    expect([project.read("scripts/browse.js"), project.read()]).toEqual([text, load]);
    await service.call("PUT", `/scripts/${project.idOf("scenarios", "pay")}`, { init: "other();" });
    const shared = await project.run("drift", "--accept", "**");
    expect([shared.code, shared.stderr]).toEqual([
      1,
      expect.stringMatching(/is used by\s+testCase\.checkout\/scenario\.refund init as well/),
    ]);
    expect(project.read("scripts/init.js")).toBe("init();\n");
  });

  it("does not take a file for used by a text that only spells its path", async () => {
    const named = load.replace("Buying path", () => "as in $${file:scripts/browse.js}");
    const project = await appliedProject(named);
    await service.call("PUT", `/scripts/${project.idOf("scenarios", "Browse")}`, { main: "other();" });
    expect(await project.run("drift", "--accept", "*/scenario.browse")).toMatchObject({ code: 0, stderr: "" });
    expect([project.read("scripts/browse.js"), project.read()]).toEqual(["other();", named]);
  });

  it("clears what vanished at the service", async () => {
    const project = await appliedProject();
    await service.call("PUT", `/scripts/${project.idOf("scenarios", "pay")}`, { init: null });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0 });
    expect(project.read()).toBe(load.replace("        init: ${file:../scripts/init.js}\n", "        init: null\n"));
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("takes out what was deleted outside, with its comment", async () => {
    const project = await appliedProject();
    await service.call("DELETE", `/gateways/${project.idOf("gateways", "shop")}`);
    const { code, stdout } = await project.run("drift", "--accept", "testCase.checkout/gateway.shop");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("- testCase.checkout/gateway.shop removed from load/a.yaml"),
    ]);
    const [before = ""] = load.split("    # records traffic");
    expect(project.read()).toBe(`${before}    configurations:${load.split("    configurations:")[1]}`);
    expect((await project.run("drift")).code).toBe(0);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("refuses to take out what something else still needs", async () => {
    const text = load
      .replace("      refund:", "      lone: { script: x }\n      refund:")
      .replace("scenario: browse", "scenario: lone");
    const project = await appliedProject(text);
    for (const name of ["smoke", "peak", "long"])
      await service.call("DELETE", `/test-confs/${project.idOf("configurations", name)}`);
    await service.call("DELETE", `/scripts/${project.idOf("scenarios", "lone")}`);
    const one = await project.run("drift", "--accept", "*/scenario.lone");
    expect([one.code, one.stderr, project.read()]).toEqual([1, expect.stringContaining("LF1301"), text]);
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0 });
    expect(project.read()).not.toMatch(/configurations|lone/);
  });

  it("keeps the line ends of another system", async () => {
    const crlf = load.replaceAll("\n", "\r\n");
    const project = await appliedProject(crlf);
    await describeCase("one\ntwo\n");
    expect((await project.run("drift", "--accept", "testCase.*")).code).toBe(0);
    expect(project.read()).toBe(
      crlf.replace("Buying path   # for people\r\n", "|   # for people\r\n      one\r\n      two\r\n"),
    );
  });

  it("is exit 2 while other drift remains, and says it as JSON", async () => {
    const project = await appliedProject();
    await describeCase("x");
    await project.edit("long", { durationSecs: 601 });
    const { code, stdout } = await project.run("drift", "--json", "--accept", "testCase.checkout");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      accepted: { fields: [{ address: "testCase.checkout", field: "description", file: "load/a.yaml" }], removed: [] },
      resource_drift: [{ address: "testCase.checkout/configuration.long" }],
      diagnostics: [],
    });
  });

  it("takes a new variant over with the fields that it needs, and leaves out those of the old one", async () => {
    const project = await appliedProject();
    await project.edit("long", { durationSecs: null, iterations: 12 });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("takes over what a new variant asks for beyond its own fields", async () => {
    const trigger = `[{ conditions: [{ metric: firstReceivedMs, operator: GT, threshold: 9 }], actions: [{ actionType: StopExecution }] }]`;
    const runners = "providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]";
    const text = `${load}      break: { scenario: browse, profileType: BreakingPoint, durationSecs: 60, triggers: ${trigger}, ${runners} }\n`;
    const project = await appliedProject(text);
    await project.edit("break", { profileType: "Step", concurrentClients: 40, startConcurrentClients: 4, step: 6 });
    expect(await project.run("drift", "--accept", "**")).toMatchObject({ code: 0, stderr: "" });
    const made =
      "profileType: Step, concurrentClients: 40, durationSecs: 60, startConcurrentClients: 4, step: 6, triggers";
    expect(project.read()).toContain(made);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  it("leaves what was added outside alone when a glob means more than that, and says what to do about it alone", async () => {
    const text = load.replace("    scenarios:", "    unmanaged: delete\n    scenarios:");
    const project = await appliedProject(text);
    await project.edit("long", { durationSecs: 601 });
    await service.call("POST", "/test-cases/1/gateways", { name: "theirs", url: "https://theirs.example.com" });
    const { code, stdout } = await project.run("drift", "--accept", "**");
    expect([code, stdout]).toEqual([2, expect.stringContaining("(added outside, not declared)")]);
    expect(project.read()).toBe(text.replace("durationSecs: 600", "durationSecs: 601"));
    const alone = await project.run("drift", "--accept", "**");
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringMatching(/LF3016[\s\S]*loadform\s+import/)]);
  });

  it("adds to a list whose items stand far behind their dashes", async () => {
    const wide =
      "testCases:\n  checkout:\n    scenarios:\n      s:\n        script: s();\n        tags:\n        -   a\n";
    const project = await appliedProject(wide);
    await service.call("PUT", `/scripts/${project.idOf("scenarios", "s")}`, { tags: ["a", "b"] });
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr, project.read()]).toEqual([0, "", `${wide}        - b\n`]);
  });

  it("blames no line of its own making when it cannot write what a file leaves out", async () => {
    const bare = "testCases:\n  ? checkout\n";
    const project = await appliedProject(bare);
    await service.call("PUT", "/test-cases/1", { name: "Other" });
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr, project.read()]).toEqual([1, expect.stringContaining("error LF3017"), bare]);
    expect(stderr).not.toContain("LF1003");
  });

  it("asks what is meant when nothing that drifted matches", async () => {
    const project = await appliedProject();
    await describeCase("x");
    const { code, stderr } = await project.run("drift", "--accept", "testCase.chekout");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Did you\s+mean\s+testCase\.checkout\?/)]);
  });

  it("shows a program's author what to change", async () => {
    const project = servedProject(service, "project: unused\n");
    const entry = new URL("../fixtures/typescript/loadform-entry.ts", import.meta.url).pathname;
    writeFileSync(
      join(project.cwd, "loadform.config.ts"),
      `import { App, Scenario, TestCase } from ${JSON.stringify(entry)};\nconst app = new App({ project: "p" });\nconst test = new TestCase(app, "checkout", { description: "was" });\nnew Scenario(test, "buy", { script: "a()", teardown: "b()", paramsConfig: [{ name: "x" }] });\nexport default app;\n`,
    );
    expect((await project.run("apply", "--auto-approve")).stderr).not.toContain("LF");
    await describeCase("${var:q}");
    const { body } = await service.call("GET", "/test-cases?down=true");
    const [{ id = 0 } = {}] = (body as { scenarios: { id: number }[] }[]).flatMap(({ scenarios }) => scenarios);
    const paramsConfig = [{ name: "x", required: true }];
    await service.call("PUT", `/scripts/${id}`, { teardown: null, paramsConfig });
    const { stdout } = await project.run("drift");
    expect(stdout).toContain("teardown: take it out of the program");
    expect(stdout).toContain('paramsConfig: write [{ name: "x", required: true }] in the program');
    expect(stdout).toMatch(
      /testCase\.checkout description: write "\$\$\{var:q\}" in the program \(loadform\.config\.ts:3\)\n/,
    );
    expect(stdout).not.toContain("--accept");
    const { code, stderr } = await project.run("drift", "--accept", "**");
    expect([code, stderr]).toEqual([1, expect.stringContaining('Set description to "$${var:q}".')]);
    expect(stderr).toContain("loadform.config.ts:3");
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadFiles } from "../support/load-files.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";

const service = sharedService();

/** Every field with a type of its own, from the environment. */
const project = (url: string) => `project: p
service: { url: "${url}" }
testCases:
  t:
    scenarios:
      s:
        script: x
        language: "\${env:LANGUAGE}"
        nodeVersion: "\${env:NODE}"
        paramsConfig: [{ name: a, required: "\${env:REQUIRED}" }]
    configurations:
      c:
        scenario: s
        scriptParams: { a: b }
        profileType: "\${env:PROFILE}"
        concurrentClients: "\${env:CLIENTS}"
        startConcurrentClients: 1
        step: "\${env:STEP}"
        durationSecs: "\${env:SECS}"
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1], weight: "\${env:WEIGHT}" }]
        triggers:
          - conditions: [{ metric: m, operator: "\${env:OPERATOR}", threshold: "\${env:THRESHOLD}", isPercentage: "\${env:SHARE}" }]
            actions: [{ actionType: StopExecution }]
        schedules:
          daily:
            scheduleType: "\${env:TYPE}"
            recurringInterval: "\${env:INTERVAL}"
            hour: "\${env:HOUR}"
            minute: "\${env:MINUTE}"
            active: "\${env:ACTIVE}"
            exclusions: [{ recurringInterval: Day, startHour: "\${env:FROM}", endHour: 9 }]
          weekly: { scheduleType: Recurring, recurringInterval: Week, dayOfWeek: "\${env:WEEKDAY}", week: 2 }
          monthly: { scheduleType: Recurring, recurringInterval: Month, day: "\${env:DAY}", month: "\${env:MONTH}" }
          once: { scheduleType: Single, nextScheduled: "\${env:MOMENT}" }
vcsRoots:
  v: { url: "https://git.example.com/a.git", vcsAuthType: "\${env:AUTH}" }
`;

const good = {
  LANGUAGE: "typescript",
  NODE: "22",
  REQUIRED: "true",
  PROFILE: "Step",
  CLIENTS: "7",
  STEP: "2",
  SECS: "613",
  WEIGHT: "1",
  OPERATOR: "GTE",
  THRESHOLD: "0.25",
  SHARE: "true",
  TYPE: "Recurring",
  INTERVAL: "Day",
  HOUR: "5",
  MINUTE: "47",
  ACTIVE: "false",
  FROM: "7",
  WEEKDAY: "3",
  DAY: "28",
  MONTH: "4",
  MOMENT: "2031-04-05T06:07:08Z",
  AUTH: "None",
};

function folder(url = "memory:.loadform/service.json") {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), project(url));
  return (args: readonly string[], env: Readonly<Record<string, string>>) => runCli([...args], { cwd, env });
}

describe("typed fields from the environment", () => {
  it("are planned, applied and found as applied, with every change of one of them masked", async () => {
    const run = folder();
    for (const args of [["validate"], ["plan"], ["plan", "--markdown", "p.md", "--json"], ["apply", "--auto-approve"]])
      expect(await run(args, good)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("LF") });
    expect((await run(["plan"], good)).stdout).toMatch(/^No changes/);
    for (const [name, value] of Object.entries({
      HOUR: "6",
      ACTIVE: "true",
      INTERVAL: "WeekDay",
      MOMENT: "2032-01-01",
      OPERATOR: "LT",
      NODE: "18",
      DAY: "3",
    })) {
      const changed = { ...good, [name]: value };
      const { code, stdout } = await run(["plan"], changed);
      expect([name, code, stdout]).toEqual([name, 0, expect.stringContaining("(secret changed)")]);
      expect(stdout).not.toMatch(/next runs|load:/);
    }
    const changed = { ...good, INTERVAL: "WeekDay", HOUR: "6", ACTIVE: "true" };
    expect(await run(["plan", "--out", "plan.json", "--force-threshold"], changed)).toMatchObject({ code: 0 });
    expect(await run(["apply", "plan.json"], changed)).toMatchObject({ code: 0 });
    expect((await run(["plan"], changed)).stdout).toMatch(/^No changes/);
    expect(await run(["destroy", "--auto-approve", "--force-threshold"], changed)).toMatchObject({ code: 0 });
  });

  it.each([
    ["HOUR", "77", "hour"],
    ["HOUR", "-33", "hour"],
    ["HOUR", "1e300", "hour"],
    ["HOUR", "five5", "hour"],
    ["HOUR", "5.25", "hour"],
    ["MINUTE", "88", "minute"],
    ["WEEKDAY", "19", "dayOfWeek"],
    ["DAY", "66", "day"],
    ["FROM", "44", "startHour"],
    ["MOMENT", "mañana", "nextScheduled"],
    ["MOMENT", "2031-02-30", "nextScheduled"],
    ["TYPE", "Oncely", "scheduleType"],
    ["INTERVAL", "Yearly", "recurringInterval"],
    ["ACTIVE", "maybe", "active"],
    ["REQUIRED", "perhaps", "required"],
    ["PROFILE", "Flatly", "profileType"],
    ["CLIENTS", "many-many", "concurrentClients"],
    ["CLIENTS", "-55", "concurrentClients"],
    ["STEP", "0.125", "step"],
    ["SECS", "Infinity", "durationSecs"],
    ["WEIGHT", "heavy-weight", "weight"],
    ["THRESHOLD", "high-high", "threshold"],
    ["SHARE", "perhaps", "isPercentage"],
    ["LANGUAGE", "cobol", "language"],
    ["AUTH", "Nobody", "vcsAuthType"],
  ])("%s=%s is refused at its place and without its value", async (name, value, field) => {
    const { diagnostics } = await loadFiles(project("memory:"), { env: { ...good, [name]: value } });
    const line =
      project("memory:")
        .split("\n")
        .findIndex((each) => each.includes(`\${env:${name}}`)) + 1;
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        severity: "error",
        file: "loadform.yaml",
        line,
        summary: expect.stringContaining(field),
      }),
    );
    for (const { summary, detail } of diagnostics)
      expect(summary + detail).not.toMatch(new RegExp(`(?<![\\w.:-])${value.replaceAll(".", "\\.")}(?![\\w:])`));
  });

  it("choose a variant that takes the place of another one", async () => {
    const cwd = freshFolder();
    const run = (fields: string, PROFILE: string, ...args: readonly string[]) => {
      const head = 'project: p\nservice: { url: "memory:.loadform/service.json" }\n';
      const rest =
        "concurrentClients: 8, durationSecs: 60, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]";
      const configuration = `{ scenario: s, profileType: "\${env:PROFILE}", ${fields}, ${rest} }`;
      const text = `${head}testCases: { t: { scenarios: { s: { script: x } }, configurations: { c: ${configuration} } } }\n`;
      writeFileSync(join(cwd, "loadform.yaml"), text);
      return runCli([...args], { cwd, env: { PROFILE } });
    };
    const step = ["step: 2, startConcurrentClients: 1", "Step"] as const;
    const flat = ["rampupSecs: 30", "Flat"] as const;
    expect(await run(...step, "apply", "--auto-approve")).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining("error"),
    });
    const { code, stdout, stderr } = await run(...flat, "apply", "--auto-approve");
    expect([code, stderr, stdout]).toEqual([
      0,
      expect.not.stringContaining("error"),
      expect.stringMatching(/- +step: +2/),
    ]);
    expect((await run(...flat, "plan")).stdout).toMatch(/^No changes/);
  });

  it("are checked by every command as soon as they are known", async () => {
    const run = folder();
    for (const [env, code] of [
      [{ ...good, HOUR: "77" }, "LF1201"],
      [{ ...good, MOMENT: "2001-02-03T00:00:00Z" }, "LF3008"],
    ] as const)
      for (const args of [["validate"], ["plan"], ["apply", "--auto-approve"]]) {
        if (code === "LF3008" && args[0] === "validate") continue;
        const { code: exit, stderr } = await run(args, env);
        expect({ args, exit, stderr }).toEqual({ args, exit: 1, stderr: expect.stringContaining(`error ${code}`) });
        expect(stderr).toMatch(/loadform\.yaml:\d+:\d+/);
        expect(stderr).not.toMatch(/\b77\b|2001|LF9002/);
      }
  });

  it.each(["77", "1e300", "5"])(
    "HOUR=%s against a live service, whose limits are not stated, is no defect",
    async (hour) => {
      const run = folder(service.ready.url);
      const env = { ...good, HOUR: hour, MINUTE: "1e20", MOMENT: "mañana", LOADFORM_API_KEY: service.ready.apiKey };
      for (const args of [["validate"], ["plan", "--json", "--markdown", "plan.md"]])
        expect((await run(args, env)).stderr).not.toContain("LF9002");
    },
  );
});

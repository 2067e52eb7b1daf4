import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freshFolder, runProcess } from "../support/run-cli.ts";

const text = `project: zones
service: { url: "memory:service.json" }
testCases:
  checkout:
    scenarios: { browse: { script: "run();" } }
    configurations:
      smoke:
        scenario: browse
        concurrentClients: 1
        durationSecs: 60
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
        schedules: { once: { scheduleType: Single, nextScheduled: "2099-01-15T08:00" } }
`;

describe("a time without a zone", () => {
  test("is UTC on every machine: for the plan, the service, and the next plan elsewhere", async () => {
    const cwd = freshFolder();
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    writeFileSync(join(cwd, "loadform.yaml"), text);
    const run = (TZ: string, ...args: string[]) => runProcess(args, { cwd, env: { TZ } });
    const planned = await run("America/New_York", "plan", "--json");
    expect(planned.stdout.replaceAll(/\s/g, "")).toContain('"nextScheduled":"2099-01-15T08:00:00.000Z"');
    expect((await run("America/New_York", "apply", "--auto-approve")).code).toBe(0);
    expect((await run("Asia/Tokyo", "plan", "--detailed-exitcode")).code).toBe(0);
    const later = await run("Asia/Tokyo", "report", "--since", "2099-01-15T08:00:00");
    expect([later.code, later.stderr]).toEqual([1, expect.stringContaining("since 2099-01-15T08:00:00.000Z")]);
  });
});

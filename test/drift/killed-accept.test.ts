import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sampleOf } from "../support/deep.ts";
import { type RunningService, servedProject, startService } from "../support/served-project.ts";

const count = 30;
const keys = Array.from({ length: count }, (_, index) => `case-${index}`);

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop("SIGKILL"));
beforeEach(async () => {
  await service.call("POST", "/_loadform/reset");
});

/** A project of many files in each of which something drifted. */
async function driftedProject() {
  const project = servedProject(service, 'project: many\ninclude: ["load/*.yaml"]\n');
  mkdirSync(join(project.cwd, "load"));
  for (const key of keys)
    writeFileSync(join(project.cwd, `load/${key}.yaml`), `testCases: { ${key}: { description: was } } # kept\n`);
  expect((await project.run("apply", "--auto-approve")).code).toBe(0);
  for (const name of keys) await service.call("POST", "/test-cases", { name, org: 1, description: "is" });
  const accepted = () => keys.filter((key) => textOf(key).includes("description: is")).length;
  const textOf = (key: string) => readFileSync(join(project.cwd, `load/${key}.yaml`), "utf8");
  return { ...project, accepted, isWriting: () => existsSync(join(project.cwd, ".loadform/writing.json")) };
}

type Drifted = Awaited<ReturnType<typeof driftedProject>>;

async function signalled(project: Drifted, signal: NodeJS.Signals, isReached: () => boolean) {
  const child = await project.start("drift", "--accept", "**");
  const closed = once(child, "close") as Promise<[number | null]>;
  while (child.exitCode === null && !isReached()) await setImmediate();
  child.kill(signal);
  return (await closed)[0];
}

const moments = {
  "the first file is written": ({ accepted }: Drifted) => accepted() >= 1,
  "half of the files are written": ({ accepted }: Drifted) => accepted() >= count / 2,
};

describe("an acceptance that is killed", () => {
  test.each(sampleOf(Object.entries(moments), 1))(
    "when %s wrote nothing, or all of it once the next command ran",
    async (_title, isReached) => {
      const project = await driftedProject();
      await signalled(project, "SIGKILL", () => isReached(project));
      const written = project.accepted();
      const next = await project.run("validate");
      expect(next.code).toBe(0);
      if (written > 0 && written < count) expect(next.stderr).toContain("LF1009");
      expect([0, count]).toContain(project.accepted());
      expect(project.isWriting()).toBe(false);
      const { code, stdout } = await project.run("drift", "--json");
      const drifted = (JSON.parse(stdout) as { resource_drift: unknown[] }).resource_drift.length;
      expect([code, drifted]).toEqual(project.accepted() === count ? [0, 0] : [2, count]);
    },
  );

  test("is ended by an import and by fmt too, and said", async () => {
    for (const command of [["fmt"], ["import", "--all"]]) {
      const project = await driftedProject();
      leaveHalf(project);
      const { code, stderr } = await project.run(...command);
      expect([code, stderr]).toEqual([0, expect.stringContaining("LF1009")]);
      expect(project.accepted()).toBe(count);
      await service.call("POST", "/_loadform/reset");
    }
  });

  test("is left to its author once a file of it was edited: nothing is planned until then", async () => {
    const project = await driftedProject();
    leaveHalf(project);
    writeFileSync(join(project.cwd, "load/case-3.yaml"), "testCases: { case-3: { description: mine } }\n");
    const { code, stderr } = await project.run("plan");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/LF1009[\s\S]*\.loadform\/writing\.json/)]);
    expect(project.accepted()).toBe(1);
  });
});

/** What a kill after the first file leaves. */
function leaveHalf({ cwd }: Drifted): void {
  const files = keys.map((key) => {
    const before = readFileSync(join(cwd, `load/${key}.yaml`));
    const after = before.toString("utf8").replace("description: was", "description: is");
    return {
      path: `load/${key}.yaml`,
      before: before.toString("base64"),
      after: Buffer.from(after).toString("base64"),
    };
  });
  writeFileSync(join(cwd, ".loadform/writing.json"), JSON.stringify({ format: "loadform-writing/1", files }));
  writeFileSync(join(cwd, "load/case-0.yaml"), Buffer.from(files[0]?.after ?? "", "base64"));
}

describe("an acceptance that is interrupted", () => {
  test("while it writes ends by itself: all of it is written", async () => {
    const project = await driftedProject();
    const code = await signalled(project, "SIGINT", () => project.accepted() >= 1);
    expect([code, project.accepted(), project.isWriting()]).toEqual([0, count, false]);
  });
});

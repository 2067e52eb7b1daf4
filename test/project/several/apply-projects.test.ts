import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { applyProjects } from "../../../src/project/several/apply-projects.ts";
import type { PlannedProject } from "../../../src/project/several/plan-projects.ts";
import { processSystem, type System } from "../../../src/project/system.ts";
import { createService } from "../../../src/service/index.ts";
import { folderOf, namedProject } from "../../support/small-project.ts";

const service = createService();
let url = "";
beforeAll(async () => {
  url = (await service.listen()).url;
});
afterAll(() => service.close());

/** A mark among what the first rehearsal found: whatever rehearses again does not find it. */
const mark: Diagnostic = { severity: "warning", code: "LF3020", summary: "a mark", detail: "found by the first" };

async function applyBoth(cwd: string, meanwhile: () => Promise<unknown> = async () => undefined) {
  const system: System = { ...processSystem("test"), cwd, env: { ...process.env, LOADFORM_API_KEY: service.apiKey } };
  const flags = { vars: {}, autoApprove: true, failFast: false, lockTimeoutSecs: 0, rehearsal: true };
  const review = async (projects: readonly PlannedProject[]) => {
    for (const { outcome } of projects) {
      expect(outcome.rehearsed).toBe(true);
      (outcome.diagnostics as Diagnostic[]).push(mark);
    }
    await meanwhile();
    return true;
  };
  const begin = () => ({ show: () => undefined, emit: () => undefined });
  const ui = { review, begin, end: () => undefined, signal: new AbortController().signal };
  const result = await applyProjects(
    ["a", "b"].map((name) => join(cwd, name)),
    flags,
    { system, ui },
  );
  const projects = result.is === "applied" ? result.projects : [];
  return projects.map((each) => {
    const ended = "ended" in each ? each.ended : undefined;
    const isMarked = ended?.diagnostics.some(({ detail }) => detail === mark.detail);
    return [ended?.status, ended?.plan?.rehearsed, isMarked ? "rehearsed once" : "rehearsed again"];
  });
}

test("each of several projects is rehearsed once, and again where its plan is another one under the lock", async () => {
  await service.reset();
  const files = ["a", "b"].map((name) => [`${name}/loadform.yaml`, namedProject(name, url)]);
  const cwd = folderOf(Object.fromEntries(files));
  expect(await applyBoth(cwd)).toEqual([
    ["applied", true, "rehearsed once"],
    ["applied", true, "rehearsed once"],
  ]);
  for (const name of ["a", "b"])
    writeFileSync(
      join(cwd, name, "loadform.yaml"),
      namedProject(name, url).replace("    scen", "    description: new\n    scen"),
    );
  const headers = { "x-api-key": service.apiKey };
  const edit = { name: "b", org: 1, description: "edited outside" };
  const outside = () => service.handle({ method: "POST", path: "/test-cases", headers, body: edit });
  expect(await applyBoth(cwd, outside)).toEqual([
    ["applied", true, "rehearsed once"],
    ["applied", true, "rehearsed again"],
  ]);
});

test("a project whose reading was given up after a signal is interrupted, not failed", async () => {
  const cwd = folderOf({ "a/loadform.yaml": namedProject("a", url) });
  const env = { ...process.env, LOADFORM_API_KEY: service.apiKey };
  const signal = AbortSignal.abort();
  const flags = { vars: {}, autoApprove: true, failFast: false, lockTimeoutSecs: 0, rehearsal: true };
  const began: string[] = [];
  const begin = ({ dir }: PlannedProject) => {
    began.push(dir);
    return { show: () => undefined, emit: () => undefined };
  };
  const ui = { review: async () => true, begin, end: () => undefined, signal };
  const result = await applyProjects([join(cwd, "a")], flags, {
    system: { ...processSystem("test"), cwd, env, givenUp: signal },
    ui,
  });
  expect(result).toMatchObject({ projects: [{ became: "interrupted" }] });
  expect(began).toEqual([]);
});

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyProject } from "../../../src/project/apply-project.ts";
import { planProjects } from "../../../src/project/several/plan-projects.ts";
import { processSystem } from "../../../src/project/system.ts";
import { folderOf, namedProject } from "../../support/small-project.ts";

/** A project whose scenario has a tag that others declare, too: a tag belongs to nobody. */
const tagged = (name: string) =>
  namedProject(name, "memory:../service.json", "tags: { shared: {} }\n").replace(
    '"run();"',
    '"run();", tags: [shared]',
  );

test("Two projects that would create one object are refused before one of them does", async () => {
  const service = "memory:../service.json";
  const cwd = folderOf({
    "a/loadform.yaml": namedProject("a", service),
    "b/loadform.yaml": namedProject("b", service),
    "c/loadform.yaml": namedProject("c", "memory:"),
  });
  for (const name of ["a", "b", "c"]) {
    const path = join(cwd, name, "loadform.yaml");
    writeFileSync(path, `${readFileSync(path, "utf8")}tags: { nightly: {} }\n`.replace(/^ {2}[abc]:/m, "  shop:"));
  }
  const system = { ...processSystem("test", { program: "this build" }), env: {}, cwd };
  const planned = await planProjects(["a", "b", "c"], { vars: {} }, system);
  const projects = planned.is === "planned" ? planned.projects : [];
  expect(projects.map(({ outcome }) => outcome.diagnostics.map(({ code, summary }) => `${code} ${summary}`))).toEqual([
    ["LF5010 a creates the same object as b"],
    ["LF5010 b creates the same object as a"],
    [],
  ]);
});

test("Two projects may have a region of one name each in a grid of its own", async () => {
  const grid = (name: string) =>
    `project: ${name}\nservice: { url: "memory:../service.json" }\nproviders: { g: { name: Grid ${name}, providerType: Shared } }\nregions: { r: { name: dc-1, provider: g } }\n`;
  const cwd = folderOf({ "a/loadform.yaml": grid("a"), "b/loadform.yaml": grid("b") });
  const system = { ...processSystem("test", { program: "this build" }), env: {}, cwd };
  const planned = await planProjects(["a", "b"], { vars: {} }, system);
  expect(planned.is === "planned" && planned.projects.flatMap(({ outcome }) => outcome.diagnostics)).toEqual([]);
});

test("Projects that are known to be unchanged are compared by what their states bind", async () => {
  const cwd = folderOf({
    "a/loadform.yaml": tagged("a"),
    "c/loadform.yaml": tagged("c"),
  });
  mkdirSync(join(cwd, "cache"), { mode: 0o700 });
  const system = {
    ...processSystem("test", { program: "this build" }),
    env: { XDG_CACHE_HOME: join(cwd, "cache") },
    cwd,
  };
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const flags = { vars: {}, lockTimeoutSecs: 0, autoApprove: true };
  for (const dir of ["a", "c"]) {
    const outcome = await applyProject({ ...flags, dir }, system, { ...ui, signal: new AbortController().signal });
    expect(outcome.status).toBe("applied");
  }
  cpSync(join(cwd, "a"), join(cwd, "b"), { recursive: true });
  const plan = async (...dirs: readonly string[]) => {
    const planned = await planProjects(dirs, { vars: {}, answerOnly: true }, system);
    if (planned.is === "refused") throw new Error("refused");
    return planned.projects.map(({ outcome }) => [
      outcome.made === undefined,
      ...outcome.diagnostics.map(({ code, summary }) => `${code} ${summary}`),
    ]);
  };
  for (const dir of ["a", "b", "c"]) await plan(dir);
  expect(await plan("a", "c")).toEqual([[true], [true]]);
  expect(await plan("a", "b", "c")).toEqual([
    [true, "LF5010 a binds the same object as b"],
    [true, "LF5010 b binds the same object as a"],
    [true],
  ]);
});

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ApplyFlags, applyProject } from "../../src/project/apply-project.ts";
import { processSystem } from "../../src/project/system.ts";
import { sampleOf } from "../support/deep.ts";
import { bareRepository, plainGit } from "../support/git-server.ts";
import { freshFolder } from "../support/run-cli.ts";

const project = `project: p
service: { url: "memory:.loadform/service.json" }
environments: { dev: {} }
testCases: { t: {} }
`;

/** Applies in this process, so that the guard can be taken out. */
async function apply(cwd: string, flags: Partial<ApplyFlags>) {
  const asked = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true, ...flags };
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const { status, diagnostics } = await applyProject(
    asked,
    { ...processSystem("test"), env: plainGit, cwd },
    { ...ui, signal: new AbortController().signal },
  );
  return [status, diagnostics.map(({ code }) => code)];
}

test.each(["exact", "name"] as const)("--adopt %s takes over nothing that another environment binds", async (adopt) => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), project);
  expect(await apply(cwd, { environment: "dev" })).toEqual(["applied", []]);
  expect(await apply(cwd, { adopt })).toEqual(["failed", ["LF3001"]]);
});

test("the state of another environment that cannot be opened is a warning that names the environment", async () => {
  const cwd = freshFolder();
  const wrong = '{ backend: http, address: "not an address" }';
  writeFileSync(join(cwd, "loadform.yaml"), project.replace("dev: {}", `dev: { state: ${wrong} }`));
  expect(await apply(cwd, {})).toEqual(["applied", []]);
  rmSync(join(cwd, ".loadform/state.json"));
  expect(await apply(cwd, { adopt: "name" })).toEqual(["applied", ["LF5002"]]);
});

test("a program that needs an environment takes over nothing that another one binds, and is told what is not known", async () => {
  const cwd = freshFolder();
  const program = `import { App, TestCase } from "loadform";
const states = { staging: { state: "a/s.json" }, prod: { state: "b/s.json" } };
const app = new App({ project: "p", service: { url: "memory:.loadform/service.json" }, environments: states });
if (app.environment === undefined) throw new Error("name an environment");
new TestCase(app, "t", { name: "Shared" });
export default app;
`;
  writeFileSync(join(cwd, "loadform.config.ts"), program);
  expect(await apply(cwd, { environment: "staging" })).toEqual(["applied", []]);
  const outcome = await apply(cwd, { environment: "prod", adopt: "exact" });
  expect(new Set(outcome.flat())).toEqual(new Set(["failed", "LF5002", "LF3001"]));
});

const orders = [
  { first: { environment: "dev" }, second: {} },
  { first: {}, second: { environment: "dev" } },
];

test.each(sampleOf(orders))(
  "nor where a branch holds the states of all environments: $first, then $second",
  async ({ first, second }) => {
    const cwd = freshFolder();
    const { folder: remote, remove } = bareRepository();
    writeFileSync(join(cwd, "loadform.yaml"), `${project}state: ${JSON.stringify({ backend: "git", remote })}\n`);
    expect(await apply(cwd, first)).toEqual(["applied", []]);
    expect(await apply(cwd, { adopt: "exact", ...second })).toEqual(["failed", ["LF3001"]]);
    remove();
  },
);

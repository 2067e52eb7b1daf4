import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyProject } from "../../../src/project/apply-project.ts";
import { planProject } from "../../../src/project/plan-project.ts";
import { planProjects } from "../../../src/project/several/plan-projects.ts";
import { processSystem } from "../../../src/project/system.ts";
import { createService } from "../../../src/service/index.ts";
import { folderOf } from "../../support/small-project.ts";

const service = createService({ clock: { mode: "real" } });
let url = "";

beforeAll(async () => {
  url = (await service.listen()).url;
});
afterAll(() => service.close());

/** A project with an object of each kind that is listed by itself. */
function everyList(name: string, organization: string): string {
  return `project: ${name}
service: { url: "${url}"${organization} }
tags: { ${name}: {} }
vcsRoots: { ${name}: { url: "git@example.com:a/b.git" } }
providers: { ${name}: { providerType: Shared } }
testCases:
  ${name}:
    scenarios: { browse: { script: "run();", tags: [${name}] } }
`;
}

describe("the services of several projects", () => {
  test("list an organization once, whether projects name it by id, by name or not at all", async () => {
    const named = { a: "", b: ", organization: 1", c: ", organization: Default", d: "" };
    const dirs = Object.keys(named);
    const files = Object.entries(named).map(([name, at]) => [`${name}/loadform.yaml`, everyList(name, at)] as const);
    const cwd = folderOf(Object.fromEntries(files));
    mkdirSync(join(cwd, "cache"), { mode: 0o700 });
    const env = { LOADFORM_API_KEY: service.apiKey, XDG_CACHE_HOME: join(cwd, "cache") };
    const system = { ...processSystem("test", { program: "this build" }), env, cwd };
    // What some of them remember of a plan of their own is asked for with the same requests.
    const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
    const apply = { vars: {}, lockTimeoutSecs: 0, autoApprove: true };
    for (const dir of ["a", "b"]) {
      await applyProject({ ...apply, dir }, system, { ...ui, signal: new AbortController().signal });
      await planProject({ dir, vars: {}, answerOnly: true }, system);
    }
    const before = service.requests.length;
    const planned = await planProjects(dirs, { vars: {}, answerOnly: true }, system);
    if (planned.is === "refused") throw new Error("refused");
    expect(planned.projects.map(({ outcome }) => [outcome.plan?.summary.create, outcome.diagnostics])).toEqual(
      [0, 0, 4, 4].map((creates) => [creates, []]),
    );
    const asked = service.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const lists = ["providers", "tags", "test-cases", "vcs-roots"].map((list) => `GET /orgs/1/${list}`);
    expect(asked.filter((each) => each !== "GET /login").sort()).toEqual(lists);
  });
});

import { mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { documentOf, problemsOf } from "../../src/cli/views/show-plan.ts";
import type { Json } from "../../src/model/json.ts";
import { applyProject } from "../../src/project/apply-project.ts";
import type { PlanOutcome } from "../../src/project/plan-opened.ts";
import { planProject } from "../../src/project/plan-project.ts";
import { planProjects } from "../../src/project/several/plan-projects.ts";
import { processSystem, type System } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { check, isDeep } from "../support/deep.ts";

let service: ReturnType<typeof createService>;
let url = "";
let root = "";
let system: System = processSystem("test");

beforeAll(async () => {
  service = createService({ clock: { mode: "real" } });
  url = (await service.listen()).url;
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loadform-several-"));
});
afterAll(() => service.close());

/** One object below a test case, and whether its test case has a scenario that it needs. */
const below = fc.record({
  scenario: fc.constantFrom("run();", "", "go(1);"),
  store: fc.constantFrom(undefined, "a\n1\n", "a\n2\n"),
  gateway: fc.constantFrom(undefined, "https://a.example.com", "https://b.example.com"),
  users: fc.constantFrom(undefined, 5, 50),
  tag: fc.boolean(),
});
/** The test cases of a project before and after somebody edits it; `outside` renames one at the service. */
const project = fc.record({
  before: fc.array(below, { minLength: 1, maxLength: 2 }),
  after: fc.array(below, { maxLength: 3 }),
  isApplied: fc.boolean(),
  outside: fc.boolean(),
  isBroken: fc.constantFrom(false, false, false, true),
  organization: fc.boolean(),
});
type Story = typeof project extends fc.Arbitrary<infer S> ? S : never;

function yaml(index: number, { organization }: Story, cases: Story["before"]): string {
  const at = organization ? ", organization: 1" : "";
  const objects = cases.map(({ scenario, store, gateway, users, tag }, place) => {
    const stores = store === undefined ? "" : `, dataStores: { u.csv: { contents: ${JSON.stringify(store)} } }`;
    const configuration = `{ scenario: s, concurrentClients: ${users}, durationSecs: 60, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }`;
    return [
      `  case-${place}:`,
      `    name: Case ${index} ${place}`,
      `    scenarios: { s: { script: ${JSON.stringify(scenario === "" ? "x();" : scenario)}${stores}${tag ? ", tags: [shared]" : ""} } }`,
      ...(gateway === undefined ? [] : [`    gateways: { g: { url: "${gateway}" } }`]),
      ...(users === undefined ? [] : [`    configurations: { c: ${configuration} }`]),
    ].join("\n");
  });
  const head = `project: p${index}\nservice: { url: "${url}"${at} }\ntags: { shared: {} }\n`;
  return `${head}${objects.length === 0 ? "" : `testCases:\n${objects.join("\n")}\n`}`;
}

async function write(index: number, text: string): Promise<void> {
  await mkdir(join(root, `p${index}`), { recursive: true });
  await writeFile(join(root, `p${index}`, "loadform.yaml"), text);
}

const call = (method: string, path: string, body?: Json) =>
  service.handle({ method, path, headers: { "x-api-key": service.apiKey }, ...(body === undefined ? {} : { body }) });

/** Brings the projects and the service to where they are planned. */
async function prepare(stories: readonly Story[]): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await call("POST", "/_loadform/reset");
  const cache = join(root, "cache");
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const env = { LOADFORM_API_KEY: service.apiKey, XDG_CACHE_HOME: cache };
  system = { ...processSystem("test", { program: "this build" }), env, cwd: root };
  for (const [index, story] of stories.entries()) {
    await write(index, yaml(index, story, story.before));
    if (!story.isApplied) continue;
    const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
    const flags = { dir: `p${index}`, vars: {}, lockTimeoutSecs: 0, autoApprove: true };
    const { status } = await applyProject(flags, system, { ...ui, signal: new AbortController().signal });
    expect(status).toBe("applied");
  }
  for (const [index, story] of stories.entries()) {
    if (story.outside) await rename(index);
    await write(index, story.isBroken ? "project: broken\ntestCase: {}\n" : yaml(index, story, story.after));
  }
}

/** Somebody renames the first test case of a project at the service. */
async function rename(index: number): Promise<void> {
  const live = (await call("GET", "/test-cases")).json as readonly { readonly id: number; readonly name: string }[];
  const first = live.find(({ name }) => name === `Case ${index} 0`);
  if (first) await call("PUT", `/test-cases/${first.id}`, { name: `by hand ${index}` });
}

/** Everything that a plan says, but for its requests and its time. */
function said(outcome: PlanOutcome) {
  const document = documentOf(outcome, problemsOf(outcome, system.env), system);
  return { ...document, requests: 0, created_at: "", blocked: outcome.blocked, diagnostics: outcome.diagnostics };
}

async function plansAlone(dirs: readonly string[]) {
  const alone = [];
  for (const dir of dirs) alone.push(said(await planProject({ dir, vars: {} }, system)));
  return alone;
}

/** Each list is read once, or the longest once more. */
async function plansTogether(dirs: readonly string[], answerOnly: boolean) {
  const before = service.requests.length;
  const together = await planProjects(dirs, { vars: {}, answerOnly }, system);
  const asked = service.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  if (together.is === "refused") throw new Error("refused");
  const sum = together.projects.reduce((all, { outcome }) => all + outcome.requests, 0);
  expect(sum).toBe(asked.length);
  const lists = asked.filter((each) => /^GET \/(?:orgs\/\d+\/)?[a-z-]+$/.test(each) && each !== "GET /login");
  expect(lists.length, lists.join(", ")).toBeLessThanOrEqual(6);
  expect(asked.filter((each) => each === "GET /login").length).toBeLessThanOrEqual(1);
  return together.projects.map(({ outcome }) => said(outcome));
}

/** What somebody else may do at the service. */
const others: Readonly<Record<string, (index: number) => unknown>> = {
  "a name": rename,
  "a provider": (index) =>
    call("POST", "/providers", { name: `grid ${index}`, organizationId: 1, providerType: "Shared" }),
};

/** Events after all plans are remembered: at the service, and in the files of one project. */
const event = fc.record({
  outside: fc.constantFrom("nothing", "nothing", "a name", "a provider", "a provider"),
  isEdited: fc.constantFrom(false, false, true),
  at: fc.nat(3),
});

const timeout = isDeep ? 3_600_000 : 120_000;

describe("plans of projects that are made together", () => {
  test("are those that are made one by one, and read each list once", { timeout }, async () => {
    const property = fc.asyncProperty(fc.array(project, { minLength: 2, maxLength: 4 }), async (stories) => {
      await prepare(stories);
      const dirs = stories.map((_, index) => `p${index}`);
      const alone = await plansAlone(dirs);
      // The first plans of all are remembered, the second ones may be known to be unchanged.
      for (const answerOnly of [false, true, true]) expect(await plansTogether(dirs, answerOnly)).toEqual(alone);
    });
    await check("several projects", property, { few: 24, deep: 2_000 });
  });

  test("are those that are made one by one, where all were remembered before", { timeout }, async () => {
    const stories = fc.array(project, { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(stories, fc.array(event, { maxLength: 3 }), async (drawn, events) => {
      const applied = { isApplied: true, outside: false, isBroken: false };
      const all = drawn.map((each) => ({ ...each, ...applied, after: each.before }));
      await prepare(all);
      const dirs = all.map((_, index) => `p${index}`);
      await plansTogether(dirs, true);
      for (const { outside, isEdited, at } of [...events, { outside: "nothing", isEdited: false, at: 0 }]) {
        const index = at % all.length;
        await others[outside]?.(index);
        const story = isEdited ? drawn[index] : undefined;
        if (story) await write(index, yaml(index, story, story.after));
        const together = await plansTogether(dirs, true);
        expect(together).toEqual(await plansAlone(dirs));
      }
    });
    await check("several remembered projects", property, { few: 12, deep: 1_000 });
  });
});

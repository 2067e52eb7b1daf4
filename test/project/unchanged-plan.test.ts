import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { applyProject } from "../../src/project/apply-project.ts";
import { type PlanFlags, planProject } from "../../src/project/plan-project.ts";
import { processSystem, type System } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { userCache } from "../../src/workspace/user-cache.ts";

const objects = `testCases:
  shop:
    scenarios: { browse: { script: "\${file:browse.js}", dataStores: { "u.csv": { contents: "\${file:u.csv}" } } } }
    gateways: { g: { url: "\${var:url}" } }
`;

let service: ReturnType<typeof createService>;
let url = "";
let folder = "";
let cache = "";
let env: Record<string, string> = {};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-unchanged-"));
  cache = await mkdtemp(join(tmpdir(), "loadform-unchanged-cache-"));
  await chmod(cache, 0o700);
  service = createService({ clock: { mode: "real" } });
  url = (await service.listen()).url;
  const project = `project: p
service: { url: "${url}", organization: 1 }
state: { backend: local, path: state.json }
include: ["*.yaml"]
use: { some: { module: modules/m.yml } }
variables: { url: { type: string, default: "https://a.example.com" } }
environments: { dev: {} }
`;
  env = { LOADFORM_API_KEY: service.apiKey, XDG_CACHE_HOME: cache };
  await mkdir(join(folder, "modules"));
  await write({ "loadform.yaml": project, "load.yaml": objects, "browse.js": "x()", "u.csv": "a\n1\n" });
  await write({ "modules/m.yml": "testCases: { main: }\n" });
  await apply();
  await plan();
});
afterEach(async () => {
  await service.close();
  for (const path of [folder, cache]) await rm(path, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

const system = (): System => ({ ...processSystem("test", { program: "this build" }), env, cwd: folder });

async function apply(): Promise<void> {
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const flags = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true };
  const { status, diagnostics } = await applyProject(flags, system(), { ...ui, signal: new AbortController().signal });
  expect([status, diagnostics]).toEqual(["applied", []]);
}

/** The summary of a plan: so many objects without changes, and the rest. */
async function plan(flags: Partial<PlanFlags> = {}, at = system()) {
  const {
    plan: made,
    diagnostics,
    requests,
  } = await planProject({ dir: ".", vars: {}, answerOnly: true, ...flags }, at);
  const { noop, ...others } = made?.summary ?? { noop: 0 };
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { noop, others: Object.values(others).reduce((sum, count) => sum + count, 0), errors, requests };
}

/** Codes of what is wrong, with what was remembered of the last plan or without. */
async function diagnosed(answerOnly: boolean): Promise<readonly string[]> {
  const { diagnostics } = await planProject({ dir: ".", vars: {}, answerOnly }, system());
  return diagnostics.map(({ code }) => code);
}

/** What is remembered, as it is stored in the user's cache. */
async function memory(): Promise<object> {
  return JSON.parse((await userCache(folder, env).read("unchanged-plan")) ?? "null") as object;
}

const store = (plan: unknown) => userCache(folder, env).write("unchanged-plan", JSON.stringify(plan));

/** From here on a plan that is taken from memory shows a number that none was ever made of. */
async function tamper(): Promise<void> {
  await store({ ...(await memory()), noop: 4711 });
}

describe("a plan that found nothing to do", () => {
  test("is remembered: the same again is told by hashes, with as many requests", async () => {
    const before = await plan();
    await tamper();
    expect(before).toEqual({ noop: 5, others: 0, errors: 0, requests: before.requests });
    expect(await plan()).toEqual({ ...before, noop: 4711 });
  });

  test("is remembered for a plan that only answers: not for one that is saved or carried out", async () => {
    await tamper();
    expect(await plan({ answerOnly: false })).toMatchObject({ noop: 5 });
  });

  const client = () => createClient({ url, apiKey: service.apiKey });
  const outside = async (run: (api: ReturnType<typeof client>) => Promise<unknown>) => {
    const api = client();
    await run(api);
    await api.close();
  };
  const changes: readonly {
    readonly what: string;
    readonly change?: () => Promise<void>;
    readonly flags?: Partial<PlanFlags>;
    /** It makes no difference, which nobody can know beforehand. */
    readonly same?: true;
  }[] = [
    { what: "a field", change: () => write({ "load.yaml": objects.replace("shop:", "shop:\n    description: d") }) },
    { what: "a script", change: () => write({ "browse.js": "y()" }) },
    { what: "a module's file", change: () => write({ "modules/m.yml": "testCases: { main: { description: d } }\n" }) },
    { what: "a data file", change: () => write({ "u.csv": "a\n2\n" }) },
    { what: "a further file", change: () => write({ "more.yaml": "testCases: { more: {} }\n" }) },
    { what: "a variable", flags: { vars: { url: "https://b.example.com" } } },
    {
      what: "a variable of the process",
      change: async () => {
        env = { ...env, LOADFORM_VAR_url: "https://c.example.com" };
      },
    },
    {
      what: "$LOADFORM_URL",
      change: async () => {
        env = { ...env, LOADFORM_URL: url };
      },
      same: true,
    },
    { what: "the environment", flags: { environment: "dev" }, same: true },
    { what: "the options", flags: { replace: ["testCase.shop/gateway.g"] } },
    { what: "the state", change: () => rm(join(folder, "state.json")) },
    {
      what: "a field outside",
      change: () =>
        outside((api) =>
          api.call("PUT /test-cases/:testCaseId", { params: { testCaseId: 1 }, body: { name: "other" } }),
        ),
    },
    {
      what: "an object deleted outside",
      change: () => outside((api) => api.call("DELETE /gateways/:id", { params: { id: 1 } })),
    },
  ];

  test.each(changes)("is not taken for the answer after a change of $what", async ({ change, flags, same }) => {
    await tamper();
    await change?.();
    const now = await plan(flags);
    expect(now.noop).not.toBe(4711);
    expect(now.others + now.errors > 0).toBe(same !== true);
  });

  test("is not taken from another build or Node, or where there is no cache", async () => {
    await tamper();
    expect(await plan({}, { ...system(), program: "another build" })).toMatchObject({ noop: 5 });
    await tamper();
    expect(await plan({}, { ...system(), env: { LOADFORM_API_KEY: service.apiKey } })).toMatchObject({ noop: 5 });
  });

  test("is not taken from a memory that is damaged in one place", async () => {
    await tamper();
    const [root = ""] = await readdir(join(cache, "loadform"));
    const path = join(cache, "loadform", root, "unchanged-plan");
    await writeFile(path, (await readFile(path, "utf8")).replace("4711", "4712"));
    expect(await plan()).toMatchObject({ noop: 5 });
  });

  test("sends no request but reads, whatever is remembered", async () => {
    const last = await memory();
    for (const answers of [{ "DELETE /gateways/:id {}": { hash: "" } }, { "GET /nowhere {}": { hash: "" } }]) {
      await store({ ...last, answers, noop: 4711 });
      expect(await plan()).toMatchObject({ noop: 5 });
    }
  });

  const asked = async (): Promise<readonly string[]> => {
    const log = await fetch(`${url}/_loadform/requests`, { headers: { "X-Api-Key": service.apiKey } });
    const requests = (await log.json()) as readonly { method: string; path: string }[];
    return requests.map(({ method, path }) => `${method} ${path}`).filter((line) => !line.includes("_loadform"));
  };

  test("asks for each list once, and for none more than a plan without a memory", async () => {
    const before = (await asked()).length;
    const now = await plan();
    expect((await asked()).slice(before)).toHaveLength(now.requests);
    await write({ "more.yaml": "testCases: { more: {} }\ntags: { nightly: {} }\n" });
    const changed = await plan();
    const lists = (await asked()).slice(before + now.requests);
    expect(new Set(lists).size).toBe(lists.length);
    expect(lists).toHaveLength(changed.requests);
  });

  test("sends nothing to where it was made once the files name another service", async () => {
    const before = (await asked()).length;
    const main = await readFile(join(folder, "loadform.yaml"), "utf8");
    await write({ "loadform.yaml": main.replace(url, "http://127.0.0.1:9") });
    expect(await plan()).toMatchObject({ noop: 0, requests: 0 });
    expect(await asked()).toHaveLength(before);
  });

  test("is not mixed with a state that another command writes meanwhile", async () => {
    const main = await readFile(join(folder, "loadform.yaml"), "utf8");
    await write({ "loadform.yaml": main.replace(", organization: 1", ""), "load.yaml": `${objects}  more: {}\n` });
    await apply();
    await plan();
    await write({ "load.yaml": `${objects}  more: {}\n  another: {}\n` });
    await apply();
    await write({ "load.yaml": `${objects}  more: {}\n  another: {}\n  last: {}\n` });
    const delay = [{ method: "GET", path: "/login", delayMs: 1500, times: 1 }];
    const headers = { "X-Api-Key": service.apiKey, "Content-Type": "application/json" };
    await fetch(`${url}/_loadform/faults`, { method: "PUT", headers, body: JSON.stringify(delay) });
    const planning = plan();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await apply();
    expect(await planning).toMatchObject({ others: 0, errors: 0 });
  });

  test("leaves nothing unread where files change to be about another kind", async () => {
    const bare = ["a", "b", "c", "d", "e", "f"].map((key) => [`case-${key}.yaml`, `testCases: { ${key}: {} }\n`]);
    await write({ ...Object.fromEntries(bare), "load.yaml": "testCases: { shop: {} }\n" });
    await apply();
    await plan();
    const elsewhere = "providers: [{ provider: { name: nowhere }, regions: [r] }]";
    const run = `{ scenario: s, concurrentClients: 5, rampupSecs: 1, durationSecs: 60, ${elsewhere} }`;
    await write({
      "load.yaml": `testCases:\n  shop:\n    scenarios: { s: { script: x() } }\n    configurations: { c: ${run} }\n`,
    });
    const answers = [await diagnosed(true), await diagnosed(false)];
    expect(answers).toEqual([["LF3009"], ["LF3009"]]);
  });

  const secrets: readonly (readonly [string, string])[] = [
    ["from ${env:…}", objects.replace("shop:", 'shop:\n    description: "${env:SECRET}"')],
    [
      "from ${file:…}, of a field that is secret",
      `${objects}vcsRoots:\n  code: { url: "https://git.example.com/a.git", vcsAuthType: Username, username: ci, password: "\${file:password}" }\n`,
    ],
  ];

  test.each(secrets)("is not remembered where a value comes %s", async (_, files) => {
    await rm(join(cache, "loadform"), { recursive: true });
    env = { ...env, SECRET: "s3cret" };
    await write({ "load.yaml": files, password: "pa55word" });
    await apply();
    expect(await plan()).toMatchObject({ others: 0, errors: 0 });
    const kept = await readdir(join(cache, "loadform"), { recursive: true });
    expect(kept.filter((name) => name.endsWith("unchanged-plan"))).toEqual([]);
  });

  test("is not remembered where variables are given outside of the files", async () => {
    await rm(join(cache, "loadform"), { recursive: true });
    await plan({ vars: { url: "https://a.example.com" } });
    env = { ...env, LOADFORM_VAR_url: "https://a.example.com" };
    await plan();
    const kept = await readdir(join(cache, "loadform"), { recursive: true });
    expect(kept.filter((name) => name.endsWith("unchanged-plan"))).toEqual([]);
  });

  test("is found again after what changes by itself has changed", async () => {
    const nightly = `      nightly:
        scenario: browse
        profileType: Flat
        concurrentClients: 1
        iterations: 1
        providers: [{ provider: { name: Public Shared Grid }, regions: [cloud-us-east-1] }]
        schedules: { night: { scheduleType: Recurring, recurringInterval: Day, hour: 2, minute: 0 } }
`;
    await write({ "load.yaml": `${objects}    configurations:\n${nightly}` });
    await apply();
    await plan();
    await tamper();
    const listed = async () => (await service.handle({ ...lists, headers: { "x-api-key": service.apiKey } })).json;
    const lists = { method: "GET", path: "/test-cases", query: "down=true" };
    const before = await listed();
    await service.advance(30 * 3_600_000);
    expect(await listed()).not.toEqual(before);
    expect(await plan()).toMatchObject({ noop: 4711 });
  });

  test("is found again by another process with the bundled service in a file", async () => {
    const settings = (await readFile(join(folder, "loadform.yaml"), "utf8")).replace(url, "memory:service.json");
    await write({ "loadform.yaml": settings.replace("state.json", "memory-state.json") });
    await apply();
    await plan();
    await tamper();
    expect(await plan()).toMatchObject({ noop: 4711 });
  });
});

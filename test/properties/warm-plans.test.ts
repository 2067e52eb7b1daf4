import { chmodSync, mkdtempSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exitOfPlan } from "../../src/cli/exit-of.ts";
import { documentOf, problemsOf } from "../../src/cli/views/show-plan.ts";
import { applyProject } from "../../src/project/apply-project.ts";
import { type PlanFlags, planProject } from "../../src/project/plan-project.ts";
import { processSystem, type System } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { userCache } from "../../src/workspace/user-cache.ts";
import { check, isDeep } from "../support/deep.ts";
import { type EditedFolder, editedFolder, fileEdits, filesOf } from "../support/edited-folder.ts";

const start = Date.parse("2026-11-20T10:00:00.000Z");

let service: ReturnType<typeof createService>;
let url = "";
let folder = "";
let caches = "";
let env: Readonly<Record<string, string>> = {};
/** Time moves only where somebody waits, and then at the service too. */
let now = start;
/** The state after the first apply of a story. */
let firstState = "";

beforeAll(async () => {
  service = createService({ clock: { mode: "frozen", now: start } });
  url = (await service.listen()).url;
  caches = mkdtempSync(join(tmpdir(), "loadform-warm-caches-"));
});
beforeEach(begin);
afterAll(async () => {
  await service.close();
  for (const path of [folder, caches]) await rm(path, { recursive: true, force: true });
});

/** An empty folder, an empty cache and a fresh service. */
async function begin(): Promise<void> {
  if (folder !== "") await rm(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), "loadform-warm-"));
  await mkdir(join(folder, "load"));
  env = { LOADFORM_API_KEY: service.apiKey, XDG_CACHE_HOME: emptyCache() };
  await service.reset();
  now = start;
}

function emptyCache(): string {
  const path = mkdtempSync(join(caches, "cache-"));
  chmodSync(path, 0o700);
  return path;
}

const system = (more: Readonly<Record<string, string>> = {}): System => ({
  ...processSystem("test", { program: "this build" }),
  env: { ...env, ...more },
  cwd: folder,
  now: () => now,
  async sleep(ms) {
    now += ms;
    await service.advance(ms);
  },
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const name of await readdir(join(folder, "load")))
    if (files[`load/${name}`] === undefined) await rm(join(folder, "load", name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

async function apply(): Promise<void> {
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const open = { forceThreshold: true, allowDestroy: ["**"] };
  const flags = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true, ...open };
  await applyProject(flags, system(), { ...ui, signal: new AbortController().signal });
}

/** Everything that `plan --json --detailed-exitcode` tells, and the texts that it refers to. */
async function told(flags: Asked, more: Readonly<Record<string, string>>) {
  const asked = { dir: ".", vars: {}, answerOnly: true, ...flags.flags };
  const outcome = await planProject(asked, system({ ...flags.env, ...more }));
  const problems = problemsOf(outcome, env);
  const document = documentOf(outcome, problems, system());
  const hashes = [...JSON.stringify(document ?? {}).matchAll(/\$content":"(\w+)/g)].map(([, hash = ""]) => hash);
  const texts = hashes.map((hash) => outcome.contents(hash));
  return { document, problems, texts, exit: exitOfPlan(outcome, true), requests: outcome.requests };
}

/**
 * A plan with the cache of the commands before it tells what one with an empty cache tells; it may take one request more, as the longest
 * list is not sent while it has its ETag.
 */
async function compare(asked: Asked) {
  const warm = await told(asked, {});
  const cold = await told(asked, { XDG_CACHE_HOME: emptyCache() });
  const more = warm.requests - cold.requests;
  expect([0, 1]).toContain(more);
  expect(warm.requests).toBeLessThanOrEqual(Math.max(6, cold.requests));
  expect(withMore(warm, -more)).toEqual(cold);
  return { exit: warm.exit, isReadTwice: more === 1 };
}

type Told = Awaited<ReturnType<typeof told>>;

function withMore({ document, requests, ...rest }: Told, more: number): Told {
  const counted = document && "requests" in document ? { ...document, requests: requests + more } : document;
  return { ...rest, document: counted as Told["document"], requests: requests + more };
}

interface Asked {
  readonly flags?: Partial<PlanFlags>;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a plan may be asked for. */
const asks: readonly Asked[] = [
  { flags: { environment: "dev" } },
  { env: { LOADFORM_ENV: "dev" } },
  { flags: { vars: { url: "https://given.example.com" } } },
  { env: { LOADFORM_VAR_url: "https://given.example.com" } },
  { flags: { targets: ["testCase.a/**"] } },
  { flags: { replace: ["testCase.a/scenario.s0"] } },
  { flags: { allowDestroy: ["**"], forceThreshold: true } },
  { flags: { showUnmanaged: true } },
  { flags: { everything: true } },
  { flags: { destroy: true } },
];

const call = (method: string, path: string, body?: object) =>
  service.handle({ method, path, headers: { "x-api-key": service.apiKey }, ...(body && { body: body as never }) });

type Listed = Readonly<Record<"scenarios" | "configurations" | "gateways", readonly { readonly id: number }[]>> & {
  readonly id: number;
};

/** What somebody else may do at the service and to the state. */
const others: Readonly<Record<string, (live: Listed, number: number) => unknown>> = {
  "a name": ({ id }, number) => call("PUT", `/test-cases/${id}`, { name: `by hand ${number}` }),
  "a script": ({ scenarios: [one] }, number) => call("PUT", `/scripts/${one?.id}`, { main: `hand(${number})` }),
  "the load": ({ configurations: [one] }, number) =>
    call("PUT", `/test-confs/${one?.id}`, { concurrentClients: 30 + number }),
  "a gateway less": ({ gateways: [one] }) => call("DELETE", `/gateways/${one?.id}`),
  "a configuration less": ({ configurations: [one] }) => call("DELETE", `/test-confs/${one?.id}`),
  "schedules less": ({ configurations: [one] }) => call("PUT", `/test-confs/${one?.id}`, { schedules: [] }),
  "a run": ({ configurations: [one] }) => call("POST", `/test-confs/${one?.id}/executions`, {}),
  "a test case less": ({ id }) => call("DELETE", `/test-cases/${id}`),
  "a test case more": (_, number) => call("POST", "/test-cases", { name: `unmanaged ${number}`, org: 1 }),
  "a provider more": (_, number) =>
    call("POST", "/providers", { name: `grid ${number}`, organizationId: 1, providerType: "Shared" }),
  "another service": () => service.reset(),
  "no state": () => rm(join(folder, "state.json"), { force: true }),
  "an older state": () => writeFile(join(folder, "state.json"), firstState),
};

/** Besides its share: where another list differs than the longest, that one is read twice. */
const more = Array.from({ length: 5 }, () => "a provider more");

const some = <T>(weight: number, values: readonly T[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
const anyStep = fc.record({
  edit: some(1, Object.keys(fileEdits)),
  other: some(2, [...Object.keys(others), ...more]),
  asked: some(3, asks),
  isApplied: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  at: fc.nat(7),
  number: fc.nat(7),
});
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

async function take(project: EditedFolder, { edit, other, at, number }: Step): Promise<void> {
  if (edit !== undefined) fileEdits[edit]?.(project, at, number);
  await write(filesOf(project, url));
  if (other === undefined || firstState === "") return;
  const list = (await call("GET", "/test-cases?down=true")).json as unknown as readonly Listed[];
  await others[other]?.(list[at % list.length] ?? { id: 0, scenarios: [], configurations: [], gateways: [] }, number);
}

/** Plans, how many of them were remembered and are empty, and how many read a list twice. */
interface Seen {
  plans: number;
  recalled: number;
  readTwice: number;
}

async function takeAndCompare(project: EditedFolder, step: Step, seen: Seen): Promise<void> {
  await take(project, step);
  if (step.isApplied) await apply();
  const known = await userCache(folder, env).read("unchanged-plan");
  const { exit, isReadTwice } = await compare(step.asked ?? {});
  seen.plans += 1;
  seen.readTwice += Number(isReadTwice);
  seen.recalled += Number(known !== undefined && exit === 0);
  if (step.isApplied) await told({}, {});
}

const stepsEach = 6;

/** Takes out what the service's answers have members of that change by themselves. */
function steady({ cases }: EditedFolder): void {
  for (const each of cases) {
    for (const scenario of each?.scenarios ?? []) scenario.data = false;
    for (const configuration of each?.configurations ?? []) delete configuration.schedule;
  }
}

describe("a plan with what the commands before it cached", () => {
  test("tells what a plan with an empty cache tells, after any change of files, service, state and flags", async () => {
    const seen: Seen = { plans: 0, recalled: 0, readTwice: 0 };
    const story = fc.asyncProperty(
      editedFolder,
      fc.array(anyStep, { minLength: stepsEach, maxLength: stepsEach }),
      fc.boolean(),
      async (project, steps, isSteady) => {
        await begin();
        const own = structuredClone(project);
        if (isSteady) steady(own);
        await write(filesOf(own, url));
        await apply();
        firstState = await readFile(join(folder, "state.json"), "utf8").catch(() => "");
        await told({}, {});
        for (const step of steps) await takeAndCompare(own, step, seen);
      },
    );
    await check("warm plans", story, { few: 12, deep: 500 });
    console.log(
      `warm plans: ${seen.plans} comparisons, ${seen.recalled} of plans that were remembered and are empty, ${seen.readTwice} that read a list twice`,
    );
    expect(seen.recalled).toBeGreaterThan(seen.plans / 20);
    if (isDeep) expect(seen.readTwice).toBeGreaterThan(0);
  });
});

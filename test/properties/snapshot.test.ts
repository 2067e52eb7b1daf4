import { mkdtempSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, problemsOf } from "../../src/cli/views/show-plan.ts";
import { applyProject } from "../../src/project/apply-project.ts";
import type { PlanOutcome } from "../../src/project/plan-opened.ts";
import { type PlanFlags, planProject } from "../../src/project/plan-project.ts";
import { planAgainst } from "../../src/project/snapshots/plan-against.ts";
import { takeSnapshot } from "../../src/project/snapshots/take-snapshot.ts";
import { processSystem, type System } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { check } from "../support/deep.ts";
import { type EditedFolder, editedFolder, fileEdits, filesOf } from "../support/edited-folder.ts";
import { quickKeys } from "../support/quick-keys.ts";

const start = Date.parse("2026-11-20T10:00:00.000Z");

quickKeys();

let service: ReturnType<typeof createService>;
let url = "";
let folder = "";

beforeAll(async () => {
  service = createService({ clock: { mode: "frozen", now: start } });
  url = (await service.listen()).url;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Values that no snapshot may have in it, in whatever spelling. */
const secrets = { GIT_TOKEN: "canary-git-4711", CLOUD_KEY: "canary-cloud-0815", HOST_NAME: "canary-host-1234" };

function system(env: Readonly<Record<string, string>>): System {
  return {
    ...processSystem("test", { program: "this build" }),
    env,
    cwd: folder,
    now: () => start,
    sleep: (ms) => service.advance(ms).then(() => undefined),
  };
}

/** Where the key and the secrets are. */
const inside = () => system({ LOADFORM_API_KEY: service.apiKey, ...secrets });

/** A fork's pull request has neither. */
const outside = () => system({});

/** What a project has besides, and how it is edited. */
const anyExtra = fc.record({
  branch: fc.constantFrom("main", "next"),
  user: fc.constantFrom("ci", "ci", "ci", "ci", "ci", "ci", secrets.GIT_TOKEN),
  cloud: fc.boolean(),
  host: fc.constantFrom("${env:HOST_NAME}", "https://open.example.com", "https://b.example.com", secrets.HOST_NAME),
  script: fc.constantFrom("a()", `login("${secrets.GIT_TOKEN}")`, "${env:GIT_TOKEN}", "visit('${env:GIT_TOKEN}')"),
  /** A parameter of the test runner, by which the whole list of them is secret. */
  note: fc.constantFrom("open", "${env:HOST_NAME}", "to ${env:HOST_NAME}"),
  grid: fc.constantFrom<object>({ id: 0 }, { name: "Public Shared Grid" }),
});
type Extra = typeof anyExtra extends fc.Arbitrary<infer T> ? T : never;

function extraFile({ branch, user, cloud, host, script, note, grid }: Extra): string {
  const git = { url: "https://git.example.com/a.git", branch, vcsAuthType: "Username", username: user };
  const metadata = { cloudAccessKeyId: "${env:CLOUD_KEY}", cloudSecretAccessKey: "${env:CLOUD_KEY}" };
  const own = {
    vcsRoots: { v: { ...git, password: "${env:GIT_TOKEN}" } },
    ...(cloud && { providers: { c: { providerType: "CloudOnDemand", metadata } } }),
    testCases: {
      hidden: {
        description: host,
        scenarios: { s: { script, paramsConfig: [{ name: "host" }] } },
        configurations: {
          c: {
            ...{ scenario: "s", concurrentClients: 5, durationSecs: 60, scriptParams: { host } },
            providers: [
              { provider: grid, regions: ["cloud-us-east-1"], params: { note } },
              ...(cloud ? [{ provider: "c" }] : []),
            ],
          },
        },
      },
    },
  };
  return JSON.stringify(own);
}

async function write(project: EditedFolder, extra: Extra): Promise<void> {
  const files = { ...filesOf(project, url), "load/extra.yaml": extraFile(extra) };
  for (const name of await readdir(join(folder, "load")))
    if (!Object.hasOwn(files, `load/${name}`)) await rm(join(folder, "load", name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

async function begin(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), "loadform-snapshot-"));
  await mkdir(join(folder, "load"));
  await service.reset();
}

async function apply(): Promise<void> {
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const open = { forceThreshold: true, allowDestroy: ["**"] };
  const flags = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true, ...open };
  await applyProject(flags, inside(), { ...ui, signal: new AbortController().signal });
}

const call = (method: string, path: string, body?: object) =>
  service.handle({ method, path, headers: { "x-api-key": service.apiKey }, ...(body && { body: body as never }) });

type Listed = Readonly<Record<"scenarios" | "configurations" | "gateways", readonly { readonly id: number }[]>> & {
  readonly id: number;
};

/** What somebody else may do at the service. */
const others: Readonly<Record<string, (live: Listed, number: number) => unknown>> = {
  "a name": ({ id }, number) => call("PUT", `/test-cases/${id}`, { name: `by hand ${number}` }),
  "a secret": ({ id }) => call("PUT", `/test-cases/${id}`, { description: secrets.GIT_TOKEN }),
  "a script": ({ scenarios: [one] }, number) => call("PUT", `/scripts/${one?.id}`, { main: `hand(${number})` }),
  "the load": ({ configurations: [one] }, number) =>
    call("PUT", `/test-confs/${one?.id}`, { concurrentClients: 30 + number }),
  "a gateway less": ({ gateways: [one] }) => call("DELETE", `/gateways/${one?.id}`),
  "a configuration less": ({ configurations: [one] }) => call("DELETE", `/test-confs/${one?.id}`),
  "schedules less": ({ configurations: [one] }) => call("PUT", `/test-confs/${one?.id}`, { schedules: [] }),
  "a test case less": ({ id }) => call("DELETE", `/test-cases/${id}`),
  "a test case more": (_, number) => call("POST", "/test-cases", { name: `unmanaged ${number}`, org: 1 }),
};

const some = <T>(freq: number, values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq });
const anyStory = fc.record({
  project: editedFolder,
  before: anyExtra,
  after: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyExtra }),
  edits: fc.array(fc.record({ edit: fc.constantFrom(...Object.keys(fileEdits)), at: fc.nat(7), number: fc.nat(7) }), {
    maxLength: 2,
  }),
  other: some(2, Object.keys(others)),
  at: fc.nat(7),
  flags: some<Partial<PlanFlags>>(1, [
    { targets: ["testCase.a/**"] },
    { replace: ["testCase.a/scenario.s0"] },
    { showUnmanaged: true },
    { destroy: true },
    { adopt: "name" },
  ]),
  withContents: fc.boolean(),
});

/** What `plan --json` tells, but for what is said about the making of the plan. */
function told(outcome: PlanOutcome, at: System) {
  const document = documentOf(outcome, problemsOf(outcome, at.env), at);
  if (document === undefined) return undefined;
  const { requests: _requests, created_at: _at, diagnostics: _said, digest, ...rest } = document;
  return { digest, rest };
}

/** Salt and fingerprints of the state, and what the project takes from the environment. */
async function canaries(extra: Extra): Promise<readonly string[]> {
  const text = extraFile(extra);
  const state = await readFile(join(folder, "state.json"), "utf8");
  const { salt, resources } = JSON.parse(state) as {
    salt: string;
    resources: Readonly<Record<string, { readonly secrets?: Readonly<Record<string, string>> }>>;
  };
  const prints = Object.values(resources).flatMap((each) => Object.values(each.secrets ?? {}));
  return [
    salt,
    ...Object.values(secrets).filter((_, at) => text.includes(`\${env:${Object.keys(secrets)[at]}}`)),
    ...prints,
  ];
}

type Story = typeof anyStory extends fc.Arbitrary<infer T> ? T : never;

/** Applies the project, lets others change the service, and takes a snapshot; undefined where there may be none. */
async function taken({ before, other, at, withContents }: Story, own: EditedFolder): Promise<string | undefined> {
  await begin();
  await write(own, before);
  await apply();
  const live = (await call("GET", "/test-cases?down=true")).json as unknown as readonly Listed[];
  const one = live[at % Math.max(1, live.length)];
  if (other !== undefined && one !== undefined) await others[other]?.(one, at);
  const { text, diagnostics } = await takeSnapshot({ dir: ".", vars: {}, withContents }, inside());
  if (text === undefined) expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  else await writeFile(join(folder, "snapshot.json"), text);
  return text;
}

/** The digest of a plan against the snapshot, which shows what the live plan shows; undefined where there is no plan. */
async function compared({ before, after, edits, flags }: Story, own: EditedFolder) {
  for (const { edit, at, number } of edits) fileEdits[edit]?.(own, at, number);
  await write(own, after ?? before);
  const asked = { dir: ".", vars: {}, ...flags };
  const expected = told(await planProject(asked, inside()), inside());
  const outcome = await planAgainst("snapshot.json", asked, outside());
  const found = told(outcome, outside());
  expect(found === undefined).toBe(expected === undefined);
  if (expected === undefined || found === undefined) return undefined;
  const age = outcome.diagnostics.find(({ code }) => code === "LF5012")?.detail;
  expect(age?.includes("The plan has no digest")).toBe(found.digest === null);
  if (found.digest !== null) expect(found).toEqual(expected);
  else if (age?.includes("what would be lost") && !age.includes("does not show a value") && after === undefined)
    expect(found.rest).toEqual(expected.rest);
  return { digest: found.digest, changes: outcome.plan?.changes.length ?? 0 };
}

describe("a plan against a snapshot", () => {
  test("shows what a live plan of the same moment shows, with its digest, and the snapshot has no secret", async () => {
    const seen = { plans: 0, digests: 0, changes: 0 };
    const story = fc.asyncProperty(anyStory, async (each) => {
      const own = structuredClone(each.project);
      const text = await taken(each, own);
      if (text === undefined) return;
      const known = await canaries(each.before);
      expect(known.filter((canary) => text.includes(canary))).toEqual([]);
      const plan = await compared(each, own);
      const isDigested = typeof plan?.digest === "string";
      seen.plans += Number(plan !== undefined);
      seen.digests += Number(isDigested);
      seen.changes += Number(isDigested && plan.changes > 0);
    });
    await check("snapshots", story, { few: 18, deep: 2000 });
    console.log(`snapshots: ${seen.plans} plans, ${seen.digests} with a digest, ${seen.changes} of them with changes`);
    expect(seen.changes).toBeGreaterThanOrEqual(Math.floor(seen.plans / 20));
  });
});

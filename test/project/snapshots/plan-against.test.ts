import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import type { Plan } from "../../../src/plan/plan.ts";
import { applyProject } from "../../../src/project/apply-project.ts";
import { planProject } from "../../../src/project/plan-project.ts";
import { planAgainst } from "../../../src/project/snapshots/plan-against.ts";
import { takeSnapshot } from "../../../src/project/snapshots/take-snapshot.ts";
import { processSystem, type System } from "../../../src/project/system.ts";
import { createService } from "../../../src/service/index.ts";
import { sha256 } from "../../../src/workspace/hash.ts";
import { freshFolder } from "../../support/run-cli.ts";

const service = createService();
const token = "canary-token-77";
const flags = { dir: ".", vars: {} };
let folder = "";
let url = "";
let text = "";

interface More {
  readonly name?: string;
  readonly users?: number;
  readonly last?: boolean;
  readonly script?: string;
  readonly init?: string;
  readonly grid?: string;
  readonly isNamed?: boolean;
  readonly tag?: string;
  readonly label?: string;
  /** A parameter beside a secret one. */
  readonly open?: string;
  readonly regions?: readonly string[];
}

function projectFile(more: More = {}): string {
  const { grid = "grid" } = more;
  const {
    name = "shop",
    users = 5,
    last = true,
    script = "get('${env:TOKEN}')",
    regions = ["cloud-us-east-1"],
    open = "a",
  } = more;
  const configuration = {
    ...{
      scenario: "browse",
      concurrentClients: users,
      durationSecs: 60,
      scriptParams: { token: "${env:TOKEN}", open },
    },
    providers: [
      { provider: { name: "Public Shared Grid" }, regions, params: { note: "${env:TOKEN}" } },
      { provider: more.isNamed ? { name: "Grid" } : grid },
    ],
  };
  const providers = { [grid]: { name: "Grid", providerType: "Shared" } };
  const tags = { [more.tag ?? "nightly"]: { name: more.label ?? "each night" } };
  const shop = {
    scenarios: {
      browse: { script, tags: ["nightly", "${env:TOKEN}"], ...(more.init !== undefined && { init: more.init }) },
    },
    configurations: { smoke: configuration },
  };
  return JSON.stringify({
    ...{ project: name, service: { url, organization: 1 }, state: { backend: "local", path: "state.json" } },
    ...{ providers, tags, testCases: { shop, ...(last && { last: {} }) } },
  });
}

const system = (env: System["env"], cwd = folder): System => ({
  ...processSystem("test", { program: "this build" }),
  ...{ env, cwd },
});

beforeAll(async () => {
  url = (await service.listen()).url;
  folder = freshFolder();
  mkdirSync(join(folder, "fork"));
  writeFileSync(join(folder, "loadform.yaml"), projectFile());
  const inside = system({ LOADFORM_API_KEY: service.apiKey, TOKEN: token });
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const { signal } = new AbortController();
  await applyProject({ ...flags, lockTimeoutSecs: 0, autoApprove: true }, inside, { ...ui, signal });
  text = (await takeSnapshot({ ...flags, withContents: true }, inside)).text ?? "";
  writeFileSync(join(folder, "fork", "snapshot.json"), text);
});
afterAll(() => service.close());

/** The plan of a fork, which has neither key nor state. */
function planOf(project: string, asked: Partial<Parameters<typeof planAgainst>[1]> = {}) {
  writeFileSync(join(folder, "fork", "loadform.yaml"), project);
  return planAgainst("snapshot.json", { ...flags, ...asked }, system({}, join(folder, "fork")));
}

test("the snapshot has bindings and no secret in it", () => {
  expect(text).toContain('"testCase.shop/configuration.smoke"');
  expect(text).not.toContain(token);
});

test("a plan that updates is one with a digest", async () => {
  const { plan, isUndigested } = await planOf(projectFile({ users: 9 }));
  expect(plan?.changes.filter(({ action }) => action === "update").map(({ address }) => address)).toEqual([
    "testCase.shop/configuration.smoke",
  ]);
  expect(isUndigested).toBeUndefined();
});

test("a plan that deletes has no digest", async () => {
  const { plan, isUndigested } = await planOf(projectFile({ last: false }));
  expect(plan?.changes.filter(({ action }) => action === "delete").map(({ address }) => address)).toEqual([
    "testCase.last",
  ]);
  expect(isUndigested).toBe(true);
});

test("a plan of a value that the snapshot hides and the project shows has no digest", async () => {
  const { plan, isUndigested } = await planOf(projectFile().replace("${env:TOKEN}", "open"));
  expect(plan).toBeDefined();
  expect(isUndigested).toBe(true);
});

test("a destroy of what is declared as protected is blocked, though it was not applied yet", async () => {
  const project = projectFile().replace('"last":{}', '"last":{"protect":true}');
  const { blocked } = await planOf(project, { destroy: true, allowDestroy: ["**"] });
  expect(blocked).toMatchObject([{ code: "LF4001", address: "testCase.last", file: "loadform.yaml" }]);
});

test("a snapshot of another project makes no plan", async () => {
  const { plan, diagnostics } = await planOf(projectFile({ name: "other" }));
  expect(plan).toBeUndefined();
  expect(diagnostics).toMatchObject([{ severity: "error", code: "LF5011" }]);
});

test("nothing has changed where the project is the same, and that is sure", async () => {
  const { plan, isUndigested } = await planOf(projectFile());
  expect([plan?.changes, isUndigested]).toEqual([[], undefined]);
});

test.each([
  ["a text", "testCase.shop/scenario.browse", { script: "attack('${env:TOKEN}')" }],
  ["a text, with another variable", "testCase.shop/scenario.browse", { script: "get('${env:OTHER}')" }],
  ["a list", "testCase.shop/configuration.smoke", { regions: ["cloud-us-east-1", "cloud-eu-west-1"] }],
])("what changes in %s beside a secret is a change, and no digest is known of it", async (_, address, more) => {
  const { plan, isUndigested } = await planOf(projectFile(more));
  expect(plan?.changes.map((change) => [change.address, change.action])).toEqual([[address, "update"]]);
  expect(isUndigested).toBe(true);
});

test("what somebody wrote where nobody declares anything is not in a snapshot; a plan that declares it has no digest", async () => {
  const client = createClient({ url, apiKey: service.apiKey });
  const init = "const key = 'console-secret'";
  await client.call("PUT /scripts/:id", { params: { id: 1 }, body: { init, language: "typescript" } });
  const inside = system({ LOADFORM_API_KEY: service.apiKey, TOKEN: token });
  const taken = (await takeSnapshot({ ...flags, withContents: true }, inside)).text ?? "";
  for (const secret of ["console-secret", sha256(init)]) expect(taken).not.toContain(secret);
  expect(taken).toContain('"language": "typescript"');
  writeFileSync(join(folder, "fork", "snapshot.json"), taken);
  expect((await planOf(projectFile({ users: 7 }))).isUndigested).toBeUndefined();
  const { plan, isUndigested, diagnostics } = await planOf(projectFile({ init: "open()" }));
  expect(plan?.changes).toMatchObject([{ address: "testCase.shop/scenario.browse", action: "update" }]);
  expect(isUndigested).toBe(true);
  expect(diagnostics.at(-1)?.detail).toContain("or nobody had declared it");
});

test("a change beside a secret member is only that, and has a digest", async () => {
  const { plan, isUndigested } = await planOf(projectFile({ open: "b" }));
  expect(plan?.changes.map(({ address, fields }) => [address, fields])).toEqual([
    [
      "testCase.shop/configuration.smoke",
      [
        expect.objectContaining({
          before: expect.objectContaining({ open: "a" }),
          after: expect.objectContaining({ open: "b" }),
        }),
      ],
    ],
  ]);
  expect(isUndigested).toBeUndefined();
});

test.each([
  ["a key leads to the same object as before", { grid: "mesh" }, []],
  ["an object is named as before", { grid: "mesh", isNamed: true }, []],
  ["a key leads to nothing", { tag: "weekly" }, ["testCase.shop/scenario.browse"]],
  ["a key leads to another name", { label: "every night" }, ["tag.nightly", "testCase.shop/scenario.browse"]],
])("beside a secret, where %s", async (_, more, changed) => {
  const moved = "grid" in more ? { moved: [{ from: "provider.grid", to: "provider.mesh" }] } : {};
  const { plan } = await planOf(JSON.stringify({ ...JSON.parse(projectFile(more)), ...moved }));
  const updates = plan?.changes.filter(({ action }) => action === "update") ?? [];
  expect(updates.map(({ address }) => address)).toEqual(changed);
});

test("a snapshot that does not say what the files said leaves it open", async () => {
  const whole = JSON.parse(text) as { bound: Record<string, { sources?: unknown }> };
  for (const bound of Object.values(whole.bound)) delete bound.sources;
  writeFileSync(join(folder, "fork", "snapshot.json"), JSON.stringify(whole));
  expect((await planOf(projectFile({ script: "attack('${env:TOKEN}')" }))).isUndigested).toBe(true);
  writeFileSync(join(folder, "fork", "snapshot.json"), text);
});

test("a value that was not applied when the snapshot was taken is a change", async () => {
  const edited = projectFile({ script: "later('${env:TOKEN}')" });
  writeFileSync(join(folder, "loadform.yaml"), edited);
  const inside = system({ LOADFORM_API_KEY: service.apiKey, TOKEN: token });
  const taken = await takeSnapshot({ ...flags, withContents: false }, inside);
  writeFileSync(join(folder, "fork", "snapshot.json"), taken.text ?? "");
  const { plan } = await planOf(edited);
  expect(plan?.changes.map(({ address }) => address)).toEqual(["testCase.shop/scenario.browse"]);
});

test.each([
  ["vcsRoots", { url: "https://git.test/a.git" }, "branch"],
  ["vcsRoots", { url: "https://git.test/a.git", vcsAuthType: "Username", password: "${env:TOKEN}" }, "username"],
  ["testCases", {}, "description"],
])("a secret of %s %j that is declared no more is planned as at the service: %s", async (plural, fields, field) => {
  const cwd = freshFolder();
  const inside = system({ LOADFORM_API_KEY: service.apiKey, TOKEN: token }, cwd);
  const declare = (more: object) => {
    const head = { project: "p", service: { url, organization: 1 }, state: { backend: "local", path: "s.json" } };
    const objects = { [plural]: { [`without-${field}`]: { ...fields, ...more } } };
    writeFileSync(join(cwd, "loadform.yaml"), JSON.stringify({ ...head, ...objects }));
  };
  declare({ [field]: "${env:TOKEN}" });
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined };
  const { signal } = new AbortController();
  const applied = await applyProject({ ...flags, lockTimeoutSecs: 0, autoApprove: true }, inside, { ...ui, signal });
  expect(applied).toMatchObject({ status: "applied" });
  declare({});
  const { text = "" } = await takeSnapshot({ ...flags, withContents: false }, inside);
  writeFileSync(join(cwd, "snapshot.json"), text);
  const live = await planProject(flags, inside);
  const against = await planAgainst("snapshot.json", flags, inside);
  const actions = ({ plan }: { readonly plan?: Plan | undefined }) => ({
    changes: plan?.changes.map(({ address, action, fields: changed }) => [
      address,
      action,
      changed.map((each) => each.field),
    ]),
    drift: plan?.drift.map(({ address, fields: changed }) => [address, changed.map((each) => each.field)]),
  });
  expect(actions(against)).toEqual(actions(live));
  expect(JSON.stringify(against.plan)).not.toContain("(hidden)");
});

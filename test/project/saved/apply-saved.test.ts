import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApplyFlags, type ApplyUi, applyProject } from "../../../src/project/apply-project.ts";
import { planProject } from "../../../src/project/plan-project.ts";
import { applySaved } from "../../../src/project/saved/apply-saved.ts";
import { savedPart } from "../../../src/project/saved/save-plan.ts";
import { savedDocument } from "../../../src/project/saved/saved-plan.ts";
import type { System } from "../../../src/project/system.ts";
import { readState } from "../../../src/state/state-text.ts";
import { type BareRepository, bareRepository, plainGit } from "../../support/git-server.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { realHolder } from "../../support/state-samples.ts";
import { type FakeStateServer, startStateServer } from "../../support/state-server.ts";
import { unshown } from "../../support/unshown.ts";

const credentials = { username: "ci", password: "glpat-Sesam0effne" };
const withPostgres = hasPostgres();
let database: TestPostgres | undefined;
let server: FakeStateServer;
let repository: BareRepository;
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-apply-remote-"));
  server = await startStateServer("gitlab", credentials);
  repository = bareRepository();
  if (withPostgres) database = await startPostgres();
});
afterAll(async () => {
  await server.close();
  repository.remove();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

const backends = ["http", "git", ...(withPostgres ? ["postgres"] : [])];
const places: Readonly<Record<string, string>> = {
  http: `{ backend: http, address: "\${env:STATE_ADDRESS}", username: ci }`,
  git: `{ backend: git, remote: "\${env:STATE_REMOTE}" }`,
  postgres: `{ backend: postgres, url: "\${env:STATE_URL}", schema: applied }`,
};

const system = (): System => ({
  env: {
    ...plainGit,
    STATE_REMOTE: repository.folder,
    STATE_ADDRESS: `${server.address.replace("://", "://ci:Sesam1@")}`,
    STATE_URL: database?.url,
    LOADFORM_STATE_PASSWORD: credentials.password,
  },
  cwd: folder,
  now: Date.now,
  sleep: realHolder.sleep,
  version: "1.2.3",
  deriveKey: () => new Uint8Array(32),
});

const ui: ApplyUi = {
  confirm: async () => true,
  show: () => undefined,
  emit: () => undefined,
  signal: new AbortController().signal,
};

async function project(backend: string, gateways: readonly string[]): Promise<ApplyFlags> {
  const dir = join(folder, backend);
  await mkdir(dir, { recursive: true });
  const lines = [
    `project: webshop`,
    `service: { url: "memory:service.json" }`,
    `state: ${places[backend]}`,
    `testCases:`,
    `  shop:`,
    `    gateways: { ${gateways.map((key) => `${key}: { url: "https://${key}.example.com" }`).join(", ")} }`,
  ];
  await writeFile(join(dir, "loadform.yaml"), `${lines.join("\n")}\n`);
  return { dir, vars: {}, lockTimeoutSecs: 0, autoApprove: true };
}

describe.each(backends)("a project with its state in %s", (backend) => {
  test("is applied with few writes, and then there is nothing to do", async () => {
    const flags = await project(backend, ["a", "b", "c"]);
    const applied = await applyProject(flags, system(), ui);
    expect(applied).toMatchObject({ status: "applied", counts: { create: 4, failed: 0 } });
    if (backend === "http") {
      const writes = server.log.filter((line) => line === "POST 200").length - 1;
      expect(writes).toBeLessThanOrEqual(2 + 2 * 2);
      expect(server.lock()).toBeUndefined();
      expect(readState(server.document!).pending).toEqual([]);
    }
    const again = await planProject(flags, system());
    expect(again.plan?.operations).toEqual([]);
  });

  test("can be planned into a file that holds no credentials, and applied from it", async () => {
    const flags = await project(backend, ["a", "b", "c", "d"]);
    const outcome = await planProject(flags, system());
    const text = JSON.stringify(savedDocument({}, savedPart(outcome)!, unshown));
    for (const hidden of [credentials.password, "Sesam", "p%40ss", "tester"]) expect(text).not.toContain(hidden);
    await writeFile(join(folder, `${backend}.plan.json`), text);
    const applied = await applySaved(`${backend}.plan.json`, flags, { system: system(), ui });
    expect(applied).toMatchObject({ status: "applied", counts: { create: 1 } });
    expect((await planProject(flags, system())).plan?.operations).toEqual([]);
  });
});

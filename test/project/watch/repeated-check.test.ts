// engine: a project in a folder, checked over HTTP
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyProject } from "../../../src/project/apply-project.ts";
import type { System } from "../../../src/project/system.ts";
import { checkProject } from "../../../src/project/watch/check-project.ts";
import { createService } from "../../../src/service/index.ts";
import type { Found } from "../../../src/watch/check-result.ts";

let service: ReturnType<typeof createService>;
let folder = "";
let url = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-repeated-"));
  service = createService({ clock: { mode: "real" } });
  url = (await service.listen()).url;
  await mkdir(join(folder, "project"));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const signal = new AbortController().signal;
const system = (): System => ({
  env: { LOADFORM_API_KEY: service.apiKey, XDG_CACHE_HOME: join(folder, "cache") },
  cwd: join(folder, "project"),
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  version: "test",
  program: "this build",
  deriveKey: (lineage, salt) => new TextEncoder().encode(`${lineage} ${salt}`),
});

const request = { dir: ".", prune: false, allowPrograms: true, isCheckout: false };

/** A check's requests, and what it found. */
async function check() {
  const talk = { compared: async () => [], signal, beforeWrites: () => undefined };
  const result = await checkProject(request, system(), talk);
  if (result.is !== "checked") throw new Error(`found ${JSON.stringify(result)}; expected a check that was made`);
  return [
    result.requests,
    result.found.findings.map(({ address, action, origin }) => `${address}: ${action} ${origin}`),
  ];
}

async function applyShop(description = "Buying", dir = "project") {
  const state = join(folder, "state.json");
  const document = { project: "shop", service: { url }, state, testCases: { checkout: { description } } };
  await mkdir(join(folder, dir), { recursive: true });
  await writeFile(join(folder, dir, "loadform.yaml"), JSON.stringify(document));
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined, signal };
  const flags = { dir: `../${dir}`, vars: {}, lockTimeoutSecs: 0, autoApprove: true };
  expect((await applyProject(flags, system(), ui)).status).toBe("applied");
}

/** A PUT by somebody else. */
async function outside(path: string, body: unknown) {
  const headers = { "X-Api-Key": service.apiKey, "content-type": "application/json" };
  return (await fetch(`${url}${path}`, { method: "PUT", headers, body: JSON.stringify(body) })).json();
}

test("a check after one that found all as it was finds what was changed since, with the same requests", async () => {
  await applyShop();
  expect([await check(), await check()]).toEqual([
    [2, []],
    [2, []],
  ]);
  await outside("/test-cases/1", { name: "theirs" });
  expect(await check()).toEqual([2, ["testCase.checkout: update drift"]]);
});

test("a check that heals and cannot read once more has failed, with what it healed and its requests", async () => {
  await applyShop();
  await outside("/test-cases/1", { name: "theirs" });
  const fault = { method: "GET", path: "/orgs/:orgId/test-cases", status: 400 };
  const requests: string[] = [];
  const log = (line: string) => {
    requests.push(line);
    // The last look follows what was written.
    if (line.startsWith("PUT /test-cases/1")) void outside("/_loadform/faults", [fault]);
  };
  const talk = { compared: async () => ["testCase.checkout"], signal, beforeWrites: () => undefined };
  const result = await checkProject({ ...request, heal: "drift" }, { ...system(), log }, talk);
  const heal = { status: "healed", written: ["testCase.checkout"], diagnostics: [] };
  expect(result).toMatchObject({ is: "failed", diagnostics: [{ code: "LF2003" }], heal, requests: requests.length });
});

test("a healing leaves what a pipeline applied from another commit meanwhile", async () => {
  await applyShop();
  await outside("/test-cases/1", { name: "theirs" });
  const compared = async ({ findings }: Found) => {
    await applyShop("Paying", "later");
    return findings.map(({ address }) => address);
  };
  const talk = { compared, signal, beforeWrites: () => undefined };
  const result = await checkProject({ ...request, heal: "drift" }, system(), talk);
  expect(result).toMatchObject({ is: "checked", found: { findings: [{ action: "update", origin: "git" }] } });
  expect(result).not.toHaveProperty("heal");
  expect(await outside("/test-cases/1", { name: "checkout" })).toMatchObject({ description: "Paying" });
});

test("a check beside an apply that ends meanwhile compares with what that stored", async () => {
  await applyShop();
  const document = { project: "shop", service: { url }, state: join(folder, "state.json") };
  const testCases = { checkout: { description: "Buying" }, other: {} };
  await writeFile(join(folder, "project", "loadform.yaml"), JSON.stringify({ ...document, testCases }));
  let applying: Promise<unknown> | undefined;
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined, signal };
  const flags = { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true };
  const watch = {
    // The state has been read by then.
    trying(call: object) {
      if ("path" in call && String(call.path).includes("/test-cases")) applying ??= applyProject(flags, system(), ui);
    },
    ended: () => undefined,
  };
  await outside("/_loadform/faults", [
    { method: "GET", path: "/orgs/:orgId/test-cases", times: 1, effectDelayMs: 1_500 },
  ]);
  const talk = { compared: async () => [], signal, beforeWrites: () => undefined };
  const result = await checkProject(request, { ...system(), watch }, talk);
  expect(await applying).toMatchObject({ status: "applied" });
  expect(result).toMatchObject({ is: "checked", found: { blocked: [], findings: [] } });
});

test("a check that finds an error is made once, without a state too", async () => {
  const headers = { "X-Api-Key": service.apiKey, "content-type": "application/json" };
  const body = JSON.stringify({ name: "checkout", org: 1 });
  await fetch(`${url}/test-cases`, { method: "POST", headers, body });
  const document = { project: "shop", service: { url }, testCases: { checkout: {} } };
  await writeFile(join(folder, "project", "loadform.yaml"), JSON.stringify(document));
  const talk = { compared: async () => [], signal, beforeWrites: () => undefined };
  expect(await checkProject(request, system(), talk)).toMatchObject({
    requests: 2,
    found: { blocked: [{ code: "LF3001" }] },
  });
});

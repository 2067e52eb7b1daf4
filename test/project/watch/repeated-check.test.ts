// engine: a project in a folder, checked over HTTP
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyProject } from "../../../src/project/apply-project.ts";
import type { System } from "../../../src/project/system.ts";
import { checkProject } from "../../../src/project/watch/check-project.ts";
import { createService } from "../../../src/service/index.ts";

const service = createService({ clock: { mode: "real" } });
let folder = "";
let url = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadform-repeated-"));
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

/** A check's requests, and what it found. */
async function check() {
  const request = { dir: ".", prune: false, allowPrograms: true, isCheckout: false };
  const talk = { compared: async () => [], signal, beforeWrites: () => undefined };
  const result = await checkProject(request, system(), talk);
  if (result.is !== "checked") throw new Error(`found ${JSON.stringify(result)}; expected a check that was made`);
  const { requests, findings } = result.found;
  return [requests, findings.map(({ address, action, origin }) => `${address}: ${action} ${origin}`)];
}

test("a check after one that found all as it was finds what was changed since, with the same requests", async () => {
  const document = { project: "shop", service: { url }, testCases: { checkout: { description: "Buying" } } };
  await writeFile(join(folder, "project", "loadform.yaml"), JSON.stringify(document));
  const ui = { confirm: async () => true, show: () => undefined, emit: () => undefined, signal };
  await applyProject({ dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true }, system(), ui);
  expect([await check(), await check()]).toEqual([
    [2, []],
    [2, []],
  ]);
  const headers = { "X-Api-Key": service.apiKey, "content-type": "application/json" };
  await fetch(`${url}/test-cases/1`, { method: "PUT", headers, body: JSON.stringify({ name: "theirs" }) });
  expect(await check()).toEqual([2, ["testCase.checkout: update drift"]]);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { applyProject } from "../../../src/project/apply-project.ts";
import type { System } from "../../../src/project/system.ts";
import { type CheckTalk, checkProject } from "../../../src/project/watch/check-project.ts";
import { createService } from "../../../src/service/index.ts";
import type { CheckResult, Found } from "../../../src/watch/check-result.ts";
import type { CheckRequest } from "../../../src/watch/process/check-request.ts";

export let url = "";
export let folder = "";
let service: ReturnType<typeof createService>;
/** Gives each test of a file an applied shop. */
export function useShop(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "loadform-check-"));
    service = createService({ clock: { mode: "real" } });
    url = (await service.listen()).url;
    await write(shop());
    await apply();
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
}

interface Shop {
  readonly clients?: number;
  readonly description?: string;
  readonly protect?: boolean;
  readonly schedules?: unknown;
  readonly gateways?: readonly string[];
}

export const shop = ({
  clients = 1,
  description = "Buying",
  protect = false,
  schedules,
  gateways = ["a", "b"],
}: Shop = {}) => ({
  project: "shop",
  service: { url },
  testCases: {
    checkout: {
      description,
      scenarios: { browse: { script: "const a = 1;", dataStores: { "u.csv": { contents: "a\n1\n" } } } },
      gateways: Object.fromEntries(gateways.map((key) => [key, { url: `https://${key}.example.com`, protect }])),
      configurations: {
        smoke: {
          scenario: "browse",
          concurrentClients: clients,
          durationSecs: 3_600,
          ...grid,
          ...(schedules ? { schedules } : {}),
        },
      },
    },
  },
});
const grid = { providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }] };

export const write = (document: unknown) => writeFile(join(folder, "loadform.yaml"), JSON.stringify(document));

export const system = (): System => ({
  env: { LOADFORM_API_KEY: service.apiKey },
  cwd: folder,
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  version: "test",
  deriveKey: (lineage, salt) => new TextEncoder().encode(`${lineage} ${salt}`),
});

export async function apply(ends: readonly string[] = ["applied"]) {
  const ui = {
    confirm: async () => true,
    show: () => undefined,
    emit: () => undefined,
    signal: new AbortController().signal,
  };
  const outcome = await applyProject({ dir: folder, vars: {}, lockTimeoutSecs: 0, autoApprove: true }, system(), ui);
  expect([ends, outcome.diagnostics]).toEqual([expect.arrayContaining([outcome.status]), []]);
}

/** A request to the service by somebody else. */
export async function outside(method: string, path: string, body?: unknown) {
  const headers = { "X-Api-Key": service.apiKey, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json().catch(() => undefined)) as never;
}

export const request = (more: Partial<CheckRequest> = {}): CheckRequest => ({
  ...{ dir: folder, prune: false, allowPrograms: true, isCheckout: false },
  ...more,
});

/** Checks, and answers all that was found, or what `answer` makes of it. */
export async function check(
  more: Partial<CheckRequest> = {},
  answer: (found: Found) => readonly string[] | Promise<readonly string[]> = (found) =>
    found.findings.map(({ address }) => address),
): Promise<{ readonly result: CheckResult; readonly first: Found | undefined }> {
  let first: Found | undefined;
  const talk: CheckTalk = {
    async compared(found) {
      first = found;
      return answer(found);
    },
    signal: new AbortController().signal,
    beforeWrites: () => undefined,
  };
  return { result: await checkProject(request(more), system(), talk), first };
}

export const short = (found: Found | undefined) =>
  found?.findings.map(({ address, action, origin, ends, busy }) => [
    address.replace("testCase.checkout/", ""),
    [action, origin, ends ? "ends" : "", busy ?? ""].filter(Boolean).join(" "),
  ]);
export const foundOf = (result: CheckResult) => (result.is === "checked" ? result.found : undefined);
export const codesOf = (result: CheckResult) =>
  result.is === "checked" ? [] : result.diagnostics.map(({ code }) => code);
export const clientsAt = async () =>
  ((await outside("GET", "/test-confs/1")) as { concurrentClients: number }).concurrentClients;

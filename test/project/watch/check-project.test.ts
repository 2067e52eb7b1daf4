import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyProject } from "../../../src/project/apply-project.ts";
import { loadFolder } from "../../../src/project/open-project.ts";
import { openState } from "../../../src/project/open-state.ts";
import type { System } from "../../../src/project/system.ts";
import { type CheckTalk, checkProject } from "../../../src/project/watch/check-project.ts";
import { createService } from "../../../src/service/index.ts";
import type { CheckResult, Found } from "../../../src/watch/check-result.ts";
import type { CheckRequest } from "../../../src/watch/process/check-request.ts";

let service: ReturnType<typeof createService>;
let url = "";
let folder = "";
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

interface Shop {
  readonly clients?: number;
  readonly description?: string;
  readonly protect?: boolean;
  readonly schedules?: unknown;
  readonly gateways?: readonly string[];
}

const shop = ({
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

const write = (document: unknown) => writeFile(join(folder, "loadform.yaml"), JSON.stringify(document));

const system = (): System => ({
  env: { LOADFORM_API_KEY: service.apiKey },
  cwd: folder,
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  version: "test",
  deriveKey: (lineage, salt) => new TextEncoder().encode(`${lineage} ${salt}`),
});

async function apply(ends: readonly string[] = ["applied"]) {
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
async function outside(method: string, path: string, body?: unknown) {
  const headers = { "X-Api-Key": service.apiKey, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json().catch(() => undefined)) as never;
}

const request = (more: Partial<CheckRequest> = {}): CheckRequest => ({
  ...{ dir: folder, prune: false, allowPrograms: true, isCheckout: false },
  ...more,
});

/** Checks, and answers all that was found, or what `answer` makes of it. */
async function check(
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

const short = (found: Found | undefined) =>
  found?.findings.map(({ address, action, origin, ends, busy }) => [
    address.replace("testCase.checkout/", ""),
    [action, origin, ends ? "ends" : "", busy ?? ""].filter(Boolean).join(" "),
  ]);
const foundOf = (result: CheckResult) => (result.is === "checked" ? result.found : undefined);
const codesOf = (result: CheckResult) => (result.is === "checked" ? [] : result.diagnostics.map(({ code }) => code));
const clientsAt = async () =>
  ((await outside("GET", "/test-confs/1")) as { concurrentClients: number }).concurrentClients;

describe("what a check finds", () => {
  test("is nothing when declared and live are equal", async () => {
    const { result } = await check();
    expect(result).toMatchObject({ is: "checked", found: { findings: [], blocked: [], objects: 6, plan: "" } });
  });

  test("has the origin of each difference", async () => {
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    await outside("DELETE", "/gateways/1");
    await write(shop({ description: "Paying", gateways: ["a", "c"] }));
    const { first } = await check({ heal: "all" }, () => []);
    expect(new Map(short(first) as [string, string][])).toEqual(
      new Map([
        ["testCase.checkout", "update git"],
        ["gateway.a", "create drift"],
        ["gateway.b", "delete git ends"],
        ["gateway.c", "create git"],
        ["configuration.smoke", "update drift"],
      ]),
    );
    expect(first?.plan).toContain("concurrentClients");
    expect(first?.findings.find(({ address }) => address.endsWith("smoke"))?.driftedFields).toBe(1);
  });

  test("is git where a field was changed here and outside", async () => {
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    await write(shop({ clients: 3 }));
    const { first } = await check({}, () => []);
    expect(short(first)).toEqual([["configuration.smoke", "update git"]]);
  });

  test("is git where somebody created what `unmanaged: delete` deletes", async () => {
    const document = shop();
    const { checkout } = document.testCases;
    await write({ ...document, testCases: { checkout: { ...checkout, unmanaged: "delete" } } });
    await outside("POST", "/test-cases/1/gateways", { name: "theirs", url: "https://theirs.example.com" });
    const { first } = await check({ heal: "all", prune: true }, () => []);
    expect(first?.findings.map(({ action, origin, ends }) => [action, origin, ends])).toEqual([
      ["delete", "git", true],
    ]);
  });

  test("has the same digests as long as nothing changes, and others afterwards", async () => {
    await write(shop({ clients: 3 }));
    const [one, same] = [(await check({}, () => [])).first, (await check({}, () => [])).first];
    expect([same?.difference, same?.documents]).toEqual([one?.difference, one?.documents]);
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    const live = (await check({}, () => [])).first;
    expect([live?.difference === one?.difference, live?.documents === one?.documents]).toEqual([false, true]);
    await write(shop({ clients: 4 }));
    expect((await check({}, () => [])).first?.documents).not.toBe(one?.documents);
  });
});

describe("what is refused", () => {
  test("another service than the target, before any request", async () => {
    let calls = 0;
    const counted = { ...system(), watch: { trying: () => void calls++, ended: () => undefined } };
    const talk = { compared: async () => [], signal: new AbortController().signal, beforeWrites: () => undefined };
    const result = await checkProject(request({ target: "https://load.example.com/api" }), counted, talk);
    expect([result.is, codesOf(result), calls]).toEqual(["refused", ["LF8002"], 0]);
    const same = await checkProject(request({ target: `${url}/` }), counted, talk);
    expect([same.is, calls > 0]).toEqual(["checked", true]);
  });

  test("a state that would be lost with the checkout, and programs that are not allowed", async () => {
    expect(codesOf((await check({ isCheckout: true })).result)).toEqual(["LF8007"]);
    await writeFile(join(folder, "loadform.config.ts"), "throw new Error('it ran')");
    const { result } = await check({ allowPrograms: false });
    expect([codesOf(result), JSON.stringify(result).includes("it ran")]).toEqual([["LF8003"], false]);
  });

  test("by a guard: without prune those of deletes are not asked", async () => {
    await write(shop({ protect: true }));
    await apply(["nothing"]);
    await write(shop({ gateways: ["a"], protect: true, clients: 2 }));
    expect((await check({ heal: "all", prune: true })).first?.blocked.map(({ code }) => code)).toEqual(["LF4001"]);
    const { result, first } = await check({ heal: "all" });
    expect(first?.blocked).toEqual([]);
    expect(result).toMatchObject({ heal: { status: "healed", written: ["testCase.checkout/configuration.smoke"] } });
    expect(short(foundOf(result))).toEqual([["gateway.b", "delete git ends"]]);
  });

  test("by what needs a flag in apply: a collision is blocked, not failed", async () => {
    await outside("POST", "/test-cases", { name: "Other", org: 1 });
    await write({ ...shop(), testCases: { ...shop().testCases, other: { name: "Other" } } });
    const { result } = await check({ heal: "all" });
    expect(foundOf(result)?.blocked.map(({ code }) => code)).toEqual(["LF3001"]);
    expect(result).not.toHaveProperty("heal");
  });
});

describe("healing", () => {
  test("writes the addresses that are answered and what they need, and tells how it is afterwards", async () => {
    await outside("PUT", "/test-confs/1", { concurrentClients: 7 });
    await write(shop({ description: "Paying" }));
    await outside("DELETE", "/_loadform/requests");
    const { result } = await check({ heal: "drift" }, (found) =>
      found.findings.filter(({ origin }) => origin === "drift").map(({ address }) => address),
    );
    expect(await outside("GET", "/_loadform/requests")).toHaveLength(result.requests ?? -1);
    expect(result).toMatchObject({
      heal: { status: "healed", written: ["testCase.checkout/configuration.smoke"], diagnostics: [] },
    });
    expect([short(foundOf(result)), await clientsAt()]).toEqual([[["testCase.checkout", "update git"]], 1]);
  });

  test("ends at a held lock", async () => {
    await write(shop({ clients: 2 }));
    const project = await loadFolder({ dir: folder, vars: {} }, system(), { unsetEnv: "error" });
    const session = await openState(project, system()).lock({ operation: "apply", timeoutMs: 0 });
    const { result } = await check({ heal: "all" });
    await session.release();
    expect(result).toMatchObject({ is: "checked", heal: { status: "locked", written: [] } });
    expect(await clientsAt()).toBe(1);
  });

  test("leaves a configuration with a run under way alone, with its scenario, and does the rest", async () => {
    await outside("POST", "/test-confs/1/executions", {});
    const edited = shop({ clients: 2, description: "Paying" });
    edited.testCases.checkout.scenarios.browse.script = "const a = 2;";
    await write(edited);
    const { result, first } = await check({ heal: "all" });
    expect(short(first)).toEqual([
      ["testCase.checkout", "update git"],
      ["configuration.smoke", "update git running"],
      ["scenario.browse", "update git running"],
    ]);
    expect(result).toMatchObject({ heal: { status: "healed", written: ["testCase.checkout"] } });
    expect(await clientsAt()).toBe(1);
  });

  test("is postponed when a run has begun since the comparison", async () => {
    await write(shop({ clients: 2 }));
    const { result } = await check({ heal: "all" }, async (found) => {
      await outside("POST", "/test-confs/1/executions", {});
      return found.findings.map(({ address }) => address);
    });
    expect([result.is, "heal" in result, await clientsAt()]).toEqual(["checked", false, 1]);
  });

  test("leaves alone what a schedule starts within five minutes", async () => {
    const soon = new Date(Date.now() + 240_000).toISOString();
    const late = new Date(Date.now() + 600_000).toISOString();
    await write(shop({ schedules: { once: { scheduleType: "Single", nextScheduled: late } } }));
    await apply();
    await write(shop({ clients: 2, schedules: { once: { scheduleType: "Single", nextScheduled: late } } }));
    expect(short((await check({ heal: "all" }, () => [])).first)).toEqual([["configuration.smoke", "update git"]]);
    await write(shop({ schedules: { once: { scheduleType: "Single", nextScheduled: soon } } }));
    await apply();
    await write(shop({ clients: 2, schedules: { once: { scheduleType: "Single", nextScheduled: soon } } }));
    const { result, first } = await check({ heal: "all" });
    expect(short(first)).toEqual([["configuration.smoke", "update git starting"]]);
    expect(["heal" in result, await clientsAt()]).toEqual([false, 1]);
  });

  test("deletes nothing without prune, whatever is answered", async () => {
    await write(shop({ gateways: ["a"] }));
    expect((await check({ heal: "all" })).result).not.toHaveProperty("heal");
    expect((await check({ heal: "all", prune: true })).result).toMatchObject({
      heal: { status: "healed" },
      found: { findings: [] },
    });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedService } from "../support/shared-service.ts";
import { exampleFolder, filesBelow, reaching } from "./example-folder.ts";
import { takeRequests, writesOf } from "./request-log.ts";

interface Change {
  readonly address: string;
  readonly type: string;
  readonly kind: string;
  readonly name: string;
  readonly action_reason?: string;
  readonly change: { readonly actions: readonly string[]; readonly before: unknown; readonly after: unknown };
  readonly risks: readonly string[];
}

interface Document {
  readonly digest: string;
  readonly resource_changes: readonly Change[];
  readonly resource_drift: readonly Change[];
  readonly summary: Readonly<Record<string, number>>;
  readonly requests: number;
}

const service = sharedService();

/** The example as it was applied just now. */
async function appliedExample() {
  const folder = exampleFolder("webshop", reaching(service));
  expect((await folder.run("apply", "--auto-approve")).code).toBe(0);
  await takeRequests(service);
  const plan = async (...flags: readonly string[]) => {
    const { code, stdout, stderr } = await folder.run("plan", "--json", ...flags);
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as Document;
  };
  return { ...folder, plan };
}

const actionsOf = ({ resource_changes }: Document) =>
  Object.fromEntries(resource_changes.map(({ address, change }) => [address, change.actions.join("+")]));

/** What somebody else's configuration 3, "Smoke", looks like by now. */
const smoke = async () => (await service.call("GET", "/test-confs/3")).body as Readonly<Record<string, unknown>>;

describe("plan --json", () => {
  test("has the contract's shape for a project that is all new", async () => {
    const { run } = exampleFolder("webshop", reaching(service));
    const { code, stdout } = await run("plan", "--json", "--detailed-exitcode");
    const document = JSON.parse(stdout) as Document & Readonly<Record<string, unknown>>;
    expect([code, document["format_version"], document["project"], document["target"]]).toEqual([
      2,
      "1.2",
      "webshop",
      { url: service.ready.url, organization: 1 },
    ]);
    expect(document.digest).toMatch(/^-\.[0-9a-f]{64}$/);
    expect(document.summary).toEqual({
      create: 11,
      update: 0,
      delete: 0,
      replace: 0,
      import: 0,
      move: 0,
      forget: 0,
      noop: 0,
    });
    expect(document.requests).toBeLessThanOrEqual(6);
    const made = document.resource_changes.find(({ kind }) => kind === "gateway");
    expect(made).toEqual({
      address: "testCase.checkout/gateway.shop",
      type: "loadform_gateway",
      mode: "managed",
      kind: "gateway",
      name: "Shop",
      change: {
        actions: ["create"],
        before: null,
        after: { name: "Shop", url: "https://shop.example.com" },
        after_unknown: expect.anything(),
        before_sensitive: false,
        after_sensitive: {},
      },
      risks: [],
    });
  });

  test("shows what changed outside as drift, what changes because of it, and leaves the rest out", async () => {
    const { plan, run } = await appliedExample();
    await service.call("PUT", "/test-confs/3", { concurrentClients: 55 });
    await service.call("DELETE", "/vcs-roots/1");
    const document = await plan();
    expect(actionsOf(document)).toEqual({
      "testCase.checkout/configuration.smoke": "update",
      "vcsRoot.scripts": "create",
    });
    expect(document.summary["noop"]).toBe(11);
    expect(document.resource_drift.map(({ address, change }) => [address, change.actions])).toEqual([
      ["testCase.checkout/configuration.smoke", ["update"]],
      ["vcsRoot.scripts", ["delete"]],
    ]);
    const text = (await run("plan")).stdout;
    expect(text).toContain("Changed outside since the last apply:");
    expect(text).toContain("concurrentClients: 55 → 20");
    expect(text).toContain("vcsRoot.scripts is gone");
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    expect((await smoke())["concurrentClients"]).toBe(20);
    expect((await plan()).resource_changes).toEqual([]);
  });

  test("is limited by --target to the addresses and what they need", async () => {
    const { plan, edit, run } = await appliedExample();
    edit("load/checkout.yaml", "durationSecs: 60", "durationSecs: 90");
    edit("load/checkout.yaml", "durationSecs: 1200", "durationSecs: 1300");
    edit("scripts/browse.js", "\n", "\n// more\n");
    expect(actionsOf(await plan("--target", "*/configuration.smoke"))).toEqual({
      "testCase.checkout/configuration.smoke": "update",
      "testCase.checkout/scenario.browse": "update",
    });
    expect((await run("apply", "--auto-approve", "--target", "testCase.checkout/configuration.peak")).code).toBe(0);
    expect(actionsOf(await plan())).toEqual({ "testCase.checkout/configuration.smoke": "update" });
  });

  test.each(["--target", "--replace"])("is refused for a %s that is nobody's address", async (flag) => {
    const { run } = exampleFolder();
    const { code, stderr } = await run("apply", "--auto-approve", flag, "testCase.chekout");
    expect([code, stderr]).toEqual([1, expect.stringContaining("error LF3007")]);
    expect(stderr).toMatch(/Did you mean\s+testCase\.checkout\?/);
    expect((await run("state", "list")).stdout.trim()).toBe("");
  });

  test("makes an object anew with --replace, under the same name and with another id", async () => {
    const { plan, run } = await appliedExample();
    const flag = ["--replace", "testCase.checkout/gateway.shop"] as const;
    const document = await plan(...flag);
    expect(actionsOf(document)).toEqual({ "testCase.checkout/gateway.shop": "delete+create" });
    expect(document.resource_changes[0]?.action_reason).toBe("replace_by_request");
    expect((await run("apply", "--auto-approve", ...flag)).code).toBe(0);
    expect((await service.call("GET", "/test-cases/1/gateways")).body).toMatchObject([{ id: 2, name: "Shop" }]);
    expect((await plan()).resource_changes).toEqual([]);
  });

  test("is made without a single write, and writes nothing into the project", async () => {
    const { plan, cwd } = await appliedExample();
    const before = filesBelow(cwd);
    await plan("--destroy").catch(() => undefined);
    await plan("--replace", "testCase.checkout/gateway.shop");
    expect(writesOf(await takeRequests(service))).toEqual([]);
    expect(filesBelow(cwd)).toEqual(before);
  });
});

describe("a saved plan", () => {
  test("is applied exactly as reviewed: the project's files are not read again", async () => {
    const { run, edit, plan } = await appliedExample();
    edit("load/checkout.yaml", "durationSecs: 60", "durationSecs: 90");
    expect((await run("plan", "--out", "plan.json")).code).toBe(0);
    edit("load/checkout.yaml", "durationSecs: 90", "durationSecs: 120");
    const { code, stdout } = await run("apply", "plan.json");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Applied: 0 created, 1 updated, 0 deleted.")]);
    expect((await smoke())["durationSecs"]).toBe(90);
    expect(actionsOf(await plan())).toEqual({ "testCase.checkout/configuration.smoke": "update" });
  });

  test("is refused with exit 5 and no write once something that it touches has changed", async () => {
    const { run, edit } = await appliedExample();
    edit("load/checkout.yaml", "durationSecs: 60", "durationSecs: 90");
    await run("plan", "--out", "plan.json");
    await service.call("PUT", "/test-confs/3", { durationSecs: 75 });
    await takeRequests(service);
    const { code, stderr } = await run("apply", "plan.json");
    expect([code, stderr]).toEqual([5, expect.stringContaining("LF5008")]);
    expect(writesOf(await takeRequests(service))).toEqual([]);
    expect((await smoke())["durationSecs"]).toBe(75);
  });

  test("is still good when something else has changed, or another apply has run meanwhile", async () => {
    const { run, edit } = await appliedExample();
    edit("load/checkout.yaml", "durationSecs: 60", "durationSecs: 90");
    await run("plan", "--out", "plan.json", "--target", "testCase.checkout/configuration.smoke");
    await service.call("PUT", "/test-confs/2", { durationSecs: 1250 });
    expect((await run("apply", "--auto-approve", "--target", "testCase.checkout/configuration.peak")).code).toBe(0);
    expect((await run("apply", "plan.json")).code).toBe(0);
    expect((await smoke())["durationSecs"]).toBe(90);
  });

  test("with one byte changed is refused with exit 1", async () => {
    const { run, edit, cwd } = await appliedExample();
    edit("load/checkout.yaml", "durationSecs: 60", "durationSecs: 90");
    await run("plan", "--out", "plan.json");
    edit("plan.json", '"durationSecs": 90', '"durationSecs": 91');
    const { code, stderr } = await run("apply", "plan.json");
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF5007")]);
    expect(readFileSync(join(cwd, "plan.json"), "utf8")).toContain('"durationSecs": 91');
    expect((await smoke())["durationSecs"]).toBe(60);
  });
});

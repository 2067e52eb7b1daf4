import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedService } from "../support/shared-service.ts";
import { exampleFolder, reaching } from "./example-folder.ts";
import { takeRequests, writesOf } from "./request-log.ts";

const made = [
  "provider.grid",
  "region.dc1",
  "testCase.checkout",
  "testCase.checkout/configuration.limit",
  "testCase.checkout/configuration.peak",
  "testCase.checkout/configuration.smoke",
  "testCase.checkout/configuration.smoke/schedule.nightly",
  "testCase.checkout/gateway.shop",
  "testCase.checkout/scenario.browse",
  "testCase.checkout/scenario.browse/dataStore.users.csv",
  "vcsRoot.scripts",
];

const createdIn = (stdout: string) => [...stdout.matchAll(/^created (\S+) \(/gm)].map(([, address]) => address);

describe("the README's command", () => {
  test("says of every object that it was made, and the second time that there is nothing to do", async () => {
    const folder = exampleFolder();
    const first = await folder.run("apply", "--auto-approve");
    expect(first.code).toBe(0);
    expect(createdIn(`${first.stdout}${first.stderr}`).sort()).toEqual(made);
    const again = await folder.run("apply", "--auto-approve");
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toMatch(/^No changes: 13 objects are as declared\. \d requests\.\n$/);
  });

  test("takes the folder as an argument, from anywhere", async () => {
    const folder = exampleFolder();
    const elsewhere = exampleFolder();
    expect((await elsewhere.run("apply", folder.cwd, "--auto-approve")).code).toBe(0);
    expect(existsSync(join(folder.cwd, ".loadform", "service.json"))).toBe(true);
    expect(existsSync(join(elsewhere.cwd, ".loadform"))).toBe(false);
  });
});

describe("memory: without a file", () => {
  test("keeps nothing: neither what was made nor a state", async () => {
    const folder = exampleFolder();
    folder.edit("loadform.yaml", "memory:.loadform/service.json", '"memory:"');
    for (let time = 0; time < 2; time++) {
      const { code, stdout } = await folder.run("apply", "--auto-approve");
      expect([code, stdout]).toEqual([0, expect.stringContaining("Applied: 11 created, 0 updated, 0 deleted.")]);
    }
    expect(existsSync(join(folder.cwd, ".loadform", "state.json"))).toBe(false);
    expect((await folder.run("state", "list")).stdout.trim()).toBe("");
  });
});

describe("the example at a service over HTTP", () => {
  const service = sharedService();

  test("is made where $LOADFORM_URL points; the second apply makes no write, and plan at most 6 requests", async () => {
    const folder = exampleFolder("webshop", reaching(service));
    expect((await folder.run("apply", "--auto-approve")).code).toBe(0);
    expect(existsSync(join(folder.cwd, ".loadform", "service.json"))).toBe(false);
    expect(writesOf(await takeRequests(service))).toHaveLength(10);
    const again = await folder.run("apply", "--auto-approve");
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^No changes/)]);
    const requests = await takeRequests(service);
    expect(writesOf(requests)).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(6);
    expect((await folder.run("plan", "--detailed-exitcode")).code).toBe(0);
    expect(again.stdout).toContain(`${(await takeRequests(service)).length} requests`);
  });

  test("is only shown by apply without a terminal and without --auto-approve: exit 1, the command, and no write", async () => {
    const folder = exampleFolder("webshop", reaching(service));
    const { code, stdout, stderr } = await folder.run("apply", "--var", "users=7", "--target", "testCase.checkout/**");
    expect([code, stdout]).toEqual([1, expect.stringContaining("concurrentClients:  7")]);
    expect(stderr).toContain("loadform apply --var users=7 --target 'testCase.checkout/**' --auto-approve\n");
    expect(writesOf(await takeRequests(service))).toEqual([]);
    expect((await folder.run("destroy")).code).toBe(0);
    expect(existsSync(join(folder.cwd, ".loadform", "state.json"))).toBe(false);
  });

  test("goes away again with destroy, and nothing of it is left", async () => {
    const folder = exampleFolder("webshop", reaching(service));
    await folder.run("apply", "--auto-approve");
    const gone = await folder.run("destroy", "--auto-approve", "--force-threshold");
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining("13 deleted.")]);
    expect((await service.call("GET", "/test-cases")).body).toEqual([]);
    expect((await service.call("GET", "/vcs-roots")).body).toEqual([]);
    expect((await service.call("GET", "/orgs/1/tags")).body).toEqual([]);
    expect((await folder.run("state", "list")).stdout.trim()).toBe("");
    expect((await folder.run("apply", "--auto-approve")).stdout).toContain("Applied: 11 created");
  });

  test("is not the business of whoami, which tells the service, the user and the organization", async () => {
    const folder = exampleFolder("webshop", reaching(service));
    const { code, stdout } = await folder.run("whoami");
    expect([code, stdout]).toEqual([0, expect.stringContaining(service.ready.url)]);
    expect(stdout).toContain("* 1  Default");
    const json = JSON.parse((await folder.run("whoami", "--json")).stdout) as object;
    expect(json).toMatchObject({ service: { url: service.ready.url, embedded: false }, organization: 1 });
  });
});

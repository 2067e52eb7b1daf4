import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { freshFolder, runCli, runProcess } from "../../support/run-cli.ts";

let service: ReturnType<typeof createService>;
let folder = "";
let env: Readonly<Record<string, string>> = {};

const project = (url: string, { users = 5, name = "shop", token = "${env:TOKEN}" } = {}) => `project: ${name}
service: { url: "${url}", organization: 1 }
state: { backend: local, path: "state.json" }
environments: { dev: {} }
testCases:
  shop:
    scenarios: { browse: { script: "a()" } }
    configurations:
      smoke:
        { scenario: browse, concurrentClients: ${users}, durationSecs: 60, scriptParams: { token: "${token}" },
          providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }
`;

let url = "";
const write = (text: string) => writeFileSync(join(folder, "loadform.yaml"), text);
const run = (...args: string[]) => runCli(args, { cwd: folder, env });
/** In a pull request from a fork: no key, no secret, no state. */
const fork = (...args: string[]) => runCli(args, { cwd: join(folder, "fork") });

beforeAll(async () => {
  service = createService();
  url = (await service.listen()).url;
  folder = freshFolder();
  mkdirSync(join(folder, "fork"));
  env = { LOADFORM_API_KEY: service.apiKey, TOKEN: "canary-token-77" };
  write(project(url));
  await run("apply", "--auto-approve");
  const taken = await run("snapshot", "--out", "fork/snapshot.json");
  expect(taken).toMatchObject({ code: 0, stdout: "" });
  expect(taken.stderr).toContain("Saved 3 bound objects and 1 other in fork/snapshot.json");
});
afterAll(() => service.close());

const propose = (text: string) => writeFileSync(join(folder, "fork", "loadform.yaml"), text);
const against = (...more: string[]) => fork("plan", "--against", "snapshot.json", ...more);

describe("loadform snapshot", () => {
  test("needs --out, and has neither secret nor salt in it", async () => {
    expect(await run("snapshot")).toMatchObject({ code: 1 });
    const { salt } = JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) as { salt: string };
    const text = readFileSync(join(folder, "fork", "snapshot.json"), "utf8");
    expect(text).not.toContain("canary-token-77");
    expect(text).not.toContain(salt);
    expect(text).not.toContain("a()");
  });

  test("has scripts in it with --with-contents", async () => {
    await run("snapshot", "--out", "whole.json", "--with-contents");
    expect(readFileSync(join(folder, "whole.json"), "utf8")).toContain('"a()"');
  });

  test.each([
    ["the project's name", "warehouse"],
    ["an address", "storefront"],
    ["the name of a hidden value", "basket-token"],
  ])("writes nothing where %s equals a secret, and does not show it", async (_what, secret) => {
    const cwd = freshFolder();
    const text = project(url, { name: "warehouse" })
      .replace("  shop:", "  storefront:")
      .replace("{ token:", '{ "basket-token":');
    writeFileSync(join(cwd, "loadform.yaml"), text);
    expect(await runCli(["apply", "--auto-approve"], { cwd, env })).toMatchObject({ code: 0 });
    const taken = await runCli(["snapshot", "--out", "open.json"], { cwd, env: { ...env, TOKEN: secret } });
    await runCli(["destroy", "--auto-approve"], { cwd, env });
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(/LF5013[\s\S]*\(sensitive\) has a secret of the project in it/);
    expect(taken.stderr).not.toContain(secret);
    expect(existsSync(join(cwd, "open.json"))).toBe(false);
  });
});

describe("plan --against", () => {
  test("has the digest of the live plan, without key, secrets and state", async () => {
    const changed = project(url, { users: 9 });
    write(changed);
    propose(changed);
    const live = await run("plan", "--json");
    const asked = ["plan", "--against", "snapshot.json", "--json", "--detailed-exitcode"];
    const found = await runProcess(asked, { cwd: join(folder, "fork") });
    write(project(url));
    expect(found.code).toBe(2);
    const [expected, document] = [live, found].map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
    expect(document?.["digest"]).toBe(expected?.["digest"]);
    expect(document?.["resource_changes"]).toEqual(expected?.["resource_changes"]);
    expect(document).toMatchObject({ requests: 0, rehearsed: false });
    expect(expected).toMatchObject({ rehearsed: true });
  });

  test("writes a page, which says of what moment it is", async () => {
    propose(project(url, { users: 9 }));
    expect(await against("--html", "plan.html")).toMatchObject({ code: 0 });
    const page = readFileSync(join(folder, "fork", "plan.html"), "utf8");
    expect(page).toContain("<del>5</del></dd><dd><ins>9</ins></dd>");
    expect(page).toContain("planned against a snapshot that is less than a minute old");
    expect(page).not.toContain("canary-token-77");
  });

  test.each([
    [
      "deletes",
      "project: shop\nservice: { url: URL, organization: 1 }\ntestCases: { shop: { scenarios: { browse: { script: 'a()' } } } }\n",
      "it deletes testCase.shop/configuration.smoke",
    ],
    [
      "replaces the environment's value by an open one",
      project("URL", { token: "open" }),
      "the snapshot does not show a value of testCase.shop/configuration.smoke",
    ],
  ])("has no digest where it %s, and says why", async (_what, text, why) => {
    propose(text.replace("URL", url));
    const { stdout } = await against("--json");
    const document = JSON.parse(stdout) as { digest: unknown; diagnostics: { code: string; detail: string }[] };
    expect(document.digest).toBeNull();
    expect(document.diagnostics.find(({ code }) => code === "LF5012")?.detail).toContain(why);
  });

  test.each([
    ["another project", () => project(url, { name: "other" }), [], "snapshot.json is of project shop, not other"],
    ["another environment", () => project(url), ["--env", "dev"], "environment (none), not dev"],
    [
      "another organization",
      () => project(url).replace("organization: 1", "organization: 2"),
      [],
      "snapshot.json is of organization 1, not 2",
    ],
    ["several folders", () => project(url), [".", ".."], "--against takes one project\n  A snapshot is of one project"],
    ["another service", () => project("http://127.0.0.1:1"), [], "not http://127.0.0.1:1"],
    ["--out", () => project(url), ["--out", "plan.json"], "--against does not go with --out"],
    ["--adopt exact", () => project(url), ["--adopt", "exact"], "--against does not go with --adopt exact"],
  ])("is refused for %s", async (_what, text, more, message) => {
    propose(text());
    const { code, stderr } = await against(...more);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    ["is cut off", (text: string) => text.slice(0, 200), /broken\.json:\d+:\d+ is not JSON/],
    [
      "has a comma too much",
      (text: string) => text.replace('"bound": {', '"bound": {,'),
      /broken\.json:2:13 is not JSON/,
    ],
    [
      "is of an older format",
      (text: string) => text.replace("snapshot/1", "snapshot/0"),
      /has the format "loadform-snapshot\/0"/,
    ],
    ["is a list", () => "[]", /broken\.json is no snapshot: expected a JSON object with the member "format"/],
    ["is null", () => "null", /broken\.json is no snapshot: expected a JSON object/],
    ["is a text", () => '"loadform-snapshot/1"', /broken\.json is no snapshot: expected a JSON object/],
    ["is empty", () => "", /broken\.json:1:1 is not JSON: the file ends too early/],
    [
      "was edited",
      (text: string) => text.replace(/"id": \d+/, '"id": "x"'),
      /at bound\["testCase\.shop"\]\.id: expected a number/,
    ],
  ])("names the place in a file that %s", async (_what, broken, message) => {
    propose(project(url));
    const text = readFileSync(join(folder, "fork", "snapshot.json"), "utf8");
    writeFileSync(join(folder, "fork", "broken.json"), broken(text));
    const { code, stderr } = await runCli(["plan", "--against", "broken.json"], { cwd: join(folder, "fork") });
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, " ")).toMatch(message);
  });

  test("does not read a file of more than 200 MB", async () => {
    propose(project(url));
    const huge = join(folder, "fork", "huge.json");
    writeFileSync(huge, "{");
    truncateSync(huge, 200_000_001);
    const { code, stderr } = await runCli(["plan", "--against", "huge.json"], { cwd: join(folder, "fork") });
    rmSync(huge);
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, " ")).toContain("huge.json has 201 MB; expected at most 200 MB");
  });
});

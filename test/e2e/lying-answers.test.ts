import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningService, servedProject, startService } from "../support/served-project.ts";
import { startAnsweringProxy } from "./answering-proxy.ts";

let service: RunningService;
let proxy: Awaited<ReturnType<typeof startAnsweringProxy>>;

beforeAll(async () => {
  service = await startService();
  proxy = await startAnsweringProxy(service.ready.url);
});
beforeEach(async () => {
  proxy.rule.intercept = async () => false;
  await service.call("POST", "/_loadform/reset");
});
afterAll(async () => {
  await proxy?.close();
  await service?.stop("SIGKILL");
});

const project = (text: string, more: Readonly<Record<string, string>> = {}) =>
  servedProject(service, text, { LOADFORM_URL: proxy.url, ...more });
const apply = (at: ReturnType<typeof project>, ...flags: string[]) => at.run("apply", ".", "--auto-approve", ...flags);
const listed = async (path: string) => (await service.call("GET", path)).body as readonly { readonly id: number }[];

const shop = `project: shop
service: { url: "http://elsewhere.test" }
testCases:
  t:
    scenarios: { s: { script: "run()", dataStores: { u.csv: { contents: "a,b\\n1,2\\n" } } } }
    configurations:
      c:
        scenario: s
        concurrentClients: 1
        durationSecs: 60
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
        schedules: { hourly: { scheduleType: Recurring, recurringInterval: Hour, hour: 1 } }
`;

test("a secret whose write was not answered is sent again", async () => {
  const text = `project: p
service: { url: "http://elsewhere.test" }
vcsRoots: { v: { url: "https://git.test/x.git", vcsAuthType: Username, username: u, password: "\${env:TOKEN}" } }
`;
  const at = project(text, { TOKEN: "first-1111" });
  expect((await apply(at)).code).toBe(0);
  proxy.rule.intercept = async ({ line, answer, forward }) => {
    if (!line.startsWith("PUT /vcs-roots/")) return false;
    await forward();
    answer.writeHead(502).end();
    return true;
  };
  const other = {
    cwd: at.cwd,
    env: { LOADFORM_URL: proxy.url, LOADFORM_API_KEY: service.ready.apiKey, TOKEN: "second-2222" },
  };
  const { runCli } = await import("../support/run-cli.ts");
  expect((await runCli(["apply", ".", "--auto-approve"], other)).code).toBe(6);
  proxy.rule.intercept = async () => false;
  // The service has the second one; the first is declared again.
  expect((await at.run("plan", ".")).stdout).toContain("1 to update");
  expect((await apply(at)).code).toBe(0);
  expect((await at.run("plan", ".")).stdout).toContain("No changes");
});

test("a secret whose write was refused is as it was", async () => {
  const at = project(
    `project: p
service: { url: "http://elsewhere.test" }
vcsRoots: { v: { url: "https://git.test/x.git", vcsAuthType: Username, username: u, password: "\${env:TOKEN}" } }
`,
    { TOKEN: "first-1111" },
  );
  expect((await apply(at)).code).toBe(0);
  const before = readFileSync(join(at.cwd, ".loadform/state.json"), "utf8");
  proxy.rule.intercept = async ({ line, answer }) => {
    if (line.startsWith("PUT /vcs-roots/")) answer.writeHead(422).end();
    return line.startsWith("PUT /vcs-roots/");
  };
  const { runCli } = await import("../support/run-cli.ts");
  const env = { LOADFORM_URL: proxy.url, LOADFORM_API_KEY: service.ready.apiKey, TOKEN: "second-2222" };
  expect((await runCli(["apply", ".", "--auto-approve"], { cwd: at.cwd, env })).code).toBe(6);
  const secretsOf = (state: string) => JSON.parse(state).resources["vcsRoot.v"].secrets as unknown;
  expect(secretsOf(readFileSync(join(at.cwd, ".loadform/state.json"), "utf8"))).toEqual(secretsOf(before));
});

test("an object that is missing by its id and listed is not deleted, and remains bound", async () => {
  const at = project(shop);
  expect((await apply(at)).code).toBe(0);
  proxy.rule.intercept = async ({ line, answer }) => {
    const isLook = /^GET \/(scripts|test-confs|test-cases|data-stores)\/\d+(\?|$)/.test(line);
    if (isLook) answer.writeHead(404).end();
    return isLook;
  };
  const { code, stderr } = await at.run("destroy", ".", "--auto-approve");
  expect(code).toBe(6);
  expect(stderr).toContain("missing when it is asked for by its id, and listed, so it was not deleted");
  proxy.rule.intercept = async () => false;
  expect(await listed("/test-cases")).toHaveLength(1);
  expect((await at.run("plan", ".")).stdout).toContain("No changes");
  expect((await at.run("destroy", ".", "--auto-approve")).code).toBe(0);
  expect(await listed("/test-cases")).toEqual([]);
});

test("what a delete that did nothing left remains bound, with what is inline in it", async () => {
  const at = project(shop);
  expect((await apply(at)).code).toBe(0);
  proxy.rule.intercept = async ({ line, answer }) => {
    if (line.startsWith("DELETE ")) answer.writeHead(204).end();
    return line.startsWith("DELETE ");
  };
  expect((await at.run("destroy", ".", "--auto-approve")).code).toBe(6);
  proxy.rule.intercept = async () => false;
  expect((await at.run("plan", ".")).stdout).toContain("No changes");
});

test.each([
  ["a part of it", 200, "a,b\n1"],
  ["a page", 200, "<html>busy</html>"],
  ["nothing", 204, ""],
])("a download of a data store that is %s is not believed", async (_, status, body) => {
  const at = project(shop);
  expect((await apply(at)).code).toBe(0);
  await service.call("PUT", "/data-stores/1", { name: "u.csv" });
  let times = 1;
  proxy.rule.intercept = async ({ line, answer }) => {
    if (!line.includes("/download") || times-- <= 0) return false;
    answer.writeHead(status, { "content-type": "text/html", connection: "close" }).end(body);
    return true;
  };
  expect((await at.run("plan", ".")).stdout).toContain("No changes");
  times = 100;
  await service.call("PUT", "/data-stores/1", { name: "u.csv" });
  const { code, stderr } = await at.run("plan", ".");
  expect([code, stderr]).toEqual([1, expect.stringContaining("the service says that it has 8")]);
});

test("an object that was made twice by one request is reported", async () => {
  const at = project(shop);
  proxy.rule.intercept = async ({ line, forward }) => {
    if (/^POST \/test-cases\/\d+\/confs/.test(line)) await forward();
    return false;
  };
  const { code, stderr } = await apply(at);
  expect([code, stderr]).toEqual([0, expect.stringContaining("testCase.t/configuration.c was made more than once")]);
  expect(stderr).toContain("configuration#1 appeared beside it with the same name");
});

test("a create is noted with the timeout that it is sent under, where that is long", async () => {
  const at = project(shop);
  let noted = "";
  proxy.rule.intercept = async ({ line }) => {
    if (line === "POST /test-cases") noted = readFileSync(join(at.cwd, ".loadform/state.json.journal"), "utf8");
    return false;
  };
  expect((await apply(at, "--timeout", "100")).code).toBe(0);
  expect(noted).toContain('"timeoutMs":100000');
});

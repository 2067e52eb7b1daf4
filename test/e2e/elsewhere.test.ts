import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { reaching } from "./example-folder.ts";

const first = sharedService("--api-key", "key-of-the-first");
const second = sharedService("--api-key", "key-of-the-second");

const project = (url: string, scenarios = 2) => {
  const all = Array.from({ length: scenarios }, (_, index) => `s${index}: { script: x }`).join(", ");
  return `project: p\nservice: { url: "${url}" }\ntestCases: { t: { scenarios: { ${all} } } }\n`;
};

function folder(scenarios?: number) {
  const cwd = freshFolder();
  const write = (url: string, count = scenarios) => writeFileSync(join(cwd, "loadform.yaml"), project(url, count));
  const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]) => runCli(args, { cwd, env });
  return { cwd, run, write };
}

const requestsAt = async (service: typeof first) =>
  ((await service.call("GET", "/_loadform/requests")).body as { method: string; path: string }[]).filter(
    ({ path }) => !path.startsWith("/_loadform"),
  );
const codesIn = (text: string) => text.match(/LF\d{4}/g) ?? [];

describe("another service than the state's", () => {
  test.each([
    ["apply", "--auto-approve"],
    ["apply", "--auto-approve", "--force-threshold", "--allow-destroy", "**"],
    ["plan"],
    ["plan", "--json"],
    ["plan", "--destroy"],
    ["plan", "--target", "testCase.other"],
    ["drift"],
    ["destroy", "--auto-approve"],
  ])("is refused by %s %s with exit 3, and with nothing else", async (...args) => {
    const { run, write } = folder();
    write(first.ready.url);
    expect((await run(reaching(first), "apply", "--auto-approve")).code).toBe(0);
    for (const name of ["t", "theirs"]) await second.call("POST", "/test-cases", { name, org: 1 });
    const { code, stdout, stderr } = await run(reaching(second), ...args);
    const said = stdout + stderr;
    expect([code, codesIn(said)]).toEqual([3, ["LF4006"]]);
    expect(said).not.toMatch(/state rm|No changes|No drift/);
    const others = await requestsAt(second);
    expect(others.filter(({ method, path }) => method !== "GET" && path !== "/test-cases")).toEqual([]);
  });
});

describe("a saved plan", () => {
  async function saved() {
    const made = folder();
    made.write(first.ready.url);
    expect((await made.run(reaching(first), "plan", "--out", "plan.json")).code).toBe(0);
    for (const each of [first, second]) await each.call("POST", "/_loadform/reset");
    return made;
  }
  const sent = async () => [...(await requestsAt(first)), ...(await requestsAt(second))];

  test("is stale where $LOADFORM_URL names another service: nothing reaches either", async () => {
    const { run } = await saved();
    const { code, stderr } = await run(reaching(second), "apply", "plan.json");
    expect([code, codesIn(stderr), await sent()]).toEqual([5, ["LF5008"], []]);
    expect(stderr).toContain("$LOADFORM_URL");
    expect((await run({ ...reaching(first), LOADFORM_URL: `${first.ready.url}/` }, "apply", "plan.json")).code).toBe(0);
  });

  test("is stale where the project names another service by now, and where it names another organization", async () => {
    const { run, write, cwd } = await saved();
    const env = { LOADFORM_API_KEY: second.ready.apiKey };
    write(second.ready.url);
    const { code, stderr } = await run(env, "apply", "plan.json");
    expect([code, codesIn(stderr), await sent()]).toEqual([5, ["LF5008"], []]);
    expect(stderr).toContain("service.url");
    writeFileSync(join(cwd, "loadform.yaml"), project(first.ready.url).replace(" }\n", ", organization: 7 }\n"));
    expect((await run(reaching(first), "apply", "plan.json")).code).toBe(5);
    expect(await sent()).toEqual([]);
    rmSync(join(cwd, "loadform.yaml"));
    expect((await run({ LOADFORM_API_KEY: first.ready.apiKey }, "apply", "plan.json")).code).toBe(0);
  });
});

describe("a service that shows nothing of ten bound objects", () => {
  async function reset(scenarios: number, theirs: readonly string[] = []) {
    const made = folder(scenarios);
    made.write(first.ready.url);
    expect((await made.run(reaching(first), "apply", "--auto-approve")).code).toBe(0);
    await first.call("POST", "/_loadform/reset");
    for (const name of theirs) await first.call("POST", "/test-cases", { name, org: 1 });
    return (...args: readonly string[]) => made.run(reaching(first), ...args);
  }

  test("is drift, with a warning that says so", async () => {
    const run = await reset(9);
    const { code, stderr } = await run("drift");
    expect([code, codesIn(stderr)]).toEqual([2, ["LF4008"]]);
    expect(stderr).toContain("warning LF4008");
  });

  test.each([["apply", "--auto-approve"], ["plan"], ["plan", "--json"]])(
    "is refused by %s %s with exit 3 and one message, whoever has the ids by now",
    async (...args) => {
      const run = await reset(9, ["theirs"]);
      const { code, stdout, stderr } = await run(...args);
      expect([code, codesIn(stdout + stderr)]).toEqual([3, ["LF4008"]]);
      expect(stdout + stderr).toMatch(/state\s+retarget/);
      expect((await requestsAt(first)).filter(({ method }) => method !== "GET")).toHaveLength(1);
    },
  );

  test("is made as declared with --force-threshold", async () => {
    const run = await reset(9);
    expect((await run("apply", "--auto-approve", "--force-threshold")).code).toBe(0);
    expect((await run("plan")).stdout).toMatch(/^No changes/);
  });

  test("is forgotten by destroy, and shown so by plan --destroy", async () => {
    const run = await reset(9);
    expect((await run("plan", "--destroy")).code).toBe(0);
    expect((await run("destroy", "--auto-approve")).code).toBe(0);
    expect((await run("state", "list")).stdout.trim()).toBe("");
  });

  test("is no hit below ten objects", async () => {
    const run = await reset(8);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });
});

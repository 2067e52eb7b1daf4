import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { sharedService } from "../support/shared-service.ts";
import { startStateServer } from "../support/state-server.ts";
import { filesBelow, reaching } from "./example-folder.ts";

const service = sharedService();
const other = sharedService();

const objects = `
tags: { nightly: {} }
testCases: { t: { scenarios: { s: { script: x, tags: [nightly] } }, gateways: { g: { url: "https://x.example.com" } } } }
`;

function folder(environments: string, more = "") {
  const cwd = freshFolder();
  const write = (text: string, rest = objects) =>
    writeFileSync(join(cwd, "loadform.yaml"), `project: p\nenvironments: ${text}\n${more}${rest}`);
  write(environments);
  const at = (where: typeof service, ...args: readonly string[]) => runCli(args, { cwd, env: reaching(where) });
  return { cwd, write, at, run: (...args: readonly string[]) => at(service, ...args) };
}

const path = (cwd: string, name: string) => join(cwd, ".loadform", name);
const writes = async () =>
  ((await service.call("GET", "/_loadform/requests")).body as { method: string; path: string }[]).filter(
    (each) => each.method !== "GET" && !each.path.startsWith("/_loadform"),
  ).length;

describe("what another environment binds", () => {
  test.each([
    ["dev", "this project without an environment", [], ["--env", "dev"]],
    ["the one without a name", "environment dev of this project", ["--env", "dev"], []],
  ])("is not taken over by %s, and is not proposed", async (_, owner, theirs, ours) => {
    const { run, cwd } = folder("{ dev: {} }");
    expect((await run("apply", "--auto-approve", ...theirs)).code).toBe(0);
    const before = await writes();
    for (const args of [
      ["plan"],
      ["plan", "--adopt", "exact"],
      ["plan", "--adopt", "name"],
      ["apply", "--auto-approve", "--adopt", "exact"],
      ["apply", "--auto-approve", "--adopt", "name", "--target", "testCase.t/**"],
    ]) {
      const { code, stderr } = await run(...args, ...ours);
      expect([args, code]).toEqual([args, 1]);
      expect(stderr.replace(/\s+/g, " ")).toContain(`is bound by ${owner}`);
      expect(stderr.match(/LF\d{4}/g)).toEqual(["LF3001"]);
      expect(stderr).not.toMatch(/--adopt|loadform import|state push/);
    }
    expect(await writes()).toBe(before);
    const file = path(cwd, ours.length === 0 ? "state.json" : "state.dev.json");
    expect([...filesBelow(cwd)].filter(([name, text]) => name === file && text.includes('"id"'))).toEqual([]);
  });

  test("is not imported, but what nothing binds is", async () => {
    const { run, write } = folder("{ dev: {} }");
    expect((await run("apply", "--auto-approve", "--env", "dev")).code).toBe(0);
    await service.call("POST", "/test-cases", { name: "free", org: 1 });
    write("{ dev: {} }", "");
    for (const wanted of [["--all"], ["--test-case", "t"]]) {
      const { code, stderr } = await run("import", ...wanted);
      expect([wanted, code, stderr]).toEqual([wanted, 1, expect.stringContaining("LF3001")]);
      expect(stderr.replace(/\s+/g, " ")).toContain("is bound by environment dev of this project");
    }
    expect(await run("import", "--test-case", "free")).toMatchObject({ code: 0 });
  });

  test("is found where the environment keeps its state, and where a former one left it", async () => {
    const states = '{ dev: { state: "states/of-dev.json" }, prod: {} }';
    const { run, write, cwd } = folder(states);
    mkdirSync(join(cwd, "states"));
    expect((await run("apply", "--auto-approve", "--env", "dev")).code).toBe(0);
    const taken = async () => (await run("plan", "--env", "prod", "--adopt", "name")).stderr.replace(/\s+/g, " ");
    expect(await taken()).toContain("another name here, for example with ${var:environment} in it");
    expect(await taken()).toContain("is bound by environment dev of this project");
    write("{ prod: {} }");
    expect(await taken()).toBe("");
    mkdirSync(join(cwd, ".loadform"), { recursive: true });
    renameSync(join(cwd, "states", "of-dev.json"), path(cwd, "state.dev.json"));
    expect(await taken()).toContain("is bound by environment dev of this project");
  });

  test("is found at a state server too", async () => {
    const server = await startStateServer("plain");
    const { run } = folder(`{ far: { state: { backend: http, address: "${server.address}" } }, dev: {} }`);
    try {
      expect((await run("apply", "--auto-approve", "--env", "far")).code).toBe(0);
      const { code, stderr } = await run("plan", "--env", "dev", "--adopt", "name");
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
        1,
        expect.stringContaining("is bound by environment far of this project"),
      ]);
    } finally {
      await server.close();
    }
  });

  test("is looked for only when something would be taken over; what cannot be read is a warning that names it", async () => {
    const { run, cwd } = folder("{ dev: {}, prod: {} }");
    await service.call("POST", "/test-cases", { name: "t", org: 1 });
    mkdirSync(join(cwd, ".loadform"));
    writeFileSync(path(cwd, "state.dev.json"), '{ "format": "loadform-state/1", "serial": 3');
    const planned = await run("plan", "--env", "prod", "--adopt", "name");
    expect([planned.code, planned.stderr, planned.stdout]).toEqual([
      0,
      expect.stringContaining("warning LF5002"),
      expect.stringContaining("taken over"),
    ]);
    expect(planned.stderr).toContain("the state of environment dev cannot be read");
    expect((await run("apply", "--auto-approve", "--env", "prod", "--adopt", "name")).code).toBe(0);
    const again = await run("plan", "--env", "prod");
    expect([again.code, again.stderr]).toEqual([0, ""]);
  });

  test("may be taken over at another service, and where another object has its id by now", async () => {
    const { run, at } = folder("{ dev: {} }");
    expect((await run("apply", "--auto-approve", "--env", "dev")).code).toBe(0);
    await other.call("POST", "/test-cases", { name: "t", org: 1 });
    expect((await at(other, "plan", "--adopt", "name")).code).toBe(0);
    await service.call("POST", "/_loadform/reset");
    await service.call("POST", "/test-cases", { name: "t", org: 1 });
    expect((await run("plan", "--adopt", "name")).code).toBe(0);
  });
});

describe("the chosen environment", () => {
  test("is --env, else $LOADFORM_ENV, else the default; an empty --env chooses none, and commands that are printed say so", async () => {
    const { cwd, write } = folder("{ dev: {}, staging: {} }", "defaultEnvironment: staging\n");
    write("{ dev: {}, staging: {} }", "testCases: { chosen: { protect: true } }");
    const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      (await runCli([...args], { cwd, env: { ...reaching(service), ...env } })).stdout;
    const chosen = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      (JSON.parse(await run(env, "plan", "--json", ...args)) as { environment?: string }).environment;
    expect(await chosen({})).toBe("staging");
    expect(await chosen({ LOADFORM_ENV: "dev" })).toBe("dev");
    expect(await chosen({ LOADFORM_ENV: "dev" }, "--env", "staging")).toBe("staging");
    expect(await chosen({ LOADFORM_ENV: "dev" }, "--env", "")).toBeUndefined();
    await run({}, "apply", "--auto-approve", "--env", "");
    const drift = await run({}, "drift", "--env", "");
    expect(drift).toContain("No drift");
  });
});

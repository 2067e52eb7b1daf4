import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { type RunningService, startService } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { reaching } from "./example-folder.ts";

const service = sharedService();

/** A project whose test cases are written anew by each test. */
function project() {
  const cwd = freshFolder();
  const write = (body: string, name = "p") =>
    writeFileSync(join(cwd, "loadform.yaml"), `project: ${name}\nservice: { url: "memory:" }\n${body}\n`);
  const runAt = (where: RunningService, ...args: readonly string[]) => runCli(args, { cwd, env: reaching(where) });
  const run = (...args: readonly string[]) => runAt(service, ...args);
  const applied = async (body: string) => {
    write(body);
    expect((await run("apply", "--auto-approve")).stderr).not.toContain("error LF");
  };
  return { write, run, runAt, applied };
}

/** Words as a shell reads them. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** What a message says to run, or which flag to add. */
function wayOut(stderr: string, code: string, pattern: RegExp): readonly string[] {
  const message = stderr.slice(stderr.indexOf(`error ${code}`)).replaceAll(/\s*\n\s*/g, " ");
  const found = pattern.exec(message)?.[0];
  if (found === undefined) throw new Error(`${code} says no ${pattern}:\n${stderr}`);
  return wordsOf(found).filter((word) => word !== "loadform");
}

const command = /loadform (apply|destroy|state) [a-z]*(?: ?--?[a-z-]+(?: '[^']+'| name)?| testCase\S+)*/;
const flag = (name: string) => new RegExp(`--${name}(?: '[^']+')?`);
const cases = (...keys: readonly string[]) =>
  `testCases:\n${keys.map((key) => `  ${key}: { name: ${key} }`).join("\n")}`;
const shop = 'testCases:\n  shop: { gateways: { g: { url: "https://a.test" } } }';
const many = (count: number) => cases(...Array.from({ length: count }, (_, index) => `t${index}`));

describe("the way out that a message prints works when it is pasted", () => {
  test("LF3001: to take over what exists already", async () => {
    const { write, run } = project();
    await service.call("POST", "/test-cases", { name: "shop", org: 1 });
    write(shop);
    const refused = await run("apply", "--auto-approve");
    expect(refused.code).toBe(1);
    const pasted = await run(...wayOut(refused.stderr, "LF3001", command), "--auto-approve");
    expect([pasted.code, pasted.stdout]).toEqual([0, expect.stringContaining("taken over")]);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });

  test("LF3003: to forget what a reset service no longer has", async () => {
    const { run, applied } = project();
    await applied(cases("a"));
    await service.call("POST", "/_loadform/reset");
    await service.call("PUT", "/_loadform/clock", { mode: "frozen", now: "2031-01-01T00:00:00.000Z" });
    await service.call("POST", "/test-cases", { name: "other", org: 1 });
    const refused = await run("apply", "--auto-approve");
    expect((await run(...wayOut(refused.stderr, "LF3003", /loadform state rm [\w./-]+/))).code).toBe(0);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });

  test("LF3015: to add what a target needs", async () => {
    const { write, run, applied } = project();
    await applied(cases("a", "b"));
    write("testCases:\n  a: { name: b }");
    const args = ["apply", "--auto-approve", "--target", "testCase.a"];
    const refused = await run(...args);
    expect(refused.code).toBe(1);
    expect((await run(...args, ...wayOut(refused.stderr, "LF3015", flag("target")))).code).toBe(0);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("LF3011: to say what became which", async () => {
    const { write, run, applied } = project();
    await applied(cases("a", "b"));
    const after = "testCases:\n  c: { name: b }\n  d: { name: a }";
    write(after);
    const refused = await run("plan");
    expect(refused.code).toBe(1);
    const lines = refused.stderr.split("\n").filter((line) => /^\s*(moved:|- \{ from: .* \})$/.test(line));
    expect(lines).toHaveLength(3);
    const indent = lines[0]!.search(/\S/);
    write(`${after}\n${lines.map((line) => line.slice(indent)).join("\n")}`);
    const { code, stdout } = await run("apply", "--auto-approve");
    expect([code, stdout]).toEqual([0, expect.stringContaining("moved from testCase.a")]);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("LF4002: to let history go", async () => {
    const { write, run, applied } = project();
    await applied(`${shop}\n  other: {}`);
    await service.call("POST", "/gateways/1/recordings", { name: "r" });
    await service.call("PATCH", "/recordings/1/stop");
    write("testCases:\n  other: {}");
    const refused = await run("apply", "--auto-approve");
    expect(refused.code).toBe(3);
    expect(
      (await run("apply", "--auto-approve", ...wayOut(refused.stderr, "LF4002", flag("allow-destroy")))).code,
    ).toBe(0);
  });

  test("LF4004: to change a large part", async () => {
    const { write, run, applied } = project();
    await applied(many(12));
    write(many(6));
    const refused = await run("apply", "--auto-approve");
    expect(refused.code).toBe(3);
    expect(
      (await run("apply", "--auto-approve", ...wayOut(refused.stderr, "LF4004", flag("force-threshold")))).code,
    ).toBe(0);
  });

  test.each([
    ["a few objects", cases("a", "b")],
    ["as many as need to be forced", many(12)],
  ])("LF4005: to delete everything, %s", async (_, before) => {
    const { write, run, applied } = project();
    await applied(before);
    write("testCases: {}");
    const refused = await run("apply", "--auto-approve");
    expect(refused.code).toBe(3);
    const pasted = await run(...wayOut(refused.stderr, "LF4005", /loadform destroy/), "--auto-approve");
    expect([pasted.code, (await service.call("GET", "/test-cases")).body]).toEqual([0, []]);
  });

  test("LF4006: names the environment, and takes the same service in another spelling for the same", async () => {
    const { write, runAt, applied } = project();
    await applied(cases("a"));
    write(`${cases("a")}\nenvironments: { staging: {} }\nstate: .loadform/state.json`);
    const refused = await runAt(service, "plan", "--env", "staging");
    expect([refused.code, refused.stderr.replace(/\s+/g, " ")]).toEqual([
      3,
      expect.stringContaining("run: loadform state retarget --env staging"),
    ]);
    expect(refused.stderr.replace(/\s+/g, " ")).toContain("set state under environments, too");
    const spelled = { ...service, ready: { ...service.ready, url: `${service.ready.url}/` } };
    expect((await runAt(spelled, "plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("LF2006: the key counts without the line feed that came with it, and is never printed", async () => {
    const { write, runAt } = project();
    write(cases("a"));
    const withKey = (apiKey: string) => ({ ...service, ready: { ...service.ready, apiKey } });
    expect((await runAt(withKey(`${service.ready.apiKey}\n`), "plan")).code).toBe(0);
    for (const key of ["", "first-half\nsecond-half", "\u043a\u043b\u044e\u0447"]) {
      const { code, stderr } = await runAt(withKey(key), "plan");
      expect([code, stderr]).toEqual([1, expect.stringContaining("error LF2006")]);
      expect(stderr).not.toMatch(/half|\u043a/);
    }
  });

  test("LF4006: a project that came upon another one's state deletes nothing, and one that was renamed goes on", async () => {
    const { write, run, applied: applying } = project();
    await applying(cases("a", "b"));
    const state = async () => JSON.parse((await run("state", "pull")).stdout) as { readonly project: string };
    write("testCases: { c: { description: theirs } }", "q");
    const foreign = [await run("apply", "--auto-approve"), await run("destroy", "--auto-approve")];
    for (const { code, stderr } of foreign) expect([code, stderr]).toEqual([3, expect.stringContaining("LF4006")]);
    write(cases("a", "b"), "q");
    const renamed = await run("plan", "--detailed-exitcode");
    expect([renamed.code, renamed.stdout]).toEqual([0, expect.stringContaining("No changes")]);
    expect(renamed.stderr).toContain("warning LF4006: the project was renamed");
    write(cases("a", "c"), "q");
    const applied = await run("apply", "--auto-approve");
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("warning LF4006")]);
    expect((await state()).project).toBe("q");
    expect((await run("plan")).stderr).toBe("");
    write("testCases: { d: { description: theirs } }", "r");
    const refused = await run("apply", "--auto-approve");
    expect((await run(...wayOut(refused.stderr, "LF4006", /loadform state retarget/))).code).toBe(0);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });

  test("LF4006: to move a state to another target", async () => {
    const { runAt, applied } = project();
    await applied(cases("a"));
    const other = await startService();
    try {
      const refused = await runAt(other, "apply", "--auto-approve");
      expect(refused.code).toBe(3);
      expect((await runAt(other, ...wayOut(refused.stderr, "LF4006", /loadform state retarget/))).code).toBe(0);
      expect((await runAt(other, "apply", "--auto-approve")).code).toBe(0);
      expect((await other.call("GET", "/test-cases")).body).toMatchObject([{ name: "a" }]);
    } finally {
      await other.stop("SIGTERM");
    }
  });

  test("from another folder too: the folder and the environment stand in it", async () => {
    const above = freshFolder();
    const place = "my shop";
    mkdirSync(join(above, place, ".loadform"), { recursive: true });
    const environments = "environments: { staging: { testCases: { shop: { description: x } } } }";
    writeFileSync(
      join(above, place, "loadform.yaml"),
      `project: p\nservice: { url: "memory:" }\n${shop}\n${environments}\n`,
    );
    const run = (...args: readonly string[]) => runCli(args, { cwd: above, env: reaching(service) });
    await service.call("POST", "/test-cases", { name: "shop", org: 1 });
    const taken = await run("plan", place);
    expect(taken.stderr).toContain("\n    loadform import 'my shop' --test-case ");
    const staged = await run("plan", place, "--env", "staging");
    const adopting = wayOut(
      staged.stderr,
      "LF3001",
      /loadform apply 'my shop' --env staging --adopt name --target '[^']+'/,
    );
    expect((await run(...adopting, "--auto-approve")).code).toBe(0);
    const lock = { id: "lock-7", operation: "apply", who: "ada@elsewhere", created: "2026-11-21T09:00:00.000Z" };
    const held = JSON.stringify({ ...lock, host: "elsewhere", pid: 1 });
    writeFileSync(join(above, place, ".loadform/state.staging.json.lock"), held);
    const locked = await run("destroy", place, "--env", "staging", "--auto-approve");
    expect(locked.code).toBe(4);
    const wrong = await run("state", "unlock", "lock-8", place, "--env", "staging");
    expect(wrong.stderr).toContain("loadform state unlock lock-7 'my shop' --env staging\n");
    const unlock = wayOut(locked.stderr, "LF5001", /loadform state unlock lock-7 'my shop' --env staging/);
    expect((await run(...unlock)).code).toBe(0);
    expect((await run("destroy", place, "--env", "staging", "--auto-approve")).code).toBe(0);
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli, runProcess } from "../support/run-cli.ts";

const secrets = { GIT_TOKEN: "hunter2-git", CLOUD_KEY_ID: "hunter2-id", CLOUD_SECRET: "hunter2-secret" };

function folder(): string {
  const made = freshFolder();
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A service that holds the example, kept in a file; the environment that leads to it. */
async function webshop(): Promise<Readonly<Record<string, string>>> {
  const root = folder();
  copyExample("webshop", root);
  const env = { ...secrets, LOADFORM_URL: `memory:${join(root, "service.json")}` };
  const applied = await runCli(["apply", root, "--auto-approve"], { env });
  expect(applied.code).toBe(0);
  return env;
}

describe("loadform import", () => {
  test("writes a project that plans nothing, and nothing more the second time", async () => {
    const env = await webshop();
    const root = folder();
    const first = await runCli(["import", root, "--all", "--json"], { env });
    expect([first.code, first.stderr]).toEqual([0, ""]);
    const document = JSON.parse(first.stdout) as { files: string[]; objects: unknown[]; requests: number };
    expect(document).toMatchObject({ status: "imported", environment: [], diagnostics: [] });
    expect(document.files).toContain("loadform.yaml");
    expect(document.requests).toBeLessThanOrEqual(7);
    for (const file of document.files) expect(existsSync(join(root, file))).toBe(true);
    expect((await runCli(["plan", root, "--detailed-exitcode"], { env })).code).toBe(0);
    const second = await runCli(["import", root, "--all"], { env });
    expect(second).toEqual({
      code: 0,
      stdout: "Nothing to import: the service has no unbound object that was asked for.\n",
      stderr: "",
    });
    const applied = await runCli(["apply", root], { env });
    expect(applied.code).toBe(0);
    expect(readdirSync(root).filter((name) => name.startsWith(".loadform-"))).toEqual([]);
  });

  test("leaves nothing on a full disk, and says that it is full", async () => {
    const env = await webshop();
    const small = folder();
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]).status !== 0) {
      process.stderr.write("SKIPPED: no small disk can be mounted here, so none was filled\n");
      return;
    }
    onTestFinished(() => void spawnSync("umount", [small]));
    writeFileSync(join(small, "filler"), "x".repeat(44 * 1024));
    for (const handling of ["strict", "warn"]) {
      const options = { env: { ...env, NODE_OPTIONS: `--unhandled-rejections=${handling}` } };
      const full = await runProcess(["import", small, "--all"], options);
      const told = expect.stringMatching(/^error LF1002[\s\S]*ENOSPC[\s\S]*disk has space/);
      expect([full.code, full.stderr]).toEqual([1, told]);
      expect(readdirSync(small).sort()).toEqual([".loadform", "filler"]);
    }
    rmSync(join(small, "filler"));
    expect((await runCli(["import", small, "--all"], { env })).code).toBe(0);
  });

  /** Node's flag by which a process may read and write files, and start no threads. */
  const [restricted] = ["--permission", "--experimental-permission"].filter((flag) =>
    process.allowedNodeEnvironmentFlags.has(flag),
  );

  test.runIf(restricted)("writes its files where no thread can be started", async () => {
    const env = await webshop();
    const root = folder();
    const options = `${restricted} --allow-fs-read=* --allow-fs-write=* --no-warnings`;
    const imported = await runProcess(["import", root, "--all"], { env: { ...env, NODE_OPTIONS: options } });
    expect([imported.code, imported.stderr]).toEqual([0, ""]);
    expect((await runCli(["plan", root, "--detailed-exitcode"], { env })).code).toBe(0);
  });

  test("writes a program that plans nothing", async () => {
    const env = await webshop();
    const root = folder();
    const { code, stdout } = await runCli(["import", root, "--test-case", "Check*", "--format", "ts"], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("  loadform.config.ts\n")]);
    expect(existsSync(join(root, "loadform.yaml"))).toBe(false);
    expect((await runCli(["plan", root, "--detailed-exitcode"], { env })).code).toBe(0);
  });

  test("says what it could not read, sends it with the first apply, and shows it nowhere", async () => {
    const env = await webshop();
    const root = folder();
    copyExample("webshop", root);
    const staging = ["apply", root, "--env", "staging", "--auto-approve", "--adopt", "name"];
    expect((await runCli(staging, { env })).stderr).toContain("would destroy what it takes over");
    expect((await runCli([...staging, "--allow-destroy", "**"], { env })).code).toBe(0);
    const target = folder();
    const imported = await runCli(["import", target, "--all"], { env });
    expect(imported.stdout).toContain("Set them before the next plan");
    const once =
      /Once the (?:value|\d+ values) below (?:is|are) set, a plan of them sends \w+ and changes nothing else\./;
    expect(imported.stdout.split("\n")[0]).toMatch(once);
    expect(imported.stdout).not.toContain("A plan of them is empty");
    const found = /^ {2}(\S*PASSWORD) {2,}vcsRoot/m.exec(imported.stdout);
    expect(found).not.toBeNull();
    const names = [...imported.stdout.matchAll(/^ {2}([A-Z_]+) {2,}/gm)].map(([, name]) => name ?? "");
    const given = { ...env, ...Object.fromEntries(names.map((name) => [name, "hunter2-again"])) };
    expect((await runCli(["plan", target], { env })).code).toBe(1);
    expect((await runCli(["plan", target, "--detailed-exitcode"], { env: given })).code).toBe(2);
    expect((await runCli(["apply", target, "--auto-approve"], { env: given })).code).toBe(0);
    expect((await runCli(["plan", target, "--detailed-exitcode"], { env: given })).code).toBe(0);
    for (const file of ["loadform.yaml", ".loadform/state.json"])
      expect(readFileSync(join(target, file), "utf8")).not.toContain("hunter2");
  });

  test("names the other environments, which read what it wrote, too", async () => {
    const env = await webshop();
    const root = folder();
    const environments = { staging: { testCases: { Checkout: {} } }, production: {} };
    const main = { project: "shop", service: { url: env.LOADFORM_URL }, environments };
    writeFileSync(join(root, "loadform.yaml"), JSON.stringify(main));
    const { code, stdout } = await runCli(["import", root, "--env", "production", "--all"], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("read the same files (without one, staging): plan")]);
  });

  test("says in JSON what it wrote, bound, asks for, left out and cost, and nothing else", async () => {
    const env = await webshop();
    const root = folder();
    const { code, stdout } = await runCli(["import", root, "--all", "--json"], { env });
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect([code, Object.keys(document)]).toEqual([
      0,
      ["status", "files", "objects", "environment", "requests", "diagnostics"],
    ]);
    expect(document).toEqual({
      status: "imported",
      files: [
        "load/checkout.yaml",
        "load/checkout/browse-and-buy.init.js",
        "load/checkout/browse-and-buy.js",
        "load/checkout/browse-and-buy/users.csv",
        "loadform.yaml",
      ],
      objects: expect.arrayContaining([
        { address: "testCase.checkout/scenario.browse-and-buy", kind: "scenario", id: 1 },
        { address: "testCase.checkout/configuration.smoke/schedule.recurring-day", kind: "schedule", id: 1 },
        { address: "vcsRoot.load-scripts", kind: "vcsRoot", id: 1 },
      ]),
      environment: [],
      requests: expect.any(Number),
      diagnostics: [],
    });
    const none = await runCli(["import", root, "--test-case", "Nothing", "--json"], { env });
    expect([none.code, JSON.parse(none.stdout)]).toEqual([
      1,
      {
        status: "failed",
        files: [],
        objects: [],
        environment: [],
        requests: expect.any(Number),
        diagnostics: [expect.objectContaining({ severity: "error", code: "LF3007" })],
      },
    ]);
  });

  test("says what to do next", async () => {
    const env = await webshop();
    const root = folder();
    const { stdout } = await runCli(["import", ".", "--all"], { env, cwd: root });
    expect(stdout).toMatch(
      /^Imported \d+ objects into 5 files\. A plan of them is empty\.\n {2}load\/checkout\.yaml\n[\s\S]*\n\nNext: commit the files, edit them, and see what would change with: loadform plan\n$/,
    );
  });

  test("extends the include of the environment that it is for, where that has its own", async () => {
    const env = await webshop();
    const root = folder();
    const main = "project: shop\ninclude: [a.yaml]\nenvironments: { st: { include: [a.yaml] } }\n";
    for (const [name, text] of Object.entries({ "loadform.yaml": main, "a.yaml": "tags: {}\n" }))
      writeFileSync(join(root, name), text);
    const { code, stdout } = await runCli(["import", ".", "--all", "--env", "st"], { env, cwd: root });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/with: loadform plan --env st\n$/)]);
    expect(readFileSync(join(root, "loadform.yaml"), "utf8")).toContain(
      main.replace("[a.yaml] } }", "[a.yaml, load/**/*.yaml] } }"),
    );
  });

  const refusals: readonly (readonly [string, readonly string[], string])[] = [
    ["neither of its two choices", [], "LF9001: say what to import"],
    ["both of its choices", ["--all", "--test-case", "x"], "Only one of these is possible: --all and --test-case"],
    [
      "two objects",
      ["--object", "testCase/1", "--object", "scenario/2"],
      "takes one object, and these are testCase/1, scenario/2",
    ],
    ["a schedule by itself", ["--object", "schedule/1"], "is a part of its configuration"],
    ["one object for Terraform", ["--object", "testCase/1", "--format", "terraform"], "writes whole test cases"],
    ["a test case that is not there", ["--test-case", "Chekout"], "LF3007: --test-case Chekout matches nothing"],
  ];
  test.each(refusals)("refuses %s with exit 1 and writes nothing", async (_title, args, words) => {
    const root = folder();
    const env = { LOADFORM_URL: "memory:.loadform/service.json" };
    const { code, stderr } = await runCli(["import", root, ...args], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(readdirSync(root).filter((name) => name !== ".loadform")).toEqual([]);
  });

  test("says with --dry-run what it would write and bind, and writes nothing", async () => {
    const env = await webshop();
    const root = folder();
    const { code, stdout } = await runCli(["import", root, "--all", "--dry-run"], { env });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Would import 13 objects into 5 files; nothing was written/),
    ]);
    expect(stdout).toContain("\n  testCase.checkout (testCase 1)\n");
    expect(stdout).toContain("\n  + load/checkout.yaml\n");
    expect(readdirSync(root)).toEqual([]);
    expect((await runCli(["import", root, "--all"], { env })).code).toBe(0);
    expect((await runCli(["plan", root, "--detailed-exitcode"], { env })).code).toBe(0);
  });

  test("imports into the environment that --env or $LOADFORM_ENV names", async () => {
    const env = await webshop();
    const root = folder();
    writeFileSync(join(root, "loadform.yaml"), "project: shop\nenvironments: { one: {}, two: {} }\ninclude: []\n");
    const tried = await runCli(["import", root, "--all", "--dry-run", "--env", "three"], { env });
    expect([tried.code, tried.stderr]).toEqual([1, expect.stringContaining("three")]);
    expect((await runCli(["import", root, "--test-case", "Check*", "--env", "one"], { env })).code).toBe(0);
    expect(existsSync(join(root, ".loadform/state.one.json"))).toBe(true);
    expect(existsSync(join(root, ".loadform/state.json"))).toBe(false);
    expect((await runCli(["plan", root, "--detailed-exitcode", "--env", "one"], { env })).code).toBe(0);
    const other = await runCli(["import", root, "--test-case", "Check*"], { env: { ...env, LOADFORM_ENV: "two" } });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("is bound already")]);
  });

  test("makes a project that has the environment, where there is none", async () => {
    const env = await webshop();
    const root = folder();
    expect((await runCli(["import", root, "--all", "--env", "prod"], { env })).code).toBe(0);
    expect(readFileSync(join(root, "loadform.yaml"), "utf8")).toContain("environments:\n  prod: {}\n");
    expect((await runCli(["plan", root, "--detailed-exitcode", "--env", "prod"], { env })).code).toBe(0);
  });

  test("leads editors to the schema in every file, the way the main file does", async () => {
    const env = await webshop();
    const elsewhere = folder();
    expect((await runCli(["import", elsewhere, "--all"], { env })).code).toBe(0);
    expect(readFileSync(join(elsewhere, "load/checkout.yaml"), "utf8")).not.toContain("yaml-language-server");
    const root = folder();
    mkdirSync(join(root, "node_modules"));
    symlinkSync(dirname(dirname(await builtCli())), join(root, "node_modules/loadform"));
    expect((await runCli(["import", root, "--all"], { env })).code).toBe(0);
    const text = readFileSync(join(root, "load/checkout.yaml"), "utf8");
    const path = "../node_modules/loadform/schemas/loadform.schema.json";
    expect(text).toContain(`# yaml-language-server: $schema=${path}\n`);
    expect(existsSync(join(root, "load", path))).toBe(true);
    expect(readFileSync(join(root, "loadform.yaml"), "utf8")).toContain("include: [load/**/*.yaml]");
    const own = folder();
    const line = "# yaml-language-server: $schema=schemas/own.json\n";
    writeFileSync(join(own, "loadform.yaml"), `${line}project: shop\n`);
    expect((await runCli(["import", own, "--all"], { env })).code).toBe(0);
    expect(readFileSync(join(own, "load/checkout.yaml"), "utf8")).toContain(line.replace("=", "=../"));
  });

  test("says that neither a project nor a service is there", async () => {
    const { code, stderr } = await runCli(["import", folder(), "--all"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF1001: no project here, and no service named")]);
  });

  test("refuses a state of another target with exit 3", async () => {
    const env = await webshop();
    const root = folder();
    expect((await runCli(["import", root, "--test-case", "1"], { env })).code).toBe(0);
    const state = join(root, ".loadform/state.json");
    const document = JSON.parse(readFileSync(state, "utf8"));
    writeFileSync(state, JSON.stringify({ ...document, target: { ...document.target, organization: 12 } }));
    const { code, stderr } = await runCli(["import", root, "--all"], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining("LF4006")]);
  });

  test("refuses another service with the same ids too, of which all seems bound already", async () => {
    const env = await webshop();
    const root = folder();
    expect((await runCli(["import", root, "--all"], { env })).code).toBe(0);
    const { code, stderr } = await runCli(["import", root, "--all"], { env: await webshop() });
    expect([code, stderr]).toEqual([3, expect.stringContaining("LF4006")]);
  });
});

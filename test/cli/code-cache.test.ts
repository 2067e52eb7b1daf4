import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createService } from "../../src/service/index.ts";
import { sampleOf } from "../support/deep.ts";
import { freshFolder, runProcess } from "../support/run-cli.ts";
import { namedProject, projectFolder } from "../support/small-project.ts";

let cwd = "";
let cache = "";

beforeEach(() => {
  cwd = projectFolder();
  cache = freshFolder();
  chmodSync(cache, 0o700);
});

const validate = () => runProcess(["validate"], { cwd, env: { XDG_CACHE_HOME: cache } });

/** The files of a command, one for each script of the bundle that ran. */
function filesOf(command: string): readonly string[] {
  const names = readdirSync(cache, { recursive: true, encoding: "utf8" });
  return names.filter((path) => path.split("/").at(-1)?.startsWith(`${command}-`)).map((name) => join(cache, name));
}

const scriptsIn = (files: readonly string[]) => files.map((name) => name.split("-").at(-1)).sort();

function stored(): readonly string[] {
  const files = filesOf("validate");
  expect(scriptsIn(files)).toEqual(["planning", "recalling", "showing", "validator"]);
  return files;
}

describe("the code cache", () => {
  test("is written by the first command, for the user alone, and used by the next ones", async () => {
    const first = await validate();
    expect(first.code).toBe(0);
    for (const path of stored()) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      utimesSync(path, 1, 1);
    }
    expect(await validate()).toEqual(first);
    expect(stored().map((path) => statSync(path).mtimeMs)).toEqual([1000, 1000, 1000, 1000]);
  });

  const damages: readonly (readonly [string, (bytes: Buffer) => Uint8Array])[] = [
    ["of another build", (bytes: Buffer) => Buffer.concat([Buffer.from("another.script\n"), bytes])],
    ["that was damaged", (bytes: Buffer) => bytes.map((byte, at) => (at === 9000 ? byte ^ 0xff : byte))],
    ["that is cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["that is empty", () => Buffer.alloc(0)],
  ];
  test.each(sampleOf(damages, 1))("%s is written anew", async (_, damaged) => {
    const first = await validate();
    for (const path of stored()) writeFileSync(path, damaged(readFileSync(path)));
    for (const isTaken of [false, true]) {
      for (const path of stored()) utimesSync(path, 1, 1);
      expect(await validate()).toEqual(first);
      expect(stored().map((path) => statSync(path).mtimeMs === 1000)).toEqual([isTaken, isTaken, isTaken, isTaken]);
    }
  });

  test("is chosen before any code of the command is loaded, also where an interrupt has to leave JSON", async () => {
    expect((await runProcess(["validate", "--json"], { cwd, env: { XDG_CACHE_HOME: cache } })).code).toBe(0);
    stored();
  });

  test("is not written by a command that failed: it compiled little", async () => {
    expect((await runProcess(["validate", "nowhere"], { cwd, env: { XDG_CACHE_HOME: cache } })).code).toBe(1);
    expect(filesOf("validate")).toEqual([]);
  });

  test("is not written in a checkout that the command reads", async () => {
    cache = join(cwd, ".cache");
    for (const path of [cache, join(cwd, ".git")]) mkdirSync(path, { mode: 0o700 });
    expect((await validate()).code).toBe(0);
    expect(readdirSync(cache, { recursive: true })).toEqual([]);
  });

  test("has no more than what a check of watch runs: one that finds everything as it was does not load what compares", async () => {
    const service = createService({ clock: { mode: "real" } });
    onTestFinished(() => service.close());
    cwd = projectFolder(namedProject("shop", (await service.listen()).url));
    const env = { XDG_CACHE_HOME: cache, LOADFORM_API_KEY: service.apiKey };
    const run = (...args: readonly string[]) => runProcess(args, { cwd, env });
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    const check = async () => {
      for (const file of filesOf("watch-check")) rmSync(file);
      expect(await run("watch", "--once")).toMatchObject({ code: 0 });
      return scriptsIn(filesOf("watch-check"));
    };
    expect([await check(), await check()]).toEqual([["planning", "recalling", "showing", "validator"], ["recalling"]]);
  });

  test("has no more than what recalls and shows several projects, where they are as they were", async () => {
    const service = createService({ clock: { mode: "real" } });
    onTestFinished(() => service.close());
    const { url } = await service.listen();
    const folders = ["shop", "bank"].map((name) => projectFolder(namedProject(name, url)));
    const env = { XDG_CACHE_HOME: cache, LOADFORM_API_KEY: service.apiKey };
    const run = (...args: readonly string[]) => runProcess(args, { cwd, env });
    expect((await run("apply", ...folders, "--auto-approve")).code).toBe(0);
    const plan = async () => {
      for (const file of filesOf("plan")) rmSync(file);
      expect(await run("plan", ...folders)).toMatchObject({ code: 0 });
      return scriptsIn(filesOf("plan"));
    };
    expect([await plan(), await plan()]).toEqual([
      ["planning", "recalling", "several", "showing", "validator"],
      ["recalling", "several", "showing"],
    ]);
  });
});

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { sampleOf } from "../support/deep.ts";
import { freshFolder, runProcess } from "../support/run-cli.ts";
import { projectFolder } from "../support/small-project.ts";

let cwd = "";
let cache = "";

beforeEach(() => {
  cwd = projectFolder();
  cache = freshFolder();
  chmodSync(cache, 0o700);
});

const validate = () => runProcess(["validate"], { cwd, env: { XDG_CACHE_HOME: cache } });

/** Its files, one for each script of the bundle that ran. */
function stored(): readonly string[] {
  const names = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.split("/").at(-1)?.startsWith("validate-"),
  );
  expect(names.map((name) => name.split("-").at(-1)).sort()).toEqual(["planning", "recalling"]);
  return names.map((name) => join(cache, name));
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
    expect(stored().map((path) => statSync(path).mtimeMs)).toEqual([1000, 1000]);
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
      expect(stored().map((path) => statSync(path).mtimeMs === 1000)).toEqual([isTaken, isTaken]);
    }
  });

  test("is not written by a command that failed: it compiled little", async () => {
    expect((await runProcess(["validate", "nowhere"], { cwd, env: { XDG_CACHE_HOME: cache } })).code).toBe(1);
    const stored = readdirSync(cache, { recursive: true, encoding: "utf8" });
    expect(stored.filter((path) => path.includes("validate-"))).toEqual([]);
  });

  test("is not written in a checkout that the command reads", async () => {
    cache = join(cwd, ".cache");
    for (const path of [cache, join(cwd, ".git")]) mkdirSync(path, { mode: 0o700 });
    expect((await validate()).code).toBe(0);
    expect(readdirSync(cache, { recursive: true })).toEqual([]);
  });
});

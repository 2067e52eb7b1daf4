import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeTest } from "../support/merge-test.ts";
import { repository } from "../support/source-files.ts";

const sources = {
  "src/bin.ts":
    '#!/usr/bin/env node\nconst { greet } = await import("./name.ts");\nprocess.stdout.write(greet("bin"));\n',
  "src/index.ts": 'export type { Name } from "./name.ts";\nexport { greet } from "./name.ts";\n',
  "src/name.ts":
    "export type Name = string;\nexport function greet(name: Name): string {\n  return `hello ${name}`;\n}\n",
  "src/service/scripts/worker/main.ts": "export {};\n",
};

let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "prepare-"));
  for (const name of ["scripts", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.types.json"])
    cpSync(join(repository, name), join(root, name), { recursive: true });
  mkdirSync(join(root, "src/service/scripts/worker"), { recursive: true });
  for (const [path, text] of Object.entries(sources)) writeFileSync(join(root, path), text);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const prepare = () => spawnSync(process.execPath, ["scripts/prepare.js"], { cwd: root, encoding: "utf8" });
const program = () => join(root, "dist", "bin.js");
const builtAt = () => statSync(program()).mtimeMs;

/** What builds the whole package is a merge's: npm ci does so too. */
describe("prepare", () => {
  it("leaves a program that says what to do where nothing can be built", () => {
    expect(prepare()).toMatchObject({ status: 0, stderr: expect.stringContaining("Run `npm ci`") });
    const called = spawnSync(program(), { encoding: "utf8" });
    expect(called).toMatchObject({ status: 1, stderr: expect.stringContaining("loadform is not built") });
  });

  mergeTest("builds an executable program, the entry points and their types", () => {
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
    expect(prepare()).toMatchObject({ status: 0, stderr: "" });
    expect(execFileSync(program(), { encoding: "utf8" })).toBe("hello bin");
    expect(readFileSync(join(root, "dist", "types", "index.d.ts"), "utf8")).toContain('from "./name.js"');
    expect(existsSync(join(root, "dist", "service.js"))).toBe(false);
    expect(existsSync(join(root, "gen", "validate-project.js"))).toBe(true);
  });

  mergeTest("does nothing when nothing changed, whatever the times of the files say", () => {
    const before = builtAt();
    writeFileSync(join(root, "src/name.ts"), sources["src/name.ts"]);
    rmSync(join(root, "dist", "types"), { recursive: true });
    expect(prepare()).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(builtAt()).toBe(before);
    expect(existsSync(join(root, "dist", "types"))).toBe(false);
  });

  mergeTest("builds again after a change and keeps chunks that a running process may still load", () => {
    const chunk = /chunks\/[\w-]+\.js/.exec(readFileSync(program(), "utf8"))?.[0] ?? "none";
    writeFileSync(join(root, "src/name.ts"), sources["src/name.ts"].replace("hello", "good day"));
    expect(prepare().status).toBe(0);
    expect(execFileSync(program(), { encoding: "utf8" })).toBe("good day bin");
    expect(existsSync(join(root, "dist", chunk))).toBe(true);
    execFileSync(process.execPath, ["scripts/build.js"], { cwd: root });
    expect(existsSync(join(root, "dist", chunk))).toBe(false);
  });

  mergeTest("builds again where a copy lost its chunks", () => {
    rmSync(join(root, "dist", "chunks"), { recursive: true });
    expect(prepare()).toMatchObject({ status: 0, stderr: "" });
    expect(execFileSync(program(), { encoding: "utf8" })).toBe("good day bin");
  });

  mergeTest("fails and is due again when the sources do not build", () => {
    writeFileSync(join(root, "src/name.ts"), 'export { greet } from "./nowhere.ts";');
    expect(prepare()).toMatchObject({ status: 1, stderr: expect.stringContaining("nowhere.ts") });
    writeFileSync(join(root, "src/name.ts"), sources["src/name.ts"]);
    expect(prepare().status).toBe(0);
    expect(execFileSync(program(), { encoding: "utf8" })).toBe("hello bin");
  });
});

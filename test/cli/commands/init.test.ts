import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { schemaFrom } from "../../../src/cli/commands/init.ts";
import { filesBelow } from "../../e2e/example-folder.ts";
import { builtCli } from "../../support/built-cli.ts";
import { freshFolder, runCli } from "../../support/run-cli.ts";
import { repository } from "../../support/source-files.ts";

const written = ["loadform.yaml", "load/shop.yaml", "data/users.csv", "scripts/browse.js", ".gitignore"];

/** The file that the first line of a file points editors at. */
function schemaOf(folder: string, file: string): string {
  const [, path = ""] = /^# yaml-language-server: \$schema=(.+)$/m.exec(read(folder, file)) ?? [];
  return resolve(folder, dirname(file), path);
}

const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

describe("init", () => {
  it("writes a project, says which files, and what to run next", async () => {
    const cwd = freshFolder();
    const { code, stdout, stderr } = await runCli(["init", "my tests/shop"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      `Wrote a small project for the bundled service:\n${written.map((path) => `  ${path}\n`).join("")}
Next:\n  cd 'my tests/shop'\n  loadform validate\n  loadform plan\n  loadform apply\n  loadform run\n`,
    );
    const folder = join(cwd, "my tests/shop");
    expect([...filesBelow(folder).keys()].sort()).toEqual(written.map((path) => join(folder, path)).sort());
    expect(read(folder, "loadform.yaml")).toMatch(/^project: shop\n/);
    expect(read(folder, ".gitignore")).toBe(".loadform/\nnode_modules/\n");
  });

  it("makes what validates, is in canonical form, plans, applies, is then as declared, and passes its gate", async () => {
    const cwd = freshFolder();
    await runCli(["init"], { cwd });
    expect(await runCli(["fmt", "--check"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await runCli(["validate"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect((await runCli(["plan", "--detailed-exitcode"], { cwd })).code).toBe(2);
    expect((await runCli(["apply", "--auto-approve"], { cwd })).stdout).toContain("Applied: 4 created");
    expect((await runCli(["plan", "--detailed-exitcode"], { cwd })).code).toBe(0);
    expect((await runCli(["run"], { cwd })).stdout).toContain("✓ release: passed (simulated)\n");
  });

  it("writes the same project as a TypeScript program", async () => {
    const [yaml, program] = [freshFolder(), freshFolder()];
    await runCli(["init", "shop"], { cwd: yaml });
    const { code, stdout } = await runCli(["init", "shop", "--format", "ts"], { cwd: program });
    expect([code, stdout.split("\n").slice(1, 6)]).toEqual([
      0,
      ["loadform.config.ts", "tsconfig.json", "data/users.csv", "scripts/browse.js", ".gitignore"].map(
        (path) => `  ${path}`,
      ),
    ]);
    const changes = async (cwd: string) => {
      const planned = await runCli(["plan", "--json"], { cwd: join(cwd, "shop") });
      return (JSON.parse(planned.stdout) as { project: string; resource_changes: unknown[] }).resource_changes;
    };
    expect(await changes(program)).toEqual(await changes(yaml));
    expect(await changes(program)).toHaveLength(4);
    await runCli(["apply", "--auto-approve"], { cwd: join(program, "shop") });
    const { code: ran, stdout: results } = await runCli(["run"], { cwd: join(program, "shop") });
    expect([ran, results]).toEqual([0, expect.stringContaining("✓ release: passed (simulated)\n")]);
    expect((await runCli(["init", "shop"], { cwd: program })).stderr).toContain("LF9004");
  });

  it("leads editors to the schema of the package that is installed above it, from below a linked folder too", async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, "a/b/c/node_modules"), { recursive: true });
    symlinkSync(join(cwd, "a/b/c"), join(cwd, "link"));
    symlinkSync(dirname(dirname(await builtCli())), join(cwd, "a/b/c/node_modules/loadform"));
    await runCli(["init", "link/new"], { cwd });
    const path = "node_modules/loadform/schemas/loadform.schema.json";
    expect(read(cwd, "link/new/loadform.yaml").split("\n")[0]).toBe(`# yaml-language-server: $schema=../${path}`);
    expect(schemaOf(join(cwd, "a/b/c/new"), "load/shop.yaml")).toBe(join(cwd, "a/b/c", path));
    expect(existsSync(join(cwd, "a/b/c", path))).toBe(true);
  });

  it("leads them there within the checkout of the package, and nowhere when it is installed elsewhere", async () => {
    const cwd = freshFolder();
    await runCli(["init"], { cwd });
    expect(read(cwd, "loadform.yaml")).toMatch(/^project: /);
    const home = pathToFileURL(`${repository}/`);
    expect(await schemaFrom(join(repository, "examples/webshop"), home)).toBe("../../schemas/loadform.schema.json");
    expect(await schemaFrom(join(repository, "examples"), new URL("node_modules/loadform/", home))).toBeUndefined();
  });

  it("takes another name where the folder's is no plain text in YAML", async () => {
    const cwd = freshFolder();
    for (const name of ["2027", "true", "a: b"]) {
      expect((await runCli(["init", name], { cwd })).code).toBe(0);
      expect(read(join(cwd, name), "loadform.yaml")).toMatch(/^project: load-tests\n/);
    }
  });

  it("lets a .gitignore that is there be, and says what it should name", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, ".gitignore"), "mine\n");
    const { code, stdout } = await runCli(["init"], { cwd });
    expect([code, read(cwd, ".gitignore")]).toEqual([0, "mine\n"]);
    expect(stdout).not.toContain("  .gitignore\n");
    expect(stdout).toContain("Keep .loadform/ out of git");
  });
});

describe("init overwrites nothing: exit 1, all that is in the way, and no file more", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["files of the same names", ["loadform.yaml", "scripts/browse.js"], ["loadform.yaml", "scripts/browse.js"]],
    ["a file where a folder is needed", ["scripts"], ["scripts"]],
    ["an entry that would be read instead", ["cdktf.json", "loadform.config.ts"], ["cdktf.json", "loadform.config.ts"]],
    ["a program for Terraform, which would not be read any more", ["main.tf.json"], ["main.tf.json"]],
  ];
  it.each(cases)("%s", async (_title, there, named) => {
    const cwd = freshFolder();
    for (const path of there) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), "mine");
    }
    const { code, stdout, stderr } = await runCli(["init"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`LF9004: init would overwrite files\n  There is ${named.join(", ")} in this folder`);
    expect(filesBelow(cwd)).toEqual(new Map(there.map((path) => [join(cwd, path), "mine"])));
  });

  it("a file in place of the folder, a link that leads nowhere, a folder that cannot be made", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "file"), "");
    expect(await runCli(["init", "file"], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/LF9004.*\n.*a file called file/),
    });
    expect(await runCli(["init", "file/below"], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/LF1002/),
    });
    symlinkSync("nowhere", join(cwd, "loadform.yaml"));
    expect(await runCli(["init"], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/LF9004.*\n.*There is loadform.yaml/),
    });
    expect(existsSync(join(cwd, "nowhere"))).toBe(false);
    expect(readdirSync(cwd).sort()).toEqual(["file", "loadform.yaml"]);
  });
});

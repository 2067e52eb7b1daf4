import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../../support/run-cli.ts";

const main = `service: {url: "memory:"}
include: [load/*.yaml]
project: 'small'
`;
const formatted = `project: small
service: { url: "memory:" }
include: [load/*.yaml]
`;

function folder(files: Readonly<Record<string, string>> = {}): string {
  const cwd = freshFolder();
  mkdirSync(join(cwd, "load"));
  const all = { "loadform.yaml": main, "load/a.yaml": "tags: { nightly: {} }\n", ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
  return cwd;
}

describe("fmt", () => {
  it("writes the files that are not in canonical form, and lists them", async () => {
    const cwd = folder();
    expect(await runCli(["fmt"], { cwd })).toEqual({ code: 0, stdout: "loadform.yaml\n", stderr: "" });
    expect(readFileSync(join(cwd, "loadform.yaml"), "utf8")).toBe(formatted);
    expect(await runCli(["fmt"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("only says with --check which files would change, with exit 1", async () => {
    const cwd = folder({ "load/a.yaml": "tags: {nightly: }\n" });
    const stdout = "project/loadform.yaml\nproject/load/a.yaml\n".replaceAll("project", cwd);
    expect(await runCli(["fmt", cwd, "--check"])).toEqual({ code: 1, stdout, stderr: "" });
    expect(readFileSync(join(cwd, "loadform.yaml"), "utf8")).toBe(main);
    await runCli(["fmt", cwd]);
    expect((await runCli(["fmt", cwd, "--check"])).code).toBe(0);
  });

  it("has nothing to change in our examples", async () => {
    const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
    const { code, stdout } = await runCli(["fmt", `${examples}/*`, "--check"]);
    expect([code, stdout]).toEqual([0, ""]);
  });

  it("formats the modules in the folder, those that only an environment or another module uses too", async () => {
    const use = "use: { a: { module: load/m.yml } }\nenvironments: { e: { use: { b: { module: n.yml } } } }\n";
    const cwd = folder({
      "loadform.yaml": formatted + use,
      "load/m.yml": "use: {i: {module: inner.yml}}\n",
      "load/inner.yml": "testCases: {}\nparameters: {p: {}}\n",
      "n.yml": "testCases: {t: }\n",
    });
    const { code, stdout, stderr } = await runCli(["fmt"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    for (const name of ["load/m.yml", "load/inner.yml", "n.yml"]) expect(stdout).toContain(`${name}\n`);
    expect(readFileSync(join(cwd, "load/inner.yml"), "utf8")).toBe("parameters: { p: {} }\ntestCases: {}\n");
  });

  it("formats modules outside the folder, in the same git work tree, and reports one that cannot be read", async () => {
    const around = freshFolder();
    const cwd = join(around, "shop");
    for (const name of [join(around, ".git"), cwd]) mkdirSync(name);
    const use = (module: string) =>
      `${formatted.replace("include: [load/*.yaml]\n", "")}\nuse: { a: { module: ${module} } }\n`;
    writeFileSync(join(around, "shared.yaml"), "testCases: {t: }\nparameters: {p: {}}\n");
    writeFileSync(join(cwd, "loadform.yaml"), use("../shared.yaml"));
    expect(await runCli(["fmt", "--check"], { cwd })).toEqual({ code: 1, stdout: "../shared.yaml\n", stderr: "" });
    expect(await runCli(["fmt"], { cwd })).toEqual({ code: 0, stdout: "../shared.yaml\n", stderr: "" });
    expect(readFileSync(join(around, "shared.yaml"), "utf8")).toBe("parameters: { p: {} }\ntestCases: { t: }\n");
    writeFileSync(join(cwd, "loadform.yaml"), use("../none.yaml"));
    const stderr = expect.stringContaining("../none.yaml cannot be read");
    expect(await runCli(["fmt"], { cwd })).toEqual({ code: 1, stdout: "", stderr });
  });

  it("formats what can be read and reports the rest", async () => {
    const cwd = folder({ "load/a.yaml": "tags: [\n" });
    const { code, stdout, stderr } = await runCli(["fmt"], { cwd });
    expect([code, stdout, stderr]).toEqual([1, "loadform.yaml\n", expect.stringContaining("error LF1003")]);
    expect(readFileSync(join(cwd, "load/a.yaml"), "utf8")).toBe("tags: [\n");
  });

  it.each([
    ["a key twice", "tags: {a: {}}\ntags: {b: {}}\nvcsRoots: {v: {password: hunter2, password: hunter2}}\n", "LF1005"],
    ["an alias that leads nowhere", "tags: {a: *none}\n", "LF1003"],
  ])("leaves a file with errors as it is: %s", async (_, text, code) => {
    const cwd = folder({ "load/a.yaml": text, "loadform.yaml": formatted });
    for (const args of [["fmt", "--check"], ["fmt"]]) {
      const run = await runCli(args, { cwd });
      expect([run.code, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toContain(code);
      expect(run.stderr).not.toContain("hunter2");
    }
    expect(readFileSync(join(cwd, "load/a.yaml"), "utf8")).toBe(text);
  });

  it("says that there is no YAML", async () => {
    const cwd = freshFolder();
    expect(await runCli(["fmt"], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining("LF1001") });
    writeFileSync(join(cwd, "loadform.config.ts"), "");
    expect((await runCli(["fmt"], { cwd })).stderr).toContain("loadform.config.ts is a program");
  });
});

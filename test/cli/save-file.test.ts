import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkFile, saveFile } from "../../src/cli/save-file.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";

const project = `project: shop
service: { url: "memory:service.json" }
state: state.json
testCases:
  checkout:
    scenarios: { pay: { script: "pay();", dataStores: { users.csv: { contents: "\${file:users.csv}" } } } }
`;

describe("a file of a project", () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), project);
  writeFileSync(join(cwd, "users.csv"), "name\nann\n");

  it.each(["loadform.yaml", "users.csv", "state.json", "service.json"])("%s is not overwritten", async (file) => {
    expect((await runCli(["apply", "--auto-approve"], { cwd })).code).toBe(0);
    const before = readFileSync(join(cwd, file), "utf8");
    for (const args of [
      ["plan", "--out"],
      ["plan", "--markdown"],
      ["plan", "--html"],
      ["report", "--csv"],
    ]) {
      const { code, stderr } = await runCli([...args, file], { cwd });
      if (args[0] === "plan") expect(stderr).toContain(`could not be saved to ${file}`);
      expect(code).toBe(1);
      expect(readFileSync(join(cwd, file), "utf8")).toBe(before);
    }
  });
});

it("an output of before is replaced, also a table", async () => {
  const cwd = freshFolder();
  for (const [file, text] of [
    ["a.csv", "gate,address,execution,verdict\n"],
    ["a.json", '{ "format_version": "1.2" }\n'],
    ["a.md", "anything\n"],
    ["empty.csv", ""],
  ] as const) {
    writeFileSync(join(cwd, file), text);
    expect(await saveFile({ what: "it", file, cwd }, "new")).toEqual([]);
    expect(readFileSync(join(cwd, file), "utf8")).toBe("new");
  }
});

it("is checked before without leaving anything", async () => {
  const cwd = freshFolder();
  const check = (file: string) => checkFile({ what: "the page", file, cwd });
  expect(await check("page.html")).toEqual([]);
  expect(existsSync(join(cwd, "page.html"))).toBe(false);
  expect(await check("missing/page.html")).toMatchObject([
    { code: "LF1002", detail: expect.stringContaining("There is no folder") },
  ]);
  expect(await check(".")).toMatchObject([{ detail: expect.stringContaining("It is a folder") }]);
  expect(await check("/dev/null")).toEqual([]);
});

it("two flags with one file are refused before anything is done", async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, "loadform.yaml"), project);
  const { code, stderr } = await runCli(["plan", "--html", "x", "--markdown", "x"], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining("two flags name the file x")]);
  expect(existsSync(join(cwd, "x"))).toBe(false);
});

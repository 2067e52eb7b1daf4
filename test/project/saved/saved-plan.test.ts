import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type JsonObject, withValueAt } from "../../../src/model/json.ts";
import { openPlan, type SavedPlan, savedDocument } from "../../../src/project/saved/saved-plan.ts";
import { exampleFolder } from "../../e2e/example-folder.ts";
import { runCli } from "../../support/run-cli.ts";
import { unshown } from "../../support/unshown.ts";

const example = exampleFolder();
const planned = await example.run("plan", "--out", "plan.json");
const document = JSON.parse(readFileSync(join(example.cwd, "plan.json"), "utf8")) as { loadform: JsonObject };

/** Reads the plan with one part of it changed, and a digest that fits. */
function readWith(path: string, value: string | number | boolean | null | undefined | readonly []): SavedPlan {
  const part = withValueAt(document.loadform, path.split("."), value as never);
  return openPlan(JSON.stringify(savedDocument({}, part as unknown as SavedPlan, unshown)), "plan.json").saved;
}

describe("a saved plan with a digest that fits", () => {
  test("is read as it was written", () => {
    expect(planned.code).toBe(0);
    expect(openPlan(JSON.stringify(document), "plan.json").saved).toEqual(document.loadform);
  });

  const names = Object.keys(document.loadform);
  test.each(names)("is refused without its %s, or with another thing in its place", (name) => {
    for (const value of [undefined, null, 7, [7] as never]) {
      let thrown: unknown;
      try {
        readWith(name, value);
      } catch (problem) {
        thrown = problem;
      }
      const detail = expect.stringMatching(new RegExp(`plan.json is missing, or misspells, .*\\b${name}\\b`));
      expect(thrown).toMatchObject({ diagnostics: [{ code: "LF5007", detail }] });
    }
  });

  test.each([
    "service.url",
    "service.auth",
    "state.backend",
    "options.targets",
    "options.allowDestroy",
    "options.destroy",
  ])("is refused without %s", (path) =>
    expect(() => readWith(path, undefined)).toThrow("the saved plan cannot be used"),
  );

  test("is refused when a text in it is another one", () => {
    const [hash = ""] = Object.keys(document.loadform["contents"] as JsonObject);
    for (const data of ["", "H4sIAAAAAAAA", "not base64 at all"])
      expect(() => readWith(`contents.${hash}.data`, data)).toThrow("the saved plan cannot be used");
  });
});

test("a saved plan is refused where its folder is not, and nothing is written there", async () => {
  const { cwd } = exampleFolder();
  expect((await runCli(["plan", "--out", "plan.json"], { cwd })).code).toBe(0);
  const elsewhere = `${cwd}-elsewhere`;
  cpSync(cwd, elsewhere, { recursive: true });
  renameSync(cwd, `${cwd}-gone`);
  const { code, stderr } = await runCli(["apply", "plan.json"], { cwd: elsewhere });
  expect([code, stderr]).toEqual([1, expect.stringContaining("LF5007: the saved plan was made elsewhere")]);
  expect(stderr).toContain("plan again here");
  expect(existsSync(cwd)).toBe(false);
});

test("an applied plan shows how many objects it found unchanged, as it did when it was saved", async () => {
  const { cwd, run } = exampleFolder();
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  const file = join(cwd, "load", "checkout.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("durationSecs: 60", "durationSecs: 61"));
  const line = /^Plan: 0 to create, 1 to update, 0 to delete, [1-9]\d* unchanged/m;
  const [saved] = line.exec((await run("plan", "--out", "plan.json")).stdout) ?? [];
  const applied = await run("apply", "plan.json");
  expect([saved, applied.code]).toEqual([expect.any(String), 0]);
  expect(applied.stdout).toContain(saved);
});

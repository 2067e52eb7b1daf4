import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyAll } from "../../../src/cli/projects/apply-all.ts";
import { recordingTerminal, viewInput } from "../../support/recording-terminal.ts";
import { folderOf, namedProject } from "../../support/small-project.ts";

/** An apply of two projects at a terminal whose person answers; `meanwhile` happens before the answer. */
async function applied(answer: string, meanwhile: (cwd: string) => void = () => undefined) {
  const cwd = folderOf({ "tests/a/loadform.yaml": namedProject("a"), "tests/b/loadform.yaml": namedProject("b") });
  const questions: string[] = [];
  const terminal = recordingTerminal({
    canAsk: true,
    ask: async (question) => {
      questions.push(question);
      meanwhile(cwd);
      return answer;
    },
  });
  const input = { ...viewInput(terminal), args: ["tests/*"], argv: ["apply", "tests/*"], cwd, env: {} };
  const code = await applyAll(input);
  const isApplied = (name: string) => existsSync(join(cwd, `tests/${name}/.loadform/state.json`));
  return { code, questions, stdout: terminal.stdout(), stderr: terminal.stderr(), isApplied, cwd };
}

describe("an apply of several projects at a terminal", () => {
  it("shows all plans and their table, asks once, and shows no plan twice", async () => {
    const { code, questions, stdout, isApplied } = await applied("y");
    expect([code, questions]).toEqual([0, ["Apply these changes to 2 projects? [y/N] "]]);
    expect(stdout.match(/\+ testCase\.a$/gm)).toHaveLength(1);
    expect(stdout).toMatch(/tests\/b +2 +0 +0 +with changes[\s\S]*Applied: 2 created[\s\S]*2 projects: 2 applied\.\n$/);
    expect([isApplied("a"), isApplied("b")]).toEqual([true, true]);
  });

  it("changes nothing when the answer is no", async () => {
    const { code, stdout, stderr, isApplied } = await applied("n");
    expect([code, isApplied("a"), isApplied("b")]).toEqual([1, false, false]);
    expect(stderr).toContain("Not confirmed: nothing was changed.");
    expect(stdout).toContain("2 projects: 2 not confirmed.");
  });

  it("applies what was approved, though the files are others by then", async () => {
    const { code, cwd } = await applied("yes", (folder) => {
      const file = join(folder, "tests/b/loadform.yaml");
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("  b:", "  another:"));
    });
    const state = readFileSync(join(cwd, "tests/b/.loadform/state.json"), "utf8");
    expect([code, state.includes("testCase.b"), state.includes("another")]).toEqual([0, true, false]);
  });
});

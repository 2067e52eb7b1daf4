import { describe, expect, test } from "vitest";
import { scriptProblems } from "../../src/config/check-scripts.ts";
import { kinds } from "../../src/kinds/index.ts";
import { loadFiles } from "../support/load-files.ts";

/** Problems of a scenario with these fields; `a.js` is the file. */
async function problemsOf(fields: string, file = "", env: Readonly<Record<string, string>> = {}) {
  const project = await loadFiles(
    `testCases:
  shop:
    scenarios:
      browse:
        ${fields}
`,
    { files: { "scripts/a.js": file }, env, unsetEnv: "warning" },
  );
  return await scriptProblems(project, kinds);
}

const ofFile = (text: string, fields = "") => problemsOf(`script: \${file:scripts/a.js}\n        ${fields}`, text);

describe("a script that nobody can read", () => {
  test.each([
    ["a second bracket", "foo();\n}\nbar();\n", 2, 1],
    ["a bracket that is open at the end", "foo(() => {\n  bar();\n\n", 2, 9],
    ["two words", "const a = 1;\n\tfoo bar;\n", 2, 5],
    ["lines that end as on Windows", "const a = 1;\r\n  foo bar;\r\n", 2, 6],
    ["a return before the mistake", "return await 1;\nfoo bar;\n", 2, 4],
    ["a module", 'import a from "a";\nexport const b = ;\n', 2, 18],
    ["something else than code", "<plan/>\n", 1, 1],
    ["a name twice", "let a;\nlet a;\n", 2, 5],
  ])("is a warning at its place in the file: %s", async (_, text, line, column) => {
    expect(await ofFile(text)).toMatchObject([
      {
        ...{ severity: "warning", code: "LF1206", summary: "script is not JavaScript" },
        ...{ address: "testCase.shop/scenario.browse", file: "scripts/a.js", line, column },
        detail: expect.stringContaining("every run of it would fail: "),
      },
    ]);
  });

  test("is found in TypeScript, in init and in teardown too", async () => {
    const fields = 'language: typescript\n        script: "a(1 as number)"\n        init: "a("\n        teardown: "b("';
    const problems = await problemsOf(fields);
    expect(problems.map(({ summary }) => summary)).toEqual(["init is not TypeScript", "teardown is not TypeScript"]);
  });

  test("is told that it is TypeScript", async () => {
    const [problem] = await ofFile('const a: string = "x";\n');
    expect(problem?.detail).toContain("It is TypeScript: say language: typescript");
  });

  test("in YAML has its place there, and says the one in the text", async () => {
    const [problem] = await problemsOf("script: |\n          const a = 1;\n          foo bar;");
    expect(problem).toMatchObject({ file: "loadform.yaml", line: 7, column: 17 });
    expect(problem?.detail).toContain("missing semicolon in line 2, column 4 of the text");
  });

  test("is one problem, however many scenarios run it", async () => {
    const again = "script: ${file:scripts/a.js}\n      buy:\n        script: ${file:scripts/a.js}";
    const problems = await problemsOf(again, "a(");
    expect(problems.map(({ address }) => address)).toEqual(["testCase.shop/scenario.browse"]);
  });

  test("does not show what comes from the environment", async () => {
    const [problem] = await problemsOf('script: "let ${env:NAME}; let ${env:NAME};"', "", { NAME: "hunter2" });
    expect(problem?.detail).toContain("has already been declared");
    expect(problem?.detail).not.toContain("hunter2");
  });
});

describe("nothing is said of", () => {
  test.each([
    ["return and await", "return await fetch('x');\n"],
    ["what only a function that is not strict may do", "with (a) b = 010;\n"],
    ["modules", "import a from 'a';\nexport default async function main() { await a(); }\n"],
    ["the newest syntax", "{ using a = open(); }\n"],
    ["a byte order mark", "\uFEFFa();\n"],
    ["what would stop or leave the process", "process.exit(1); throw new Error('it was run');\n"],
    ["more brackets than the reader can go into", "[".repeat(200_000)],
    ["no text", ""],
  ])("%s", async (_, text) => {
    expect(await ofFile(text)).toEqual([]);
  });

  test.each([
    ["other types of scenarios", "scriptType: EngineA"],
    ["a type that is not known yet", "scriptType: ${env:TYPE}"],
    ["a language that is not known yet", "language: ${env:LANGUAGE}"],
    ["TypeScript that is right", "language: typescript"],
  ])("%s", async (what, fields) => {
    expect(
      await ofFile(what.startsWith("TypeScript") ? "const a: string = 'x';\nprocess.exit(1);\n" : "<plan/>", fields),
    ).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { annotationText, diagnosticText, problemCounts, withoutSecretLines } from "../../src/report/diagnostic-text.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";

const line = "    passwrd: x";
const style = { palette: plainPalette, width: 80, lineOf: () => line };
const problem: Diagnostic = {
  severity: "error",
  code: "LF1101",
  summary: "unknown key passwrd",
  detail: "found passwrd; expected a field of a vcsRoot. Did you mean password?",
  file: "loadform.yaml",
  line: 12,
  column: 5,
};

describe("the text of a problem", () => {
  it("says what it is, where it stands, with a caret, and what to do", () => {
    expect(diagnosticText(problem, style)).toBe(
      [
        "error LF1101: unknown key passwrd",
        "  loadform.yaml:12:5",
        "    12 |     passwrd: x",
        "       |     ^",
        "  found passwrd; expected a field of a vcsRoot. Did you mean password?",
      ].join("\n"),
    );
  });

  it("names the address, with or without a place", () => {
    expect(diagnosticText({ ...problem, address: "vcsRoot.a" }, style)).toContain("  loadform.yaml:12:5 (vcsRoot.a)\n");
    const { file: _file, line: _line, column: _column, ...placeless } = problem;
    expect(diagnosticText({ ...placeless, address: "vcsRoot.a" }, style)).toContain("\n  vcsRoot.a\n");
  });

  it("does without the line when the file cannot be read", () => {
    expect(diagnosticText(problem, { ...style, lineOf: () => undefined })).not.toContain("|");
  });

  it("does not repeat the line of a written-out secret", () => {
    const text = diagnosticText({ ...problem, code: "LF1203" }, { ...style, lineOf: () => "password: hunter2" });
    expect(text).not.toContain("hunter2");
  });

  it("does not repeat it for another problem on the same line either", () => {
    const lineOf = withoutSecretLines([{ ...problem, code: "LF1203" }, problem], () => "name: hunter2");
    expect(diagnosticText(problem, { ...style, lineOf })).not.toContain("hunter2");
    expect(diagnosticText({ ...problem, line: 99 }, { ...style, lineOf })).toContain("hunter2");
  });

  it.each([
    ["pasword: hunter2", false],
    ["  a: { url: x, passwrod: hunter2 }", false],
    ['metadata: { "cloudSecretAccesKey": hunter2', false],
    ["url: https://ci:hunter2@load.example.com", false],
    ["url: https://load.example.com?key=hunter2", false],
    ['password: "${env:hunter2}"', true],
    ["vcsAuthType: hunter2", true],
    ["providers: { private: { name: hunter2 } }", true],
    ["private: hunter2", false],
    ["password: { value: hunter2 }", false],
  ])("shows a line only when it can hold no secret: %s", (text, isShown) => {
    const lineOf = withoutSecretLines([problem], () => text);
    expect(diagnosticText(problem, { ...style, lineOf }).includes("hunter2")).toBe(isShown);
  });

  it("wraps the detail to the terminal", () => {
    const text = diagnosticText({ ...problem, detail: "word ".repeat(40).trim() }, { ...style, width: 60 });
    expect(Math.max(...text.split("\n").map((each) => each.length))).toBeLessThanOrEqual(60);
  });

  it.each([0, 150, 299])("shows the part of a long line around column %i with the caret under it", (at) => {
    const long = `${"a".repeat(at)}X${"b".repeat(299 - at)}`;
    const [, , shown = "", caret = ""] = diagnosticText(
      { ...problem, column: at + 1 },
      { ...style, lineOf: () => long },
    ).split("\n");
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(shown[caret.indexOf("^")]).toBe("X");
  });

  it("points at the character after one that is spelled out", () => {
    const [, , shown = "", caret = ""] = diagnosticText(
      { ...problem, column: 3 },
      { ...style, lineOf: () => "a\u0007X" },
    ).split("\n");
    expect(shown[caret.indexOf("^")]).toBe("X");
  });

  it("looks through a line for secrets once, however many problems are on it", () => {
    let looks = 0;
    const lineOf = withoutSecretLines([problem], () => {
      looks++;
      return `k: ${"y".repeat(100_000)}`;
    });
    for (let count = 0; count < 500; count++) expect(lineOf("loadform.yaml", 3)).toHaveLength(100_003);
    expect(looks).toBeLessThanOrEqual(3);
  });

  it("counts a tab as one column", () => {
    const [, , shown = "", caret = ""] = diagnosticText(
      { ...problem, column: 3 },
      { ...style, lineOf: () => "\t\tX" },
    ).split("\n");
    expect(shown[caret.indexOf("^")]).toBe("X");
  });

  it("spells out control characters of the user's or the service's words", () => {
    expect(diagnosticText({ ...problem, summary: "a\u001b[2Jb" }, style)).toContain("a\\u001b[2Jb");
  });
});

describe("the count of problems", () => {
  const warning: Diagnostic = { ...problem, severity: "warning" };
  it.each([
    [[], ""],
    [[problem], "1 error"],
    [[problem, problem, warning], "2 errors, 1 warning"],
    [[warning, warning], "2 warnings"],
  ] as const)("of %j is in words", (diagnostics, expected) => {
    expect(problemCounts(diagnostics)).toBe(expected);
  });
});

describe("the annotation of a problem at GitHub", () => {
  it("leads to the file within the checkout, on one line", () => {
    const detail = "found 50%, not\n  loadform x::y";
    expect(annotationText({ ...problem, summary: "a, b: c", detail }, (file) => `tests/${file}`)).toBe(
      "::error file=tests/loadform.yaml,line=12,col=5,title=LF1101%3A a%2C b%3A c::found 50%25, not%0A  loadform x::y",
    );
  });

  it("has no place where the problem has none, and is a warning where it is one", () => {
    const { file: _file, line: _line, column: _column, ...placeless } = problem;
    expect(annotationText({ ...placeless, severity: "warning" }, (file) => file)).toBe(
      `::warning title=LF1101%3A unknown key passwrd::${problem.detail}`,
    );
  });
});

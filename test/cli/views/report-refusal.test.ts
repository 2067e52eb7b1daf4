import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { explainCode } from "../../../src/cli/commands/explain.ts";
import { usageProblem } from "../../../src/cli/flag-table.ts";
import type { Interrupt } from "../../../src/cli/interrupt.ts";
import { reportDefect, reportRefusal, withInterruptDocument } from "../../../src/cli/views/report-refusal.ts";
import { codes } from "../../../src/model/codes.ts";
import { exitCodes } from "../../../src/report/exit-codes.ts";
import { recordingTerminal, viewInput } from "../../support/recording-terminal.ts";

describe("a refusal", () => {
  const problem = usageProblem("unknown flag --x", "Leave it out");

  it("is text on stderr, and nothing on stdout", () => {
    const terminal = recordingTerminal();
    expect(reportRefusal(terminal, ["drift"], [problem])).toBe(1);
    expect([terminal.stdout(), terminal.stderr()]).toEqual([
      "",
      expect.stringContaining("error LF9001: unknown flag --x"),
    ]);
  });

  it("is one document on stdout with --json", () => {
    const terminal = recordingTerminal();
    reportRefusal(terminal, ["drift", "--json"], [problem]);
    expect(JSON.parse(terminal.stdout())).toEqual({ diagnostics: [problem] });
    expect(terminal.stderr()).toBe("");
  });

  it.each(["apply", "destroy"])("is a line for each problem and a summary with %s --json", (name) => {
    const terminal = recordingTerminal();
    reportRefusal(terminal, [name, "--json"], [problem, problem]);
    const lines = terminal.stdout().trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "diagnostic",
      "diagnostic",
      "change_summary",
    ]);
  });
});

describe("an interrupt with --json", () => {
  const interrupted = (words: readonly string[], command = "plan", left: readonly string[] = []) => {
    const terminal = recordingTerminal();
    const last: Parameters<Interrupt["lastWords"]>[0][] = [];
    const input = { ...viewInput(terminal), argv: [command, "--json"] };
    const interrupt = { ...input.interrupt, lastWords: (say: (typeof last)[number]) => void last.push(say) };
    const told = withInterruptDocument({ ...input, interrupt });
    for (const word of words) told.out(word);
    for (const say of last) say(command === "apply", left);
    return terminal.stdout() + terminal.stderr();
  };

  it("is one more line of an apply that is cut off, unless its summary was written", () => {
    const line = '{"type":"apply_start"}\n';
    expect(interrupted([line], "apply")).toMatch(
      /apply_start"\}\n\{"type":"diagnostic".*LF6005.*\}\nerror LF6005: .* 6\.5 s/,
    );
    const summary = '{"type":"change_summary"}\n';
    expect(interrupted([line, summary], "apply")).toMatch(
      /apply_start"\}\n\{"type":"change_summary"\}\nerror LF6005: /,
    );
  });

  it("names what it leaves on stderr, and in the document or lines where there is room", () => {
    const left = ["The lock 7 outlives the command"];
    const words = /warning LF5001: the state remains locked\n {2}The lock 7 outlives the command\n$/;
    expect(interrupted([], "destroy", left)).toMatch(/"LF6005".*\n.*"LF5001".*The lock 7.*\n.*change_summary/);
    expect(interrupted(["{}"], "plan", left)).toMatch(words);
    expect(interrupted(["{}\n"], "apply", left)).toMatch(words);
    expect(interrupted(["{}\n"], "apply", left)).toMatch(/"LF5001".*The lock 7/);
  });

  it("leaves one document that says so, or the one that was written before", () => {
    expect(JSON.parse(interrupted([]))).toMatchObject({ diagnostics: [{ severity: "error", code: "LF6005" }] });
    expect(interrupted(["{}"])).toBe("{}");
  });
});

describe("a defect", () => {
  const thrown = new TypeError("cannot read the-secret-key of undefined");

  it("is told with its code and without a stack, and without the key", () => {
    const terminal = recordingTerminal();
    expect(reportDefect(viewInput(terminal), thrown)).toBe(1);
    expect(terminal.stderr()).toContain("LF9002");
    expect(terminal.stderr()).toContain("TypeError: cannot read (sensitive) of undefined");
    expect(terminal.stderr()).not.toMatch(/the-secret-key|\.ts:\d/);
  });

  it("shows its stack with LOADFORM_LOG=debug, still without the key", () => {
    const log: string[] = [];
    reportDefect({ ...viewInput(recordingTerminal()), log: (line) => log.push(line) }, thrown);
    expect(log.join()).toMatch(/report-refusal\.test\.ts:\d/);
    expect(log.join()).not.toContain("the-secret-key");
  });

  it("is none when the disk refuses something", async () => {
    const terminal = recordingTerminal();
    const refused: unknown = await writeFile("/dev/null/x", "").catch((problem: unknown) => problem);
    expect(reportDefect(viewInput(terminal), refused)).toBe(1);
    expect(terminal.stderr()).toMatch(/LF1002[\s\S]*ENOTDIR/);
    expect(terminal.stderr()).not.toMatch(/defect|report it/);
  });

  it("need not be an Error", () => {
    const terminal = recordingTerminal();
    expect(reportDefect(viewInput(terminal), "just text")).toBe(1);
    expect(terminal.stderr()).toContain("just text");
  });
});

describe("explain", () => {
  const explained = async (code: string) => {
    const terminal = recordingTerminal({ width: 60 });
    const exit = await explainCode({ ...viewInput(terminal), args: [code] });
    return { exit, terminal };
  };

  it("has a paragraph for every code that a command can print or answer", async () => {
    for (const code of [...Object.keys(codes), ...Object.keys(exitCodes)]) {
      const { exit, terminal } = await explained(code);
      expect(exit, code).toBe(0);
      const [head = "", blank, ...paragraph] = terminal.stdout().trimEnd().split("\n");
      expect(head).toContain(code);
      expect(blank).toBe("");
      expect(Math.max(...paragraph.map((line) => line.length)), code).toBeLessThanOrEqual(60);
    }
  });

  it("refuses another word and names the nearest code", async () => {
    const { exit, terminal } = await explained("LF30001");
    expect([exit, terminal.stdout()]).toEqual([1, ""]);
    expect(terminal.stderr()).toContain("Did you mean LF3001?");
  });
});

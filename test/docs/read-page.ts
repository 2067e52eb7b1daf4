import { withHiddenSteps } from "./hidden-steps.ts";
import { type Fence, type FencePart, type Part, partsOf } from "./page-parts.ts";

/**
 * A page of docs/ as a list of steps. Readers see fenced blocks only; HTML comments say what a block is for:
 *
 * - a `sh` block is run, in order, in one shell per page, which starts in an empty folder
 * - a plain or `text` block after it is its output; so is any block under `<!-- output -->`, after hidden commands too. A line `…` stands for lines
 *   that are left out, a `…` within a line for any text
 * - `<!-- file: NAME -->` before a block: it is written to that file, below the shell's folder
 * - `<!-- edit: NAME -->` before a `diff` block: its lines with - become those with + in that file
 * - `<!-- exit: N -->` before a `sh` block: its last command ends with that code; without it, all end with 0
 * - `<!-- leave out: TEXT: REASON -->` before a `sh` block: it is run without this text
 * - `<!-- not run: REASON -->` before any block: it is only shown
 * - `<!-- run`, commands and `-->` on lines of their own: run, and not shown to readers
 *
 * A page to be read as it is has its hidden commands and marks in a file of test/docs/hidden instead.
 * The ports 8080 to 8099 are replaced by free ones.
 */
export type Step =
  | {
      readonly is: "run";
      readonly line: number;
      readonly commands: string;
      readonly exit: number;
      readonly output?: Output;
    }
  | { readonly is: "file" | "edit"; readonly line: number; readonly path: string; readonly text: string };

/** What a page says that commands print; `line` is that of its first line. */
export interface Output {
  readonly line: number;
  readonly text: string;
}

/** What is not run, with the reason that the page gives. */
interface LeftOut {
  readonly text: string;
  readonly reason: string;
}

export interface Page {
  readonly steps: readonly Step[];
  readonly leftOut: readonly LeftOut[];
  /** Blocks of which nobody said what they are for. */
  readonly problems: readonly string[];
}

/** Reads a page; `name` is for its problems, `hidden` what stands beside it (see hidden-steps.ts). */
export function readPage(name: string, markdown: string, hidden = ""): Page {
  const parts = withHiddenSteps(partsOf(markdown), hidden);
  const steps: Step[] = [];
  const leftOut: LeftOut[] = [];
  const problems: string[] = [];
  parts.forEach((part, index) => {
    const after = parts[index + 1];
    if (part.is === "hidden")
      steps.push(withOutput({ is: "run", line: part.line, commands: part.text, exit: 0 }, part, after));
    else if (!isOutput(parts[index - 1], part)) {
      const meaning = meaningOf(part.fence);
      if (meaning.step) steps.push(withOutput(meaning.step, part, after));
      leftOut.push(...meaning.leftOut);
      problems.push(...[...meaning.problems, ...unknownMarks(part.fence)].map((words) => `${name}:${words}`));
    }
  });
  return { steps, leftOut, problems };
}

/** Whether a block shows what the commands before it print. */
function isOutput(before: Part | undefined, { fence: { language, marks } }: FencePart): boolean {
  if (before?.is === "hidden") return marks.has("output");
  const followsCommands = before?.fence.language === "sh" && !before.fence.marks.has("not run");
  const isPlain = (language === "" || language === "text") && marks.size === 0;
  return followsCommands && (isPlain || marks.has("output"));
}

function withOutput(step: Step, part: Part, after: Part | undefined): Step {
  if (step.is !== "run" || after?.is !== "fence" || !isOutput(part, after)) return step;
  return { ...step, output: { line: after.fence.line, text: after.fence.text } };
}

interface Meaning {
  readonly step?: Step;
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly string[];
}

function meaningOf({ language, text, line, marks }: Fence): Meaning {
  const [notRun, file, edit] = ["not run", "file", "edit"].map((mark) => marks.get(mark));
  if (notRun !== undefined) return { leftOut: [{ text: firstLine(text), reason: notRun }], problems: [] };
  if (language === "sh") return commandsOf({ language, text, line, marks });
  if (file !== undefined) return { step: { is: "file", line, path: file, text }, leftOut: [], problems: [] };
  if (edit !== undefined) return { step: { is: "edit", line, path: edit, text }, leftOut: [], problems: [] };
  const problem = `${line}: a block that is neither run, nor an output, nor a file. Mark it (see test/docs/read-page.ts)`;
  return { leftOut: [], problems: [problem] };
}

function commandsOf({ text, line, marks }: Fence): Meaning {
  const exit = Number(marks.get("exit") ?? 0);
  const mark = marks.get("leave out");
  if (mark === undefined) return { step: { is: "run", line, commands: text, exit }, leftOut: [], problems: [] };
  const [part = "", ...reason] = mark.split(": ");
  const problems = text.includes(part) ? [] : [`${line}: "${part}" is to be left out of commands that do not hold it`];
  const commands = text.replaceAll(part, "");
  return { step: { is: "run", line, commands, exit }, leftOut: [{ text: part, reason: reason.join(": ") }], problems };
}

const known = ["output", "file", "edit", "exit", "leave out", "not run"];

function unknownMarks({ marks, line }: Fence): readonly string[] {
  return [...marks.keys()].filter((mark) => !known.includes(mark)).map((mark) => `${line}: no such mark: ${mark}`);
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

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

interface Fence {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  readonly marks: ReadonlyMap<string, string>;
}

interface FencePart {
  readonly is: "fence";
  readonly fence: Fence;
}

type Part = FencePart | { readonly is: "hidden"; readonly line: number; readonly text: string };

/** Reads a page; `name` is for its problems. */
export function readPage(name: string, markdown: string): Page {
  const parts = partsOf(markdown);
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

/** Fenced blocks with the marks before them, and hidden commands, in the order of the page. */
function partsOf(markdown: string): readonly Part[] {
  const lines = markdown.split("\n");
  const parts: Part[] = [];
  let marks = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const block = blockAt(lines, at, marks);
    const mark = /^<!-- ([a-z ]+)(?:: (.+))? -->$/.exec(line);
    if (mark) marks.set(mark[1] ?? "", mark[2] ?? "");
    else if (line !== "") marks = new Map();
    if (block === undefined) continue;
    parts.push(block.part);
    at = block.end;
  }
  return parts;
}

/** The block that begins with a line, and the line that ends it. */
function blockAt(lines: readonly string[], at: number, marks: Fence["marks"]) {
  const line = lines[at] ?? "";
  const [, fence, language = ""] = /^(`{3,})(\S*)$/.exec(line) ?? [];
  if (fence === undefined && line !== "<!-- run") return undefined;
  const end = lines.indexOf(fence ?? "-->", at + 1);
  if (end < 0) throw new Error(`line ${at + 1}: what begins here has no end`);
  const text = lines
    .slice(at + 1, end)
    .map((each) => `${each}\n`)
    .join("");
  const part: Part =
    fence === undefined
      ? { is: "hidden", line: at + 2, text }
      : { is: "fence", fence: { language, text, line: at + 2, marks } };
  return { part, end };
}

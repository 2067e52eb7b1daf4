import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { matchOutput } from "./match-output.ts";
import { freePorts, type Installation, pageFolder } from "./page-folder.ts";
import { openShell } from "./page-shell.ts";
import type { Output, Page, Step } from "./read-page.ts";

/** What running a page came to. */
export interface PageRun {
  /** Each with page, line, what was expected and what came. */
  readonly problems: readonly string[];
  /** Outputs that differ, with what they should be. */
  readonly renewed: readonly { readonly output: Output; readonly text: string }[];
}

interface Spelling {
  /** From the page into the world: its ports. */
  readonly into: (text: string) => string;
  /** Back onto the page: ports, folders, the machine's name. */
  readonly back: (text: string) => string;
}

/** How a page is run: by an installation or by the sources as they are; when renewing, it goes on after outputs that differ. */
export interface RunOptions {
  readonly isRenewing?: boolean;
  readonly installation?: Installation;
}

/** Carries out a page from an empty folder; the first step that goes wrong is the last. */
export async function runPage(
  name: string,
  { steps }: Page,
  { isRenewing = false, installation }: RunOptions = {},
): Promise<PageRun> {
  const folder = await pageFolder(installation);
  const text = steps.map((step) => (step.is === "run" ? step.commands : step.text)).join("\n");
  const spelling = spellingOf(await freePorts(text), folder.work);
  const shell = openShell(folder.scratch, folder.work, folder.env);
  const renewed: { output: Output; text: string }[] = [];
  let cwd = folder.work;
  try {
    for (const step of steps) {
      if (step.is !== "run") {
        const problem = writeStep(step, cwd, spelling);
        if (problem !== undefined) return { problems: [`${name}:${step.line}: ${problem}`], renewed };
        continue;
      }
      const run = await shell.run(spelling.into(step.commands));
      const output = spelling.back(run.output);
      const problem = codeProblem(step, run) ?? outputProblem(step, output);
      cwd = run.cwd;
      if (problem?.output) renewed.push({ output: problem.output, text: output });
      if (problem && !(problem.output && isRenewing))
        return { problems: [`${name}:${problem.line}: ${problem.text}\n\nThe whole output:\n${output}`], renewed };
    }
    return { problems: [], renewed };
  } finally {
    shell.close();
    folder.remove();
  }
}

interface StepProblem {
  readonly line: number;
  readonly text: string;
  /** The page's output that is wrong. */
  readonly output?: Output;
}

type Run = Extract<Step, { is: "run" }>;

function codeProblem(
  { commands, exit, line }: Run,
  run: { readonly code: number; readonly line: number },
): StepProblem | undefined {
  const lines = commands.trimEnd().split("\n");
  const isLast = run.line === 0 || run.line >= lastCommand(lines);
  if (run.code === exit && (exit === 0 || isLast)) return undefined;
  const at = run.line === 0 ? lines.length : run.line;
  const expected = exit === 0 ? "each command to exit 0" : `the last command to exit ${exit}`;
  return { line: line + at - 1, text: `expected ${expected}; got exit ${run.code} from\n  ${lines[at - 1] ?? ""}` };
}

/** A command may go on over several lines; bash names any of them. */
function lastCommand(lines: readonly string[]): number {
  let at = lines.length;
  while (at > 1 && (lines[at - 2] ?? "").endsWith("\\")) at -= 1;
  return at;
}

function outputProblem({ output }: Run, got: string): StepProblem | undefined {
  const wrong = output && matchOutput(output.text, got);
  if (!wrong) return undefined;
  return { line: output.line + wrong.at, text: `expected: ${wrong.expected}\ngot:      ${wrong.got}`, output };
}

function writeStep(step: Exclude<Step, Run>, cwd: string, { into }: Spelling): string | undefined {
  const path = join(cwd, step.path);
  if (step.is === "file") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, into(step.text));
    return undefined;
  }
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const side = (sign: "-" | "+") =>
    into(step.text)
      .split("\n")
      .filter((line) => line.startsWith(sign) || line.startsWith(" "))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const found = before.split(side("-")).length - 1;
  if (found !== 1)
    return `expected the lines without + to stand in ${step.path} once; found them ${found} times in\n${before}`;
  writeFileSync(
    path,
    before.replace(side("-"), () => side("+")),
  );
  return undefined;
}

function spellingOf(ports: ReadonlyMap<string, string>, work: string): Spelling {
  return {
    into: (text) => [...ports].reduce((words, [page, real]) => words.replaceAll(page, real), text),
    back: (text) =>
      [...ports]
        .reduce((words, [page, real]) => words.replaceAll(real, page), text)
        .replaceAll(work, "/home/you")
        .replaceAll(hostname(), "your-machine"),
  };
}

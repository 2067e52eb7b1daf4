import { type Diagnostic, declarationError, type Position, thrownWords } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import { stackPosition, type Workspace } from "../workspace/workspace.ts";

interface Program {
  /** Its entry, relative to the project. */
  readonly file: string;
  readonly workspace: Pick<Workspace, "root" | "readText">;
}

/** The reason why a program of a project could not be run, at its place in the source. */
export async function programProblem(error: unknown, program: Program): Promise<Diagnostic> {
  const said = thrownWords(error).trim();
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  const words = said.includes(cause) ? said : `${said} (${cause})`;
  const failure = missingModule(words, program) ?? notTypeScript(words, program) ?? thrown(error, words, program);
  const place = await inSource(failure, program);
  const { summary, detail } = failure;
  return { severity: "error", code: "LF1006", summary, detail, ...place };
}

interface ProgramFailure {
  readonly summary: string;
  readonly detail: string;
  readonly at: Position | { readonly file: string };
  /** The text of the file, where only the file is known. */
  readonly text?: string;
}

function missingModule(words: string, { file, workspace }: Program): ProgramFailure | undefined {
  const [, name] = /^Cannot find (?:module|package) '([^']+)'/.exec(words) ?? [];
  if (name === undefined) return undefined;
  const [, from = ""] = /Require stack:\s*- (\S+)/.exec(words) ?? / imported from (\S+)/.exec(words) ?? [];
  const at = { file: from.startsWith(`${workspace.root}/`) ? from.slice(workspace.root.length + 1) : file };
  const shown = name.startsWith(`${workspace.root}/`) ? `./${name.slice(workspace.root.length + 1)}` : name;
  const hint = didYouMean(shown, ["loadform"]);
  const way = hint === "" ? "Check its name, and run npm install. `paths` of tsconfig.json do not count" : hint.trim();
  const detail = /^[./]/.test(shown)
    ? `The import of ${shown} leads to no file. Its path is relative to ${at.file}`
    : `No package ${shown} is installed. ${way}`;
  return { summary: `cannot find module ${shown}`, detail, at, text: shown };
}

/** The parser counts columns from 0, and says the end of the file with one before its first. */
function notTypeScript(words: string, { file, workspace }: Program): ProgramFailure | undefined {
  const [, said = "", path = "", line, column] =
    /^ParseError: ([^\n]*?)\s*\n?\s*(\/[^\n]*?):(\d+):(-?\d+)$/.exec(words) ?? [];
  if (line === undefined) return undefined;
  const inProject = path.startsWith(`${workspace.root}/`) ? path.slice(workspace.root.length + 1) : file;
  return {
    summary: "this is not TypeScript",
    detail: `The program cannot be read: ${said.charAt(0).toLowerCase()}${said.slice(1).replace(/\.$/, "")}. ${unclosedBefore}`,
    at: { file: inProject, line: Number(line), column: Number(column) + 1 },
  };
}

/** Advice for an error whose cause a parser cannot know. */
export const unclosedBefore = "If nothing looks wrong here, a bracket or a quote before this place is not closed";

/** Errors of our own constructs are for the user as they are; others are the program's. */
function thrown(error: unknown, words: string, { file, workspace }: Program): ProgramFailure {
  const at = (error instanceof Error && stackPosition(String(error.stack), workspace.root)) || { file };
  const said = words.replace(/\s+/g, " ");
  if (error instanceof Error && error.name === declarationError)
    return { summary: "the TypeScript project failed", detail: said, at };
  const name = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
  return { summary: "the program threw an error", detail: `${name}${said === "" ? "(no message)" : said}`, at };
}

/** A place that is really in the source: what runs was made of it with the same lines and other columns. */
async function inSource({ at, text }: ProgramFailure, { workspace }: Program): Promise<Partial<Position>> {
  const source = await workspace.readText(at.file).catch(() => undefined);
  if (source === undefined) return at;
  const lines = source.split(/\r?\n/);
  const found = "line" in at ? at : positionOf(lines, text);
  return found === undefined ? at : { file: at.file, ...placeInLines(lines, found) };
}

type Place = Pick<Position, "line" | "column">;

/** A place that is really in these lines: an end of the file is where its last text ends. */
export function placeInLines(lines: readonly string[], found: Place): Place {
  const last = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const isBehind = found.line > last || found.column < 1;
  const line = Math.max(1, isBehind ? Math.min(found.line - (found.column < 1 ? 1 : 0), last) : found.line);
  const content = lines[line - 1] ?? "";
  if (isBehind) return { line, column: content.trimEnd().length + 1 };
  return { line, column: found.column <= content.length + 1 ? found.column : content.search(/\S|$/) + 1 };
}

function positionOf(lines: readonly string[], text: string | undefined) {
  const quoted = text === undefined ? [] : [`"${text}"`, `'${text}'`];
  for (const [index, line] of lines.entries())
    for (const each of quoted) if (line.includes(each)) return { line: index + 1, column: line.indexOf(each) + 1 };
  return undefined;
}

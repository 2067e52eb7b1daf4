import { posix } from "node:path";
import { Script } from "node:vm";
import { type Diagnostic, type Position, unlessThrown, warningOf } from "../model/diagnostic.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { type AnyKind, kindsByName, type ScriptFields } from "../model/kind.ts";
import { redactor } from "../model/redact.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Project } from "./load-project.ts";
import { placeInLines, unclosedBefore } from "./program-problem.ts";

type Language = ScriptFields["language"];

interface WrittenScript {
  readonly node: TreeNode;
  readonly field: string;
  readonly language: Language;
  readonly text: string;
  readonly hash: string;
}

/**
 * A warning for each script that nobody could run, at its place in its own file. Every text is read once and nothing of it is
 * run; what reads it is loaded when there is a mistake, or a text that is more than JavaScript.
 */
export async function scriptProblems(project: Project, kinds: readonly AnyKind[]): Promise<readonly Diagnostic[]> {
  const parsed = new Map<string, Mistake | undefined>();
  const found = new Map<string, Diagnostic>();
  for (const script of writtenScripts(project, kinds)) {
    const { language, text, hash } = script;
    const key = `${language} ${hash}`;
    if (!parsed.has(key)) parsed.set(key, await mistakeIn(text, language));
    const mistake = parsed.get(key);
    if (mistake === undefined) continue;
    const problem = scriptProblem(script, mistake, project);
    const { file, line, column, address, detail } = problem;
    // A file that several scenarios run is one problem.
    const place = JSON.stringify([file, line, column, file === undefined ? address : "", detail]);
    if (!found.has(place)) found.set(place, problem);
  }
  return [...found.values()];
}

function writtenScripts({ tree }: Project, kinds: readonly AnyKind[]): readonly WrittenScript[] {
  const byName = kindsByName(kinds);
  return [...tree.nodes.values()].flatMap((node) => {
    const { names = [], language } = byName.get(node.kind)?.scripts?.(node.fields) ?? {};
    return names.flatMap((field): WrittenScript[] => {
      const mark = node.fields[field];
      const hash = isContentMark(mark) ? mark.$content : "";
      const text = tree.contents.get(hash);
      return typeof text === "string" && language ? [{ node, field, language, text, hash }] : [];
    });
  });
}

const wholeFile = /^\$\{file:([^}]*)\}$/;

function scriptProblem(script: WrittenScript, mistake: Mistake, project: Project): Diagnostic {
  const { node, field, language, text } = script;
  const written = project.written?.(node.handle)?.[field];
  const [, file] = (typeof written === "string" && wholeFile.exec(written)) || [];
  const at = placeInLines(text.split(/\r?\n/), mistake);
  const place: Partial<Position> | undefined =
    file === undefined ? project.locate(node.handle, [field]) : { file: posix.normalize(file), ...at };
  const where = file === undefined ? ` in line ${at.line}, column ${at.column} of the text` : "";
  const name = language === "typescript" ? "TypeScript" : "JavaScript";
  const way = mistake.isTyped ? "It is TypeScript: say language: typescript" : unclosedBefore;
  const detail = `The script cannot be read, so every run of it would fail: ${mistake.words}${where}. ${way}`;
  const warning = warningOf("LF1206", `${field} is not ${name}`, redactor(project.secrets)(detail));
  return { ...warning, address: node.handle, ...place };
}

interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly words: string;
  /** TypeScript that is declared as JavaScript. */
  readonly isTyped?: boolean;
}

/** The parser takes seconds for a text of this length, which no person wrote. */
const longestText = 1_000_000;

/**
 * Why nobody reads a text: neither Node.js as the body of an asynchronous function, in which scripts may `return` and `await`,
 * nor the bundled service's reader of modules and TypeScript (docs/scripting.md), which knows newer syntax too.
 */
async function mistakeIn(text: string, language: Language): Promise<Mistake | undefined> {
  const isTyped = language === "typescript";
  if (text.length > longestText) return undefined;
  const asBody = () => new Script(`(async function (require, module, exports) {${text}\n})`);
  if (!isTyped && unlessThrown(asBody) !== undefined) return undefined;
  const parse = await parser();
  const mistake = parse(text, isTyped);
  if (mistake === undefined || isTyped) return mistake;
  const real = isReturn(mistake) && !moduleSyntax.test(text) ? inFunction(text, parse) : mistake;
  return real && parse(text, true) === undefined ? { ...real, isTyped: true } : real;
}

const moduleSyntax = /^\s*(?:import\b\s*[\w{*"'$]|export\b\s*[\w{*])/m;
const isReturn = ({ words }: Mistake) => words.startsWith("'return' outside of function");

/** The mistakes of a script with a `return` at its top, which only a module does not take. */
function inFunction(text: string, parse: Parse): Mistake | undefined {
  const mistake = parse(`async function script() {\n${text}\n}`, false);
  return mistake && { ...mistake, line: mistake.line - 1 };
}

type Parse = (text: string, isTyped: boolean) => Mistake | undefined;

const failure = "exports.__JITI_ERROR__ = ";

async function parser(): Promise<Parse> {
  const { createJiti } = await import("jiti");
  const { transform } = createJiti(import.meta.url, { fsCache: false });
  return (source, ts) => {
    const code = transform({ source, filename: ts ? "/script.ts" : "/script.mjs", ts, async: true });
    const said: unknown = code.startsWith(failure) ? JSON.parse(code.slice(failure.length)) : undefined;
    return mistakeSaid(said);
  };
}

/** Anything else that the reader ends with says nothing of the text. */
function mistakeSaid(said: unknown): Mistake | undefined {
  const { code, line, column, message } = Object(said) as Readonly<Record<string, unknown>>;
  if (code !== "ParseError" || typeof line !== "number" || typeof column !== "number") return undefined;
  return { line, column: column + 1, words: parserWords(String(message)) };
}

/** The first line of the parser's message, without its place and its stop. */
function parserWords(message: string): string {
  const [first = ""] = message.trim().split("\n", 1);
  const words = first.replace(/\s*\(\d+:\d+\):?\s*$/, "").replace(/[.:\s]+$/, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

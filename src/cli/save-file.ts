import { constants } from "node:fs";
import { access, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Diagnostic, errorOf, thrownWords } from "../model/diagnostic.ts";
import { writeAtomic } from "../workspace/write-files.ts";
import type { CommandInput } from "./command.ts";

/** The words for what is saved, such as "the plan", and the file that a flag names. */
export interface SavedFile extends Pick<CommandInput, "cwd"> {
  readonly what: string;
  readonly file: string;
}

/** Writes a file; a failure is a problem, not a defect. */
export function saveFile(target: SavedFile, text: string): Promise<readonly Diagnostic[]> {
  return orProblem(target, async (path) => {
    const isReplaced = await checkPlace(path);
    await (isReplaced ? writeAtomic(path, text) : writeFile(path, text));
  });
}

/** Why a file could not be written at the end of a long command, as far as it can be known at its begin. */
export const checkFile = (target: SavedFile): Promise<readonly Diagnostic[]> => orProblem(target, checkPlace);

async function orProblem({ what, file, cwd }: SavedFile, use: (path: string) => Promise<unknown>) {
  try {
    await use(resolve(cwd, file));
    return [];
  } catch (thrown) {
    const detail = `${thrownWords(thrown)}. Name a path in a folder that exists and that you can write to`;
    return [errorOf("LF1002", `${what} could not be saved to ${file}`, detail)];
  }
}

/** Writes the report and the page that flags ask for; each is made only then. */
export async function saveReports(
  { flags: { markdown, html }, cwd }: Pick<CommandInput, "flags" | "cwd">,
  made: { readonly [kind in "markdown" | "page"]: () => string | Promise<string> },
): Promise<readonly Diagnostic[]> {
  return [
    ...(markdown === undefined
      ? []
      : await saveFile({ what: "the report", file: markdown, cwd }, await made.markdown())),
    ...(html === undefined ? [] : await saveFile({ what: "the page", file: html, cwd }, await made.page())),
  ];
}

/** Files that are not overwritten by a plan or a report: sources, and the state and the service of a project. */
const partOfProject = /\.(?:ya?ml|[cm]?[jt]s)$|\/\.loadform\/(?:state|service)\b/;
/** The begin of a state and of a service, wherever they are, and of the only table that loadform writes. */
const [stored, ownTable] = [/^\s*\{\s*"format":\s*"loadform-(?:state|service)\//, /^gate,address,execution,/];

/** True for a file, which is replaced as a whole; a device or pipe is written to. Throws where neither can be done, or would lose something. */
async function checkPlace(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  const folder = dirname(path);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new Error(`There is no folder ${folder}`);
  if (status?.isDirectory()) throw new Error("It is a folder");
  const isReplaced = status === undefined || status.isFile();
  await access(isReplaced ? folder : path, constants.W_OK);
  if (status?.isFile() && status.size > 0 && (partOfProject.test(path) || (await isData(path))))
    throw new Error("It is part of a project, or a table of somebody else, so it was not overwritten");
  return isReplaced;
}

/** A state, a service, or a table that loadform did not write: it may be the data of a scenario. */
async function isData(path: string): Promise<boolean> {
  const text = await readFile(path, "utf8");
  return stored.test(text) || (/\.[ct]sv$/.test(path) && !ownTable.test(text));
}

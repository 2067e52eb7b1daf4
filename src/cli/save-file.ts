import { stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { errorOf, thrownWords } from "../model/diagnostic.ts";
import { writeAtomic } from "../workspace/write-files.ts";
import type { CommandInput } from "./command.ts";

/** Writes `what`, such as "the plan", to the file that a flag names; a failure is a problem, not a defect. */
export async function saveFile(
  { what, file, cwd }: { readonly what: string; readonly file: string; readonly cwd: string },
  text: string,
): Promise<readonly Diagnostic[]> {
  try {
    await writeTo(resolve(cwd, file), text);
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

/** A device or pipe is written to; only files are replaced as a whole. */
async function writeTo(path: string, text: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  const folder = dirname(path);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new Error(`There is no folder ${folder}`);
  if (status?.isFile() && status.size > 0 && partOfProject.test(path))
    throw new Error("It is part of a project, so it was not overwritten");
  if (status === undefined || status.isFile()) await writeAtomic(path, text);
  else await writeFile(path, text);
}

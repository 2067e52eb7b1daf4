import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { shellWord } from "../../report/shell-line.ts";
import { addFiles, pathsInTheWay } from "../../workspace/add-files.ts";
import type { Command } from "../command.ts";
import { starterFiles } from "../starter-project.ts";
import { reportRefusal } from "../views/report-refusal.ts";

/** Entries that would be read instead of loadform.yaml. */
const otherEntries = ["loadform.config.ts", "cdktf.json"];
const ignoreFile = ".gitignore";

/** `loadform init`: a small working project on the bundled service. It overwrites nothing. */
export const init: Command = async ({ args, cwd, home, terminal, argv }) => {
  const [dir = "."] = args;
  const folder = resolve(cwd, dir);
  const files = new Map(starterFiles(home, folder));
  const hasIgnoreFile = (await pathsInTheWay(folder, [ignoreFile])).includes(ignoreFile);
  if (hasIgnoreFile) files.delete(ignoreFile);
  const inTheWay = await pathsInTheWay(folder, [...files.keys(), ...otherEntries]);
  if (inTheWay.length > 0) return reportRefusal(terminal, argv, [occupied(dir, inTheWay)]);
  try {
    await addFiles(folder, files);
  } catch (thrown) {
    return reportRefusal(terminal, argv, [unwritable(dir, thrown)]);
  }
  terminal.out(welcome(dir, [...files.keys()]));
  if (hasIgnoreFile) terminal.out("\nKeep .loadform/ out of git: see that the .gitignore that is there names it.\n");
  return 0;
};

function welcome(dir: string, paths: readonly string[]): string {
  const enter = dir === "." ? [] : [`cd ${shellWord(dir)}`];
  return [
    "A small project on the bundled service:",
    ...paths.map((path) => `  ${path}`),
    "",
    "Next:",
    ...[...enter, "loadform validate", "loadform plan", "loadform apply"].map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function occupied(dir: string, paths: readonly string[]): Diagnostic {
  const place = dir === "." ? "this folder" : dir;
  const found = paths.includes(".") ? `a file called ${dir}` : `${paths.join(", ")} in ${place}`;
  const detail = `found ${found}; expected nothing of that name, since init overwrites nothing. Nothing was written. Name another folder: loadform init DIR`;
  return { severity: "error", code: "LF9004", summary: "init would overwrite what is there", detail };
}

function unwritable(dir: string, thrown: unknown): Diagnostic {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  const detail = `${words}. Expected a folder that may be written to; nothing was left behind. Name another: loadform init DIR`;
  return { severity: "error", code: "LF1002", summary: `the project could not be written to ${dir}`, detail };
}

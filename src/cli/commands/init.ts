import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Diagnostic, errorOf, thrownWords } from "../../model/diagnostic.ts";
import { shellWord } from "../../report/terminal-text.ts";
import { addFiles, pathsInTheWay } from "../../workspace/add-files.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { realPlace } from "../../workspace/path-exists.ts";
import { projectFiles } from "../../workspace/workspace.ts";
import type { Command } from "../command.ts";
import { reportRefusal } from "../views/report-refusal.ts";

const ignoreFile = ".gitignore";

/** `loadform init`: a small working project on the bundled service. It overwrites nothing. */
export const init: Command = async ({ args, cwd, home, terminal, argv, flags }) => {
  const [dir = "."] = args;
  const folder = resolve(cwd, dir);
  const files = new Map(await starterFiles(home, folder, flags.initFormat ?? "yaml"));
  const hasIgnoreFile = (await pathsInTheWay(folder, [ignoreFile])).includes(ignoreFile);
  if (hasIgnoreFile) files.delete(ignoreFile);
  // Of two files that make a folder a project, one would be read and the other not.
  const entries = await diskWorkspace(folder).glob(projectFiles);
  const inTheWay = await pathsInTheWay(folder, [...new Set([...files.keys(), ...entries])]);
  if (inTheWay.length > 0) return reportRefusal(terminal, argv, [occupied(dir, inTheWay)]);
  try {
    await addFiles(folder, files);
  } catch (thrown) {
    const detail = `${thrownWords(thrown)}. Nothing was written. Name a folder that you can write to: loadform init DIR`;
    return reportRefusal(terminal, argv, [errorOf("LF1002", `the project could not be written to ${dir}`, detail)]);
  }
  terminal.out(welcome(dir, [...files.keys()]));
  if (hasIgnoreFile) terminal.out("\nKeep .loadform/ out of git: make sure that your .gitignore lists it.\n");
  return 0;
};

function welcome(dir: string, paths: readonly string[]): string {
  const enter = dir === "." ? [] : [`cd ${shellWord(dir)}`];
  return [
    "Wrote a small project for the bundled service:",
    ...paths.map((path) => `  ${path}`),
    "",
    "Next:",
    ...[...enter, "loadform validate", "loadform plan", "loadform apply", "loadform run"].map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function occupied(dir: string, paths: readonly string[]): Diagnostic {
  const place = dir === "." ? "this folder" : dir;
  const found = paths.includes(".") ? `a file called ${dir}` : `${paths.join(", ")} in ${place}`;
  const detail = `There is ${found}, and init never overwrites files. Nothing was written. Name another folder: loadform init DIR`;
  return { severity: "error", code: "LF9004", summary: "init would overwrite files", detail };
}

/** Files that npm would leave out of a package under their real names. */
const realNames: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

/** The files of a new project in a folder, by path: those of starter/ in the package, fitted to the folder. */
async function starterFiles(home: URL, folder: string, format: string): Promise<ReadonlyMap<string, string>> {
  const paths = [format, "common"].flatMap((part) => {
    const starter = fileURLToPath(new URL(`starter/${part}/`, home));
    return filesIn(starter).map((path) => [path, join(starter, path)] as const);
  });
  const schema = await schemaFrom(folder, home);
  const lineFor = (path: string) =>
    schema === undefined ? "" : `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), schema)}\n`;
  return new Map(
    paths
      .sort(([left], [right]) => rank(left) - rank(right))
      .map(([path, source]) => {
        const text = readFileSync(source, "utf8");
        const fitted = text.replace("# yaml-language-server: $schema=SCHEMA\n", () => lineFor(path));
        return [realNames[path] ?? path, fitted.replace("PROJECT", () => projectName(folder))] as const;
      }),
  );
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** In the order in which a reader opens them. */
function rank(path: string): number {
  if (path === "gitignore") return 3;
  return projectFiles.includes(path) ? 0 : path.startsWith("load/") ? 1 : 2;
}

/** Named after its folder where YAML needs no quotes for that. */
function projectName(folder: string): string {
  const name = basename(folder);
  return /^[A-Za-z][\w.-]*$/.test(name) && !/^(true|false|null)$/i.test(name) ? name : "load-tests";
}

const schemaFile = "schemas/loadform.schema.json";

/**
 * The way from a folder to the schema of this package, where it is the same on every machine: in a `node_modules` of the
 * folder or above it, or in the same git checkout. Undefined for a package elsewhere, such as one that is installed globally.
 */
export async function schemaFrom(folder: string, home: URL): Promise<string | undefined> {
  const real = await realPlace(folder);
  const schema = await realPlace(fileURLToPath(new URL(schemaFile, home)));
  const above = real.split(sep).map((_, index, parts) => parts.slice(0, parts.length - index).join(sep) || sep);
  const installed = above.map((each) => join(each, "node_modules/loadform", schemaFile));
  const checkout = above.find((each) => existsSync(join(each, ".git")));
  const isCheckedOut = checkout !== undefined && schema.startsWith(join(checkout, sep));
  const found =
    installed.find((each) => existsSync(each) && realpathSync(each) === schema) ??
    (isCheckedOut && !schema.includes(`${sep}node_modules${sep}`) ? schema : undefined);
  return found === undefined ? undefined : relative(real, found).split(sep).join("/");
}

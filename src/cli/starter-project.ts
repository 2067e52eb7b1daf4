import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** What npm would leave out of a package under its real name. */
const realNames: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

/** The files of a new project in a folder, by path: those of starter/ in the package, fitted to the folder. */
export function starterFiles(home: URL, folder: string): ReadonlyMap<string, string> {
  const starter = fileURLToPath(new URL("starter/", home));
  const schema = relativeTo(folder, join(realFolder(fileURLToPath(home)), "schemas/loadform.schema.json"));
  const paths = readdirSync(starter, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(starter, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort((left, right) => rank(left) - rank(right));
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(starter, path), "utf8");
      const fitted = text.replace("$schema=SCHEMA", () => `$schema=${schema}`);
      return [realNames[path] ?? path, fitted.replace("project: PROJECT", `project: ${projectName(folder)}`)] as const;
    }),
  );
}

/** In the order in which a reader opens them. */
function rank(path: string): number {
  return path === "loadform.yaml" ? 0 : path === "gitignore" ? 2 : 1;
}

/** Named after its folder where YAML takes that as it stands. */
function projectName(folder: string): string {
  const name = basename(folder);
  return /^[A-Za-z][\w.-]*$/.test(name) && !/^(true|false|null)$/i.test(name) ? name : "load-tests";
}

/** The way from the folder to a file of the package, so that editors find it. */
function relativeTo(folder: string, file: string): string {
  return relative(realFolder(folder), file).split(sep).join("/");
}

/** The folder with links resolved; it may not exist yet. */
function realFolder(folder: string): string {
  const path = resolve(folder);
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realFolder(parent), basename(path));
  }
}

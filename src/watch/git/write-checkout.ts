import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { gitWords, withoutCredentials } from "../../model/git-words.ts";
import type { GitSource } from "../watched-project.ts";
import { type FetchedBranch, repositoryProblem } from "./fetch-branch.ts";

/** The files of a project at a commit. */
export interface Checkout {
  readonly commit: string;
  /** The folder of the project. */
  readonly dir: string;
  /** Links and submodules, which are not there for the project. */
  readonly warnings: readonly Diagnostic[];
}

/** Bytes of all files of a project together. */
const mostBytes = 100_000_000;
/** Bytes of the list of its files. */
const mostListed = 10_000_000;
const checkoutMs = 120_000;

/** One entry of a tree of git. */
interface Entry {
  readonly mode: string;
  readonly size: number | undefined;
  readonly path: string;
}

/**
 * Writes the files below a path at the fetched commit into `folder`, and those alone; what was there before is replaced as a whole. Links
 * are not followed, and no program of the repository or of its attributes is run. Throws a Problem.
 */
export async function writeCheckout(
  { commit, git }: FetchedBranch,
  source: GitSource,
  folder: string,
): Promise<Checkout> {
  const [files, marker] = [join(folder, "files"), join(folder, "commit")];
  const entries = await entriesBelow({ commit, git }, source);
  const warnings = entries.flatMap((entry) => leftOut(entry));
  const dir = join(files, source.path);
  const plain = entries.filter(({ mode }) => mode.startsWith("100"));
  // A file that a cache's cleaner took away would be a deletion.
  const mark = async () => `${commit} ${source.path}\n${await sizesOf(plain, files)}\n`;
  const before = await readFile(marker, "utf8").catch(() => "");
  if (before !== "" && before === (await mark())) return { commit, dir, warnings };
  const size = plain.reduce((sum, each) => sum + (each.size ?? mostBytes + 1), 0);
  if (size > mostBytes)
    throw repositoryProblem(
      "the project is too large",
      `The files of ${place(source)} have more than ${mostBytes / 1_000_000} MB: nothing of them was written. Set git.path to the project's folder, or take the large files out of it`,
    );
  await mkdir(folder, { recursive: true });
  // Another watcher of this user may write the same: each has a folder of its own for it.
  await deleteLeft(folder);
  const own = await mkdtemp(join(folder, newPrefix));
  try {
    const fresh = join(own, "files");
    await mkdir(join(fresh, source.path), { recursive: true });
    await writeEntries({ git, commit }, { fresh, index: join(own, "index"), plain, source });
    // The project's own git backend looks for its repository from here.
    await writeFile(join(fresh, ".git"), `gitdir: ${join(folder, "..", "..", "repository")}\n`);
    await rm(marker, { force: true });
    await replaceFolder(files, fresh, own);
    await writeFile(marker, await mark());
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return { commit, dir, warnings };
}

/** Times that a folder is put in its place, each time but the last because another watcher has just put its own there. */
const replaceTries = 10;

/** Puts a folder in the place of another, which is moved below `own`. */
async function replaceFolder(files: string, fresh: string, own: string): Promise<void> {
  for (let turn = 1; ; turn++) {
    await rename(files, join(own, `former-${turn}`)).catch(() => undefined);
    try {
      return await rename(fresh, files);
    } catch (problem) {
      if (turn >= replaceTries) throw problem;
    }
  }
}

/** The sizes that these files have on the disk, in their order. */
async function sizesOf(entries: readonly Entry[], files: string): Promise<string> {
  const sizes: (number | "none")[] = [];
  for (const { path } of entries) {
    const found = await lstat(join(files, path)).catch(() => undefined);
    sizes.push(found?.isFile() ? found.size : "none");
  }
  return sizes.join(" ");
}

const newPrefix = "new-";

/** Folders of watchers that were killed while they wrote. */
async function deleteLeft(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(newPrefix))) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > 2 * checkoutMs)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function writeEntries(
  { git, commit }: FetchedBranch,
  {
    fresh,
    index,
    plain,
    source,
  }: { readonly fresh: string; readonly index: string; readonly plain: readonly Entry[]; readonly source: GitSource },
): Promise<void> {
  const variables = { GIT_WORK_TREE: fresh, GIT_INDEX_FILE: index };
  const run = async (args: readonly string[], input = "") => {
    const answer = await git(args, { withinMs: checkoutMs, input }, variables);
    if (answer.code !== 0)
      throw repositoryProblem("the project could not be checked out", `${place(source)}: ${gitWords(answer.stderr)}`);
  };
  await run(["read-tree", commit]);
  await run(["checkout-index", "--force", "-z", "--stdin"], plain.map(({ path }) => `${path}\0`).join(""));
}

/** Everything below the path, of all modes. */
async function entriesBelow({ commit, git }: FetchedBranch, source: GitSource): Promise<readonly Entry[]> {
  const below = source.path === "" ? [] : [`${source.path}/`];
  const listed = await git(
    ["--literal-pathspecs", "ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--", ...below],
    {
      mostBytes: mostListed,
    },
  );
  if (listed.code !== 0)
    throw repositoryProblem(
      "the project could not be checked out",
      `${place(source)} has too many files, or: ${gitWords(listed.stderr)}`,
    );
  const entries = listed.stdout.split("\0").flatMap((line): Entry[] => {
    const [, mode = "", size = "", path = ""] = /^(\d+) \w+ [0-9a-f]+ +(\S+)\t([\s\S]+)$/.exec(line) ?? [];
    return path === "" ? [] : [{ mode, path, size: /^\d+$/.test(size) ? Number(size) : undefined }];
  });
  if (entries.length === 0) throw await nothingThere({ commit, git }, source);
  return entries;
}

/** Folders that a message lists. */
const mostNames = 20;

async function nothingThere({ commit, git }: FetchedBranch, source: GitSource) {
  const all = await git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], { mostBytes: mostListed });
  const mains = all.stdout
    .split("\0")
    .filter((path) => /(?:^|\/)(?:loadform\.yaml|loadform\.config\.ts|cdktf\.json)$/.test(path));
  const folders = mains.map((path) => path.split("/").slice(0, -1).join("/") || "its top");
  const found =
    folders.length === 0 ? "There is no project in it" : `Projects are in ${folders.slice(0, mostNames).join(", ")}`;
  return repositoryProblem(
    `there is no folder ${source.path || "with files"}`,
    `${place(source)} has no files: the folder was moved or deleted. ${found}. Set git.path to where it is now`,
  );
}

function leftOut({ mode, path }: Entry): readonly Diagnostic[] {
  if (mode.startsWith("100")) return [];
  const what = mode === "160000" ? "a submodule" : "a symbolic link";
  const detail = `${JSON.stringify(path)} is ${what}, which is not followed: nothing is there for the project. Put the files themselves into the repository`;
  return [{ severity: "warning", code: "LF8005", summary: `${what} was left out`, detail }];
}

function place({ url, branch, path }: GitSource): string {
  return `${path === "" ? "the top" : path} of ${withoutCredentials(url)}, branch ${branch},`;
}

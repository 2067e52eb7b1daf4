import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";
import { replaceFile } from "./write-files.ts";

/** What is stored about a project between runs. It can be missing or damaged at any time, and failing to store it fails nothing. */
export interface UserCache {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** A folder below it; undefined when there can be none. */
  folder(name: string): Promise<string | undefined>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Caches to which nothing was written for so long are deleted. */
const deletedAfterMs = 90 * 24 * 3_600_000;

/**
 * The cache of a project in the user's cache folder, by its real path. It is never in the project: what a checkout
 * contains must not be taken for something that we made. Without a home folder that belongs to the user there is no cache.
 */
export function userCache(root: string, env: Env): UserCache {
  const find = () => projectFolder(root, env).catch(() => undefined);
  return {
    async read(name) {
      const folder = await find();
      return folder && readFile(join(folder.path, name), "utf8").catch(() => undefined);
    },
    async write(name, text) {
      const path = await ensureFolder(await find());
      if (path !== undefined) await replaceFile(join(path, name), text, 0o600).catch(() => undefined);
    },
    async folder(name) {
      const path = await ensureFolder(await find());
      return path && join(path, name);
    },
  };
}

/**
 * A folder of the user's cache for what belongs to no project, told apart by its purpose and made when missing; undefined
 * where there can be none, or where one of `roots`, or the repository that it is in, contains it: a checkout must not bring
 * what we then trust.
 */
export async function purposeCache(purpose: string, roots: readonly string[], env: Env): Promise<string | undefined> {
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const all = await cacheOutside(realRoots, env).catch(() => undefined);
  const path = all && join(all, digestOf(purpose));
  return path && (await isOurs(path)) ? ensureFolder({ all, path }) : undefined;
}

interface ProjectFolder {
  /** `~/.cache/loadform`. */
  readonly all: string;
  readonly path: string;
}

/** Where the cache of a project is or would be; undefined where another user could have put it there. */
async function projectFolder(root: string, env: Env): Promise<ProjectFolder | undefined> {
  const realRoot = await realpath(root);
  const all = await cacheOutside([realRoot], env);
  if (all === undefined) return undefined;
  const path = join(all, digestOf(realRoot));
  return (await isOurs(path)) ? { all, path } : undefined;
}

/** 32 hexadecimal digits that tell one content from another. */
export function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** `~/.cache/loadform`; undefined where a checkout of one of the folders contains it or another user could have put it there. */
async function cacheOutside(realRoots: readonly string[], env: Env): Promise<string | undefined> {
  const home = await cacheHome(env);
  if (home === undefined) return undefined;
  const all = join(home, "loadform");
  const isIn = (root: string) => all.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  const isInside = realRoots.some((root) => isIn(root) || isIn(checkoutOf(root)));
  return isInside || !(await isOurs(all)) ? undefined : all;
}

/** The repository that a folder is in; the folder itself where it is in none. */
function checkoutOf(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return root;
  }
}

/** `$XDG_CACHE_HOME`, else `$HOME/.cache`; a relative path is none, as the specification of base directories says. */
async function cacheHome({ XDG_CACHE_HOME = "", HOME = "" }: Env): Promise<string | undefined> {
  if (isAbsolute(XDG_CACHE_HOME)) return realpath(XDG_CACHE_HOME).catch(() => XDG_CACHE_HOME);
  if (!isAbsolute(HOME) || !isOwner(await stat(HOME))) return undefined;
  return join(await realpath(HOME), ".cache");
}

/** Whether no other user may write to a folder; a missing one is made by us. */
async function isOurs(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status === undefined || (status.isDirectory() && isOwner(status) && (status.mode & 0o022) === 0);
}

function isOwner({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || uid === user;
}

/** The folder, made when missing; then those of projects and purposes to which nothing was written for long are deleted. */
async function ensureFolder(folder: ProjectFolder | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const { all, path } = folder;
  try {
    // Step by step: in file systems such as /proc, the recursive form of Node 20 never ends.
    for (const each of [dirname(all), all]) await makeFolder(each);
    if (await makeFolder(path)) await deleteOld(all);
    return path;
  } catch {
    return undefined;
  }
}

/** Whether the folder was not there before. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw problem;
  }
}

async function deleteOld(all: string): Promise<void> {
  for (const name of await readdir(all)) {
    const path = join(all, name);
    const status = /^[0-9a-f]{32}$/.test(name) ? await stat(path).catch(() => undefined) : undefined;
    if (status !== undefined && status.mtimeMs < Date.now() - deletedAfterMs)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { mkdir, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { unlessThrown } from "../model/diagnostic.ts";
import { getOrMake } from "../model/group-by.ts";
import { sha256 } from "./hash.ts";
import { realPlace } from "./path-exists.ts";
import { replaceFile } from "./write-files.ts";

type Env = Readonly<Record<string, string | undefined>>;

const deletedAfterMs = 90 * 24 * 3_600_000;

/**
 * A project's data between runs, stored with a digest in the user's cache folder, by the project's real path. It can be missing
 * at any time, failing to store it fails nothing, and an entry that was damaged, or written in another folder, is not read. The
 * folder is never in a work tree, nor where another user may write: the content of a checkout must not pass for our own.
 */
export function userCache(root: string, env: Env) {
  const find = async () => folderIn(await getOrMake(known, env, () => allCaches(env)), realpathSync.native(root));
  return {
    async read(name: string): Promise<string | undefined> {
      const folder = await find().catch(() => undefined);
      return folder && readSealed(folder.path, name);
    },
    async write(name: string, text: string): Promise<void> {
      const path = await find()
        .then(ensureFolder)
        .catch(() => undefined);
      if (path === undefined) return;
      await replaceFile(join(path, name), `${sealOf(path, name)(text)}\n${text}`, 0o600).catch(() => undefined);
    },
  };
}

/**
 * A folder of the user's cache for what belongs to no project, told apart by its purpose and made when missing, and a digest of
 * content that holds in this very folder alone; undefined where there can be none.
 */
export async function purposeCache(purpose: string, env: Env) {
  const path = await allCaches(env)
    .then((all) => ensureFolder(folderIn(all, purpose)))
    .catch(() => undefined);
  return path === undefined ? undefined : { path, digestOf: sealOf(path, "") };
}

/**
 * The text of an entry behind its digest; undefined where that is another one, or there is none. It is read at once: the entries of
 * many projects would wait longer for other threads than for this disk.
 */
function readSealed(folder: string, name: string): string | undefined {
  return unlessThrown(() => {
    const bytes = readFileSync(join(folder, name));
    const cut = bytes.indexOf("\n");
    const content = bytes.subarray(cut + 1);
    return sealOf(folder, name)(content) === bytes.toString("latin1", 0, cut) ? content.toString("utf8") : undefined;
  });
}

/**
 * Digests of entries by name. They are valid in this very folder alone, by its number and time of birth: files from an
 * archive were written in another one.
 */
function sealOf(folder: string, name: string): (content: string | Uint8Array) => string {
  const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
  const place = JSON.stringify([String(dev), String(ino), String(birthtimeNs), name]);
  return (content) => createHash("sha256").update(place).update(content).digest("hex");
}

interface CacheFolder {
  /** `~/.cache/loadform`. */
  readonly all: string;
  readonly path: string;
}

/** Where something is cached or would be; undefined where somebody else could have put it there. */
function folderIn(all: string | undefined, purpose: string): CacheFolder | undefined {
  if (all === undefined) return undefined;
  const path = join(all, digestOf(purpose));
  return isOurs(path) ? { all, path } : undefined;
}

/** The folder of all caches by the environment that names it: a command on many projects looks at what is above it once. */
const known = new WeakMap<Env, Promise<string | undefined>>();

/** The folder of all caches; undefined where somebody else could replace it, unless whoever names it for loadform alone answers for that. */
async function allCaches(env: Env): Promise<string | undefined> {
  const { LOADFORM_CACHE_DIR: named = "" } = env;
  if (isAbsolute(named)) {
    const all = await realPlace(join(named, "loadform"));
    return isOurs(all) ? all : undefined;
  }
  const home = await cacheHome(env);
  if (home === undefined) return undefined;
  const all = await realPlace(join(home, "loadform"));
  // What is right below the home is safe where the home is.
  const isBelow = dirname(all) === home;
  return isOurs(all) && isSafe(all) && (isBelow || isSafe(home)) ? all : undefined;
}

/** 32 hexadecimal digits that tell one content from another. */
export function digestOf(content: string | Uint8Array): string {
  return sha256(content).slice(0, 32);
}

const workTreeMarks = [".git", ".hg", ".jj", ".svn"];

/** True for a folder outside of any work tree, whose checkout could bring it, that nobody else can replace, nor a folder above it. */
function isSafe(folder: string): boolean {
  const status = statusOf(folder);
  const isSafeHere = status === undefined || isProtected(status);
  if (!isSafeHere || workTreeMarks.some((mark) => existsSync(join(folder, mark)))) return false;
  return folder === dirname(folder) || isSafe(dirname(folder));
}

/** True where others cannot replace our entries in a folder: they may not write to it, or it is sticky as the system's temporary one is. */
function isProtected(status: Stats): boolean {
  return (isOwner(status) || status.uid === 0) && ((status.mode & 0o022) === 0 || (status.mode & 0o1000) !== 0);
}

function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** `$XDG_CACHE_HOME`, else `$HOME/.cache`; a relative path is none, as the specification of base directories says. */
async function cacheHome({ XDG_CACHE_HOME = "", HOME = "" }: Env): Promise<string | undefined> {
  if (isAbsolute(XDG_CACHE_HOME)) return realPlace(XDG_CACHE_HOME);
  if (!isAbsolute(HOME) || !isOwner(statSync(HOME))) return undefined;
  return realPlace(join(await realpath(HOME), ".cache"));
}

/** True for a folder that is ours and no other user may write to; a missing one is created. */
function isOurs(path: string): boolean {
  const status = statusOf(path);
  return status === undefined || (status.isDirectory() && isOwner(status) && (status.mode & 0o022) === 0);
}

function isOwner({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || uid === user;
}

/** Folders of caches whose unused ones this process has deleted. */
const cleared = new Set<string>();

/** The folder, created when missing; then unused ones of old projects and purposes are deleted. */
async function ensureFolder(folder: CacheFolder | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const { all, path } = folder;
  // The folders above are usually there. Step by step: in file systems such as /proc, the recursive form of Node 20 never ends.
  const isNew = await makeFolder(path).catch(async () => {
    for (const each of [dirname(all), all]) await makeFolder(each);
    return makeFolder(path);
  });
  if (isNew && !cleared.has(all)) {
    cleared.add(all);
    await deleteOld(all);
  }
  return path;
}

/** True when the folder did not exist before. */
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

import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

const mostLinks = 40;

/**
 * The file that a data file's path means, in a folder that exists: symbolic links are followed, so that all paths to one
 * file share its lock and its log. A file with further names (hard links) is refused, for no lock could be shared by them.
 */
export function placeOf(file: string): string {
  const place = targetOf(file, 0);
  const found = existsSync(place) ? statSync(place) : undefined;
  if (found && !found.isFile()) throw new Error(`found no file at ${place}; expected a file, or a path that is free`);
  if (found && found.nlink > 1)
    throw new Error(
      `${place} has ${found.nlink} names (hard links); expected one: a write under one name is not seen under the others. Copy it with cp, and name the copy`,
    );
  return place;
}

/** Where a path leads, with its folder made; a link may lead to a file that does not exist yet. */
function targetOf(file: string, links: number): string {
  if (links > mostLinks) throw new Error(`found a circle of symbolic links at ${file}; expected a file`);
  makeFolder(dirname(file));
  const path = join(realpathSync(dirname(file)), basename(file));
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  return targetOf(resolve(dirname(path), readlinkSync(path)), links + 1);
}

/** Makes a folder and those above it, one by one: where one cannot be made, the search for one that can has an end. */
function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new Error(`found a file at ${folder}; expected a folder`);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (cause) {
    const isMade = existsSync(folder);
    if (isMade) return;
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new Error(
      `found no folder ${folder}, and it cannot be made (${reason}); expected a folder that can be written`,
      {
        cause,
      },
    );
  }
}

import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The commit that is checked out where a folder is; undefined outside of a work tree of git, and where it cannot be read. */
export async function headCommit(folder: string): Promise<string | undefined> {
  const mark = await workTreeMark(folder);
  if (mark === undefined) return undefined;
  try {
    const isFolder = (await stat(mark)).isDirectory();
    const own = isFolder
      ? mark
      : resolve(dirname(mark), (await readFile(mark, "utf8")).replace(/^gitdir:\s*/, "").trim());
    const head = (await readFile(join(own, "HEAD"), "utf8")).trim();
    return commitIn(head) ?? (await refCommit(own, head.replace(/^ref:\s*/, "")));
  } catch {
    return undefined;
  }
}

/** The nearest `.git` from this folder up. */
async function workTreeMark(folder: string): Promise<string | undefined> {
  for (let above = resolve(folder); ; above = dirname(above)) {
    const mark = join(above, ".git");
    if (await stat(mark).catch(() => undefined)) return mark;
    if (above === dirname(above)) return undefined;
  }
}

/** A branch is a file of its own, or a line of the packed ones; a further work tree shares those of the first. */
async function refCommit(own: string, ref: string): Promise<string | undefined> {
  const shared = await readFile(join(own, "commondir"), "utf8").then(
    (path) => resolve(own, path.trim()),
    () => own,
  );
  const loose = await readFile(join(shared, ref), "utf8").catch(() => "");
  if (loose !== "") return commitIn(loose.trim());
  const packed = await readFile(join(shared, "packed-refs"), "utf8").catch(() => "");
  return commitIn(
    packed
      .split("\n")
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(" ")[0] ?? "",
  );
}

function commitIn(text: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}

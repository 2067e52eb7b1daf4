import { readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unlessThrown } from "../model/diagnostic.ts";
import type { Workspace } from "./workspace.ts";
import { writeAtomic } from "./write-files.ts";

/** The journal of a writing, until all of it is done; git ignores the folder. */
export const writingFile = ".loadform/writing.json";

const format = "loadform-writing/1";

interface FileChange {
  readonly path: string;
  readonly before: Buffer;
  /** null: it is deleted. */
  readonly after: Buffer | null;
}

/** Findings about a write that was interrupted. */
export type InterruptedWriting =
  | { readonly is: "none" }
  /** The rest was written now. */
  | { readonly is: "ended"; readonly written: readonly string[]; readonly added: readonly string[] }
  /** A file was edited since: nothing was touched. */
  | { readonly is: "stuck"; readonly written: readonly string[]; readonly missing: readonly string[] };

/**
 * Replaces files of a project, all of them or none: what they are to be is durable before the first one changes, so
 * that after a crash endWriting carries on. When one cannot be written, those before it are put back.
 */
export async function writeTogether(
  workspace: Workspace,
  files: ReadonlyMap<string, string | Uint8Array | null>,
): Promise<void> {
  const changes: FileChange[] = [];
  for (const [path, data] of files)
    changes.push({
      path,
      before: Buffer.from(await workspace.readBytes(path)),
      after: data === null ? null : Buffer.from(data),
    });
  const noted = changes.map(({ path, before, after }) => ({
    path,
    before: before.toString("base64"),
    after: after?.toString("base64") ?? null,
  }));
  // The copies may be read by nobody who may not read the originals.
  await writeAtomic(join(workspace.root, writingFile), `${JSON.stringify({ format, files: noted })}\n`, 0o600);
  const written: FileChange[] = [];
  try {
    for (const change of changes) {
      await makeChange(workspace, change);
      written.push(change);
    }
  } catch (thrown) {
    for (const { path, before } of written) await workspace.writeAtomic(path, before);
    await deleteJournal(workspace);
    throw thrown;
  }
  await deleteJournal(workspace);
}

/** Ends a writeTogether that was killed: the rest is written, unless nothing was yet, or a file was edited since. */
export async function endWriting(workspace: Workspace): Promise<InterruptedWriting> {
  const changes = await journaledChanges(workspace);
  if (changes === undefined) return { is: "none" };
  const versions = new Map<FileChange, "before" | "after" | "edited">();
  for (const change of changes) versions.set(change, await versionOf(workspace, change));
  const those = (wanted: string) => changes.filter((change) => versions.get(change) === wanted);
  const [written, missing] = [those("after"), those("before")];
  const isEdited = those("edited").length > 0;
  if (written.length > 0 && missing.length > 0 && isEdited)
    return { is: "stuck", written: paths(written), missing: paths(missing) };
  const added = written.length > 0 ? missing : [];
  for (const change of added) await makeChange(workspace, change);
  await deleteJournal(workspace);
  return added.length === 0 ? { is: "none" } : { is: "ended", written: paths(written), added: paths(added) };
}

const paths = (changes: readonly FileChange[]) => changes.map(({ path }) => path);

async function makeChange(workspace: Workspace, { path, after }: FileChange): Promise<void> {
  if (after !== null) return workspace.writeAtomic(path, after);
  await rm(join(workspace.root, path), { force: true });
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
    try {
      await rmdir(join(workspace.root, folder));
    } catch {
      // Something else is in it.
      return;
    }
}

async function versionOf(workspace: Workspace, { path, before, after }: FileChange) {
  const now = await workspace.readBytes(path).catch(() => undefined);
  if (now === undefined) return after === null ? "after" : "edited";
  if (after?.equals(now)) return "after";
  return before.equals(now) ? "before" : "edited";
}

/** Undefined when no writing was interrupted; a file of another format counts as none. */
async function journaledChanges({ root }: Workspace): Promise<readonly FileChange[] | undefined> {
  const text = await readFile(join(root, writingFile), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return unlessThrown(() => {
    const read = JSON.parse(text) as {
      format?: unknown;
      files: { path: string; before: string; after: string | null }[];
    };
    if (read.format !== format) return undefined;
    return read.files.map(({ path, before, after }) => ({
      path,
      before: Buffer.from(before, "base64"),
      after: after === null ? null : Buffer.from(after, "base64"),
    }));
  });
}

async function deleteJournal({ root }: Workspace): Promise<void> {
  await rm(join(root, writingFile), { force: true });
}

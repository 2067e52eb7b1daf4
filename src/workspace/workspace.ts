import { posix } from "node:path";
import { type Position, unlessThrown } from "../model/diagnostic.ts";
import { utf8Text } from "../model/tree.ts";

/** The main file of a YAML project. */
export const mainFile = "loadform.yaml";

/** The entry of a project in TypeScript. */
export const programFile = "loadform.config.ts";

/** The file that the tools of cdktf and cdktn read. */
export const cdktfFile = "cdktf.json";

/** The files of programs for Terraform. */
export const terraformPrograms = [cdktfFile, "*.tf.json"];

/** The files by which a folder is one of a project. */
export const projectFiles = [programFile, mainFile, ...terraformPrograms];

/** True for a folder with a project of any form, or of the forms that have these files. */
export async function hasProject(workspace: Workspace, files: readonly string[] = projectFiles): Promise<boolean> {
  for (const file of files) if ((await workspace.glob([file])).length > 0) return true;
  return false;
}

/** A project folder. Paths are relative to it, with `/`; one that leads out of it is refused. */
export interface Workspace {
  /** Absolute path of the folder. */
  readonly root: string;
  /** The file as UTF-8 text, refused where it is none; a byte order mark remains. */
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Files that match any of the patterns, sorted. Dot files and node_modules only match when a pattern names them. */
  glob(patterns: readonly string[]): Promise<readonly string[]>;
  /** Replaces the file as a whole or not at all; its folder is made when missing. */
  writeAtomic(path: string, data: string | Uint8Array): Promise<void>;
  exists(path: string): Promise<boolean>;
}

/** A file of the project cannot be used: it is missing, unreadable, no text or outside the folder. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly path: string;
  /** Where in the file the problem is; line and column count from 1. */
  readonly at: { readonly line: number; readonly column: number } | undefined;
  constructor(path: string, message: string, more: { cause?: unknown } & Partial<Pick<WorkspaceError, "at">> = {}) {
    super(message, more);
    this.path = path;
    this.at = more.at;
  }
}

/** The refusal of a path that leads out of the project folder. */
export function outsideError(path: string): WorkspaceError {
  return new WorkspaceError(path, `${path} is outside the project folder: move the file into the project`);
}

/** The refusal of a path at which there is no file. */
export function missingError(path: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError(path, `There is no file ${posix.normalize(path)} in the project folder: check the path`, {
    cause,
  });
}

/** Names alone, neither `.` nor `..` among them: as the project spells a path. */
const plainPath = /^(?:(?!\.{1,2}(?:\/|$))[^/]+(?:\/(?!$)|$))+$/;

/** A name, and the way back out of it. */
const wayBack = /(?<=^|\/)(?!\.{1,2}\/)[^/]+\/\.\.\//g;

/** A path as the project spells it: relative to `root`, normal, with `/`. One that leads out is refused. */
export function pathInProject(root: string, path: string): string {
  const short = path.replace(wayBack, "");
  if (plainPath.test(short)) return short;
  const relative = posix.relative(root, posix.resolve(root, path));
  if (relative === ".." || relative.startsWith("../")) throw outsideError(path);
  return relative;
}

/** The text of a file; bytes that are no UTF-8 are refused, for a text with some of them replaced is another one. */
export function sourceText(path: string, bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text !== undefined) return text;
  const lines = textBefore(bytes)
    .replace(/^\uFEFF/, "")
    .split("\n");
  const at = { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
  throw new WorkspaceError(path, "The file has bytes that are not UTF-8: save it as UTF-8", { at });
}

/** The text up to the first byte that cannot be read. */
function textBefore(bytes: Uint8Array): string {
  const read = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const back = new TextEncoder().encode(read);
  let end = back.findIndex((byte, index) => byte !== bytes[index]);
  while (end > 0 && ((back[end] ?? 0) & 0xc0) === 0x80) end--;
  return Buffer.from(back.subarray(0, Math.max(0, end))).toString("utf8");
}

/** The first place in a stack that is in the project itself, not in a library. */
export function stackPosition(stack: string, root: string): Position | undefined {
  for (const line of stack.split("\n")) {
    const [, called = "", row, column] = /^(.*):(\d+):(\d+)\)?$/.exec(line.trim()) ?? [];
    const isPlain = called.includes(`${root}/`);
    const [before = "", ...path] = (isPlain ? called : (unlessThrown(() => decodeURI(called)) ?? "")).split(`${root}/`);
    const file = path.join(`${root}/`);
    if (file === "" || /[^ (/]$/.test(before) || `/${file}`.includes("/node_modules/")) continue;
    return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

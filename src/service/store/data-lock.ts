import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, where the system tells; tells a reused pid apart. */
  readonly started: string;
}

/** Takes the lock of a data file for this process; a holder that is dead is passed over. */
export function takeLock(file: string): () => void {
  const lock = `${file}.lock`;
  for (let tries = 0; tries < 5; tries++) {
    if (create(lock)) return () => rmSync(lock, { force: true });
    const text = textIfThere(lock);
    const holder = text === undefined ? undefined : parseHolder(text);
    if (text === undefined) continue;
    if (holder === undefined || isAlive(holder)) throw held(file, lock, holder);
    breakDeadLock(lock, text);
  }
  throw held(file, lock, undefined);
}

function create(lock: string): boolean {
  try {
    const descriptor = openSync(lock, "wx");
    const holder: Holder = { pid: process.pid, host: hostname(), started: startTicks(process.pid) };
    writeSync(descriptor, JSON.stringify(holder));
    closeSync(descriptor);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST") return false;
    throw thrown;
  }
}

/** Moves a dead holder's lock away. Of several that try, one gets it; a live lock taken by mistake is put back. */
function breakDeadLock(lock: string, text: string): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return;
  }
  if (textIfThere(aside) === text) rmSync(aside, { force: true });
  else renameSync(aside, lock);
}

function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
  const [mode, now] = stateOf(pid);
  // One that was killed and that nobody waits for is still listed.
  return mode !== "Z" && (started === "" || now === "" || started === now);
}

/** Start time of a process in the kernel's ticks; empty where there is no /proc. */
function startTicks(pid: number): string {
  return stateOf(pid)[1];
}

/** The letter of a process's state and its start time. */
function stateOf(pid: number): readonly [mode: string, started: string] {
  const stat = textIfThere(`/proc/${pid}/stat`);
  const members = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return [members[0] ?? "", members[19] ?? ""];
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "pid" in value ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

function held(file: string, lock: string, holder: Holder | undefined): Error {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  const words = `${file} is in use by ${who}; expected it free: one process at a time may open it. Wait for it to end, or delete ${lock} if it is gone`;
  return Object.assign(new Error(words), { code: "EBUSY" });
}

const mostLinks = 40;

/**
 * The file that a data file's path means, in a folder that exists: symbolic links are followed, so that all paths to one
 * file share its lock and its log. A file with further names (hard links) is refused, for no lock could be shared by them.
 */
export function resolvedFile(file: string): string {
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

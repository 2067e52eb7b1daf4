import { randomUUID } from "node:crypto";
import {
  appendFile,
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { reasonOf } from "../refusal.ts";
import { headLine, logLine, nameOfSnapshot, readLog } from "./change-log.ts";
import { resolvedFile, takeLock } from "./data-lock.ts";
import type { Changes } from "./store.ts";

const appendAll = (descriptor: number, text: string) =>
  new Promise<void>((resolve, reject) => appendFile(descriptor, text, (error) => (error ? reject(error) : resolve())));
const sync = promisify(fdatasync);

/** A log that is appended to; a link in its place is refused, for it may lead to any file of the user. */
const logFlags = constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_WRONLY;

/** Contents of a data file when it was opened. */
export interface Opened {
  /** Text of the snapshot; undefined when there is no file yet. */
  readonly snapshot: string | undefined;
  /** Changes that were written after it. */
  readonly changes: readonly Changes[];
  /** The moment that a frozen clock showed at the last of these changes. */
  readonly clock?: string | undefined;
}

/** Whose state a file keeps. */
export interface Kept {
  readonly snapshotText: () => string;
  /** The moment of a frozen clock. */
  readonly clock: string | undefined;
  /** Takes back what the disk refused; called for the latest changes first. */
  readonly takeBack: (changes: Changes) => void;
}

/** The log of a data file could not be folded into its snapshot; both remain, and say the same. */
class NotFolded extends Error {
  override readonly name = "NotFolded";
  /** The system's code for it, such as ENOSPC. */
  readonly code: string | undefined;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  }
}

interface Pending {
  readonly changes: Changes;
  readonly kept: Kept;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * State on disk: a snapshot and, beside it, a log to which each request appends its changes. A write costs
 * its own size, is durable before its answer, and writes that come together are synced together. The log names the
 * snapshot that it follows: one that follows another was left by a crash between the two, and is ignored. Closing folds
 * the log into the snapshot. One process at a time.
 */
export class DataFile {
  readonly opened: Opened;
  readonly #file: string;
  readonly #unlock: () => void;
  #log: number | undefined;
  /** Bytes of the log that are known to be whole and durable. */
  #whole = 0;
  #pending: Pending[] = [];
  #running: Promise<void> | undefined;
  #folded: boolean;
  /** Name of the snapshot on disk; undefined when the next write has to make one, for no log could follow. */
  #snapshot: string | undefined;

  #isReleased = false;

  constructor(file: string) {
    this.#file = resolvedFile(file);
    this.#unlock = takeLock(this.#file);
    try {
      this.opened = this.#read();
      this.#folded = this.opened.changes.length === 0;
    } catch (thrown) {
      this.#unlock();
      throw thrown;
    }
  }

  /** Keeps changes; resolves when they are durable. Those that the disk refuses are taken back, with all that came after. */
  keep(changes: Changes, kept: Kept): Promise<void> {
    if (this.#isReleased) {
      kept.takeBack(changes);
      return Promise.reject(released());
    }
    return new Promise((resolve, reject) => {
      this.#pending.push({ changes, kept, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Writes a whole other state; `then` runs with nothing in between once it is on disk. */
  async replace(text: string, then: () => void): Promise<void> {
    await this.#idle();
    if (this.#isReleased) throw released();
    this.#writeSnapshot(text);
    then();
  }

  /** Folds what was written since, and lets the file go; a log that cannot be folded remains and loses nothing. */
  async close(snapshotText: () => string): Promise<void> {
    if (this.#isReleased) return;
    await this.#idle();
    try {
      if (!this.#folded) this.#writeSnapshot(snapshotText());
      if (this.#snapshot !== undefined) rmSync(this.#logFile, { force: true });
    } catch (cause) {
      const reason = reasonOf(cause);
      const words = `${this.#file} and its log could not be folded into one: ${reason}. Nothing that was answered is lost: keep both files, the next start reads them`;
      throw new NotFolded(words, cause);
    } finally {
      this.release();
    }
  }

  /** Lets the file go as it is. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#closeLog();
    this.#unlock();
  }

  get #logFile(): string {
    return `${this.#file}.log`;
  }

  #read(): Opened {
    const snapshot = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : undefined;
    if (snapshot === undefined) {
      this.#refuseOrphan();
      return { snapshot, changes: [] };
    }
    this.#snapshot = nameOfSnapshot(snapshot);
    if (!existsSync(this.#logFile)) return { snapshot, changes: [] };
    const { follows, changes, whole, clock } = readLog(readFileSync(this.#logFile, "utf8"));
    if (follows !== this.#snapshot) return { snapshot, changes: [] };
    this.#log = openSync(this.#logFile, logFlags);
    this.#cutLog(whole);
    return { snapshot, changes, clock };
  }

  /** A snapshot comes before its log: where it is missing, somebody moved it away from what was answered since. */
  #refuseOrphan(): void {
    if (!existsSync(this.#logFile)) return;
    const name = basename(this.#logFile);
    throw new Error(
      `${name} beside it has what was written since, and the file itself is not there: put it back, with ${name}, or remove ${name}`,
    );
  }

  /** The old log is removed only when the new snapshot is durable; until then each names the other's absence. */
  #writeSnapshot(text: string): void {
    this.#removeLeftovers();
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    try {
      writeDurably(temporary, text);
      renameSync(temporary, this.#file);
    } catch (thrown) {
      rmSync(temporary, { force: true });
      throw thrown;
    }
    this.#snapshot = undefined;
    this.#closeLog();
    syncFolder(dirname(this.#file));
    if (existsSync(this.#logFile)) {
      rmSync(this.#logFile, { force: true });
      syncFolder(dirname(this.#file));
    }
    this.#snapshot = nameOfSnapshot(text);
    this.#folded = true;
  }

  async #idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Writes that arrive while one is under way wait for the next one, together. */
  async #run(): Promise<void> {
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0);
      try {
        await this.#write(batch);
        for (const each of batch) each.resolve();
      } catch (thrown) {
        this.#refuse([...batch, ...this.#pending.splice(0)], thrown);
      }
    }
    this.#running = undefined;
  }

  #refuse(lost: readonly Pending[], reason: unknown): void {
    for (const each of [...lost].reverse()) each.kept.takeBack(each.changes);
    for (const each of lost) each.reject(reason);
  }

  async #write(batch: readonly Pending[]): Promise<void> {
    const [first] = batch;
    // Everything in memory belongs to this batch now: what came before is durable, what comes later waits.
    if (this.#snapshot === undefined) return this.#writeSnapshot(first?.kept.snapshotText() ?? "");
    const head = this.#whole === 0 ? headLine(this.#snapshot) : "";
    const text = head + batch.map(({ changes, kept }) => logLine(changes, kept.clock)).join("");
    this.#folded = false;
    try {
      this.#log ??= this.#createLog();
      await appendAll(this.#log, text);
      await sync(this.#log);
      this.#whole += Buffer.byteLength(text);
    } catch (thrown) {
      this.#cutLog(this.#whole);
      throw thrown;
    }
  }

  /** Removes the files that killed processes left; no other process is at work, for the lock is ours. */
  #removeLeftovers(): void {
    const [folder, start] = [dirname(this.#file), basename(this.#file)];
    const isLeft = (name: string) => name.startsWith(start) && /^\.[0-9a-f-]+\.tmp$/.test(name.slice(start.length));
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name), { force: true });
  }

  #createLog(): number {
    const descriptor = openSync(this.#logFile, logFlags | constants.O_TRUNC);
    syncFolder(dirname(this.#file));
    return descriptor;
  }

  /** Takes off what was written half; a log that cannot be cut is followed by a whole snapshot. */
  #cutLog(whole: number): void {
    if (this.#log === undefined) return;
    try {
      ftruncateSync(this.#log, whole);
      this.#whole = whole;
    } catch {
      this.#snapshot = undefined;
    }
  }

  #closeLog(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
    this.#whole = 0;
  }
}

function released(): Error {
  return new Error("the service was closed, and another one may have its file");
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, "wx");
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

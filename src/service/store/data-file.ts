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
import { logLine, readLog } from "./change-log.ts";
import { takeLock } from "./data-lock.ts";
import type { Changes } from "./store.ts";

const appendAll = (descriptor: number, text: string) =>
  new Promise<void>((resolve, reject) => appendFile(descriptor, text, (error) => (error ? reject(error) : resolve())));
const sync = promisify(fdatasync);

/** A log that is appended to; a link in its place is refused, for it may lead to any file of the user. */
const logFlags = constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_WRONLY;

/** What a data file held when it was opened. */
export interface Opened {
  /** Text of the snapshot; undefined when there is no file yet. */
  readonly snapshot: string | undefined;
  /** What was written after it. */
  readonly changes: readonly Changes[];
}

/**
 * State on disk: a snapshot and, beside it, a log to which each request appends its changes (service.md 7.4). A write costs
 * its own size, is durable before its answer, and writes that come together are synced together. Closing folds the log
 * into the snapshot. One process at a time.
 */
export class DataFile {
  readonly opened: Opened;
  readonly #file: string;
  readonly #unlock: () => void;
  #log: number | undefined;
  #pending: string[] = [];
  #queued: Promise<void> | undefined;
  #writing: Promise<void> | undefined;
  #folded: boolean;
  #hasSnapshot: boolean;

  constructor(file: string) {
    this.#file = file;
    this.#unlock = takeLock(file);
    try {
      this.opened = this.#read();
      this.#folded = this.opened.changes.length === 0;
      this.#hasSnapshot = this.opened.snapshot !== undefined;
    } catch (thrown) {
      this.#unlock();
      throw thrown;
    }
  }

  /** Whether a snapshot is on disk: without one there is nothing that a log could follow. */
  get hasSnapshot(): boolean {
    return this.#hasSnapshot;
  }

  /** Appends changes; resolves when they are durable. */
  append(changes: Changes): Promise<void> {
    this.#pending.push(logLine(changes));
    this.#folded = false;
    this.#queued ??= this.#writeAfter(this.#writing);
    return this.#queued;
  }

  /** Writes everything as one snapshot and starts the log anew. */
  async fold(snapshot: () => string): Promise<void> {
    while (this.#queued) await this.#queued;
    await this.#writing;
    this.#writeSnapshot(snapshot());
    this.#hasSnapshot = true;
    this.#folded = true;
  }

  /** Folds what was written since, and lets the file go. */
  async close(snapshot: () => string): Promise<void> {
    while (this.#queued) await this.#queued;
    if (!this.#folded) await this.fold(snapshot);
    if (this.#log !== undefined) {
      closeSync(this.#log);
      rmSync(this.#logFile, { force: true });
    }
    this.#log = undefined;
    this.#unlock();
  }

  /** Lets the file go as it is. */
  release(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
    this.#unlock();
  }

  get #logFile(): string {
    return `${this.#file}.log`;
  }

  #read(): Opened {
    const snapshot = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : undefined;
    if (snapshot === undefined || !existsSync(this.#logFile)) return { snapshot, changes: [] };
    const { changes, whole } = readLog(readFileSync(this.#logFile, "utf8"));
    this.#log = openSync(this.#logFile, logFlags);
    ftruncateSync(this.#log, whole);
    return { snapshot, changes };
  }

  #writeSnapshot(text: string): void {
    this.#removeLeftovers();
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    const descriptor = openSync(temporary, "wx");
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(temporary, this.#file);
    syncFolder(dirname(this.#file));
    if (this.#log !== undefined) ftruncateSync(this.#log, 0);
    else rmSync(this.#logFile, { force: true });
  }

  /** What processes that were killed left; the lock keeps others away. */
  #removeLeftovers(): void {
    const [folder, start] = [dirname(this.#file), basename(this.#file)];
    const isLeft = (name: string) => name.startsWith(start) && /^\.[0-9a-f-]+\.tmp$/.test(name.slice(start.length));
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name), { force: true });
  }

  #createLog(): number {
    const descriptor = openSync(this.#logFile, logFlags);
    syncFolder(dirname(this.#file));
    return descriptor;
  }

  /** Lines that arrive while a write is under way wait for the next one, together. */
  async #writeAfter(former: Promise<void> | undefined): Promise<void> {
    await former?.catch(() => undefined);
    this.#queued = undefined;
    this.#writing = this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#log ??= this.#createLog();
    try {
      await appendAll(this.#log, text);
      await sync(this.#log);
    } catch (thrown) {
      // The log has a gap now: the next change is kept by a whole snapshot.
      this.#hasSnapshot = false;
      throw thrown;
    }
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

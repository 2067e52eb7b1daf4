import { posix } from "node:path";
import type { Recorder } from "./recorder.ts";

const mostBytes = 8 * 1024 * 1024;
const mostFiles = 100;

interface Written {
  bytes: Buffer;
  atMs: number;
}

type Callback = (error: Error | null, value?: unknown) => void;

/** The `fs` of a script: files below `info.outputDir`, kept in memory. */
export class MemoryFiles {
  readonly #files = new Map<string, Written>();
  readonly #outputDir: string;
  readonly #recorder: Recorder;

  constructor(outputDir: string, recorder: Recorder) {
    this.#outputDir = outputDir;
    this.#recorder = recorder;
  }

  /** Reports every file. */
  report(): void {
    for (const [name, { bytes, atMs }] of this.#files) this.#recorder.file(name, new Uint8Array(bytes), atMs);
    this.#files.clear();
  }

  module(): Readonly<Record<string, unknown>> {
    const promises = Object.fromEntries(
      Object.entries(this.#operations).map(([name, work]) => [
        name,
        async (...args: readonly unknown[]) => work(...args),
      ]),
    );
    const withCallbacks = Object.entries(this.#operations).map(([name, work]) => [
      name,
      (...args: readonly unknown[]) => callBack(args.at(-1) as Callback, () => work(...args)),
    ]);
    const synchronous = Object.entries(this.#operations).map(([name, work]) => [`${name}Sync`, work]);
    const existsSync = (path: unknown) => this.#exists(path);
    return { ...Object.fromEntries([...withCallbacks, ...synchronous]), existsSync, promises };
  }

  readonly #operations: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
    writeFile: (path, data) => this.#write(path, bufferOf(data)),
    appendFile: (path, data) => {
      const former = this.#files.get(this.#nameOf(path))?.bytes ?? Buffer.alloc(0);
      this.#write(path, Buffer.concat([former, bufferOf(data)]));
    },
    mkdir: (path) => void this.#nameOf(path),
    readFile: (path, options) => {
      const file = this.#files.get(this.#nameOf(path));
      if (file === undefined) throw problem("ENOENT", `no such file: ${String(path)}`);
      const encoding: unknown =
        typeof options === "object" && options !== null ? Reflect.get(options, "encoding") : options;
      return typeof encoding === "string" ? file.bytes.toString(encoding as BufferEncoding) : Buffer.from(file.bytes);
    },
  };

  #exists(path: unknown): boolean {
    try {
      const name = this.#nameOf(path);
      return name === "" || this.#files.has(name);
    } catch {
      return false;
    }
  }

  #write(path: unknown, bytes: Buffer): void {
    const name = this.#nameOf(path);
    if (name === "") throw problem("EISDIR", `found the folder itself: ${String(path)}; expected a file in it`);
    const others = [...this.#files].filter(([other]) => other !== name);
    const sum = others.reduce((total, [, file]) => total + file.bytes.length, bytes.length);
    if (sum > mostBytes || others.length >= mostFiles)
      throw problem(
        "ENOSPC",
        `the files of one run have at most ${mostBytes / 1024 / 1024} MB, and are at most ${mostFiles}`,
      );
    if (this.#recorder.isOpen) this.#files.set(name, { bytes, atMs: this.#recorder.now() });
  }

  /** The path below the folder. */
  #nameOf(path: unknown): string {
    const given = path instanceof URL ? path.pathname : String(path);
    const full = posix.resolve(this.#outputDir, given);
    if (full === this.#outputDir) return "";
    if (full.startsWith(`${this.#outputDir}/`)) return full.slice(this.#outputDir.length + 1);
    throw problem("EACCES", `found ${given}; expected a path below info.outputDir: a script reaches no other files`);
  }
}

function bufferOf(data: unknown): Buffer {
  return typeof data === "string" ? Buffer.from(data) : Buffer.from(data as Uint8Array);
}

function problem(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function callBack(callback: Callback, work: () => unknown): void {
  try {
    const value = work();
    queueMicrotask(() => callback(null, value));
  } catch (thrown) {
    queueMicrotask(() => callback(thrown as Error));
  }
}

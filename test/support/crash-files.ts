import { basename, dirname } from "node:path";
import type { StateFiles } from "../../src/stores/local/state-files.ts";

/** The process ended here: nothing after this happened. */
export class Crash extends Error {
  override readonly name: string = "Crash";
}

/** The process had ended before: nothing of this happened, not even a part. */
export class Gone extends Crash {}

/** A disk in memory that can lose power: what was not synced may be gone afterwards. */
export interface CrashDisk {
  readonly files: StateFiles;
  /** The same disk after a restart; renames whose folder was not synced are undone when `losesRenames`. */
  readonly restart: (losesRenames: boolean) => CrashDisk;
  readonly contents: ReadonlyMap<string, string>;
}

/** `step` is called before every operation takes effect and may throw a {@link Crash}; `torn` says how much of a write is kept then. */
export function crashDisk(step: (label: string) => void, start: ReadonlyMap<string, string> = new Map()): CrashDisk {
  const contents = new Map(start);
  let durable = new Map(start);
  const settle = () => {
    durable = new Map(contents);
  };
  /** Runs an operation; a crash in the middle of a write leaves its first half. */
  const during = (label: string, half: () => void, whole: () => void): void => {
    try {
      step(`${label} (start)`);
    } catch (problem) {
      if (!(problem instanceof Gone)) half();
      throw problem;
    }
    whole();
    step(`${label} (end)`);
  };
  const rename = (from: string, to: string): void => {
    const text = contents.get(from);
    if (text === undefined) throw new Error(`no file ${from}`);
    during(
      `rename ${to}`,
      () => undefined,
      () => {
        contents.set(to, text);
        contents.delete(from);
      },
    );
  };
  const remove = (path: string): void =>
    during(
      `remove ${path}`,
      () => undefined,
      () => {
        contents.delete(path);
      },
    );
  const files: StateFiles = {
    read: async (path) => contents.get(path),
    async bytes(path) {
      const text = contents.get(path);
      return text === undefined ? undefined : Buffer.from(text);
    },
    modified: async () => undefined,
    async write(path, text) {
      during(
        `write ${path}`,
        () => contents.set(path, text.slice(0, text.length / 2)),
        () => {
          contents.set(path, text);
          durable.set(path, text);
        },
      );
    },
    async append(path, text) {
      const before = contents.get(path) ?? "";
      during(
        `append ${path}`,
        () => contents.set(path, before + text.slice(0, text.length / 2)),
        () => {
          contents.set(path, before + text);
          if (durable.has(path)) durable.set(path, before + text);
        },
      );
    },
    async syncFolder(path) {
      during(`sync ${path}`, () => undefined, settle);
    },
    async createNew(path, text) {
      if (contents.has(path)) return false;
      during(
        `create ${path}`,
        () => undefined,
        () => {
          contents.set(path, text);
          durable.set(path, text);
        },
      );
      return true;
    },
    list: async (folder) => [...contents.keys()].flatMap((path) => (dirname(path) === folder ? [basename(path)] : [])),
    remove: async (path) => remove(path),
    async stepIf({ path, says }, names) {
      if (!says(contents.get(path))) return false;
      if ("remove" in names) remove(names.remove);
      else rename(names.rename, names.to);
      return true;
    },
  };
  return { files, contents, restart: (losesRenames) => crashDisk(step, losesRenames ? durable : contents) };
}

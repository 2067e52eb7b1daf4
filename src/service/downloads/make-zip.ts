import type { Zippable } from "fflate";

/** A file of a zip. */
export interface ZipEntry {
  /** Path in the zip, as somebody wished it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The library that writes zips. */
export type ZipLibrary = Pick<typeof import("fflate"), "zipSync">;

/** Zips hold local time without a zone: the same wall time everywhere makes the same bytes. */
const fixedTime = () => new Date(1980, 0, 1, 12);

/** A zip of these files, the same bytes for the same files; names lead nowhere but into the folder it is unpacked in. */
export function makeZip(entries: readonly ZipEntry[], { zipSync }: ZipLibrary): Uint8Array {
  const names = distinct(entries.map(({ name }) => safePath(name)));
  const files: Zippable = Object.fromEntries(entries.map(({ bytes }, index) => [names[index] ?? "", bytes]));
  return zipSync(files, { mtime: fixedTime(), level: 6 });
}

/** A path without roots, drives, steps upwards and characters that cannot be written. */
export function safePath(path: string): string {
  const parts = path
    .split(/[/\\]/)
    .map((part) => part.replaceAll(/[^\P{C}]|[:*?"<>|]/gu, "_").trim())
    .filter((part) => part !== "" && !/^\.+$/.test(part))
    .map((part) => (part === "__proto__" ? "proto" : part));
  return parts.length === 0 ? "file" : parts.join("/");
}

/** The last part of a path. */
export function baseName(path: string): string {
  const safe = safePath(path);
  return safe.slice(safe.lastIndexOf("/") + 1);
}

/** Names of which no two are the same in any case, and none is the folder of another: the second `a.png` is `a (2).png`. */
function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set(names.flatMap((name) => foldersOf(name.toLowerCase())));
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = numbered(name, number);
    taken.add(free.toLowerCase());
    return free;
  });
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const at = dot > name.lastIndexOf("/") + 1 ? dot : name.length;
  return `${name.slice(0, at)} (${number})${name.slice(at)}`;
}

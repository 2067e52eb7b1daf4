import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file through a rename, so that a running process sees the old or the new one; equal content is left alone. */
export function writeWhole(path, contents, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  if (isSame(path, contents)) return chmodSync(path, mode);
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}

function isSame(path, contents) {
  try {
    return readFileSync(path).equals(Buffer.from(contents));
  } catch {
    return false;
  }
}

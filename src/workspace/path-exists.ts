import { stat } from "node:fs/promises";

/** True for a file or a folder; a link that leads nowhere is neither. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** True for a regular file, through links too. */
export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isFile(),
    () => false,
  );
}

/** True for a folder, through links too. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

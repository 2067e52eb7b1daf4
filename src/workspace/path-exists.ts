import { stat } from "node:fs/promises";

/** Whether there is anything, file or folder, at a path; a link that leads nowhere is nothing. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Whether there is a regular file at a path. */
export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isFile(),
    () => false,
  );
}

/** Whether there is a folder at a path. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

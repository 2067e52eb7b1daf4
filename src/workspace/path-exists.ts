import { stat } from "node:fs/promises";

/** Whether anything, file or folder, stands at a path; a link that leads nowhere is nothing. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Whether a folder stands at a path. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

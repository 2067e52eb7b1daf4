import { posix } from "node:path";
import { outsideError } from "./workspace.ts";

/** A path as the project spells it: relative to `root`, normal, with `/`. One that leads out is refused. */
export function pathInProject(root: string, path: string): string {
  const absolute = posix.resolve(root, path);
  const relative = posix.relative(root, absolute);
  if (relative === ".." || relative.startsWith("../")) throw outsideError(path);
  return relative;
}

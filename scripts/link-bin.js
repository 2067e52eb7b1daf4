import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Links the package's own programs into node_modules/.bin, so that `npx loadform` in the clone starts them at once.
 * Without the link npx installs the folder into its cache first: slower, and it asks.
 */
export function linkBins(root) {
  const { bin: bins } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(root, "node_modules", ".bin");
  mkdirSync(folder, { recursive: true });
  for (const [name, target] of Object.entries(bins))
    if (existsSync(join(root, target))) linkOnce(join(folder, name), relative(folder, join(root, target)));
}

function linkOnce(path, target) {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status?.isSymbolicLink() && readlinkSync(path) === target) return;
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

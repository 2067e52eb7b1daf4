import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const folders = ["src", "scripts"];
const files = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.types.json"];

/** A digest of everything the build reads: equal digest, equal output. */
export function inputDigest(root) {
  const hash = createHash("sha256").update(process.version);
  for (const path of [
    ...files.map((name) => join(root, name)),
    ...folders.flatMap((name) => filesBelow(join(root, name))),
  ])
    hash.update(`\0${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

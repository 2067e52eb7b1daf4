import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inputDigest } from "./input-digest.js";
import { linkBins } from "./link-bin.js";

const root = join(import.meta.dirname, "..");
const tenMinutes = 600_000;

if (!isBuilt()) await build();
// npm ci empties node_modules and leaves dist, so the links are looked at even when nothing was built.
linkBins(root);

function isBuilt() {
  const digestFile = join(root, "dist", ".input-digest");
  return existsSync(digestFile) && readFileSync(digestFile, "utf8") === inputDigest(root);
}

async function build() {
  if (existsSync(join(root, "node_modules", "esbuild"))) {
    const { buildAll } = await import("./build.js");
    await buildAll(root, { keepFor: tenMinutes });
    return;
  }
  process.stderr.write(
    "loadform: nothing was built, because the development dependencies (esbuild, typescript) are not installed. Run `npm ci` without --omit=dev.\n",
  );
  process.exitCode = existsSync(join(root, "dist", "index.js")) ? 0 : 1;
}

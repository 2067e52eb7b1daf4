import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inputDigest } from "./input-digest.js";
import { writeWhole } from "./write-files.js";

const root = join(import.meta.dirname, "..");
const notBuilt =
  "loadform is not built: esbuild and typescript are not installed. Run `npm ci` (without --omit=dev) in its folder, then try again.";

if (!isBuilt()) await build();

function isBuilt() {
  const dist = join(root, "dist");
  const digestFile = join(dist, ".input-digest");
  if (!existsSync(digestFile) || readFileSync(digestFile, "utf8") !== inputDigest(root)) return false;
  // A copy may have lost the folder of the chunks.
  const chunks = readFileSync(join(dist, "bin.js"), "utf8").match(/chunks\/[\w-]+\.js/g) ?? [];
  return chunks.every((chunk) => existsSync(join(dist, chunk)));
}

async function build() {
  if (!existsSync(join(root, "node_modules", "esbuild"))) return leavePlaceholder();
  const { buildAll } = await import("./build-all.js");
  await buildAll(root, { clean: false });
}

/** npx remembers a package whose program was missing at its first call, so a program that says what to do stands there. */
function leavePlaceholder() {
  process.stderr.write(`${notBuilt}\n`);
  const program = join(root, "dist", "bin.js");
  const code = `#!/usr/bin/env node\nconsole.error(${JSON.stringify(notBuilt)});\nprocess.exitCode = 1;\n`;
  if (!existsSync(program)) writeWhole(program, code, 0o755);
}

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { writeWhole } from "./write-files.js";

/** Writes what is derived from the kinds and checked in: schemas/, src/constructs/props/ and the reference pages. Tests compare them. */
const root = join(import.meta.dirname, "..");
mkdirSync(join(root, "gen"), { recursive: true });
const folder = mkdtempSync(join(root, "gen", "generate-"));
try {
  const outfile = join(folder, "generated-files.mjs");
  const contents = `
    export { generatedFiles } from "./scripts/derive/generated-files.ts";
    export { terraformPages } from "./scripts/derive/terraform-pages.ts";
    export { providersSchemaFile } from "./scripts/derive/providers-schema.ts";
    export { kinds } from "./src/kinds/index.ts";
  `;
  await build({ stdin: { contents, resolveDir: root }, bundle: true, format: "esm", platform: "node", outfile });
  const { generatedFiles, terraformPages, providersSchemaFile, kinds } = await import(pathToFileURL(outfile).href);
  const files = { ...generatedFiles(kinds), ...terraformPages(kinds), ...providersSchemaFile(kinds) };
  for (const [path, text] of Object.entries(files)) writeWhole(join(root, path), text);
  execFileSync("npx", ["biome", "check", "--write", "src/constructs/props"], { cwd: root, stdio: "ignore" });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

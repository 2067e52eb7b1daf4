import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** False in a tree without kinds, where nothing is derived from them. */
export function hasKinds(root) {
  return existsSync(join(root, "src/kinds/index.ts"));
}

/** What a module with this text exports, and the kinds. Node 20 cannot run TypeScript, so it is bundled to a temporary file first. */
export async function loadSources(root, exports) {
  mkdirSync(join(root, "gen"), { recursive: true });
  const folder = mkdtempSync(join(root, "gen", "sources-"));
  const outfile = join(folder, "sources.mjs");
  const stdin = { contents: `${exports}; export { kinds } from "./src/kinds/index.ts";`, resolveDir: root };
  try {
    await build({ stdin, bundle: true, format: "esm", platform: "node", logLevel: "warning", outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

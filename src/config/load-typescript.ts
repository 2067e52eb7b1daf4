import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where transformed sources are kept: in the project's own folder, since others can write to a shared temporary one. */
const cacheFolder = ".loadform/cache/typescript";

/**
 * Imports a TypeScript module through jiti. `loadform` in it means the running package, so that a project needs no
 * node_modules and shares its constructs with nobody else's copy.
 */
export async function loadTypeScript(path: string, packageEntry = runningPackage()): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(path, {
    alias: { loadform: packageEntry },
    fsCache: join(dirname(path), cacheFolder),
    moduleCache: false,
    interopDefault: false,
  });
  return jiti.import(path);
}

/** The package refers to itself by name: dist/index.js, whichever chunk this code stands in. */
function runningPackage(): string {
  return createRequire(import.meta.url).resolve("loadform");
}

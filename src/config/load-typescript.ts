import { createRequire } from "node:module";

/**
 * Imports a TypeScript module through jiti. `loadform` in it means the running package, so that a project needs no
 * node_modules and shares its constructs with nobody else's copy. Transformed sources are kept in `cacheFolder`, which
 * nobody else may write to: what stands there is run.
 */
export async function loadTypeScript(
  path: string,
  packageEntry = runningPackage(),
  cacheFolder?: string,
): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(path, {
    alias: { loadform: packageEntry },
    fsCache: cacheFolder ?? false,
    moduleCache: false,
    interopDefault: false,
  });
  return jiti.import(path);
}

/** The package refers to itself by name: dist/index.js, whichever chunk this code stands in. */
function runningPackage(): string {
  return createRequire(import.meta.url).resolve("loadform");
}

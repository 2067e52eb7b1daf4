import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** The file of V8's code cache, and the script for which it is to be written anew. */
interface CodeCache {
  readonly path: string;
  /** V8 does not notice damage: it crashes, or runs whatever it finds. */
  readonly digestOf: (bytes: Uint8Array) => string;
  fresh?: { readonly name: string; readonly script: Script };
}

let cache: CodeCache | undefined;

/** Runs the script from now on as it was compiled before, where the file at this path has that. */
export function useCodeCache(path: string, digestOf: CodeCache["digestOf"]): void {
  cache = { path, digestOf };
}

/**
 * Runs the part of the bundle that is a script instead of a module (scripts/rewrite-chunks.js), as it was compiled
 * before where that is stored: compiling takes a fifth of the time of a plan. Answers the script's exports.
 */
export function runScript(file: URL, given: readonly unknown[]): Readonly<Record<string, unknown>> {
  const path = fileURLToPath(file);
  const name = basename(path);
  const cachedData = storedCode(name);
  // It is ASCII, which Node decodes fastest as latin1.
  const script = new Script(readFileSync(path, "latin1"), { filename: path, ...(cachedData && { cachedData }) });
  if (cache && script.cachedDataRejected !== false) cache.fresh = { name, script };
  const run = script.runInThisContext() as (...given: readonly unknown[]) => Readonly<Record<string, unknown>>;
  return run(...given);
}

/** The cached code; undefined unless its first line has the name of the script, with the hash of its build, and the digest of the code. */
function storedCode(name: string): Buffer | undefined {
  if (cache === undefined) return undefined;
  try {
    const bytes = readFileSync(cache.path);
    const code = bytes.subarray(bytes.indexOf("\n") + 1);
    const head = headOf(name, cache.digestOf(code));
    return bytes.toString("latin1", 0, head.length) === head ? code : undefined;
  } catch {
    return undefined;
  }
}

const headOf = (name: string, digest: string): string => `${name} ${digest}\n`;

/** Writes the script as it is compiled by now, with the functions that were used, unless that was cached; failing to fails nothing. */
export async function writeCodeCache(): Promise<void> {
  if (cache?.fresh === undefined) return;
  const { path, digestOf, fresh } = cache;
  const { replaceFile } = await import("../workspace/write-files.ts");
  const code = fresh.script.createCachedData();
  const bytes = Buffer.concat([Buffer.from(headOf(fresh.name, digestOf(code))), code]);
  await replaceFile(path, bytes, 0o600).catch(() => undefined);
}

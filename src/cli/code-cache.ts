import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** The files of V8's code cache, and the scripts for which they are to be written anew. */
interface CodeCache {
  /** Where they are, but for the end of their names. */
  readonly path: string;
  /** V8 does not notice damage: it crashes, or runs whatever it finds. */
  readonly digestOf: (bytes: Uint8Array) => string;
  readonly fresh: { readonly name: string; readonly script: Script }[];
}

let cache: CodeCache | undefined;

/** Runs scripts from now on as they were compiled before, where a file at this path has that. */
export function useCodeCache(path: string, digestOf: CodeCache["digestOf"]): void {
  cache = { path, digestOf, fresh: [] };
}

/**
 * Runs a part of the bundle that is a script instead of a module (scripts/rewrite-chunks.js), as it was compiled
 * before where that is stored: compiling takes a fifth of the time of a plan. Answers the script's exports.
 */
export function runScript(file: URL, given: readonly unknown[]): Readonly<Record<string, unknown>> {
  const path = fileURLToPath(file);
  const name = basename(path);
  const cachedData = storedCode(name);
  // It is ASCII, which Node decodes fastest as latin1.
  const script = new Script(readFileSync(path, "latin1"), { filename: path, ...(cachedData && { cachedData }) });
  if (cache && script.cachedDataRejected !== false) cache.fresh.push({ name, script });
  return (script.runInThisContext() as (...given: readonly unknown[]) => Readonly<Record<string, unknown>>)(...given);
}

/** The cached code; undefined unless its first line has the name of the script, with the hash of its build, and the digest of the code. */
function storedCode(name: string): Buffer | undefined {
  if (cache === undefined) return undefined;
  try {
    const bytes = readFileSync(fileOf(cache.path, name));
    const code = bytes.subarray(bytes.indexOf("\n") + 1);
    const head = headOf(name, cache.digestOf(code));
    return bytes.toString("latin1", 0, head.length) === head ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Each script has a file of its own, named as its chunk is: `…-planning`. */
const fileOf = (path: string, name: string): string => `${path}-${name.split("-")[0]}`;

const headOf = (name: string, digest: string): string => `${name} ${digest}\n`;

/** Writes the scripts as they are compiled by now, with the functions that were used, unless that was cached; failing to fails nothing. */
export async function writeCodeCache(): Promise<void> {
  if (cache === undefined) return;
  const { path, digestOf, fresh } = cache;
  for (const { name, script } of fresh) {
    const { replaceFile } = await import("../workspace/write-files.ts");
    const code = script.createCachedData();
    const bytes = Buffer.concat([Buffer.from(headOf(name, digestOf(code))), code]);
    await replaceFile(fileOf(path, name), bytes, 0o600).catch(() => undefined);
  }
}

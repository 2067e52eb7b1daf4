import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/** A file in which compiled code is stored, and what is to be stored there. */
interface CompiledCode {
  readonly path: string;
  /** V8 does not notice damage: it crashes, or runs what it finds. */
  readonly digestOf: (bytes: Uint8Array) => string;
  fresh?: { readonly name: string; readonly script: Script };
}

let compiled: CompiledCode | undefined;

/** From now on compiled code is taken from a file, and stored there at the end. What lies there is run. */
export function reuseCompiledCode(path: string, digestOf: CompiledCode["digestOf"]): void {
  compiled = { path, digestOf };
}

/**
 * Runs the part of the bundle that is a script instead of a module (scripts/script-chunk.js), as it was compiled before
 * where that is stored: compiling takes a fifth of the time of a plan. Gives what the script exports.
 */
export function runScript(file: URL, given: readonly unknown[]): Readonly<Record<string, unknown>> {
  const path = fileURLToPath(file);
  const name = basename(path);
  const cachedData = storedCode(name);
  // The bundle has no other characters, and Node decodes these fastest.
  const script = new Script(readFileSync(path, "latin1"), { filename: path, ...(cachedData && { cachedData }) });
  if (compiled && script.cachedDataRejected !== false) compiled.fresh = { name, script };
  const run = script.runInThisContext() as (...given: readonly unknown[]) => Readonly<Record<string, unknown>>;
  return run(...given);
}

/** Compiled code after a line that names what it was compiled from, which a later build does not have, and its digest. */
function storedCode(name: string): Buffer | undefined {
  if (compiled === undefined) return undefined;
  try {
    const bytes = readFileSync(compiled.path);
    const code = bytes.subarray(bytes.indexOf("\n") + 1);
    const head = headOf(name, compiled.digestOf(code));
    return bytes.toString("latin1", 0, head.length) === head ? code : undefined;
  } catch {
    return undefined;
  }
}

const headOf = (name: string, digest: string): string => `${name} ${digest}\n`;

/** Stores what had to be compiled, with the functions that were used; failing to fails nothing. */
export async function storeCompiledCode(): Promise<void> {
  if (compiled?.fresh === undefined) return;
  const { path, digestOf, fresh } = compiled;
  const { replaceFile } = await import("../workspace/write-files.ts");
  const code = fresh.script.createCachedData();
  const bytes = Buffer.concat([Buffer.from(headOf(fresh.name, digestOf(code))), code]);
  await replaceFile(path, bytes, 0o600).catch(() => undefined);
}

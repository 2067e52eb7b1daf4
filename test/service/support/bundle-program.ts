import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { repository } from "../../support/source-files.ts";

/** A program of this folder, bundled once: Node 20 runs no TypeScript. */
export interface Program {
  /** Runs it in a process of its own; resolves with what it printed. */
  readonly run: (args: readonly string[], flags?: readonly string[]) => Promise<string>;
  readonly remove: () => void;
}

/** Bundles a program with the sources of the service; packages are found from the repository, where it is put. */
export async function bundleProgram(name: string): Promise<Program> {
  const cache = join(repository, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "loadform-program-"));
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
  });
  return {
    run: async (args, flags = []) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, outfile, ...args], {
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

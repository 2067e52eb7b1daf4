import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTypeScript } from "../../src/config/read-typescript.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { repository } from "./source-files.ts";

const entry = join(repository, "test/fixtures/typescript/loadform-entry.ts");
/** By content, so that it is never out of date; compiling the library took most of the time of these tests. */
const folder = join(tmpdir(), "loadform-transformed-sources");

/** Imports a project's program, which takes `loadform` from the sources. */
export function loadProgram(path: string): Promise<unknown> {
  return loadTypeScript(path, entry, (source, transform) => {
    const file = join(folder, sha256(source));
    if (existsSync(file)) return readFileSync(file, "utf8");
    const code = transform();
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, code);
    return code;
  });
}

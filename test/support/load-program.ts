import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTypeScript } from "../../src/config/read-typescript.ts";
import { repository } from "./source-files.ts";

const entry = join(repository, "test/fixtures/typescript/loadform-entry.ts");
/** By content, so that it is never out of date; compiling the library took most of the time of these tests. */
const transformed = join(tmpdir(), "loadform-transformed");

/** Imports a project's program, which takes `loadform` from the sources. */
export function loadProgram(path: string): Promise<unknown> {
  return loadTypeScript(path, entry, transformed);
}

import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { repository } from "./source-files.ts";

/** Copies an example without what commands left in it: whoever tried the README's first command has a state and a service there. */
export function copyExample(example: string, to: string): void {
  const filter = (path: string) => !/^(\.loadform|\.terraform.*|terraform\.tfstate.*)$/.test(basename(path));
  cpSync(join(repository, "examples", example), to, { recursive: true, filter });
}

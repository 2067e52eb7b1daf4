import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";
import type { RunningService } from "../support/served-project.ts";

/** The secrets of the examples' second environment; the word "canary" must come up nowhere. */
export const secrets = {
  GIT_TOKEN: "canary-git-token",
  CLOUD_KEY_ID: "canary-key-id",
  CLOUD_SECRET: "canary/cloud+secret",
} as const;

/** How the command line finds a service. */
export function reaching({ ready }: RunningService): Readonly<Record<string, string>> {
  return { LOADFORM_URL: ready.url, LOADFORM_API_KEY: ready.apiKey };
}

/** A copy of an example in a folder of its own, with the command line in it. */
export function exampleFolder(example = "webshop", env: Readonly<Record<string, string>> = {}) {
  const cwd = freshFolder();
  copyExample(example, cwd);
  const read = (file: string) => readFileSync(join(cwd, file), "utf8");
  return {
    cwd,
    read,
    run: (...args: readonly string[]) => runCli(args, { cwd, env }),
    /** Replaces a text that has to be there. */
    edit(file: string, from: string, to: string): void {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      writeFileSync(join(cwd, file), text.replace(from, to));
    },
  };
}

/** Every file below a folder with its bytes as text, hidden ones too. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, readFileSync(path, "latin1")] as const;
    }),
  );
}

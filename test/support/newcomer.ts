import { spawnSync } from "node:child_process";

/** What a newcomer's shell has: nothing of what npm tells the scripts that it runs, and none of our own variables. */
export const newcomersEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_registry)|INIT_CWD$|NODE_|LOADFORM_|VITEST)/.test(name),
  ),
);
export const minutes = 60_000;
export const hasRegistry =
  spawnSync("npm", ["view", "yaml@2.9.1", "version"], { env: newcomersEnv, timeout: minutes / 4 }).status === 0;

/** The jobs of somebody who is new here; each is a page that begins in an empty folder, with commands and outputs as they are read. */
export const newcomersJobs = [
  ["a YAML project, from nothing to applied, changed and taken back", "docs/getting-started.md"],
  ["a plan on a pull request, an apply on main, a look for drift at night", "docs/ci.md"],
  ["taking over what exists", "docs/adopting.md"],
  ["finding what was changed by hand, putting it back, accepting it", "docs/drift.md"],
  ["a project in TypeScript", "docs/reference-typescript.md"],
  ["unit tests of a project in TypeScript", "docs/testing-programs.md"],
] as const;

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

import type { World } from "../project.ts";
import { processWorld } from "../project.ts";
import type { CommandInput } from "./command.ts";
import { redactSecrets } from "./views/redact-output.ts";

/** The world that a command acts in; its log holds no key. */
export function worldOf({ version, log, env }: CommandInput): World {
  const redact = redactSecrets(env);
  return processWorld(version(), log && ((line) => log(redact(line))));
}

import type { World } from "../project.ts";
import { processWorld } from "../project.ts";
import { redactSecrets } from "../report/redact.ts";
import type { CommandInput } from "./command.ts";
import { lockTalk } from "./views/lock-talk.ts";

/** The world that a command acts in; its log holds no key. */
export function worldOf(input: CommandInput): World {
  const { version, log, env } = input;
  const redact = redactSecrets(env);
  const locks = lockTalk(input);
  return processWorld(version(), { locks, ...(log && { log: (line) => log(redact(line)) }) });
}

import type { PlanFlags } from "../project.ts";
import type { CommandInput } from "./command.ts";
import { projectFlags } from "./command.ts";

/** The flags of a command as planning takes them. */
export function planFlags(input: CommandInput, dir: string | undefined): PlanFlags {
  const { flags } = input;
  return {
    ...projectFlags(input, dir),
    targets: flags.target ?? [],
    replace: flags.replace ?? [],
    destroy: flags.destroy ?? false,
    allowDestroy: flags.allowDestroy ?? [],
    forceThreshold: flags.forceThreshold ?? false,
    showUnmanaged: flags.showUnmanaged ?? false,
    ...(flags.adopt === undefined ? {} : { adopt: flags.adopt }),
    ...(flags.parallelism === undefined ? {} : { parallelism: flags.parallelism }),
  };
}

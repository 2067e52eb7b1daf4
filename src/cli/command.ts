import type { PlanFlags } from "../project/plan-project.ts";
import type { ProjectFlags, System } from "../project/system.ts";
import type { ExitCode } from "../report/exit-codes.ts";
import type { CommandSpec } from "./command-table.ts";
import type { FlagValues } from "./flag-table.ts";
import type { Interrupt } from "./interrupt.ts";
import type { Terminal } from "./terminal.ts";

/** Everything a command may know and use. */
export interface CommandInput {
  readonly spec: CommandSpec;
  readonly args: readonly string[];
  readonly flags: FlagValues;
  /** As typed, without the program. */
  readonly argv: readonly string[];
  readonly terminal: Terminal;
  readonly interrupt: Interrupt;
  readonly env: System["env"];
  readonly cwd: string;
  readonly version: () => string;
  /** The package's folder, for files that ship with it. */
  readonly home: URL;
  /** One line per request, with LOADFORM_LOG=debug. */
  readonly log?: (line: string) => void;
}

/** A command: from its input to its exit code. */
export type Command = (input: CommandInput) => Promise<ExitCode>;

export function projectFlags({ flags }: CommandInput, dir: string | undefined): ProjectFlags {
  return { dir: dir ?? ".", ...(flags.env === undefined ? {} : { environment: flags.env }), vars: flags.var ?? {} };
}

/** The flags that the next command on the same project needs, too. */
export function choosingFlags({ env, var: vars = {} }: CommandInput["flags"]): readonly string[] {
  const named = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  return [...(env === undefined ? [] : ["--env", env]), ...named];
}

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
    rehearsal: flags.rehearsal ?? true,
    ...(flags.adopt === undefined ? {} : { adopt: flags.adopt }),
    ...(flags.parallelism === undefined ? {} : { parallelism: flags.parallelism }),
  };
}

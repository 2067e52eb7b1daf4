import { relative, resolve } from "node:path";
import type { PlanFlags } from "../project/plan-project.ts";
import { askedEnvironment, type ProjectFlags, type System } from "../project/system.ts";
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

/** The environment that is asked for; none where the project's default counts. */
export function askedEnvironments({ flags, env }: Pick<CommandInput, "flags" | "env">): readonly string[] {
  const asked = askedEnvironment(flags.env, env);
  return asked === undefined ? [] : [asked];
}

/** Folder and environment: known also when the project cannot be read, so that a pipeline finds its comment again. */
export function reportIdentity(input: CommandInput): readonly string[] {
  return [relative(input.cwd, resolve(input.cwd, input.args[0] ?? ".")) || ".", ...askedEnvironments(input)];
}

/** The flags that the next command on the same project needs, too. */
export function choosingFlags(input: Pick<CommandInput, "flags" | "env">): readonly string[] {
  const named = Object.entries(input.flags.var ?? {}).flatMap(([name, value]) => ["--var", `${name}=${value}`]);
  return [...askedEnvironments(input).flatMap((name) => ["--env", name]), ...named];
}

/** The words that were typed, with the environment that $LOADFORM_ENV names, for another shell. */
export function typedWords({ argv, flags, env }: Pick<CommandInput, "argv" | "flags" | "env">): readonly string[] {
  return flags.env === undefined ? [...argv, ...choosingFlags({ env, flags: {} })] : argv;
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

import type { ProjectFlags, World } from "../project.ts";
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
  readonly env: World["env"];
  readonly cwd: string;
  readonly version: () => string;
  /** The package's folder, for files that ship with it. */
  readonly home: URL;
  /** One line per request, with LOADFORM_LOG=debug. */
  readonly log?: (line: string) => void;
}

/** What a command is: told what was asked, it says how it went. */
export type Command = (input: CommandInput) => Promise<ExitCode>;

/** Where the project stands and how it is parametrized. */
export function projectFlags({ flags }: CommandInput, dir: string | undefined): ProjectFlags {
  return {
    dir: dir ?? ".",
    ...(flags.env === undefined ? {} : { environment: flags.env }),
    vars: flags.var ?? {},
  };
}

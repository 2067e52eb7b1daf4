import { Command, CommanderError, Option } from "commander";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { CommandSpec } from "./command-table.ts";
import { checkFlags, type Flag, type FlagName, type FlagValues, flagTable, usageProblem } from "./flag-table.ts";

export type CommandLine =
  | { readonly is: "command"; readonly spec: CommandSpec; readonly args: readonly string[]; readonly flags: FlagValues }
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "version" }
  | { readonly is: "wrong"; readonly diagnostics: readonly Diagnostic[]; readonly help?: string };

/** Reads a command line; whatever is wrong with it is a diagnostic. */
export function parseCommandLine(argv: readonly string[], table: readonly CommandSpec[]): CommandLine {
  const written = { out: "", err: "" };
  const found: CommandLine[] = [];
  const [word] = argv;
  // The others are only needed to list them: building them all takes a twentieth of a plan without changes.
  const named = table.filter(({ name }) => name.split(" ")[0] === word);
  const program = buildProgram(named.length > 0 ? named : table, { written, found });
  try {
    program.parse(argv, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    return fromCommander(thrown, { argv, table, written });
  }
  const [only] = found;
  return only ?? { is: "text", text: program.helpInformation() };
}

interface Sinks {
  readonly written: { out: string; err: string };
  readonly found: CommandLine[];
}

function buildProgram(table: readonly CommandSpec[], sinks: Sinks): Command {
  const program = new Command("loadform");
  silenceCommander(program, sinks.written);
  program
    .description("Load tests as code: validate, plan, apply and import the load tests of a load-testing service.")
    .option("-V, --version", "print the version")
    .on("option:version", () => program.error("version", { code: "loadform.version" }))
    .addHelpText(
      "after",
      "\nExample:\n  loadform apply examples/webshop --auto-approve\n\nEvery command has --help. Exit codes: loadform explain CODE",
    );
  const groups = new Map<string, Command>([["", program]]);
  for (const spec of table) {
    const words = spec.name.split(" ");
    const command = addCommand(
      groups.get(words.slice(0, -1).join(" ")) ?? program,
      { spec, word: words.at(-1) ?? "" },
      sinks,
    );
    groups.set(spec.name, command);
  }
  return program;
}

/** Commander neither exits nor prints: its output is returned as a value. */
function silenceCommander(command: Command, written: Sinks["written"]): void {
  command
    .exitOverride()
    .helpOption("-h, --help", "print this help")
    .configureOutput({
      writeOut: (text) => {
        written.out += text;
      },
      writeErr: (text) => {
        written.err += text;
      },
      outputError: () => {},
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
}

function addCommand(parent: Command, { spec, word }: { spec: CommandSpec; word: string }, { written, found }: Sinks) {
  const command = parent.command(`${word}${spec.args === undefined ? "" : ` ${spec.args}`}`);
  silenceCommander(command, written);
  command.description(spec.summary);
  command.addHelpText(
    "after",
    `\n${spec.examples.length > 1 ? "Examples" : "Example"}:\n${spec.examples.map((line) => `  ${line}`).join("\n")}`,
  );
  const options = spec.flags.map((name) => [name, optionOf(flagTable[name])] as const);
  for (const [, option] of options) command.addOption(option);
  for (const name of spec.ignored ?? []) command.addOption(optionOf(flagTable[name]).hideHelp());
  if (spec.name !== "state")
    command.action(() => {
      const { flags, diagnostics: wrong } = checkFlags(givenOf(options, command.opts()));
      const isEmpty = command.args.includes("") && spec.name !== "terraform";
      const unset = usageProblem(
        "an argument is empty",
        'A variable of the shell may be unset; "." is the current folder',
      );
      const diagnostics = isEmpty ? [...wrong, unset] : wrong;
      const isWrong = diagnostics.length > 0;
      found.push(isWrong ? { is: "wrong", diagnostics } : { is: "command", spec, args: command.args, flags });
    });
  return command;
}

function optionOf(flag: Flag): Option {
  const option = new Option(flag.usage, flag.about);
  return flag.repeated
    ? option.argParser((value: string, earlier: readonly string[] = []) => [...earlier, value])
    : option;
}

function givenOf(options: readonly (readonly [FlagName, Option])[], values: Readonly<Record<string, unknown>>) {
  const all = options.map(([name, option]) => [name, option, values[option.attributeName()]] as const);
  // A flag that can only negate has its value without being given.
  const given = all.filter(([, { negate }, value]) => (negate ? value === false : value !== undefined));
  return new Map(given.map(([name, , value]) => [name, value]));
}

function flagsOf(argv: readonly string[], table: readonly CommandSpec[]): readonly string[] {
  const spec = table.findLast(({ name }) => name.split(" ").every((word, index) => argv[index] === word));
  return (spec?.flags ?? []).map((name) => flagTable[name].usage.split(" ")[0] ?? "");
}

function fromCommander(
  thrown: CommanderError,
  line: Pick<Sinks, "written"> & { readonly argv: readonly string[]; readonly table: readonly CommandSpec[] },
): CommandLine {
  const { argv, table, written } = line;
  if (thrown.code === "loadform.version") return { is: "version" };
  if (thrown.exitCode === 0) return { is: "text", text: written.out };
  const [first, asked] = argv;
  // Help for an unknown command is answered as that command.
  if (thrown.code === "commander.help" && first === "help" && asked !== undefined)
    return parseCommandLine([asked], table);
  // The help says it all.
  if (thrown.code === "commander.help") return { is: "wrong", diagnostics: [], help: written.err || written.out };
  const [summary = "", hint] = thrown.message.replace(/^error: /, "").split("\n");
  const guess = hint === undefined ? guessFlag(summary, flagsOf(argv, table)) : `${hint.replace(/[()]/g, "")} `;
  const own = table.find(({ name }) => name === first)?.hint;
  if (own !== undefined && thrown.code === "commander.unknownOption")
    return { is: "wrong", diagnostics: [usageProblem(summary, own)] };
  const group = table.some(({ name }) => name.startsWith(`${argv[0]} `)) ? argv[0] : undefined;
  const detail = `${guess}${nextStep(thrown.code, group)}`;
  return { is: "wrong", diagnostics: [usageProblem(summary, detail)] };
}

/** Flags that other tools have for what ours call differently. */
const otherWords: Readonly<Record<string, string>> = {
  y: "To apply without being asked: --auto-approve",
  yes: "To apply without being asked: --auto-approve",
  "dry-run": "loadform plan shows what apply would do, and writes nothing",
};

/** Mistakes that commander does not recognize: one dash for two, a word cut short, a value behind a flag that takes none. */
function guessFlag(summary: string, flags: readonly string[]): string {
  const [, name, value] = /^unknown option '-+([^'=]+)(=[^']*)?'/.exec(summary) ?? [];
  if (name === undefined) return "";
  const other = otherWords[name];
  if (other !== undefined) return `${other}. `;
  const meant = flags.find((flag) => flag === `--${name}`) ?? flags.find((flag) => flag.startsWith(`--${name}`));
  if (meant === undefined) return "";
  return meant === `--${name}` && value !== undefined ? `${meant} takes no value. ` : `Did you mean ${meant}? `;
}

function nextStep(code: string, group: string | undefined): string {
  return code === "commander.unknownCommand"
    ? `All commands: loadform ${group === undefined ? "" : `${group} `}--help`
    : "All arguments and flags: add --help to the command";
}

import type { ExitCode } from "../report/exit-codes.ts";
import { writeCodeCache } from "./code-cache.ts";
import type { CommandInput } from "./command.ts";
import { commandTable } from "./command-table.ts";
import { loadCommand } from "./commands/index.ts";
import { lastLines, listenForInterrupts } from "./interrupt.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { prepareEngine, versionIn } from "./prepare-engine.ts";
import { loadSeveral } from "./projects/load-several.ts";
import { adjustTerminal, keepForResults, processTerminal, type Terminal } from "./terminal.ts";

/** Runs one command line in a process and ends the process; `home` is the package's folder. */
export async function main(host: NodeJS.Process, home: URL): Promise<void> {
  const { stdin, stdout, stderr, env } = host;
  const terminal = processTerminal({ stdin, stdout, stderr, env });
  keepForResults({ stdout, stderr });
  const code = await runCommandLine(host, terminal, home);
  await terminal.flush();
  const lost = terminal.lost();
  if (lost !== undefined) terminal.err(`stdout cannot be written: ${lost}. The output is incomplete\n`);
  await terminal.flush();
  // A run that failed compiled too little to be worth it.
  if (successes.includes(code)) await writeCodeCache();
  host.exit(lost === undefined || !successes.includes(code) ? code : 1);
}

/** Codes that promise a result on stdout. */
const successes: readonly ExitCode[] = [0, 2];

async function runCommandLine(host: NodeJS.Process, given: Terminal, home: URL): Promise<ExitCode> {
  const argv = host.argv.slice(2);
  const line = parseCommandLine(argv, commandTable);
  // A line that cannot be read may still say how its refusal is printed.
  const terminal = adjustTerminal(given, line.is === "command" ? line.flags : { color: !argv.includes("--no-color") });
  const version = () => versionIn(home);
  switch (line.is) {
    case "text":
      terminal.out(line.text);
      return 0;
    case "version":
      terminal.out(`${version()}\n`);
      return 0;
    case "wrong": {
      const { reportRefusal } = await import("./views/report-refusal.ts");
      terminal.err(line.help ?? "");
      return reportRefusal(terminal, argv, line.diagnostics);
    }
    case "command": {
      const { spec, args, flags } = line;
      const interrupt = listenForInterrupts(host);
      const { env } = host;
      const log = env["LOADFORM_LOG"] === "debug" ? (text: string) => terminal.err(`${text}\n`) : undefined;
      const input = { spec, args, flags, argv, terminal, interrupt, env, cwd: host.cwd(), version, home };
      return runCommand(host, { ...input, ...(log && { log }) });
    }
  }
}

async function runCommand(host: NodeJS.Process, given: CommandInput): Promise<ExitCode> {
  let input = given;
  const { interrupt, terminal, spec } = given;
  interrupt.lastWords((isCutOff, left) => terminal.err(lastLines(spec.name, isCutOff, left)));
  // A defect outside of the command's promises still ends with a code and without a stack.
  host.once("uncaughtException", async (thrown) => {
    const code = await report(input, thrown);
    await input.terminal.flush();
    host.exit(code);
  });
  try {
    // Before any code of the command is loaded, so that it comes from the code cache.
    await prepareEngine(host, { name: spec.name, home: input.home, version: input.version, env: input.env });
    if (given.flags.json) {
      // Its stdout is JSON however it ends.
      const { withInterruptDocument } = await import("./views/report-refusal.ts");
      input = { ...given, terminal: withInterruptDocument(given) };
    }
    const command = (await loadSeveral(input)) ?? (await loadCommand(input.spec.name));
    return input.interrupt.orCode(await command(input));
  } catch (thrown) {
    return report(input, thrown);
  }
}

/** Says this much even where not even our own files can be opened, as without a free descriptor. */
async function report(input: CommandInput, thrown: unknown): Promise<ExitCode> {
  const view = await import("./views/report-refusal.ts").catch(() => undefined);
  if (view !== undefined) return view.reportDefect(input, thrown);
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  const detail = `The system refuses to open files (${words}): see ulimit -n`;
  input.terminal.err(`error LF1002: loadform ${input.spec.name} cannot use its own files\n  ${detail}\n`);
  return 1;
}

import type { ImportOutcome } from "../../import/import-files.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { environmentsText } from "../../report/drift-text.ts";
import { cleanLine, counted, shellLine } from "../../report/terminal-text.ts";
import type { Terminal } from "../terminal.ts";
import { printDiagnostics } from "./print-diagnostics.ts";

/**
 * Prints what an import did, what remains to be done, and its problems with single objects. `root` is the absolute path of
 * the folder, `dir` its name on the command line.
 */
export function showImport(
  terminal: Terminal,
  outcome: ImportOutcome,
  report: {
    readonly diagnostics: readonly Diagnostic[];
    readonly root: string;
    readonly dir: string;
    /** The flags by which the command line chose the environment and the variables. */
    readonly chosen: readonly string[];
    readonly format: string;
  },
): void {
  const { status, files, dryRun } = outcome;
  const { diagnostics, root, dir, chosen, format } = report;
  const place = [...(dir === "." ? [] : [dir]), ...chosen];
  const told = () => (format === "terraform" ? forTerraform(outcome, dir) : ofProject(outcome, place));
  if (dryRun) terminal.out(cleanLines(wouldBe(outcome)));
  else if (status === "nothing")
    terminal.out(files.length === 0 ? nothingText(diagnostics) : cleanLines(beside(files)));
  else if (status === "interrupted") terminal.err("Interrupted: nothing was written.\n");
  else if (status === "imported") terminal.out(cleanLines(told()));
  printDiagnostics(terminal, diagnostics, root);
}

function ofProject(outcome: ImportOutcome, place: readonly string[]): readonly string[] {
  const words = "These values cannot be read back. Set them before the next plan; the first apply sends them:";
  return [...importedLines(outcome), ...toSet(outcome.environment, words), ...next(outcome, place)];
}

/** The files for Terraform: its own state adopts the objects with the next apply. */
function forTerraform({ objects, files, environment, diagnostics }: ImportOutcome, dir: string): readonly string[] {
  const isProved = diagnostics.every(({ code }) => code !== "LF3013");
  const proof = isProved ? " Terraform's plan imports all of them and changes nothing." : "";
  return [
    `Wrote ${counted(objects.length, "object")} for Terraform into ${counted(files.length, "file")}.${proof}`,
    ...filesText(files),
    ...(files.includes(".gitignore")
      ? []
      : ["", "Keep .terraform/ and terraform.tfstate* out of git: make sure that your .gitignore lists them."]),
    ...toSet(environment, "These values cannot be read back. Set them; nothing is sent until their version is set:"),
    "",
    ...planWithTerraform(environment, dir),
  ];
}

/** The command that is next, below the variables that Terraform would ask for. */
function planWithTerraform(environment: ImportOutcome["environment"], dir: string): readonly string[] {
  const folder = dir === "." ? "" : `${shellLine(["cd", dir])} && `;
  const command = `${folder}loadform terraform -- plan`;
  const then = "then apply: this adds the objects to Terraform's state and does not change them.";
  if (environment.length === 0) return [`Next: ${command}, ${then}`];
  const values = environment.map(({ name }) => `${name}=…`).join(" ");
  return ["Next:", `  export ${values}`, `  ${command}`, `and ${then}`];
}

function wouldBe(outcome: ImportOutcome): readonly string[] {
  const { files, changed = [], objects, environment } = outcome;
  const into = files.length === 0 ? "" : ` into ${counted(files.length, "file")}`;
  const shown = objects.slice(0, longest).map(({ address, kind, id }) => `  ${address} (${kind} ${id})`);
  const more = objects.length - shown.length;
  return [
    `Would import ${counted(objects.length, "object")}${into}; nothing was written. ${emptyPlan(outcome)}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(files.length === 0 ? [] : ["", "Files (+ new, ~ added to):"]),
    ...files.map((file) => `  ${changed.includes(file) ? "~" : "+"} ${file}`),
    ...toSet(environment, "These values cannot be read back and would have to be set:"),
  ];
}

function cleanLines(lines: readonly string[]): string {
  return `${lines.map((line) => cleanLine(line)).join("\n")}\n`;
}

function nothingText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.some(({ code }) => code === "LF3012" || code === "LF3013")
    ? "Nothing was imported.\n"
    : "Nothing to import: the service has no unbound object that was asked for.\n";
}

function beside(files: readonly string[]): readonly string[] {
  return [
    `Nothing was bound. ${counted(files.length, "file")} with what must be added by hand:`,
    ...indentedLines(files),
  ];
}

function importedLines(outcome: ImportOutcome): readonly string[] {
  const { objects, files } = outcome;
  const into = files.length === 0 ? "" : ` into ${counted(files.length, "file")}`;
  return [`Imported ${counted(objects.length, "object")}${into}. ${emptyPlan(outcome)}`, ...filesText(files)];
}

/** The result of the proof: values that cannot be read back were assumed to be equal. */
function emptyPlan({ environment: { length }, resent = 0 }: ImportOutcome): string {
  const secrets = resent === 0 ? [] : [`the secrets of ${counted(resent, "object")} that the files declared already`];
  const sent = [...(length === 0 ? [] : [length === 1 ? "it" : "these"]), ...secrets].join(" and ");
  if (sent === "") return "A plan of them is empty.";
  const values = length === 1 ? "value below is" : `${length} values below are`;
  const subject = length === 0 ? "A plan of them" : `Once the ${values} set, a plan of them`;
  return `${subject} sends ${sent} and changes nothing else.`;
}

/** More files than this are counted, not listed. */
const longest = 20;

/** The files that declare objects, and how many scripts and data files are beside them. */
function filesText(files: readonly string[]): readonly string[] {
  if (files.length <= longest) return indentedLines(files);
  const parts = files.filter((file) => /^(load\/)?[^/]+\.yaml$|^[^/]+\.tf$|^loadform\.config\.ts$/.test(file));
  const shown = parts.length <= longest ? parts : parts.filter((_, at) => at >= parts.length - 1 || at < longest - 1);
  const more = parts.length - shown.length;
  const scripts = files.length - parts.length;
  return [
    ...indentedLines(shown.slice(0, -1)),
    ...(more > 0 ? [`  and ${more} more like these`] : []),
    ...indentedLines(shown.slice(-1)),
    ...(scripts > 0 ? [`  and their ${scripts} scripts and data files`] : []),
  ];
}

function indentedLines(files: readonly string[]): readonly string[] {
  return files.map((file) => `  ${file}`);
}

function toSet(environment: ImportOutcome["environment"], words: string): readonly string[] {
  if (environment.length === 0) return [];
  const width = Math.max(...environment.map(({ name }) => name.length));
  return ["", words, ...environment.map(({ name, address, path }) => `  ${name.padEnd(width)}  ${address} ${path}`)];
}

function next(outcome: ImportOutcome, place: readonly string[]): readonly string[] {
  const { environment, files, otherEnvironments = [] } = outcome;
  if (files.length === 0) return [];
  const command = shellLine(["loadform", "plan", ...place]);
  const first = environment.length === 0 ? "" : "set these, ";
  const others = environmentsText(otherEnvironments).map((line) => `Attention: ${line}.`);
  return ["", ...others, `Next: ${first}commit the files, edit them, and see what would change with: ${command}`];
}

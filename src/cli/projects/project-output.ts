import { posix } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import type { Redact } from "../../model/redact.ts";
import { redactSecrets } from "../../project/known-secrets.ts";
import type { LoadedProject } from "../../project/open-project.ts";
import { secretsOfAll } from "../../project/several/secrets-of-all.ts";
import { projectTitle } from "../../report/projects/projects-table.ts";
import type { CommandInput } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { printJson } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { redactedJson } from "../views/redact-output.ts";

/** A project as it is named in the output of several. */
export interface NamedProject {
  readonly dir: string;
  readonly name?: string;
  readonly environment?: string;
}

/** Takes the secrets of all projects out of a text. */
export function redactAll(env: CommandInput["env"], projects: readonly (LoadedProject | undefined)[]): Redact {
  return redactSecrets(env, secretsOfAll(projects, env));
}

/** A terminal that shows no secret of any project. */
export function redactedTerminal(terminal: Terminal, redact: Redact): Terminal {
  const clean = (write: (text: string) => void) => (text: string) => write(redact(text));
  return { ...terminal, out: clean(terminal.out), err: clean(terminal.err), note: clean(terminal.note) };
}

/** Prints the one document of several projects, without a secret of any of them. */
export function printProjectsJson(terminal: Terminal, projects: readonly Json[], redact: Redact): void {
  printJson(terminal, redactedJson({ projects }, redact));
}

/** The line above the output about a project. */
export function projectHeading({ environment, ...project }: NamedProject): string {
  return `${projectTitle(project)}${environment === undefined ? "" : `, environment ${environment}`}`;
}

/** Prints the problems of one project after the other; one that several have is printed once, and then only named. */
export function problemPrinter(terminal: Terminal, cwd: string) {
  const printed = new Map<string, string>();
  return (project: NamedProject, diagnostics: readonly Diagnostic[]): void => {
    if (diagnostics.length === 0) return;
    const { errPalette } = terminal;
    const { dir } = project;
    terminal.err(`${errPalette.bold(`${projectHeading(project)}:`)}\n`);
    const fresh: Diagnostic[] = [];
    for (const diagnostic of diagnostics) {
      const key = JSON.stringify(diagnostic);
      const first = diagnostic.file === undefined && diagnostic.address === undefined ? printed.get(key) : undefined;
      if (first === undefined) fresh.push(within(dir, diagnostic));
      else terminal.err(`${diagnostic.severity} ${diagnostic.code}: ${diagnostic.summary}: as for ${first}\n`);
      if (!printed.has(key)) printed.set(key, dir);
    }
    printDiagnostics(terminal, fresh, cwd);
  };
}

/** A problem with the paths of its files from the working folder, which is what a reader of several projects has. */
export function within(dir: string, diagnostic: Diagnostic): Diagnostic {
  const { file, used } = diagnostic;
  const from = (path: string) => (posix.isAbsolute(path) ? path : posix.join(dir, path));
  return {
    ...diagnostic,
    ...(file !== undefined && { file: from(file) }),
    ...(used && { used: used.map((each) => ({ ...each, file: from(each.file) })) }),
  };
}

import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { chooseProjects } from "../../project/several/choose-projects.ts";
import { isFile } from "../../workspace/path-exists.ts";
import type { CommandInput } from "../command.ts";
import { type FlagName, flagTable, usageProblem } from "../flag-table.ts";

/** Flags about the objects or the plan of one project, with the reason. */
const ofOneProject = {
  out: "A saved plan is of one project",
  against: "A snapshot is of one project",
  digest: "A digest is of one plan",
  target: "An address is of one project",
  replace: "An address is of one project",
  adopt: "What is taken over is decided for one project",
  accept: "An address is of one project",
} as const satisfies { readonly [name in FlagName]?: string };

/** The folders of the projects that a command line means, or what is wrong with it. */
export async function chooseFolders(
  { spec, args, flags, cwd }: CommandInput,
  { isYaml = false } = {},
): Promise<{ readonly dirs: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
  const names = Object.keys(ofOneProject) as (keyof typeof ofOneProject)[];
  const misplaced = names.filter((name) => flags[name] !== undefined).map((name) => takesOne(name, spec.name));
  const files = (
    await Promise.all(args.map(async (word) => ((await isFile(resolve(cwd, word))) ? word : undefined)))
  ).flatMap((word) => word ?? []);
  const wrong = [...misplaced, ...files.map(noFolder)];
  if (wrong.length > 0) return { dirs: [], diagnostics: wrong };
  return chooseProjects(args, cwd, isYaml);
}

function takesOne(name: keyof typeof ofOneProject, command: string): Diagnostic {
  const [word = ""] = flagTable[name].usage.split(" ");
  return usageProblem(
    `${word} takes one project`,
    `${ofOneProject[name]}, and this command line names several or a glob. Run it for one folder: loadform ${command} DIR ${word} …`,
  );
}

function noFolder(word: string): Diagnostic {
  return usageProblem(
    `${word} is a file`,
    "Beside others only folders of projects and globs can be named; a saved plan is applied by itself: loadform apply PLANFILE",
  );
}

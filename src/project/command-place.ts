import { relative } from "node:path";
import type { CommandPlace } from "../plan/command-place.ts";
import { placeWords } from "../plan/command-place.ts";
import { shellWord } from "../report/shell-line.ts";
import type { OpenProject } from "./load-folder.ts";
import type { World } from "./world.ts";

/** The folder of a project as a command line names it; undefined where it is the current one. */
function folderWord({ root }: Pick<OpenProject, "root">, { cwd }: Pick<World, "cwd">): string | undefined {
  const dir = relative(cwd, root);
  return dir === "" ? undefined : shellWord(dir);
}

type Placed = Pick<OpenProject, "root" | "environment" | "vars">;

/** Where a command about a project has to act. */
export function commandPlace(project: Placed, world: Pick<World, "cwd">): CommandPlace {
  const { environment, vars = {} } = project;
  const folder = folderWord(project, world);
  const variables = Object.entries(vars).map(([name, value]) => shellWord(`${name}=${value}`));
  return { ...(folder !== undefined && { folder }), ...(environment !== undefined && { environment }), variables };
}

/** The folder and the environment of a project, where a command has to be told. */
export function commandWords(project: Placed, world: Pick<World, "cwd">): string {
  return placeWords(commandPlace(project, world));
}

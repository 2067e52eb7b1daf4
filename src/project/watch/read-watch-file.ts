import { basename, resolve } from "node:path";
import {
  type ConfiguredProject,
  readWatchConfig,
  type WatchConfig,
  type WatchDefaults,
} from "../../config/watch/read-watch-config.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { readTextFile } from "../../workspace/disk-workspace.ts";
import { isGlob } from "../../workspace/path-exists.ts";
import { type ChosenProjects, chooseProjects } from "../several/choose-projects.ts";
import type { System } from "../system.ts";

/** The projects that a command line asks to be watched. */
export interface WatchRequest {
  readonly dirs: readonly string[];
  /** The file of --config. */
  readonly config?: string;
  readonly defaults: WatchDefaults;
}

const nothing: WatchConfig = { projects: [], notify: [], secretNames: [], passedNames: [] };

/** The projects of the file and those of the command line, which get the variables of the watcher; every problem at once. */
export async function readWatchFile(
  { dirs: words, config: file, defaults }: WatchRequest,
  { env, cwd }: Pick<System, "env" | "cwd">,
): Promise<{ readonly config: WatchConfig; readonly diagnostics: readonly Diagnostic[] }> {
  const read =
    file === undefined ? { config: nothing, diagnostics: [] } : await readConfigFile(file, { env, cwd, defaults });
  const { config = nothing } = read;
  const { dirs, diagnostics: unmatched } = await watchedFolders(words, cwd);
  const named = dirs.map((dir): ConfiguredProject => {
    const others = dirs.filter((each) => resolve(cwd, each) !== resolve(cwd, dir));
    const isAlone = !others.some((each) => folderName(each, cwd) === folderName(dir, cwd));
    return {
      project: {
        name: isAlone ? folderName(dir, cwd) : dir,
        source: { is: "dir", dir: resolve(cwd, dir) },
        ...(defaults.heal !== undefined && { heal: defaults.heal }),
        ...{ prune: defaults.prune, intervalSecs: defaults.intervalSecs, timeoutSecs: 600 },
        ...{ allowPrograms: true, suspend: [] },
      },
      variables: { is: "watchers", without: config.secretNames },
    };
  });
  const projects = [...config.projects, ...named];
  const names = projects.map(({ project }) => project.name);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
  const problems = twice.map(
    (name): Diagnostic => ({
      ...{ severity: "error", code: "LF9001", summary: `there are two projects ${name}` },
      detail: "Each needs a name of its own: name the folder once, or give the one in the file another name",
    }),
  );
  return { config: { ...config, projects }, diagnostics: [...read.diagnostics, ...unmatched, ...problems] };
}

async function readConfigFile(
  file: string,
  { env, cwd, defaults }: Pick<System, "env" | "cwd"> & Pick<WatchRequest, "defaults">,
): Promise<ReturnType<typeof readWatchConfig>> {
  const path = resolve(cwd, file);
  const text = await readTextFile(path).catch((problem: unknown) => problem as Error);
  if (typeof text === "string") return readWatchConfig({ text, file: path }, { env, defaults });
  const detail = `${path} cannot be read: ${text.message}. Name the file of the projects with --config`;
  return { diagnostics: [{ severity: "error", code: "LF1002", summary: "the configuration is not readable", detail }] };
}

/** The folders as they were named, and those with a project that a glob matches now; what is wrong with a named one its check says. */
async function watchedFolders(words: readonly string[], cwd: string): Promise<ChosenProjects> {
  const found = await Promise.all(
    words.map(async (word) =>
      (await isGlob(word, cwd)) ? chooseProjects([word], cwd) : { dirs: [word], diagnostics: [] },
    ),
  );
  return { dirs: found.flatMap(({ dirs }) => dirs), diagnostics: found.flatMap(({ diagnostics }) => diagnostics) };
}

function folderName(dir: string, cwd: string): string {
  return basename(resolve(cwd, dir)) || dir;
}

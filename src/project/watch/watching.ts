import type { WatchConfig } from "../../config/watch/read-watch-config.ts";
import type { WatcherParts } from "../../watch/loop/run-watcher.ts";
import type { ProjectFlags } from "../system.ts";

/** An order to watch: the projects, who is told, and who is shown what. */
export interface Watching extends Pick<WatcherParts, "checked"> {
  readonly config: WatchConfig;
  /** The program that checks one project. */
  readonly entry: string;
  /** Variables that serve its start; a project's own come before them. */
  readonly startVariables: Readonly<Record<string, string>>;
  /** The environment and the variables of folders on the command line. */
  readonly ofFolders: Pick<ProjectFlags, "environment" | "vars">;
  /** Every project is checked once, and the watcher ends by itself. */
  readonly once: boolean;
  /** The file of the memories, or git, has a problem that does not end the watcher. */
  readonly warn: (text: string) => void;
}

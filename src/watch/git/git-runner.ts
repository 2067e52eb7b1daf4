import { watcherSecrets } from "../process/check-variables.ts";

/** Runs the user's git and answers how it ended; throws where there is none. */
export type RunGit = (
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  given?: {
    readonly input?: string;
    readonly withinMs?: number;
    /** It is ended when it has said more. */
    readonly mostBytes?: number;
  },
) => Promise<GitAnswer>;

/** The end of a git command. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It was ended after it said nothing for all its time. */
  readonly isSilent: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings that win over those of the user: nothing of a repository is run or followed, and nobody is asked. */
const settings: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.symlinks", "false"],
  ["core.fsmonitor", "false"],
  ["core.autocrlf", "false"],
  ["core.logAllRefUpdates", "false"],
  ["core.attributesFile", "/dev/null"],
  ["protocol.ext.allow", "never"],
  ["fetch.recurseSubmodules", "false"],
  ["submodule.recurse", "false"],
  ["gc.autoDetach", "false"],
  ["gc.pruneExpire", "1.hour.ago"],
  ["advice.detachedHead", "false"],
];

/** Variables that would lead git to another repository. */
const leading =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_|COMMON_DIR|NAMESPACE|PREFIX|SHALLOW_FILE|QUARANTINE_PATH|CONFIG_PARAMETERS)/;

/** The environment of git in a repository of the watcher: how the user signs in, without secrets of the watcher, in English. */
export function gitVariables(env: Variables, repository: string, secretNames: readonly string[]): Variables {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const kept = Object.entries(env).filter(
    ([name]) => !leading.test(name) && ![...watcherSecrets, ...secretNames].includes(name),
  );
  const hasSsh = env["GIT_SSH_COMMAND"] !== undefined || env["GIT_SSH"] !== undefined;
  return {
    ...Object.fromEntries(kept),
    ...(hasSsh ? {} : { GIT_SSH_COMMAND: "ssh -o BatchMode=yes" }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_DIR: repository,
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_CONFIG_COUNT: String(count + settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${count + index}`, key],
        [`GIT_CONFIG_VALUE_${count + index}`, value],
      ]),
    ),
  };
}

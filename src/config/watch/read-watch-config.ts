import { dirname, resolve } from "node:path";
import { type Diagnostic, hasErrors, inReadingOrder } from "../../model/diagnostic.ts";
import { isObject, type Json } from "../../model/json.ts";
import { watchDocument, watchedStates } from "../../schema/watch-fields.ts";
import type { CheckEnvironment, Variables } from "../../watch/process/check-variables.ts";
import type { Receiver } from "../../watch/status/send-notifications.ts";
import type { Heal, WatchedProject } from "../../watch/watched-project.ts";
import { yamlLocator } from "../../yaml/locate-yaml.ts";
import { parseYaml } from "../../yaml/parse-yaml.ts";
import { checkShape } from "../check-shape.ts";
import type { DocumentProblem, Report } from "../collect-problems.ts";
import { withoutNulls } from "../settings/limit-settings.ts";
import { checkProjects, checkReceivers } from "./check-projects.ts";
import { environmentNames, replaceEnvironment } from "./replace-environment.ts";
import type { ProjectFile, WatchFile } from "./watch-file.ts";

/** A project to watch, and the variables that its checks get. */
export interface ConfiguredProject {
  readonly project: WatchedProject;
  readonly variables: CheckEnvironment;
}

/** The configuration of a watcher. Values from the environment are in it. */
export interface WatchConfig {
  readonly projects: readonly ConfiguredProject[];
  readonly notify: readonly Receiver[];
  readonly listen?: { readonly address: string; readonly token?: string; readonly hookSecret?: string };
  readonly queue?: string;
  /** Variables with secrets of the watcher itself, and with those of single projects. */
  readonly secretNames: readonly string[];
  readonly passedNames: readonly string[];
}

/** Settings of projects that do not set them. */
export interface WatchDefaults {
  readonly heal?: Heal;
  readonly prune: boolean;
  readonly intervalSecs: number;
}

/** Path of the file's problems, for words: `watch.projects[0]`. */
const top = ["watch"];

/** Reads watch.yaml; every problem is told with its place, and the configuration is there only without errors. */
export function readWatchConfig(
  { text, file }: { readonly text: string; readonly file: string },
  { env, defaults }: { readonly env: Variables; readonly defaults: WatchDefaults },
): { readonly config?: WatchConfig; readonly diagnostics: readonly Diagnostic[] } {
  const { value: parsed, diagnostics: malformed } = parseYaml(text, file);
  if (parsed === undefined) return { diagnostics: malformed };
  const value = withoutNulls(parsed);
  const locate = yamlLocator(file, text);
  const problems: DocumentProblem[] = [];
  const report: Report = (problem) => void problems.push(problem);
  checkShape(watchDocument, value, top, { report, live: false, names: new Map() });
  const isShaped = problems.length === 0;
  const replaced = replaceEnvironment(value, { env, report });
  if (problems.length === 0) checkReceivers(replaced as unknown as WatchFile, report);
  if (isShaped) checkProjects(value as unknown as WatchFile, dirname(resolve(file)), report);
  const located = problems.map(({ place, ...problem }): Diagnostic => {
    const path = place?.path.slice(place.path[0] === top[0] ? 1 : 0) ?? [];
    const at = place && (locate({ ...place, path }) ?? locate({ path: path.slice(0, -1), at: "key" }));
    return { ...problem, file, line: 1, column: 1, ...at };
  });
  const diagnostics = inReadingOrder([...malformed, ...located]);
  if (hasErrors(diagnostics)) return { diagnostics };
  return { config: configOf(replaced as unknown as WatchFile, { value, file, defaults }), diagnostics };
}

function configOf(
  { projects, notify, listen, queue }: WatchFile,
  { value, file, defaults }: { readonly value: Json; readonly file: string; readonly defaults: WatchDefaults },
): WatchConfig {
  const folder = dirname(resolve(file));
  return {
    projects: projects.map((each) => ({
      project: projectOf(each, { folder, defaults }),
      variables: { is: "pass", pass: each.pass ?? {} },
    })),
    notify: (notify ?? []).map(({ webhook, on }) => ({ webhook, on: on ?? watchedStates })),
    ...(listen && {
      listen: {
        address: listen.address,
        ...(listen.token !== undefined && { token: listen.token }),
        ...(listen.hooks?.secret !== undefined && { hookSecret: listen.hooks.secret }),
      },
    }),
    ...(queue !== undefined && { queue }),
    secretNames: valuesOf(value, ["listen", "notify", "queue"]).flatMap(environmentNames),
    passedNames: valuesOf(value, ["projects"]).flatMap(environmentNames),
  };
}

function valuesOf(value: Json, names: readonly string[]): readonly Json[] {
  return isObject(value) ? names.map((name) => value[name] ?? null) : [];
}

function projectOf(
  { name, git, dir, environment, target, heal, prune, interval, timeoutSecs, allowPrograms, suspend }: ProjectFile,
  { folder, defaults }: { readonly folder: string; readonly defaults: WatchDefaults },
): WatchedProject {
  const healing = heal ?? defaults.heal;
  return {
    name,
    source: git
      ? { is: "git", url: urlFrom(git.url, folder), branch: git.branch, path: pathWithin(git.path) }
      : { is: "dir", dir: resolve(folder, dir ?? ".") },
    ...(environment !== undefined && { environment }),
    ...(target !== undefined && { target }),
    ...(healing !== undefined && { heal: healing }),
    prune: prune ?? defaults.prune,
    intervalSecs: interval ?? defaults.intervalSecs,
    timeoutSecs: timeoutSecs ?? 600,
    allowPrograms: git === undefined || allowPrograms === true,
    suspend: (suspend ?? []).map(({ during, timeZone = "UTC" }) => ({ during, timeZone })),
  };
}

/** A path to a repository is one from the file's folder. */
function urlFrom(url: string, folder: string): string {
  return /^\.{1,2}(?:\/|$)/.test(url) ? resolve(folder, url) : url;
}

function pathWithin(path = ""): string {
  return path.replace(/^(?:\.?\/)+|\/+$/g, "").replace(/^\.$/, "");
}

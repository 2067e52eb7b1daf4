import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { ConfiguredProject } from "../../config/watch/read-watch-config.ts";
import { type Diagnostic, Problem, problem, thrownWords } from "../../model/diagnostic.ts";
import { runGit } from "../../stores/git/git-command.ts";
import type { CheckResult } from "../../watch/check-result.ts";
import { gitCheckouts } from "../../watch/git/git-checkouts.ts";
import { memorySaver, readMemories } from "../../watch/loop/memory-file.ts";
import { runWatcher, type Watcher, type WatcherParts } from "../../watch/loop/run-watcher.ts";
import { checkVariables } from "../../watch/process/check-variables.ts";
import { runCheck } from "../../watch/process/run-check.ts";
import { shareProjects } from "../../watch/queue/share-projects.ts";
import { diskWorkspace } from "../../workspace/disk-workspace.ts";
import { purposeCache } from "../../workspace/user-cache.ts";
import { writeAtomic } from "../../workspace/write-files.ts";
import { explainFailure, orExplained } from "../explain-failure.ts";
import type { System } from "../system.ts";
import { type Outside, openOutside } from "./open-outside.ts";
import type { Watching } from "./watching.ts";

/** Where a watcher keeps what it knows, in its working folder. */
const memoryPath = join(".loadform", "watch.json");

/** A watcher at work, and the address of its status page; without one the problems say why it did not begin. */
export interface Begun extends Pick<Outside, "url"> {
  readonly watcher?: Watcher;
  readonly diagnostics: readonly Diagnostic[];
}

/** Watches projects, each checked by a process of its own, until it is stopped; shows them, and tells of them. */
export function watchProjects(watching: Watching, system: System): Promise<Begun> {
  return orExplained(
    () => watchOpenly(watching, system),
    (diagnostics) => ({ diagnostics }),
  );
}

async function watchOpenly(watching: Watching, system: System): Promise<Begun> {
  const outside = await openOutside(watching, system);
  const watcher = await beginWatching({ ...watching, tell: outside.tell }, system).catch(async (thrown: unknown) => {
    await outside.close();
    throw thrown;
  });
  outside.show(watcher);
  const stop = async () => {
    await watcher.stop();
    await outside.close();
  };
  return { watcher: { ...watcher, stop }, ...(outside.url !== undefined && { url: outside.url }), diagnostics: [] };
}

async function beginWatching(watching: Watching & Pick<WatcherParts, "tell">, system: System): Promise<Watcher> {
  const { warn, once } = watching;
  const { projects, queue } = watching.config;
  const check = checkWith(watching, {
    system,
    variables: new Map(projects.map((each) => [each.project.name, each.variables])),
  });
  const cpus = availableParallelism();
  const slots = { fresh: Math.max(4, 2 * cpus), all: 16 * Math.max(4, cpus) };
  if (queue !== undefined)
    return shareProjects(
      { database: { url: queue }, projects: projects.map(({ project }) => project), random: Math.random },
      { ...watching, check, slots, say: warn },
    ).catch(unusableQueue);
  const file = resolve(system.cwd, memoryPath);
  const saved = await diskWorkspace(system.cwd)
    .readText(memoryPath)
    .catch(() => undefined);
  const memories = saved === undefined ? new Map() : readMemories(saved);
  if (memories === undefined) warn(`${memoryPath} is not what a watcher wrote: suspensions and the history begin anew`);
  const setTimer: WatcherParts["setTimer"] = (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
  const parts: WatcherParts = {
    ...watching,
    projects: projects.map(({ project }) => project),
    memories: memories ?? new Map(),
    now: system.now,
    random: Math.random,
    setTimer,
    slots,
    check,
    save: memorySaver((text) => writeAtomic(file, text, 0o600), {
      setTimer,
      failed: (problem) => warn(`${memoryPath} cannot be written: ${String(problem)}`),
    }),
  };
  return runWatcher(parts, { once });
}

function unusableQueue(thrown: unknown): never {
  throw problem("LF8006", "the queue cannot be used", thrownWords(thrown));
}

/** Checks a project where it is: in its folder, or in a checkout of its branch. */
function checkWith(
  { entry, startVariables, config, ofFolders }: Watching,
  {
    system,
    variables,
  }: { readonly system: System; readonly variables: ReadonlyMap<string, ConfiguredProject["variables"]> },
): WatcherParts["check"] {
  const { env, cwd, requestTimeoutMs } = system;
  const { environment: ofAll, vars } = ofFolders;
  const own = { vars, ...(ofAll !== undefined && { environment: ofAll }) };
  const flagsOf = ({ is }: ConfiguredProject["variables"]) => (is === "watchers" ? own : {});
  const patience = requestTimeoutMs === undefined ? {} : { requestTimeoutMs };
  const folderFor = async (purpose: string) => (await purposeCache(purpose, env))?.path;
  const checkout = gitCheckouts({
    ...{ git: runGit, env, folderFor },
    // Git needs no secret of the watcher or of a project.
    secretNames: [...config.secretNames, ...config.passedNames],
  });
  return async (project, compared, signal) => {
    const { name, source, environment, target, heal, prune, allowPrograms, timeoutSecs } = project;
    const found =
      source.is === "git" ? await checkout(name, source).catch(failedCheckout) : { dir: source.dir, warnings: [] };
    if ("is" in found) return { result: found };
    const { dir, warnings } = found;
    const commit = "commit" in found ? { commit: found.commit } : {};
    const given = variables.get(name) ?? { is: "pass", pass: {} };
    const taken = checkVariables(env, given);
    const limits = taken["LOADFORM_LIMITS"];
    const result = await runCheck({
      ...{ spawn, entry, timeoutSecs, signal },
      // Of a path from the watcher's folder, whatever folder a check is in.
      env: { ...startVariables, ...taken, ...(limits && { LOADFORM_LIMITS: resolve(cwd, limits) }) },
      secrets: given.is === "pass" ? Object.values(given.pass) : [],
      request: {
        ...flagsOf(given),
        ...{ dir, prune, allowPrograms, isCheckout: source.is === "git" },
        ...(environment !== undefined && { environment }),
        ...(target !== undefined && { target }),
        ...(heal !== undefined && { heal }),
        ...patience,
      },
      compared: (seen) => compared(commit.commit, { ...seen, warnings: [...warnings, ...seen.warnings] }),
    });
    if (result.is !== "checked") return { ...commit, result };
    return {
      ...commit,
      result: { ...result, found: { ...result.found, warnings: [...warnings, ...result.found.warnings] } },
    };
  };
}

function failedCheckout(thrown: unknown): CheckResult {
  if (thrown instanceof Problem) return { is: "failed", diagnostics: thrown.diagnostics };
  const detail = thrownWords(thrown);
  const words = explainFailure(thrown) ?? [
    { severity: "error", code: "LF8001", summary: "the repository could not be checked out", detail },
  ];
  return { is: "failed", diagnostics: words };
}

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { didYouMean } from "../../model/did-you-mean.ts";
import { gitWords } from "../../model/git-words.ts";
import { StoreFailed } from "../../state/store.ts";
import { checkGitVersion, type GitInput, type GitRun, runGit, type Variables } from "./git-command.ts";

/** A remote as the project names it. */
export interface RemoteChoice {
  /** Folder of the project. */
  readonly root: string;
  /** Name of a remote of the repository there, or an address. */
  readonly remote: string;
  readonly env: Variables;
}

/** A bare repository of our own that knows one remote, by the name {@link remoteName}. */
export interface GitScratch {
  readonly git: (args: readonly string[], given?: GitInput) => Promise<GitRun>;
  /** The author whom git would name in commits here. */
  readonly user: { readonly name: string | undefined; readonly email: string | undefined };
  readonly remove: () => Promise<void>;
}

/** The name of the remote in a scratch repository. */
export const remoteName = "loadform";

/**
 * A scratch repository in a temporary folder. Only the settings of the user's own are read: how remotes are reached and
 * signed in to there holds here too (credential helpers, headers of a CI checkout, proxies, ssh), by variables of the
 * process, so that no secret is written down. All other settings, hooks and refs are neither used nor touched.
 */
export async function openScratch({ root, remote, env }: RemoteChoice): Promise<GitScratch> {
  const asUser = { cwd: root, env: userVariables(env) };
  const [listed, top] = await Promise.all([
    runGit(["config", "--list", "-z"], asUser),
    runGit(["rev-parse", "--show-toplevel"], asUser),
    checkGitVersion(asUser),
  ]);
  if (listed.code !== 0) throw new StoreFailed(`could not read the settings of git: ${gitWords(listed.stderr)}`);
  const settings = parseSettings(listed.stdout);
  const used = [
    ...settings.filter(([key]) => transport.test(key)),
    ...remoteSettings(settings, { root, remote, hasRepository: top.code === 0 }),
  ];
  const folder = await mkdtemp(join(tmpdir(), "loadform-git-"));
  const place = { cwd: top.code === 0 ? top.stdout.trim() : root, env: scratchVariables(env, folder, used) };
  const remove = () => rm(folder, { recursive: true, force: true });
  const made = await runGit(["init", "--quiet", "--bare", "--template=", folder], place);
  if (made.code !== 0) {
    await remove();
    throw new StoreFailed(`could not make a repository in ${folder}: ${gitWords(made.stderr)}`);
  }
  return {
    async git(args, given) {
      const run = await runGit(args, place, given);
      if (run.isSilent) await removeLocks(folder);
      return run;
    },
    user: { name: lastOf(settings, "user.name"), email: lastOf(settings, "user.email") },
    remove,
  };
}

/** A git that was ended leaves the locks of its files, such as `shallow.lock`; the next one would take them for somebody's. */
async function removeLocks(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const locks = names.filter((name) => name.endsWith(".lock"));
  await Promise.all(locks.map((name) => rm(join(folder, name), { force: true })));
}

type Setting = readonly [key: string, value: string];

/** Variables with which a hook, or whoever started us, would lead git to another repository. */
const leading = [
  ...["DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "COMMON_DIR", "NAMESPACE"],
  ...["PREFIX", "SHALLOW_FILE", "QUARANTINE_PATH", "GRAFT_FILE", "REPLACE_REF_BASE", "IMPLICIT_WORK_TREE", "CONFIG"],
].map((name) => `GIT_${name}`);

/** Answers in English, of a git that asks nobody anything. */
function userVariables(env: Variables): Variables {
  return {
    ...without(env, (name) => leading.includes(name)),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

function scratchVariables(env: Variables, folder: string, settings: readonly Setting[]): Variables {
  const isAsked = settings.some(([key]) => key === "core.sshcommand");
  const hasSsh = isAsked || env["GIT_SSH_COMMAND"] !== undefined || env["GIT_SSH"] !== undefined;
  return {
    ...without(userVariables(env), (name) => name.startsWith("GIT_CONFIG")),
    ...(hasSsh ? {} : { GIT_SSH_COMMAND: "ssh -o BatchMode=yes" }),
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

function without(env: Variables, isLeftOut: (name: string) => boolean): Variables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isLeftOut(name)));
}

/** Of `git config --list -z`: a key without a value means true. */
function parseSettings(text: string): readonly Setting[] {
  return text
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const end = line.indexOf("\n");
      return end < 0 ? [line, "true"] : [line.slice(0, end), line.slice(end + 1)];
    });
}

function lastOf(settings: readonly Setting[], name: string): string | undefined {
  return settings.findLast(([key]) => key === name)?.[1];
}

/** Settings for reaching remotes and signing in to them; keys of a section are in lower case. */
const transport = /^(?:(?:http|credential|url|protocol|ssh|safe)\..|core\.(?:sshcommand|askpass|gitproxy)$)/;

/** One address to read from and one to write to, whatever the remote is called there. */
function remoteSettings(
  settings: readonly Setting[],
  { root, remote, hasRepository }: Omit<RemoteChoice, "env"> & { readonly hasRepository: boolean },
): readonly Setting[] {
  const valuesOf = (member: string) =>
    settings.flatMap(([key, value]) => (key === `remote.${remote}.${member}` ? [value] : []));
  const [url = addressOf(remote, root)] = valuesOf("url");
  if (url === undefined) throw noRemote(settings, { remote, hasRepository });
  const members = ["pushurl", "proxy", "proxyauthmethod", "uploadpack", "receivepack", "vcs"];
  const further = members.flatMap((member) =>
    valuesOf(member)
      .slice(0, 1)
      .map((value) => [member, value] as const),
  );
  return [["url", url] as const, ...further].map(([member, value]) => [`remote.${remoteName}.${member}`, value]);
}

/** A remote that is no name; a path is one from the project's folder. */
function addressOf(remote: string, root: string): string | undefined {
  if (/^\.{1,2}(?:\/|$)/.test(remote)) return resolve(root, remote);
  return /[/:\\]/.test(remote) ? remote : undefined;
}

function noRemote(
  settings: readonly Setting[],
  { remote, hasRepository }: { readonly remote: string; readonly hasRepository: boolean },
): StoreFailed {
  if (!hasRepository)
    return new StoreFailed(
      `the project is not in a git repository, so there is no remote ${remote}: create one, or set state.remote to an address`,
    );
  const names = [...new Set(settings.flatMap(([key]) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? []))];
  const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  return new StoreFailed(
    `the git repository of the project has no remote ${remote} (${known}): add it, or set state.remote to an address.${didYouMean(remote, names)}`,
  );
}

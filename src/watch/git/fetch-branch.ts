import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Diagnostic, Problem } from "../../model/diagnostic.ts";
import { gitWords, withoutCredentials } from "../../model/git-words.ts";
import type { GitSource } from "../watched-project.ts";
import { type GitAnswer, gitVariables, type RunGit } from "./git-runner.ts";

/** A repository of the watcher with the tip of one branch of another one. */
export interface FetchedBranch {
  readonly commit: string;
  /** Runs git in it, with further variables. */
  readonly git: (
    args: readonly string[],
    given?: Parameters<RunGit>[2],
    variables?: Readonly<Record<string, string>>,
  ) => Promise<GitAnswer>;
}

/** The folder of a repository, and how git is run. */
export interface GitPlace {
  readonly folder: string;
  readonly git: RunGit;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that git does not get. */
  readonly secretNames: readonly string[];
}

const fetchMs = 300_000;
/** Larger files are not even fetched, where the server can leave them out. */
const largestFile = "100m";
const ref = "refs/loadform/tip";

/** Words of git about a repository that a crash left damaged. */
const damaged = /not (?:in )?a git (?:repository|directory)|reference broken|bad (?:ref|config|object)|corrupt/i;

/** Fetches the tip of a branch, without its history, into a new repository where the former is damaged; throws a Problem that names no credentials. */
export async function fetchBranch(source: Pick<GitSource, "url" | "branch">, place: GitPlace): Promise<FetchedBranch> {
  const repository = join(place.folder, "repository");
  return fetchInto(repository, source, place).catch(async (thrown: unknown) => {
    if (!(thrown instanceof Problem && thrown.diagnostics.some(({ detail }) => damaged.test(detail)))) throw thrown;
    await rm(repository, { recursive: true, force: true });
    return fetchInto(repository, source, place);
  });
}

async function fetchInto(
  repository: string,
  source: Pick<GitSource, "url" | "branch">,
  place: GitPlace,
): Promise<FetchedBranch> {
  const env = gitVariables(place.env, repository, place.secretNames);
  await mkdir(place.folder, { recursive: true });
  const git: FetchedBranch["git"] = (args, given, more) =>
    place.git(args, { cwd: place.folder, env: { ...env, ...more } }, given);
  const must = async (args: readonly string[]) => {
    const answer = await unlocked(repository, () => git(args));
    if (answer.code !== 0) throw notFetched(source, gitWords(answer.stderr));
    return answer.stdout.trim();
  };
  await must(["init", "--quiet", "--template=", repository]);
  await writeAttributes(repository);
  // The state of a project may be on a branch of the same repository, which it finds under this name.
  await must(["config", "core.bare", "false"]);
  await must(["config", "remote.origin.url", source.url]);
  const spec = `+refs/heads/${source.branch}:${ref}`;
  const args = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--force"];
  const fetched = await unlocked(repository, () =>
    git([...args, `--filter=blob:limit=${largestFile}`, "origin", spec], { withinMs: fetchMs }),
  );
  if (fetched.code !== 0) throw await fetchProblem(source, fetched, git);
  // A cache that nothing is written to for long is deleted.
  const now = new Date();
  await utimes(place.folder, now, now);
  return { commit: await must(["rev-parse", ref]), git };
}

/** Attributes of the repository could name filters of the user's settings, which are programs: these win over them. */
async function writeAttributes(repository: string): Promise<void> {
  await mkdir(join(repository, "info"), { recursive: true });
  await writeFile(
    join(repository, "info", "attributes"),
    "* -filter -text -ident -working-tree-encoding -eol -export-subst\n",
  );
}

/** Words of git where another one works in the same repository. */
const busyWords =
  /\.lock'?: File exists|Unable to create .*\.lock|(?:could not|cannot) lock|unable to update local ref|shallow file has changed/;
/** Older locks than this are of a git that was killed. */
const staleMs = fetchMs + 60_000;
const tries = 5;
const pauseMs = 500;

/** Tries again where another watcher of this user works in the repository; a lock that a killed git left is deleted. */
async function unlocked(repository: string, run: () => Promise<GitAnswer>): Promise<GitAnswer> {
  for (let tried = 1; ; tried++) {
    const answer = await run();
    const isLocked = answer.code !== 0 && busyWords.test(answer.stderr);
    if (!answer.isSilent && (!isLocked || tried === tries)) return answer;
    await deleteLocks(repository, answer.isSilent ? 0 : staleMs);
    if (answer.isSilent) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function deleteLocks(repository: string, olderMs: number): Promise<void> {
  const names = await readdir(repository, { recursive: true }).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(".lock"))) {
    const path = join(repository, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs >= olderMs) await rm(path, { force: true });
  }
}

/** Branches that a message lists. */
const mostNames = 20;

async function fetchProblem(
  source: Pick<GitSource, "url" | "branch">,
  { stderr }: GitAnswer,
  git: FetchedBranch["git"],
): Promise<Problem> {
  if (!stderr.includes("couldn't find remote ref")) return notFetched(source, gitWords(stderr));
  const listed = await git(["ls-remote", "--heads", "origin"], { mostBytes: 1_000_000 });
  const names = listed.stdout.split("\n").flatMap((line) => /\trefs\/heads\/(.+)$/.exec(line)?.[1] ?? []);
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  const found = names.length === 0 ? "It has none" : `It has ${names.slice(0, mostNames).join(", ")}${more}`;
  return repositoryProblem(
    `there is no branch ${source.branch}`,
    `${withoutCredentials(source.url)} has no branch ${source.branch}: it was deleted, or is called otherwise. ${found}. Set git.branch to one of them`,
  );
}

function notFetched({ url, branch }: Pick<GitSource, "url" | "branch">, words: string): Problem {
  const hint =
    /terminal prompts disabled|could not read (?:Username|Password)|Authentication failed|Permission denied|Host key/i.test(
      words,
    )
      ? ". The user's git has to be able to sign in without being asked: a credential helper, or an ssh key and known_hosts"
      : "";
  return repositoryProblem(
    "the repository could not be fetched",
    `${withoutCredentials(url)}, branch ${branch}: ${words}${hint}`,
  );
}

/** A problem of a repository. */
export function repositoryProblem(summary: string, detail: string): Problem {
  const diagnostic: Diagnostic = { severity: "error", code: "LF8001", summary, detail };
  return new Problem([diagnostic]);
}

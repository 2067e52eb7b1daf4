import { hash } from "node:crypto";
import { withoutCredentials } from "../../model/git-words.ts";
import type { Redact } from "../../model/redact.ts";
import type { LockHolder, LockTry } from "../../state/lock-holder.ts";
import type { RemotePace } from "../../state/remote-session.ts";
import { type LockInfo, StateLocked, StoreFailed } from "../../state/store.ts";
import type { Variables } from "./git-command.ts";
import { authorOf, type CommitAuthor, type CommitPlan, lockMessage, lockOf, makeCommits } from "./git-commits.ts";
import { gitRemote, type RefusedPush, type RemotePatience } from "./git-remote.ts";
import { openScratch } from "./git-scratch.ts";

export interface GitStoreOptions {
  /** Folder of the project: `remote` is one of the repository there. */
  readonly root: string;
  /** Name or address. */
  readonly remote: string;
  readonly branch: string;
  /** Path of the state on that branch. */
  readonly path: string;
  readonly holder: LockHolder;
  readonly env: Variables;
  /** Removes secrets from commits; by default there are none. */
  readonly redact?: Redact;
  readonly pace?: Omit<RemotePace, "now">;
  readonly patience?: RemotePatience;
}

/** One state on one branch, seen through a scratch repository. */
export type GitState = Awaited<ReturnType<typeof openGit>>;

/** Times that refs may move under our hands before it is reported. */
export const mostRaces = 20;
const lockRef = "refs/loadform/lock";

/** Opens a scratch repository for it; to be removed. */
export async function openGit(options: GitStoreOptions, where: string) {
  const scratch = await openScratch(options);
  const branch = `refs/heads/${options.branch}`;
  const lock = `refs/heads/loadform-lock/${hash("sha256", `${options.branch}\n${options.path}`).slice(0, 16)}`;
  const name = withoutCredentials(options.remote);
  const { holder, patience } = options;
  const right = rightTo(branch, lock);
  const remote = gitRemote({ scratch, sleep: holder.sleep, name, right, ...(patience && { patience }) });
  // The ref `lock` is the lock: who created it holds it.
  return { options, scratch, remote, where, branch, lock };
}

function rightTo(branch: string, lock: string): string {
  return `the right to read and push ${branch}, and to create, push and delete ${lock} (on GitHub: permissions with contents: write, and no rule that protects these branches; on GitLab: Developer, and neither branch protected)`;
}

/** That the remote does not let us. */
export function pushRefused({ where, branch, lock }: GitState, purpose: string, { words }: RefusedPush): StoreFailed {
  return new StoreFailed(
    `could not ${purpose} of ${where}: the remote refused the push: ${words}. You need ${rightTo(branch, lock)}`,
  );
}

/** Makes commits in the name of who holds the lock. */
export function commit({ scratch, options }: GitState, info: LockInfo, plans: readonly CommitPlan[]) {
  const author: CommitAuthor = { ...authorOf(scratch, options.env, info), at: options.holder.now() };
  return makeCommits(scratch, plans, author);
}

/** The commit that the lock is to be. */
export async function makeLock(git: GitState, info: LockInfo): Promise<string> {
  const [made] = await commit(git, info, [{ message: lockMessage(info, git.where, git.options), parent: undefined }]);
  return made?.id ?? "";
}

/** Creates the lock's ref where there is none. */
export async function tryLock(git: GitState, made: string): Promise<LockTry<string>> {
  for (let races = 0; ; races++) {
    const result = await git.remote.push([{ ref: git.lock, from: undefined, to: made }], "lock the state");
    if (result === "done") return { acquired: made };
    const held = await readLockRef(git);
    if (held?.commit === made) return { acquired: made };
    if (held !== undefined) return { lockedBy: held.info };
    if (!result.isRace || races >= mostRaces) throw pushRefused(git, "take the lock", result);
  }
}

async function readLockRef({ remote, lock, scratch }: GitState) {
  if (!(await remote.fetch(lock, lockRef))) return undefined;
  const { stdout } = await scratch.git(["log", "-1", "--format=%H%n%B", lockRef]);
  const [held = "", ...message] = stdout.trimEnd().split("\n");
  return { commit: held, info: lockOf(held, message.join("\n")) };
}

/** Deletes the lock's ref if it still has our value; true when it did. */
export async function freeLock(git: GitState, held: string): Promise<boolean> {
  for (let races = 0; ; races++) {
    const result = await git.remote.push([{ ref: git.lock, from: held, to: undefined }], "release the lock");
    if (result === "done") return true;
    const found = (await git.remote.look([git.lock])).get(git.lock);
    if (found !== held) return false;
    if (!result.isRace || races >= mostRaces) throw pushRefused(git, "release the lock", result);
  }
}

/** Its holder may write meanwhile, and so move the ref: it is still the same lock. */
export async function breakLock(git: GitState, id: string | undefined): Promise<LockInfo | undefined> {
  let wanted = id;
  for (let races = 0; ; races++) {
    const found = await readLockRef(git);
    if (found === undefined) return undefined;
    if (wanted !== undefined && found.info.id !== wanted) throw new StateLocked(found.info);
    wanted = found.info.id;
    if (await freeLock(git, found.commit)) return found.info;
    if (races >= mostRaces) throw new StateLocked(found.info);
  }
}

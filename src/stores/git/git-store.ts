import { gitWords, withoutCredentials } from "../../model/git-words.ts";
import type { SettingsOf } from "../../model/state-settings.ts";
import type { LockedDocument } from "../../state/remote-session.ts";
import { raised, type State } from "../../state/state.ts";
import { readState, stateText } from "../../state/state-text.ts";
import { type LockInfo, lockBroken, type StateStore, StoreFailed, wayOutOf } from "../../state/store.ts";
import { documentStore, type StoreOpening, setText } from "../store-opening.ts";
import { lockMessage, stateMessage } from "./git-commits.ts";
import {
  breakLock,
  commit,
  freeLock,
  type GitState,
  type GitStoreOptions,
  makeLock,
  mostRaces,
  openGit,
  pushRefused,
  tryLock,
} from "./git-lock.ts";
import type { RefMove } from "./git-remote.ts";

export type { GitStoreOptions } from "./git-lock.ts";

interface BranchTip {
  readonly tip: string | undefined;
  readonly blob: string | undefined;
}

const tipRef = "refs/loadform/tip";

/** The git store of a project; each environment has a file of its own unless the project names one. */
export function openGitStore(settings: SettingsOf<"git">, opening: StoreOpening): StateStore {
  const { project, environment, root, holder, env, redact } = opening;
  const standard = `${encodeURIComponent(project)}${environment === undefined ? "" : `.${environment}`}.json`;
  return gitStore({
    root,
    remote: setText(settings.remote) ?? "origin",
    branch: setText(settings.branch) ?? "loadform-state",
    path: setText(settings.path) ?? standard,
    holder,
    env,
    redact,
  });
}

/**
 * State as a file on a branch of any git remote (docs/engine.md, Stores and locks). The lock is a ref. Each write moves it from our last
 * commit to a new one and the branch from its tip, by one push that does both or nothing, so whoever lost the lock writes nothing.
 */
export function gitStore(options: GitStoreOptions): StateStore {
  const { holder } = options;
  const where = `${options.path} on branch ${options.branch} of ${withoutCredentials(options.remote)}`;
  const store = documentStore({
    where,
    holder,
    pace: options.pace,
    open: () => openGit(options, where),
    close: ({ scratch }) => scratch.remove(),
    read: async (git) => (await readTip(git)).state,
    async taking(git, info) {
      const made = await makeLock(git, info);
      return () => tryLock(git, made);
    },
    locked: openDocument,
    unlock: breakLock,
  });
  return { ...store, outlives: true };
}

/** The state at the tip of the branch, and the parts that a write must find unchanged. */
async function readTip(git: GitState): Promise<BranchTip & { readonly state: State | undefined }> {
  const found = await fetchTip(git);
  if (found.blob === undefined) return { ...found, state: undefined };
  const { code, stdout, stderr } = await git.scratch.git(["cat-file", "blob", found.blob]);
  if (code !== 0) throw new StoreFailed(`could not read ${git.where}: git says ${gitWords(stderr)}`);
  return { ...found, state: stdout.trim() === "" ? undefined : readState(stdout) };
}

async function fetchTip({ scratch, remote, branch, options, where }: GitState): Promise<BranchTip> {
  if (!(await remote.fetch(branch, tipRef))) return { tip: undefined, blob: undefined };
  const steps = options.path.split("/");
  const asked = [tipRef, ...steps.map((_, index) => `${tipRef}:${steps.slice(0, index + 1).join("/")}`)];
  const { stdout } = await scratch.git(["cat-file", "--batch-check"], { input: `${asked.join("\n")}\n` });
  const [tip, ...found] = stdout.split("\n").map((line) => /^([0-9a-f]{40,64}) (\w+) \d+$/.exec(line)?.slice(1));
  const at = found.findIndex(
    (each, index) => each !== undefined && each[1] !== (index < steps.length - 1 ? "tree" : "blob"),
  );
  if (at >= 0)
    throw new StoreFailed(
      `there is a ${found[at]?.[1] === "tree" ? "folder" : "file"} at ${steps.slice(0, at + 1).join("/")}, so there can be no state at state.path, ${where}`,
    );
  return { tip: tip?.[0], blob: found[steps.length - 1]?.[0] };
}

async function openDocument(git: GitState, info: LockInfo, taken: string): Promise<LockedDocument> {
  let held = taken;
  const release = async () => {
    try {
      await freeLock(git, held);
    } catch (thrown) {
      if (!(thrown instanceof StoreFailed)) throw thrown;
      const way = wayOutOf({ holder: info, place: "" });
      throw new StoreFailed(`${thrown.message}. Then release the lock with: ${way}`, { cause: thrown });
    } finally {
      await git.scratch.remove();
    }
  };
  const found = await readTip(git).catch(async (problem: unknown) => {
    await freeLock(git, held).catch(() => undefined);
    throw problem;
  });
  let { state: former } = found;
  let known: BranchTip = found;
  return {
    info,
    state: found.state,
    async write(state) {
      const next = raised(state, former);
      ({ held, known } = await pushState(git, { former, next, info }, { held, known }));
      former = next;
      return next;
    },
    release,
  };
}

/**
 * Writes a state over the known tip of the branch, and again on top of other commits there, as long as the lock is ours and our
 * file unchanged; `held` is our last commit of the lock.
 */
async function pushState(
  git: GitState,
  { former, next, info }: { readonly former: State | undefined; readonly next: State; readonly info: LockInfo },
  from: { readonly held: string; readonly known: BranchTip },
): Promise<typeof from> {
  const { held } = from;
  const text = stateText(next);
  const message = stateMessage({ former, next, info }, git.options);
  const lockText = lockMessage(info, git.where, git.options);
  let { known } = from;
  for (let races = 0; ; races++) {
    const [file, lock] = await commit(git, info, [
      { message, parent: known.tip, file: { path: git.options.path, text } },
      { message: lockText, parent: held },
    ]);
    const done = { held: lock?.id ?? "", known: { tip: file?.id, blob: file?.blob } };
    const moves: readonly RefMove[] = [
      { ref: git.lock, from: held, to: done.held },
      { ref: git.branch, from: known.tip, to: done.known.tip },
    ];
    const result = await git.remote.push(moves, "write the state");
    if (result === "done") return done;
    const now = await git.remote.look([git.lock, git.branch]);
    if (now.get(git.lock) === done.held) return done;
    if (now.get(git.lock) !== held) throw lockBroken(git.where);
    const isMoved = now.get(git.branch) !== known.tip;
    if ((!isMoved && !result.isRace) || races >= mostRaces) throw pushRefused(git, "write the state", result);
    const tip = await fetchTip(git);
    if (tip.blob !== known.blob) throw lockBroken(git.where);
    known = tip;
  }
}

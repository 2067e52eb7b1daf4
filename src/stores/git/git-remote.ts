import { gitWords } from "../../model/git-words.ts";
import { StoreFailed } from "../../state/store.ts";
import type { GitRun } from "./git-command.ts";
import { type GitScratch, remoteName } from "./git-scratch.ts";

/** One ref that a push moves; `undefined` is where there is none. */
export interface RefMove {
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface RefusedPush {
  readonly words: string;
  /** True where a ref had another value than expected, or was moved by somebody else at that moment. */
  readonly isRace: boolean;
}

export interface RemoteSettings {
  readonly scratch: GitScratch;
  readonly sleep: (ms: number) => Promise<void>;
  /** For messages. */
  readonly name: string;
  /** The right that it takes, for messages. */
  readonly right: string;
  readonly patience?: RemotePatience;
}

/** Time for the tries of an exchange altogether, and for those after one without an answer. */
export interface RemotePatience {
  readonly wholeMs: number;
  readonly shortMs: number;
}

const attempts = 5;
const firstPauseMs = 250;
const usualPatience: RemotePatience = { wholeMs: 60_000, shortMs: 10_000 };

/**
 * The remote as git sees it. Passing failures are tried again, 5 times within a minute (10 s after a minute without a
 * word); throws {@link StoreFailed} then.
 */
export function gitRemote(settings: RemoteSettings) {
  const patiently = patientGit(settings);
  return {
    /** Moves refs, each from where it is expected to be, all or none. */
    async push(moves: readonly RefMove[], purpose: string): Promise<"done" | RefusedPush> {
      const leases = moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ""}`);
      const specs = moves.map(({ ref, to }) => `${to ?? ""}:${ref}`);
      const args = ["push", "--porcelain", "--atomic", "--no-verify", ...leases, remoteName, ...specs];
      // The same commits again: git answers "up to date" to a push that took effect before its answer was lost.
      const run = await patiently(args, purpose, ({ stdout }) => /^!.*\[(remote )?rejected\]/m.test(stdout));
      return run.code === 0 ? "done" : refusalOf(run);
    },
    /** Where refs are; those that are missing have no entry. */
    async look(refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const run = await patiently(["ls-remote", remoteName, ...refs], "look at the state");
      const lines = run.stdout.split("\n").filter((line) => line !== "");
      return new Map(lines.map((line) => line.split("\t")).map(([id = "", ref = ""]) => [ref, id]));
    },
    /** Fetches the tip of a ref to the one `to` of the scratch repository; false when there is none. */
    async fetch(ref: string, to: string): Promise<boolean> {
      const args = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", remoteName, `+${ref}:${to}`];
      const run = await patiently(args, "read the state", ({ stderr }) => stderr.includes("couldn't find remote ref"));
      return run.code === 0;
    },
  };
}

/** Runs git until it answers; `isAnswer` knows failures that are answers, so that there is nothing to try again. */
function patientGit({ scratch, sleep, name, right, patience = usualPatience }: RemoteSettings) {
  const failed = (stderr: string, purpose: string, attempt: number): StoreFailed => {
    const times = attempt === 1 || isDenied(stderr) ? "" : `, ${attempt} times`;
    const way = isDenied(stderr) ? `You need ${right}` : "Look at the remote, or try again";
    return new StoreFailed(`could not ${purpose} at ${name}: git says ${gitWords(stderr)}${times}. ${way}`);
  };
  let isSilent = false;
  return async (args: readonly string[], purpose: string, isAnswer?: (run: GitRun) => boolean) => {
    const until = performance.now() + (isSilent ? patience.shortMs : patience.wholeMs);
    for (let attempt = 1; ; attempt++) {
      const run = await scratch.git(args, { withinMs: until - performance.now() });
      isSilent = run.isSilent;
      if (run.code === 0 || isAnswer?.(run)) return run;
      const waitMs = firstPauseMs * 2 ** (attempt - 1);
      const isLast = attempt >= attempts || performance.now() + waitMs >= until;
      if (isLast || isDenied(run.stderr)) throw failed(run.stderr, purpose, attempt);
      await sleep(waitMs);
    }
  };
}

const denials = [
  /authentication failed|could not read (username|password)|terminal prompts disabled|invalid (username|credentials)/i,
  /permission (to \S+ )?denied|access denied|not (authorized|allowed)|requested URL returned error: 40[0-5]/i,
  /repository '?.*'? ?(was )?not found|does not appear to be a git repository|no such file or directory/i,
  /host key verification failed|dubious ownership|does not support --atomic|dumb http transport/i,
  /refusing to (work with|use)|transport '.*' not allowed|unable to find remote helper|certificate/i,
];

/** True for a refusal that would come again. */
function isDenied(words: string): boolean {
  return denials.some((denial) => denial.test(words));
}

/** Lines of --porcelain for refusals by a lease, and for changes by somebody else between our look and our move. */
const races =
  /stale info|fetch first|non-fast-forward|cannot lock|failed to (update|lock)|already exists|incorrect old value/i;

function refusalOf({ stdout, stderr }: GitRun): RefusedPush {
  const reasons = stdout.split("\n").flatMap((line) => /^!\t\S*\t(\[.*)$/.exec(line)?.[1] ?? []);
  const own = reasons.filter((reason) => !/atomic (push|transaction)/i.test(reason));
  const said = stderr.split("\n").filter((line) => line.startsWith("remote:"));
  return {
    words: gitWords([...new Set(own.length === 0 ? reasons : own), ...said].join("\n")),
    isRace: own.length === 0 || own.every((reason) => races.test(reason)),
  };
}

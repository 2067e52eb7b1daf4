import { Refusal } from "../refusal.ts";
import type { GitSecrets } from "./git-environment.ts";
import { type GitRemote, shownUrl } from "./git-remote.ts";

/** The end of a call of git. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it was ended, or never began. */
  readonly cut?: "time" | "size" | "no git" | undefined;
}

interface Asked {
  readonly remote: GitRemote;
  readonly secrets: GitSecrets;
  readonly limitMs: number;
}

/** DECISION (API 1, Repositories: refs): what keeps a repository from answering is 400, and names the field to change. */
export function refusalOf(ended: Ended, asked: Asked): Refusal {
  const { field, message } = problemOf(ended, asked);
  return new Refusal(400, `${field}: ${message}`, { errors: [{ field, message }] });
}

interface Problem {
  readonly field: string;
  readonly message: string;
}

function problemOf(ended: Ended, asked: Asked): Problem {
  const address = shownUrl(asked.remote.address);
  if (ended.cut === "no git")
    return { field: "url", message: "found no git on this machine to ask with; expected the command git in PATH" };
  if (ended.cut === "time")
    return {
      field: "url",
      message: `found no answer of ${address} within ${asked.limitMs / 1000} s; expected a git repository that answers`,
    };
  if (ended.cut === "size")
    return { field: "url", message: `found more refs in ${address} than fit into 16 MB; expected fewer` };
  return explained(ended.stderr, asked);
}

/** Messages of git, each with the problem that it means. */
const sayings: readonly (readonly [RegExp, (asked: Asked) => Problem])[] = [
  [/ssh: (?:command )?not found/, noSsh],
  [/Load key .*(?:invalid format|error in libcrypto)|invalid private key/i, unreadableKey],
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: 40[13]|Permission denied/i,
    refusedCaller,
  ],
  [/not found|does not appear to be a git repository|returned error: 404/i, noRepository],
  [/returned error: 3\d\d|unable to update url base from redirection/i, redirected],
];

function explained(stderr: string, asked: Asked): Problem {
  const found = sayings.find(([pattern]) => pattern.test(stderr));
  if (found) return found[1](asked);
  return {
    field: "url",
    message: `${shownUrl(asked.remote.address)} could not be reached: ${reasonIn(stderr, asked)}; expected a git repository that answers`,
  };
}

function noSsh(): Problem {
  return { field: "url", message: "found no ssh on this machine to ask with; expected the command ssh in PATH" };
}

function unreadableKey(): Problem {
  return {
    field: "privateKey",
    message: "found a key that ssh cannot read; expected the base64 of a private key file without passphrase",
  };
}

function refusedCaller({ remote, secrets }: Asked): Problem {
  const field = remote.protocol === "ssh" ? "privateKey" : "password";
  const given = secrets.privateKey ? "this key" : (secrets.login ?? remote.login) ? "this user and password" : "none";
  return {
    field: remote.protocol === "file" ? "url" : field,
    message: `${shownUrl(remote.address)} refused who asked, found ${given}; expected credentials that it takes`,
  };
}

function noRepository({ remote }: Asked): Problem {
  return { field: "url", message: `found no git repository at ${shownUrl(remote.address)}; expected the url of one` };
}

function redirected({ remote }: Asked): Problem {
  return {
    field: "url",
    message: `${shownUrl(remote.address)} leads elsewhere; expected the url where the repository is`,
  };
}

/** The first that git said but warnings, without secrets and in one line. */
function reasonIn(stderr: string, { remote, secrets }: Asked): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^warning:/i.test(line));
  const said = (lines[0] ?? "git did not say why").replace(/^fatal: /, "");
  const hidden = [secrets.login?.password, remote.login?.password].filter((each) => each !== undefined && each !== "");
  const shown = hidden.reduce<string>((text, secret) => text.replaceAll(secret ?? "", "***"), said);
  return [...shown.replace(/\s+/g, " ").trim()].slice(0, 200).join("");
}

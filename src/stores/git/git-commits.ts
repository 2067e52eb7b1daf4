import { gitWords } from "../../model/git-words.ts";
import type { Redact } from "../../model/redact.ts";
import type { State } from "../../state/state.ts";
import { type LockInfo, redactInfo, StoreFailed, unnamedHolder } from "../../state/store.ts";
import type { Variables } from "./git-command.ts";
import type { GitScratch } from "./git-scratch.ts";

export interface CommitPlan {
  readonly message: string;
  readonly parent: string | undefined;
  /** The file that is changed in its parent's tree; without it the tree remains, or is empty. */
  readonly file?: { readonly path: string; readonly text: string };
}

/** The committer, and the time. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Makes commits in the scratch repository, all by one process; answers the id of each, and of the file that it wrote. */
export async function makeCommits(
  { git }: GitScratch,
  plans: readonly CommitPlan[],
  author: CommitAuthor,
): Promise<readonly { readonly id: string; readonly blob: string | undefined }[]> {
  const asked = plans.flatMap(({ file }, index) => [commitMark(index), ...(file ? [fileMark(index)] : [])]);
  const input = [
    ...plans.map((plan, index) => commitText(plan, index, author)),
    ...asked.map((mark) => `get-mark ${mark}\n`),
    "done\n",
  ].join("");
  const { code, stdout, stderr } = await git(["fast-import", "--quiet", "--force", "--done"], { input });
  const ids = stdout.split("\n").filter((line) => line !== "");
  if (code !== 0 || ids.length !== asked.length)
    throw new StoreFailed(`could not make a commit in the temporary folder: git says ${gitWords(stderr)}`);
  const made = new Map(asked.map((mark, index) => [mark, ids[index] ?? ""]));
  return plans.map((_, index) => ({ id: made.get(commitMark(index)) ?? "", blob: made.get(fileMark(index)) }));
}

const commitMark = (index: number) => `:${2 * index + 1}`;
const fileMark = (index: number) => `:${2 * index + 2}`;

/** In the format of `git fast-import`. A reset comes first: an earlier commit under that name is not its parent. */
function commitText({ message, parent, file }: CommitPlan, index: number, { name, email, at }: CommitAuthor): string {
  const ref = `refs/loadform/made-${index}`;
  return [
    ...(file ? [`blob\nmark ${fileMark(index)}\n${dataText(file.text)}`] : []),
    `reset ${ref}\n\n`,
    `commit ${ref}\nmark ${commitMark(index)}\n`,
    `committer ${identityPart(name)} <${identityPart(email)}> ${Math.floor(at / 1000)} +0000\n`,
    dataText(message),
    parent === undefined ? "" : `from ${parent}\n`,
    file ? `M 100644 ${fileMark(index)} "${file.path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"\n` : "",
    "\n",
  ].join("");
}

function dataText(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function identityPart(text: string): string {
  return text.replace(/[<>\n\0]/g, " ").trim();
}

/** Whom the history names: who started the pipeline, else whom git would, else the account of this machine. */
export function authorOf({ user }: GitScratch, env: Variables, { who }: LockInfo): Omit<CommitAuthor, "at"> {
  const starter = [env["GITHUB_ACTOR"], env["GITLAB_USER_LOGIN"], env["BUILD_REQUESTEDFOR"]].find(Boolean);
  const own = user.name === undefined ? {} : { name: user.name, email: user.email };
  const { name, email } = starter === undefined ? { name: who, email: undefined, ...own } : { name: starter };
  return { name, email: email || user.email || "loadform@localhost" };
}

function runPage(env: Variables): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : env["CI_JOB_URL"] || undefined;
}

const mostLines = 50;

/** The user, and the addresses that became bound (+), changed (~) and are no longer bound (-). Pipelines do not start from it. */
export function stateMessage(
  { former, next: state, info }: { readonly former: State | undefined; readonly next: State; readonly info: LockInfo },
  { env, redact = asItIs }: { readonly env: Variables; readonly redact?: Redact },
): string {
  const changes = changedAddresses(former, state);
  const environment = state.environment === undefined ? "" : ` (${state.environment})`;
  const counts = changes.length === 0 ? "" : `, ${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
  const more = changes.length > mostLines ? [`and ${changes.length - mostLines} more`] : [];
  const pending = state.pending.length === 0 ? [] : [`Under way: ${state.pending.length}`];
  const page = runPage(env);
  const footer = [`Serial: ${state.serial}`, ...pending, `By: ${info.who}`, ...(page ? [`Run: ${page}`] : [])];
  const body = [...changes.slice(0, mostLines), ...more];
  const title = `${info.operation} ${state.project}${environment}${counts} [skip ci]`;
  const lines = [title, "", ...body, ...(body.length === 0 ? [] : [""]), ...footer].map((line) =>
    redact(oneLine(line)),
  );
  return [...lines, `Lock: ${info.id}`].join("\n");
}

const asItIs: Redact = (text) => text;

function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, " ");
}

function changedAddresses(former: State | undefined, { resources }: State): readonly string[] {
  const before = former?.resources ?? {};
  const is = Object.entries(resources).flatMap(([address, resource]) => {
    if (!Object.hasOwn(before, address)) return [`+ ${address}`];
    return JSON.stringify(before[address]) === JSON.stringify(resource) ? [] : [`~ ${address}`];
  });
  const gone = Object.keys(before).filter((address) => !Object.hasOwn(resources, address));
  return [...is, ...gone.map((address) => `- ${address}`)];
}

/** The message of the commit that a lock is; its last line is what {@link lockOf} reads. */
export function lockMessage(
  info: LockInfo,
  of: string,
  { env, redact = asItIs }: Parameters<typeof stateMessage>[1],
): string {
  const page = runPage(env);
  const holder = redactInfo(page === undefined ? info : { ...info, info: page }, redact);
  const words = [
    `loadform: ${of} is locked [skip ci]`,
    "",
    `By ${info.who} since ${info.created} for ${info.operation}.`,
  ];
  return [...words.map((line) => redact(oneLine(line))), "", JSON.stringify(holder)].join("\n");
}

/** The holder that a lock's commit names; one that was made by hand names none. */
export function lockOf(commit: string, message: string): LockInfo {
  const unknown = unnamedHolder(commit);
  try {
    const { id, operation, who, created, ...more } = JSON.parse(message.trimEnd().split("\n").at(-1) ?? "") as LockInfo;
    const isWhole = [id, operation, who, created].every((member) => typeof member === "string");
    return isWhole ? { id, operation, who, created, ...more } : unknown;
  } catch {
    return unknown;
  }
}

import { createHmac } from "node:crypto";
import type { WatchedProject } from "../watched-project.ts";
import { equalSecrets } from "./equal-secrets.ts";
import { repositoryName } from "./repository-name.ts";

/** Where a hook comes from; each signs in a way of its own. */
export type HookSender = "github" | "gitlab";

/** Headers of a request by their names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A push as a hook tells of it. */
export interface Push {
  /** Every address of the repository. */
  readonly addresses: readonly string[];
  readonly branch: string;
}

/** A hook that was understood: a push, or the reason why nothing is checked. */
export type Hook = { readonly push: Push } | { readonly ignored: string } | { readonly unreadable: string };

/** The head alone shows that it is not signed: its body need not be read. GitLab sends the secret itself. */
export function isSigned(sender: HookSender, headers: Headers, secret: string): boolean {
  if (sender === "gitlab") return equalSecrets(one(headers, "x-gitlab-token"), secret);
  return githubSignature.test(one(headers, "x-hub-signature-256"));
}

/** The signature over the bytes as they came is that of the secret. */
export function isGenuine(hook: SignedHook, secret: string): boolean {
  const { sender, headers, body } = hook;
  if (sender === "gitlab") return isSigned(sender, headers, secret);
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return equalSecrets(one(headers, "x-hub-signature-256").toLowerCase(), expected);
}

/** A hook as it came. */
export interface SignedHook {
  readonly sender: HookSender;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Reads a genuine hook. */
export function readHook({ sender, headers, body }: SignedHook): Hook {
  const event = one(headers, sender === "github" ? "x-github-event" : "x-gitlab-event");
  const payload = payloadOf(one(headers, "content-type"), body);
  if (payload === undefined) return { unreadable: "The body is no JSON object; expected the payload of a push" };
  if (!isPushEvent(sender, event, payload)) return { ignored: "not a push" };
  const { ref, after, deleted } = payload;
  if (typeof ref !== "string") return { unreadable: "The push has no ref; expected refs/heads/ and a branch" };
  if (!ref.startsWith(branchPrefix)) return { ignored: "not a branch" };
  if (deleted === true || (typeof after === "string" && /^0+$/.test(after)))
    return { ignored: "the branch is deleted" };
  const addresses = repositoryAddresses(payload);
  if (addresses.length === 0)
    return { unreadable: "The push names no repository; expected its clone, ssh and html URL" };
  return { push: { addresses, branch: ref.slice(branchPrefix.length) } };
}

/** The projects that a push is about: those of its repository and branch, wherever in it they are. */
export function projectsOfPush({ addresses, branch }: Push, projects: readonly WatchedProject[]): readonly string[] {
  const names = new Set(addresses.map(repositoryName).filter((name) => name !== undefined));
  return projects.flatMap(({ name, source }) => {
    const isMeant = source.is === "git" && source.branch === branch && names.has(repositoryName(source.url) ?? "");
    return isMeant ? [name] : [];
  });
}

const branchPrefix = "refs/heads/";
const githubSignature = /^sha256=[0-9a-f]{64}$/i;

type Payload = Readonly<Record<string, unknown>>;

/** GitHub names the event in a header; GitLab's system hooks name it in the body alone. */
function isPushEvent(sender: HookSender, event: string, payload: Payload): boolean {
  if (sender === "github") return event === "push";
  return payload["object_kind"] === "push" || payload["event_name"] === "push";
}

/** GitHub sends a form with the JSON in `payload` unless it is told to send JSON. */
function payloadOf(contentType: string, body: Uint8Array): Payload | undefined {
  const text = new TextDecoder().decode(body);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType);
  try {
    return payloadObject(JSON.parse(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text));
  } catch {
    return undefined;
  }
}

/** `repository` is GitHub's, `project` GitLab's, whose `repository` has what older ones sent. */
function repositoryAddresses({ repository, project }: Payload): readonly string[] {
  const found = [repository, project].flatMap((each) => {
    const names = payloadObject(each) ?? {};
    return addressMembers.map((member) => names[member]);
  });
  return [...new Set(found.filter((address): address is string => typeof address === "string" && address !== ""))];
}

const addressMembers = [
  ...["clone_url", "ssh_url", "html_url", "git_url", "git_http_url", "git_ssh_url", "web_url", "http_url", "url"],
] as const;

function payloadObject(value: unknown): Payload | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : undefined;
}

/** The value of a header that was sent once; "" for none, and for several: which of them counts is not ours to guess. */
function one(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

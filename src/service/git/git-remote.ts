import { fileURLToPath, pathToFileURL } from "node:url";
import { isAllowedHost, isLoopback } from "../allowed-hosts.ts";
import type { Settings } from "../settings.ts";

/** A repository somewhere else, as git is told about it. */
export interface GitRemote {
  /** As git gets it: normal, and without the user and password of a web address. */
  readonly address: string;
  /** The only protocol that git may speak with it. */
  readonly protocol: "http" | "https" | "ssh" | "file";
  readonly isLocal: boolean;
  /** User and password that a web address contained. */
  readonly login?: GitLogin;
}

/** Who calls a web server. */
export interface GitLogin {
  readonly username: string;
  readonly password: string;
}

/**
 * The repository of a url when its host may be reached; undefined when not. DECISION (API 1, Repositories: refs): a repository
 * is asked only on this machine (loopback, `file:`) and on allowed hosts, and an address that git could read otherwise than it was checked here is none of them.
 */
export function reachableRemote(url: string, settings: Pick<Settings, "allowedHosts">): GitRemote | undefined {
  const short = /^([\w.-]+)@([\w.-]+):\P{Cc}+$/u.exec(url);
  if (short) return shortRemote(short, settings);
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol === "file:") return fileRemote(parsed);
  if (!isAllowedHost(parsed.hostname, settings)) return undefined;
  return parsed.protocol === "http:" || parsed.protocol === "https:" ? webRemote(parsed) : sshRemote(parsed);
}

/** A url as messages show it: without user and password, and a long one by its beginning. */
export function shownUrl(url: string): string {
  const bare = url.replace(/^([\w+.-]+:\/\/)[^/?#]*@/, "$1");
  return bare.length > 200 ? `${bare.slice(0, 200)}…` : bare;
}

/** The short form user@host:path. */
function shortRemote(
  [address, user = "", host = ""]: RegExpExecArray,
  settings: Pick<Settings, "allowedHosts">,
): GitRemote | undefined {
  if (!isSafeForGit(user, host) || !isAllowedHost(host, settings)) return undefined;
  return { address, protocol: "ssh", isLocal: isLoopback(host) };
}

function sshRemote({ username, hostname, port, pathname }: URL): GitRemote | undefined {
  if (!isSafeForGit(username, hostname)) return undefined;
  const address = `ssh://${username ? `${username}@` : ""}${hostname}${port ? `:${port}` : ""}${pathname}`;
  return { address, protocol: "ssh", isLocal: isLoopback(hostname) };
}

/** Git decodes escapes before it looks for the host, and ssh takes a leading dash for an option. */
function isSafeForGit(user: string, host: string): boolean {
  return /^(?:\w[\w.+-]*)?$/.test(user) && /^(?:\w[\w.-]*|\[[\da-f:.]+\])$/i.test(host);
}

function webRemote(url: URL): GitRemote {
  const { username, password, hostname } = url;
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  const login = { username: decoded(username), password: decoded(password) };
  return {
    address: bare.href,
    protocol: url.protocol === "https:" ? "https" : "http",
    isLocal: isLoopback(hostname),
    ...(username === "" && password === "" ? {} : { login }),
  };
}

/** Text without escapes; as it is where these are none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fileRemote(url: URL): GitRemote | undefined {
  try {
    return { address: pathToFileURL(fileURLToPath(url)).href, protocol: "file", isLocal: true };
  } catch {
    return undefined;
  }
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitLogin, GitRemote } from "./git-remote.ts";

/** Credentials for a repository. */
export interface GitSecrets {
  readonly login?: GitLogin;
  /** The private key's file. */
  readonly privateKey?: Uint8Array;
}

/** A folder that git takes for its home, and the only environment it sees. */
export interface GitHome {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Removes the folder with all that is in it. */
  readonly remove: () => Promise<void>;
}

/** Makes an empty home for one call of git: nothing of the user's configuration, keys or credentials is seen, and nothing remains. */
export async function openGitHome(remote: GitRemote, secrets: GitSecrets): Promise<GitHome> {
  const folder = await mkdtemp(join(tmpdir(), "loadform-git-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const ssh = remote.protocol === "ssh" ? await sshEnvironment(folder, secrets) : {};
    const environment = { ...ownEnvironment(folder), ...wayThere(remote), ...ssh, ...configOf(remote, secrets) };
    return { folder, environment, remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

function ownEnvironment(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CEILING_DIRECTORIES: join(folder, ".."),
  };
}

const proxies = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
const certificates = ["SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"];

/** The protocol that git may speak, and this machine's proxy where the repository is beyond this machine. */
function wayThere({ protocol, isLocal }: GitRemote): Readonly<Record<string, string>> {
  const passed = isLocal ? certificates : [...proxies, ...certificates];
  const known = passed.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { GIT_ALLOW_PROTOCOL: protocol, ...Object.fromEntries(known) };
}

/**
 * Configuration by environment, which no other user can read, unlike arguments. A redirect is not followed: it could lead to a
 * host that may not be reached, and take the password there.
 */
function configOf({ protocol, login }: GitRemote, secrets: GitSecrets): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [
    ["http.followRedirects", "false"],
    ["credential.helper", ""],
  ];
  const account = secrets.login ?? login;
  if (account !== undefined && (protocol === "http" || protocol === "https"))
    pairs.push(["http.extraHeader", `Authorization: ${basic(account)}`]);
  const entries = pairs.flatMap(([name, value], index): [string, string][] => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(entries) };
}

function basic({ username, password }: GitLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** DECISION (API 1, Repositories: refs): a test of a connection has no known hosts, so any host key is taken. */
const sshScript = `#!/bin/sh
exec ssh -F /dev/null -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \\
  -o IdentityAgent=none -o IdentitiesOnly=yes -o IdentityFile="$LOADFORM_KEY_FILE" "$@"
`;

async function sshEnvironment(folder: string, { privateKey }: GitSecrets): Promise<Readonly<Record<string, string>>> {
  const script = join(folder, "ssh");
  await writeFile(script, sshScript, { mode: 0o700 });
  const key = join(folder, "key");
  if (privateKey !== undefined) await writeFile(key, privateKey, { mode: 0o600 });
  return {
    GIT_SSH: script,
    GIT_SSH_VARIANT: "ssh",
    LOADFORM_KEY_FILE: privateKey === undefined ? "none" : key,
  };
}

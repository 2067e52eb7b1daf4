import { WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import type { GitSecrets } from "../git/git-environment.ts";
import { reachableRemote, shownUrl } from "../git/git-remote.ts";
import { Refusal } from "../refusal.ts";
import type { VcsRootRecord } from "../store/records/repositories.ts";
import type { Input } from "./load-profile.ts";
import { readVcsRoot, type VcsRootFields } from "./write-vcs-root.ts";

/**
 * API 1, Repositories: the names of remote refs, of fields that are not kept; of a saved repository the body's fields override
 * its own for this test only. DECISION (API 1, Repositories: refs): a host that is not reached answers what the setting `refs` says of the url, whatever the credentials.
 */
export function connectionTest(
  input: Input,
  saved: VcsRootRecord | undefined,
  scope: Scope,
): WaitingReply | readonly string[] {
  const fields = readVcsRoot({ name: "connection test", ...input }, saved, scope);
  scope.findings.check();
  const remote = reachableRemote(fields.url, scope.settings);
  if (remote === undefined) return fixtureOf(fields.url, scope);
  const secrets = readSecrets(input, fields, scope);
  scope.findings.check();
  return WaitingReply.of(
    async () => {
      const { listRefs } = await import("../git/list-refs.ts");
      return listRefs({ remote, secrets });
    },
    (refs) => refs,
  );
}

function fixtureOf(url: string, { settings }: Scope): readonly string[] {
  const known = Object.hasOwn(settings.refs, url) ? settings.refs[url] : undefined;
  if (known !== undefined) return [...known];
  const message = `${shownUrl(url)} is not reached; expected loopback, file:///…, a host of the setting allowedHosts, or a url that the setting refs answers for`;
  throw new Refusal(400, `url: ${message}`, { errors: [{ field: "url", message }] });
}

/**
 * DECISION (API 1, Repositories: refs): of a stored password or key only a digest is kept, which opens nothing, so a repository
 * with credentials is asked only with those of the request.
 */
function readSecrets(input: Input, { vcsAuthType, username }: VcsRootFields, { findings }: Scope): GitSecrets {
  const name = { Username: "password", PrivateKey: "privateKey" }[vcsAuthType];
  if (name === undefined) return {};
  const value = input[name];
  if (typeof value !== "string") {
    findings.add(
      name,
      `found none in the request, and of the stored one only a digest is kept; expected it in POST /vcs-root/:vcsRootId/refs`,
    );
    return {};
  }
  return name === "password"
    ? { login: { username: username ?? "", password: value } }
    : { privateKey: Buffer.from(value, "base64") };
}

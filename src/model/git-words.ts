/** Git's own words on one line for messages: no credentials of an address, no hints. */
export function gitWords(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^(remote|error|fatal|warning): */, "").trim());
  const telling = lines.filter((line) => line !== "" && !/^(hint:|To |!|Done$|error: failed to push)/.test(line));
  return withoutCredentials(telling.join(" ")).replace(/\.$/, "").slice(0, 400) || "no word from git";
}

/** An address or a text about it, for messages: without the user, and without a query, in which tokens are passed too. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)(?:[^/@\s'"]+@)?([^\s'"?]*)(?:\?[^\s'"]*)?/gi, "$1$2");
}

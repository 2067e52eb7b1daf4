/** The token is kept here and nowhere else: it ends with the page. */
let token;
/** Milliseconds that the watcher's clock is ahead of this one. */
let ahead = 0;

/** Uses a token from now on; undefined forgets it. */
export function useToken(given) {
  token = given;
}

/** A token is in use. */
export function hasToken() {
  return token !== undefined;
}

/** The moment on the watcher's clock, in epoch milliseconds. */
export function watcherNow() {
  return Date.now() + ahead;
}

/** A refusal of the watcher, or its silence (status 0). */
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const longest = 15_000;

/** One call; resolves to its JSON. */
export async function ask(method, path, body) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    const signal = AbortSignal.timeout(longest);
    response = await fetch(path, { method, headers, cache: "no-store", signal, ...json });
    // The Date of an answer is known to the second.
    const sent = Date.parse(response.headers.get("date") ?? "");
    if (Math.abs(sent - Date.now()) > 2000) ahead = sent - Date.now();
    if (response.ok) return await response.json();
  } catch {
    throw new Failure(0, "No answer came from the watcher: it is stopped, or the connection was cut.");
  }
  const refused = await response.json().catch(() => undefined);
  throw new Failure(response.status, refused?.error ?? `The watcher answered ${response.status}.`);
}

/** The path of a project, or of an order about it. */
export function pathOf(name, order = "") {
  return `/api/projects/${encodeURIComponent(name)}${order}`;
}

/** Where the page stands tells where the service is: at the root, or under /api. */
const base = location.pathname.replace(/\/_loadform\/console\/?$/, "");
const keyHeader = document.querySelector("meta[name=auth-header]").content;

/** The key is kept here and nowhere else: it goes with the page. */
let key;

/** Uses a key from now on; undefined forgets it. */
export function useKey(given) {
  key = given;
}

/** Address of a path of the service. */
export function addressOf(path) {
  return base + path;
}

/** What the service refused, or that it did not answer (status 0). */
export class Failure extends Error {
  constructor(status, message, errors = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** One call; resolves to its JSON, text where it is none, or undefined. */
export async function call(method, path, body) {
  const response = await send(method, path, body);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  const value = isJson && text !== "" ? JSON.parse(text) : text;
  if (!response.ok) throw new Failure(response.status, value?.message ?? `HTTP ${response.status}`, value?.errors);
  return value;
}

/** The bytes of an answer. */
export async function download(path) {
  const response = await send("GET", path);
  if (response.ok) return await response.blob();
  const refused = await response.json().catch(() => ({}));
  throw new Failure(response.status, refused.message ?? `HTTP ${response.status}`);
}

async function send(method, path, body) {
  // The console's own reads meet no planned fault and stay out of the request log.
  const headers = { [keyHeader]: key, "x-loadform-console": "1" };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    return await fetch(base + path, { method, headers, cache: "no-store", ...json });
  } catch {
    throw new Failure(0, "The service does not answer. It is asked again every few seconds.");
  }
}

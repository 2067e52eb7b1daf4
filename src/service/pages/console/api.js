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

/** A refusal of the service, or its silence (status 0). */
export class Failure extends Error {
  constructor(status, message, errors = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** One call; resolves to its JSON, text where it is none, or undefined. */
export async function call(method, path, body) {
  return await send(method, path, body, contentOf);
}

/** One read with what its headers say: the moment in the world, and who carried out the run that it is about. */
export async function readWithHeaders(path) {
  return await send("GET", path, undefined, async (response) => ({
    content: await contentOf(response),
    sentAt: Date.parse(response.headers.get("date") ?? "") || Date.now(),
    engine: response.headers.get("x-loadform-engine"),
  }));
}

async function contentOf(response) {
  const text = await response.text();
  return response.headers.get("content-type")?.includes("json") && text !== "" ? JSON.parse(text) : text;
}

/** The bytes of an answer. */
export async function download(path) {
  return await send("GET", path, undefined, (response) => response.blob());
}

const longest = 15_000;

async function send(method, path, body, read) {
  // The console's own reads meet no planned fault and stay out of the request log.
  const headers = { [keyHeader]: key, "x-loadform-console": "1" };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  if (body !== undefined) headers["content-type"] = "application/json";
  // What changes something may take its time; a read that hangs would hold up all later ones.
  const patience = method === "GET" ? { signal: AbortSignal.timeout(longest) } : {};
  let response;
  try {
    response = await fetch(base + path, { method, headers, cache: "no-store", ...json, ...patience });
    if (response.ok) return await read(response);
  } catch {
    throw new Failure(0, "No answer came from the service: it is stopped, or the connection was cut.");
  }
  throw await refusalOf(response);
}

async function refusalOf(response) {
  const refused = await response.json().catch(() => undefined);
  return new Failure(response.status, refused?.message ?? `The service answered ${response.status}.`, refused?.errors);
}

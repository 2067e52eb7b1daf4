import { createHash } from "node:crypto";
import { decodedPart } from "../../model/secret-texts.ts";
import { StoreFailed } from "../../state/store.ts";
import { setText } from "../store-opening.ts";

/** Name and password for the server that stores the state. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface StateServerOptions {
  readonly credentials?: Credentials;
  readonly sleep: (ms: number) => Promise<void>;
  /** Time for the tries of a request altogether, and for those after one without an answer. */
  readonly patience?: { readonly wholeMs: number; readonly shortMs: number } | undefined;
  /** Proxies as in $HTTP_PROXY, $HTTPS_PROXY and $NO_PROXY. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  /** For messages: "read the state". */
  readonly purpose: string;
  /** Advice for its failure, where there is better advice than to try again. */
  readonly hint?: string;
  /** Said instead where the server answered at all. */
  readonly answeredHint?: string;
}

/** An answer that arrived whole. */
export interface ServerAnswer {
  readonly status: number;
  readonly text: string;
}

/** The credentials that settings, variables (Terraform's own too) and an address name, in this order. */
export function credentialsOf(
  { username, address }: { readonly username?: string | undefined; readonly address: string },
  env: StateServerOptions["env"],
): Credentials | undefined {
  const url = new URL(address);
  const name = setText(username) ?? setText(env["TF_HTTP_USERNAME"]) ?? setText(decodedPart(url.username));
  const inUrl = decodedPart(url.password);
  const password = setText(env["LOADFORM_STATE_PASSWORD"]) ?? setText(env["TF_HTTP_PASSWORD"]) ?? inUrl;
  return name === undefined ? undefined : { username: name, password };
}

/** An address without its user and password. */
export function withoutUser(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}

const attempts = 5;
const firstPauseMs = 250;
const longestPauseMs = 30_000;
const timeoutMs = 30_000;
/** Time for the tries of a request; and of the next one, once a server has not answered at all for so long. */
const usualPatience = { wholeMs: 60_000, shortMs: 10_000 };

/**
 * Sends requests to a state server through undici, which is loaded with the first one, and answers the first answer that is not a
 * passing failure. `make` is called for every attempt, as a request whose answer was lost may have been done. Throws
 * {@link StoreFailed} after 5 attempts or a minute, and when the key is refused; a server that let such a minute pass without a
 * word gets 10 s from then on, until it answers.
 */
export function stateServer(options: StateServerOptions): (make: () => ServerRequest) => Promise<ServerAnswer> {
  const { credentials, env, sleep, patience = usualPatience } = options;
  let loading: ReturnType<typeof loadAgent> | undefined;
  let isSilent = false;
  return async (make) => {
    loading ??= loadAgent(env);
    const agent = await loading;
    const until = performance.now() + (isSilent ? patience.shortMs : patience.wholeMs);
    for (let attempt = 1; ; attempt++) {
      const request = make();
      const leftMs = until - performance.now();
      const result = await agent(request, requestHeaders(request, credentials), Math.min(timeoutMs, leftMs));
      isSilent = "isSilent" in result;
      if (!("passing" in result)) return accepted(request, result);
      const waitMs = result.waitMs ?? firstPauseMs * 2 ** (attempt - 1);
      const isLast = attempt >= attempts || performance.now() + waitMs >= until;
      if (isLast) throw exhausted(request, result, attempt);
      await sleep(waitMs);
    }
  };
}

/** An address for messages: without credentials, query and fragment. */
export function plainAddress(address: string): string {
  if (!URL.canParse(address)) return "the state server";
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** That a request did not do what it was for. */
export function failed(request: ServerRequest, found: string, wayOut?: string): StoreFailed {
  const { method, url, purpose, hint, answeredHint } = request;
  const way = wayOut ?? answeredHint ?? hint ?? "Look at the server's log, or try again";
  return new StoreFailed(`could not ${purpose}: ${method} ${plainAddress(url)} got ${found}. ${way}`);
}

/** A short form of an answer for messages. */
export function answerWords({ status, text }: ServerAnswer): string {
  const line = text.replace(/\s+/g, " ").trim().slice(0, 200);
  return line === "" ? `status ${status}` : `status ${status} (${line})`;
}

interface Passing {
  readonly passing: string;
  readonly waitMs?: number;
  readonly isSilent?: true;
}

function exhausted(request: ServerRequest, { passing, isSilent }: Passing, attempt: number): StoreFailed {
  const times = attempt === 1 ? "" : `, ${attempt} times`;
  const silent = request.hint ?? "Check state.address, and that the server is up";
  return failed(request, passing + times, isSilent && silent);
}

function accepted(request: ServerRequest, answer: ServerAnswer): ServerAnswer {
  const { status } = answer;
  if (status === 401 || status === 403)
    throw failed(
      request,
      `status ${status}: the server refused the name or the password`,
      "Set state.username, and $LOADFORM_STATE_PASSWORD or $TF_HTTP_PASSWORD",
    );
  if (status >= 300 && status < 400)
    throw failed(request, `status ${status}, a redirect`, "Set the address it leads to: the state is never sent on");
  return answer;
}

function requestHeaders({ body }: ServerRequest, credentials: Credentials | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (credentials) {
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
    headers["authorization"] = `Basic ${pair}`;
  }
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-md5"] = md5(body);
  }
  return headers;
}

function md5(text: string): string {
  return createHash("md5").update(text).digest("base64");
}

async function loadAgent(env: StateServerOptions["env"]) {
  const loaded = await import("undici");
  const { EnvHttpProxyAgent, request: ask } = loaded.default ?? loaded;
  const dispatcher = new EnvHttpProxyAgent(proxiesOf(env));
  return async (
    { method, url, body }: ServerRequest,
    headers: Record<string, string>,
    withinMs: number,
  ): Promise<ServerAnswer | Passing> => {
    try {
      const signal = AbortSignal.timeout(Math.max(1, Math.ceil(withinMs)));
      const answer = await ask(url, { method, headers, dispatcher, signal, body: body ?? null });
      const text = await answer.body.text();
      const { statusCode: status } = answer;
      if (passing.has(status) || (status >= 500 && !lasting.has(status)))
        return { passing: answerWords({ status, text }), ...pauseAsked(answer.headers["retry-after"]) };
      const sum = answer.headers["content-md5"];
      if (typeof sum === "string" && sum !== md5(text))
        return { passing: "a body that does not match its Content-MD5" };
      return { status, text };
    } catch (problem) {
      return { passing: `no answer (${connectionReason(problem)})`, isSilent: true };
    }
  };
}

function proxiesOf(env: StateServerOptions["env"]) {
  const of = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  return {
    httpProxy: of("HTTP_PROXY"),
    httpsProxy: of("HTTPS_PROXY"),
    noProxy: of("NO_PROXY"),
    keepAliveTimeout: 4_000,
  };
}

/** Statuses below 500 that another try may change, and those from there on that it does not. */
const [passing, lasting] = [new Set([408, 429]), new Set([501, 505])];

function pauseAsked(header: string | readonly string[] | undefined): { readonly waitMs?: number } {
  const seconds = Number(header);
  return header === undefined || !Number.isFinite(seconds)
    ? {}
    : { waitMs: Math.min(Math.max(seconds * 1000, firstPauseMs), longestPauseMs) };
}

function connectionReason(problem: unknown): string {
  if (!(problem instanceof Error)) return "unknown reason";
  const code = "code" in problem && typeof problem.code === "string" ? problem.code : problem.name;
  return code === "Error" ? "connection lost" : code;
}

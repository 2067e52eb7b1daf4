import type { JsonValue } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import type { ServiceAnswer } from "./answer.ts";
import { barePath } from "./router.ts";

/** A request to the pure core: no sockets, no streams. */
export interface ServiceRequest {
  /** In any case. */
  readonly method: string;
  /** Path below the base URL, with or without `/api`; may carry a query. */
  readonly path: string;
  /** In addition to that of the path. */
  readonly query?:
    | string
    | URLSearchParams
    | Readonly<Record<string, string | number | boolean | undefined>>
    | undefined;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Text or bytes as on the wire, or what reads them; a form; or a JSON value as it is, which saves writing and parsing its text. */
  readonly body?: string | Uint8Array | ReadBytes | FormData | JsonValue | undefined;
}

/** Reads a body once it is known to be wanted; beyond the limit it keeps nothing and rejects with a Refusal (413). */
type ReadBytes = (limit: number) => Promise<Uint8Array | undefined>;

/** A body that need not be read any more. */
export type ArrivedBody = Exclude<ServiceRequest["body"], ReadBytes>;

/** The core as the ways to it see it. */
export type HandleRequest = (request: ServiceRequest) => Promise<ServiceAnswer>;

/** A request taken apart. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: ServiceRequest["body"];
  /** The query as it was sent, where it was text. */
  readonly queryText: string;
}

/** Takes a request apart: upper-case method, bare path, query as parameters, lower-case header names. */
export function readRequest(request: ServiceRequest): Incoming {
  const [path = "/", ...rest] = request.path.split("?");
  const query = rest.length > 0 ? new URLSearchParams(rest.join("?")) : new URLSearchParams();
  for (const [name, value] of queryPairs(request.query)) query.append(name, value);
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers ?? {}))
    if (value !== undefined) headers.set(name.toLowerCase(), value);
  const queryText = `${rest.join("?")}${typeof request.query === "string" ? request.query : ""}`;
  return { method: request.method.toUpperCase(), path: barePath(path), query, headers, body: request.body, queryText };
}

/** Refuses a query whose escapes are no UTF-8: read, they would all become the same character. */
export function refuseOtherBytes({ query, queryText }: Incoming): void {
  if (/\ufffd|%EF%BF%BD/i.test(queryText)) return;
  for (const [name, value] of query)
    if (queryText !== "" && /\ufffd/.test(name + value))
      throw new Refusal(400, `?${name}: found escapes that are no UTF-8; expected text in UTF-8`);
}

function queryPairs(query: ServiceRequest["query"]): Iterable<readonly [string, string]> {
  if (query === undefined) return [];
  if (typeof query === "string" || query instanceof URLSearchParams) return new URLSearchParams(query);
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
}

import type { Body, JsonValue, Params, Query, RouteKey, routes } from "../../api/routes.ts";
import type { Scope } from "./scope.ts";

type RouteDescriptors = typeof routes;

type Texts<R extends RouteKey> = RouteDescriptors[R] extends { readonly params: infer P } ? keyof P : never;

type Defaulted<Q> = { [K in keyof Q]: Q[K] extends `${string}=${string}` ? K : never }[keyof Q];

type WithDefaults<R extends RouteKey> = RouteDescriptors[R] extends { readonly query: infer Q }
  ? Required<Pick<Query<R>, Defaulted<Q> & keyof Query<R>>> & Omit<Query<R>, Defaulted<Q> & keyof Query<R>>
  : Query<R>;

/** A request that has been read and checked against the route table. */
export interface Call<R extends RouteKey> {
  readonly params: { readonly [K in keyof Params<R>]: K extends Texts<R> ? string : number };
  readonly query: WithDefaults<R>;
  readonly body: RouteDescriptors[R] extends { readonly bodyOptional: true } ? Body<R> | undefined : Body<R>;
  /** The query as sent, for routes that take any parameter. */
  readonly rawQuery: URLSearchParams;
  /** File parts of a multipart form. */
  readonly uploads: readonly Upload[];
  /** Text fields of a form. */
  readonly texts: readonly FormText[];
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly scope: Scope;
}

/** A file part of a multipart form, read into memory. */
export interface Upload {
  /** Name of the form field. */
  readonly field: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** A text field of a form. */
export interface FormText {
  readonly field: string;
  readonly text: string;
}

/** An answer that is not JSON. */
export class RawReply {
  readonly body: string | Uint8Array;
  readonly type: string;
  /** Further headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: string | Uint8Array, type: string, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.type = type;
    this.headers = headers;
  }
}

/** DECISION (API 1, GET /data-stores/:id/download; API 2, Output file: how a browser takes it): under their names, a data store as a download; nothing in them runs as a page of the service. */
export function fileHeaders(name: string, disposition: "attachment" | "inline"): Readonly<Record<string, string>> {
  const whole = Buffer.from(name.slice(name.lastIndexOf("/") + 1)).toString();
  const encoded = encodeURIComponent(whole).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return {
    "content-disposition": `${disposition}; filename="${whole.replace(/[^\w. -]/g, "_")}"; filename*=UTF-8''${encoded}`,
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
  };
}

/**
 * An answer that waits for work outside the store, such as a script that runs: what the handler wrote before it is taken back,
 * and `goOn` carries the request out with what the work resolved to, synchronously and as one, in a scope of that moment.
 */
export class WaitingReply {
  readonly work: () => Promise<unknown>;
  readonly goOn: (result: unknown, scope: Scope) => Reply;

  private constructor(work: () => Promise<unknown>, goOn: (result: unknown, scope: Scope) => Reply) {
    this.work = work;
    this.goOn = goOn;
  }

  static of<T>(work: () => Promise<T>, goOn: (result: T, scope: Scope) => Reply): WaitingReply {
    return new WaitingReply(work, (result, scope) => goOn(result as T, scope));
  }
}

/** An answer of a handler: JSON, bytes or text, nothing, or one of these once work is done. */
export type Reply = JsonValue | RawReply | WaitingReply | undefined;

/** One function per route; leaving one out does not compile. */
export type Handlers<R extends RouteKey> = { readonly [K in R]: (call: Call<K>) => Reply };

/** The routes of one section's table. */
export type BuiltIn<T> = keyof T & RouteKey;

import { configurationRoutes } from "./configurations.ts";
import { dataStoreRoutes } from "./data-stores.ts";
import { downloadRoutes } from "./downloads.ts";
import { executionRoutes } from "./executions.ts";
import { gatewayRoutes } from "./gateways.ts";
import { organizationRoutes } from "./organizations.ts";
import { ownRoutes } from "./own.ts";
import { recordingRoutes } from "./recordings.ts";
import { repositoryRoutes } from "./repositories.ts";
import { runnerRoutes } from "./runners.ts";
import { scenarioRoutes } from "./scenarios.ts";
import type { AnswerFields, BodyFields, QueryFields, ValueOf } from "./shapes.ts";
import { startRoutes } from "./starting.ts";
import { tagRoutes } from "./tags.ts";
import { testCaseRoutes } from "./test-cases.ts";

export type { RouteDescriptor, Upsert } from "./descriptors.ts";
export type { JsonValue, Wire } from "./shapes.ts";

/** Every route of the service. Update routes answer PUT and PATCH; all paths exist under `/api` too. */
export const routes = {
  ...testCaseRoutes,
  ...configurationRoutes,
  ...scenarioRoutes,
  ...dataStoreRoutes,
  ...gatewayRoutes,
  ...recordingRoutes,
  ...repositoryRoutes,
  ...runnerRoutes,
  ...organizationRoutes,
  ...tagRoutes,
  ...startRoutes,
  ...executionRoutes,
  ...downloadRoutes,
  ...ownRoutes,
} as const;

type Routes = typeof routes;

/** A route: `GET /test-cases`, its method and its path with parameters (`:testCaseId`). */
export type RouteKey = keyof Routes;

type PathParams<P extends string> = P extends `${infer Head}/${infer Rest}`
  ? PathParams<Head> | PathParams<Rest>
  : P extends `:${infer Name}`
    ? Name
    : never;

/** Path parameters of a route: numbers or text. */
export type Params<R extends RouteKey> = { readonly [K in PathParams<R>]: string | number };

/** Query parameters of a route, all optional. */
export type Query<R extends RouteKey> = Routes[R] extends { readonly query: infer Q } ? QueryFields<Q> : Empty;

/** Request body of a route: a JSON value, a FormData where it takes a form, undefined where it takes none. */
export type Body<R extends RouteKey> = Routes[R] extends { readonly multipart: true }
  ? FormData
  : Routes[R] extends { readonly body: infer B }
    ? B extends string
      ? ValueOf<B>
      : BodyFields<B>
    : undefined;

/** The answer of a route as a JSON value. */
export type Answer<R extends RouteKey> = Routes[R]["answer"] extends infer A
  ? A extends string
    ? ValueOf<A>
    : AnswerFields<A>
  : never;

type Empty = Readonly<Record<never, never>>;

/** Parameters and body of a call. */
export interface CallInput<R extends RouteKey> {
  /** Path parameters, `{ testCaseId: 7 }`. */
  readonly params?: Params<R>;
  /** Query parameters; those that are undefined or null are not sent. */
  readonly query?: Query<R>;
  /** A JSON value; a FormData where the route takes a form. */
  readonly body?: Body<R>;
}

/** Settings of a single call, beside its parameters and body. */
export interface CallOptions {
  /** Address of the object, for logs and errors. */
  readonly address?: string;
  /** Aborted: the call is given up. */
  readonly signal?: AbortSignal;
  /** Tests the bytes of a good answer; true when they equal an answer that was read before, and the value is undefined then. */
  readonly isKnown?: (body: Uint8Array) => boolean;
  /** ETag of an answer that was read before: one that still has it is not sent again, and the value is undefined (RFC 9110, 13.1.2). */
  readonly unlessTag?: string;
  /** Takes the headers of a good answer, by lower-case name. */
  readonly answered?: (headers: Readonly<Record<string, string>>) => void;
}

/** The service as seen by a caller. */
export interface Api {
  /** Calls a route: `call("GET /test-cases/:testCaseId", { params: { testCaseId: 7 } })`. Rejects with a ServiceError. */
  call<R extends RouteKey>(route: R, input?: CallInput<R>, options?: CallOptions): Promise<Answer<R>>;
}

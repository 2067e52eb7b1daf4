import { type RouteDescriptor, type RouteKey, routes, type Upsert } from "../api/routes.ts";
import type { LooseInput, PreparedCall } from "./build-request.ts";
import { asObject } from "./read-answer.ts";

/** Kinds of requests by the effect of a second arrival. */
export type RetryClass = "read" | "put" | "delete" | "patch" | "upsert" | "create" | "never";

/** The end of an attempt that brought no final answer. */
export type Trouble = "not-sent" | "throttled" | "unavailable" | "in-doubt";

/** The next step: send again, read first and send again if nothing happened, read and then give up, or give up. */
export type NextStep = "resend" | "reread" | "last look" | "report";

/**
 * The table of docs/engine.md, Retries. `throttled` is 429, `unavailable` 503 with Retry-After; `in-doubt` is 408, any
 * other 5xx, a reset, a timeout, a cut or unreadable answer. A `create` in doubt is left to the journal's recovery.
 */
const retryTable: Readonly<Record<RetryClass, Readonly<Record<Trouble, NextStep>>>> = {
  read: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "resend" },
  put: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "resend" },
  delete: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "resend" },
  patch: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "reread" },
  upsert: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "reread" },
  create: { "not-sent": "resend", throttled: "resend", unavailable: "report", "in-doubt": "report" },
  never: { "not-sent": "report", throttled: "report", unavailable: "report", "in-doubt": "report" },
};

/** The step after an attempt. After the last try only an update in doubt is looked at: nothing else tells whether it was done. */
export function stepAfter(safety: RetryClass, is: "done" | "refused" | Trouble, isLast: boolean): NextStep {
  if (is === "done" || is === "refused") return "report";
  if (!isLast) return retryTable[safety][is];
  return safety === "put" && (is === "in-doubt" || is === "unavailable") ? "last look" : "report";
}

const classes: Readonly<Record<string, RetryClass>> = {
  GET: "read",
  HEAD: "read",
  PUT: "put",
  DELETE: "delete",
  PATCH: "patch",
  POST: "create",
};

/** The class of a route, by its marks and its method. */
export function retryClass(route: RouteKey): RetryClass {
  const { upsert, once }: RouteDescriptor = routes[route];
  if (upsert) return "upsert";
  if (once) return "never";
  return classes[route.slice(0, route.indexOf(" "))] ?? "never";
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;
const longestRetryAfterMs = 120_000;

/** Default number of times that a request is sent at most. */
export const usualTries = 5;

/** The pause after an attempt (from 1): full jitter below a doubling bound, or the service's own Retry-After where it asks for one. */
export function pauseAfter(attempt: number, random: () => number, retryAfterMs?: number): number {
  if (retryAfterMs) return Math.min(retryAfterMs, longestRetryAfterMs);
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
}

/** Retry-After in milliseconds: seconds or an HTTP date; undefined when absent or senseless. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Reads through the client, with its retries. */
export type ReadCall = (route: RouteKey, input: LooseInput) => Promise<unknown>;

/**
 * Looks whether a write in doubt was done: the object as read when it holds everything the write asked for, undefined
 * when it does not and the write can be sent again (docs/engine.md, Retries).
 */
export async function rereadWrite(call: PreparedCall, read: ReadCall): Promise<unknown> {
  const wanted = asObject(call.input.body);
  if (wanted === undefined) return undefined;
  const { upsert } = call.descriptor;
  const found = upsert ? await readByName(call, upsert, read) : await readSamePath(call, read);
  const isDone = Object.entries(wanted).every(
    ([field, value]) =>
      upsert?.placement?.includes(field) || JSON.stringify(found?.[field] ?? null) === JSON.stringify(value ?? null),
  );
  return isDone ? found : undefined;
}

type ReadObject = ReturnType<typeof asObject>;

async function readByName({ input }: PreparedCall, upsert: Upsert, read: ReadCall): Promise<ReadObject> {
  if (!isRoute(upsert.list)) return undefined;
  const given = { ...input.params, ...asObject(input.body) };
  const params = Object.fromEntries(Object.entries(upsert.params).map(([name, from]) => [name, given[from]]));
  if (Object.values(params).includes(undefined)) return undefined;
  const answer = await read(upsert.list, { params, query: upsert.query });
  const list = upsert.member === undefined ? answer : asObject(answer)?.[upsert.member];
  if (!Array.isArray(list)) return undefined;
  return list.map(asObject).find((each) => each?.["name"] === String(given["name"]).trim());
}

async function readSamePath(call: PreparedCall, read: ReadCall): Promise<ReadObject> {
  const route = `GET ${call.route.slice(call.route.indexOf(" ") + 1)}`;
  if (!isRoute(route)) return undefined;
  return asObject(await read(route, { ...(call.input.params && { params: call.input.params }) }));
}

function isRoute(route: string): route is RouteKey {
  return Object.hasOwn(routes, route);
}

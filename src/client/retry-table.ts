/** Kinds of requests by what a second arrival would do. */
export type RetryClass = "read" | "put" | "delete" | "patch" | "upsert" | "create" | "never";

/** What became of an attempt that brought no final answer. */
export type Trouble = "not-sent" | "throttled" | "unavailable" | "in-doubt";

/** What happens next: send again, look whether it was done and else send again, or give up. */
export type NextStep = "resend" | "reread" | "report";

/**
 * The table of docs/engine.md, Retries. `throttled` is 429, `unavailable` 503 with Retry-After; `in-doubt` is 408, any other 5xx,
 * a reset, a timeout, a cut or unreadable answer. A `create` in doubt is left to the journal's recovery.
 */
export const retryTable: Readonly<Record<RetryClass, Readonly<Record<Trouble, NextStep>>>> = {
  read: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "resend" },
  put: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "resend" },
  delete: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "resend" },
  patch: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "reread" },
  upsert: { "not-sent": "resend", throttled: "resend", unavailable: "resend", "in-doubt": "reread" },
  create: { "not-sent": "resend", throttled: "resend", unavailable: "report", "in-doubt": "report" },
  never: { "not-sent": "report", throttled: "report", unavailable: "report", "in-doubt": "report" },
};

const classes: Readonly<Record<string, RetryClass>> = {
  GET: "read",
  HEAD: "read",
  PUT: "put",
  DELETE: "delete",
  PATCH: "patch",
  POST: "create",
};

/** Seed 1, Test cases; seed 2, regions: a POST of a known name updates. */
const upserts = new Set(["POST /test-cases", "POST /orgs/:orgId/regions"]);

/** Routes that start a run or make a copy: a second one would cost money or leave a twin. */
const starters = /^POST \/(?:start|setup|.*\/(?:run|copy|executions))$/;

/** The class of a route, "POST /test-cases". */
export function retryClass(route: string): RetryClass {
  if (upserts.has(route)) return "upsert";
  if (starters.test(route)) return "never";
  return classes[route.slice(0, route.indexOf(" "))] ?? "never";
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;
const longestRetryAfterMs = 120_000;

/** How often a request is sent at most. */
export const tries = 5;

/** The pause after an attempt (from 1): full jitter below a doubling bound, or what the service asked for. */
export function pauseAfter(attempt: number, random: () => number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, longestRetryAfterMs);
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

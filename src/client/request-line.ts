import type { RequestEvent } from "./client-options.ts";

/** Query parameters that open links: like keys. */
const secretParameters = new Set(["key", "sid"]);

/** One attempt as a line of the debug log. */
export function requestLine(event: RequestEvent): string {
  const query = Object.entries(event.query).map(
    ([name, value]) => `${name}=${secretParameters.has(name) ? "***" : value}`,
  );
  const target = `${event.method} ${event.path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const result = event.status === undefined ? `failed: ${event.failure}` : String(event.status);
  const attempt = event.attempt === 1 ? "" : `, try ${event.attempt}`;
  const wait = event.waitMs === undefined ? "" : `, again in ${Math.round(event.waitMs)} ms`;
  const address = event.address === undefined ? "" : ` for ${event.address}`;
  return `${target}${address}: ${result} in ${Math.round(event.durationMs)} ms${attempt}${wait}`;
}
